"""`holdfast open`: continue a checkpoint's session in its agent."""

import argparse
import os
import shutil
import tempfile

from holdfast.app.checkpoints.resume import resume
from holdfast.bootstrap import Container
from holdfast.kernel import ids
from holdfast.kernel.errors import CheckpointNotFound, SaveFailed
from holdfast.surfaces.cli.output import Output

_CLIENT = "claude"
_BRIEF_IN = "--append-system-prompt-file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("reference", metavar="REF", help="the checkpoint to continue")


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    ports = container.ports()
    told = resume(
        ids.reference(args.reference),
        container.scope(),
        ports,
        budget=container.budget(None),
    )
    draft = told.checkpoint.draft
    if not os.path.isdir(draft.working_directory):
        raise CheckpointNotFound(
            f"`{draft.working_directory}`, where it worked, is not there",
            hint=f"read its brief with `holdfast resume {told.checkpoint.number}`",
        )
    has_chat = ports.transcripts.find(draft.session_id) is not None
    words = [_CLIENT, "--resume", draft.session_id]
    if not has_chat:
        words = [_CLIENT, _BRIEF_IN, "FILE" if output.json else _held(told.brief)]
    if output.json:
        output.answer(
            {
                "type": "open",
                "command": words,
                "directory": draft.working_directory,
                "transcript": has_chat,
                "brief": None if has_chat else told.brief,  # what belongs into FILE
            }
        )
        return 0
    return _run(words, draft.working_directory, container, output)


def _held(brief: str) -> str:
    """Return a path at which the client, and nobody else, reads the brief.

    The words of a command are shown to every user of a machine, so the brief is in a
    file without a name that goes with the client.
    """
    with tempfile.TemporaryFile() as file:
        file.write(brief.encode("utf-8", "replace"))
        file.flush()
        held = os.dup(file.fileno())
    os.lseek(held, 0, os.SEEK_SET)
    os.set_inheritable(held, True)  # noqa: FBT003  # its own signature
    return f"/dev/fd/{held}"


def _run(words: list[str], directory: str, container: Container, output: Output) -> int:
    program = shutil.which(words[0])
    if program is None:
        raise SaveFailed(
            f"`{words[0]}` was not found",
            hint="put it on your PATH, then run this again",
        )
    output.say(f"continuing in {directory}")
    container.close()
    os.chdir(directory)
    os.execv(program, words)  # noqa: S606  # the agent takes our place
