"""`holdfast demo`: show how it works on a made-up session.

Everything shown is real output of the real verbs on a store of its own; only the session
is made up.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable

from holdfast.app.checkpoints.drafting import SaveRequest, session_brief
from holdfast.app.checkpoints.resume import Resumed, resume
from holdfast.app.checkpoints.save import Saved, save
from holdfast.app.checkpoints.search import SearchRequest, search
from holdfast.app.checkpoints.which_session import locate
from holdfast.bootstrap import Container
from holdfast.bootstrap.agents import demo_session
from holdfast.bootstrap.backfill import past_on_disk
from holdfast.brief.card import cleared_line, numbers
from holdfast.domain.amounts import counted
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.record import record
from holdfast.kernel.errors import HoldfastError, SaveFailed
from holdfast.surfaces.cli.hits import print_hits, viewer_of
from holdfast.surfaces.cli.output import Output

_BEGAN_MINUTES_AGO = 25
_QUERY = "nested quotes"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--keep",
        action="store_true",
        help="keep the scratch directory and print its path",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    scratch = tempfile.mkdtemp(prefix="holdfast-demo-")
    try:
        _play(scratch, container, output)
    finally:
        if args.keep:
            output.say(f"kept: {scratch}")
        else:
            shutil.rmtree(scratch, ignore_errors=True)
    return 0


def _play(scratch: str, container: Container, output: Output) -> None:
    stage = _stage(scratch, container)
    saved = _work_and_clear(scratch, stage)
    resumed = resume(None, stage.scope(), stage.ports(), budget=stage.budget(None))
    if output.json:
        shown = record(saved)
        output.answer({"type": "demo", "checkpoint": shown, "brief": resumed.brief})
        return
    _tell_story(saved, resumed, stage, output)
    output.print(f'4  You can find it again at any time:\n$ holdfast search "{_QUERY}"')
    asked = SearchRequest(text=_QUERY, now_ms=stage.clock.now_ms())
    here = stage.scope()
    found = search(stage.store(), asked, here)
    print_hits(found.hits, viewer_of(found.query, here, asked.now_ms, output), output)
    _show_own_work(container, output)
    _say_what_next(container, output)


def _stage(scratch: str, container: Container) -> Container:
    """Return a container whose every path lies in the scratch directory."""
    project = os.path.join(scratch, "parser")
    os.makedirs(project)
    own = {
        "HOME": scratch,
        "HOLDFAST_HOME": os.path.join(scratch, "holdfast"),
        "XDG_CONFIG_HOME": os.path.join(scratch, "config"),
        "CLAUDE_CONFIG_DIR": os.path.join(scratch, "claude"),
    }
    return Container(environ=own, project=project, store=None, clock=container.clock)


def _work_and_clear(scratch: str, stage: Container) -> Checkpoint:
    began = stage.clock.now_ms() - _BEGAN_MINUTES_AGO * 60_000
    session, lines = demo_session(stage.directory, began)
    transcript = os.path.join(scratch, f"{session}.jsonl")
    _write(transcript, lines)
    request = SaveRequest(
        session_id=session,
        transcript=transcript,
        directory=stage.directory,
        directory_given=True,
        key=stage.new_key(),
        type="before-clear",
        trigger="clear",
    )
    saved = save(request, stage.ports(create=True))
    if not isinstance(saved, Saved):
        raise SaveFailed(
            "the demo could not save its checkpoint",
            hint="check that the temporary directory is writable, or set `TMPDIR` to another one",
        )
    return saved.checkpoint


def _write(path: str, lines: Iterable[str]) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)


def _tell_story(
    saved: Checkpoint, resumed: Resumed, stage: Container, output: Output
) -> None:
    work = numbers(saved, None, stage.clock.now_ms())
    line = cleared_line(saved, "resumed", work, resumed.tokens)
    output.print(
        "\n1  A session works on a parser, breaks a test, fixes it, and leaves another open.\n"
        "2  You type /clear. One line says what happened:\n\n"
        f"   {line}\n\n"
        "3  You go on. This is what the new session was told:\n"
    )
    output.print(
        "\n".join(f"   {line}".rstrip() for line in resumed.brief.splitlines())
    )
    output.print("")


def _command() -> str:
    """Return how this very program is called from here: a new one is on no PATH yet."""
    if shutil.which("holdfast"):
        return "holdfast"
    own = os.path.join(os.path.dirname(sys.executable), "holdfast")
    beside = os.path.relpath(own)
    return own if beside.startswith("..") else beside


def _show_own_work(container: Container, output: Output) -> None:
    """Show the brief of the newest session on this machine, storing nothing."""
    ports = container.ports()
    newest = ports.transcripts.newest()
    if newest is None:
        return
    output.print("\nThe same with your own newest session:")
    try:
        found = locate(None, newest, {}, ports.transcripts)
        told = session_brief(found, ports, budget=container.budget(None))
    except HoldfastError as problem:
        output.print(f"   it could not be read: {problem.message}")
        return
    output.print(f"   its brief has {told.tokens} tokens; nothing was stored:\n")
    output.print("\n".join(f"   {line}".rstrip() for line in told.text.splitlines()))


def _say_what_next(container: Container, output: Output) -> None:
    """Name the commands that make this happen by itself, and find the past."""
    command, past = _command(), past_on_disk(container)
    steps = [(f"{command} install claude", "works by itself from the next session on")]
    if past:
        offer = f"makes {counted(past, 'earlier session')} on this machine searchable"
        steps.append((f"{command} backfill", offer))
    steps.append((f"{command} uninstall claude", "removes it again, byte for byte"))
    width = max(len(step) for step, _ in steps)
    output.print("\nWhat to type next:")
    for step, why in steps:
        output.print(f"   {step:<{width}}   {why}")
    if command != "holdfast":
        output.print("   (to keep it beyond this directory: pipx install .)")
