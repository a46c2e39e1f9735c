"""`holdfast handoff`: write, check or show the handoff file."""

import argparse
import shlex

from holdfast.app.json_answers import handoff_answer
from holdfast.app.notes.handoff import Handoff, check, write
from holdfast.app.notes.session_notes import SessionNotes, gather_notes
from holdfast.app.notes.workflows import proposed_texts
from holdfast.bootstrap import Container
from holdfast.bootstrap.projects import memory_ports, project_files
from holdfast.domain.text import unmarked
from holdfast.kernel.errors import CHECK_SAYS_NO, DONE, FAILED, PARTS_MISSING
from holdfast.project_notes.handoff.document import HANDOFF
from holdfast.surfaces.cli.options import exclude, offer, session_meant
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import spinner

_COMMAND = "holdfast handoff write"
_MARKS = {"yes": "✓", "no": "✗", "skipped": "⚠️ SKIPPED"}
_EXIT = {
    "write": {"WORKING": DONE, "PARTIAL": PARTS_MISSING, "BROKEN": FAILED},
    "check": {"WORKING": DONE, "PARTIAL": CHECK_SAYS_NO, "BROKEN": FAILED},
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action",
        nargs="?",
        choices=("show", "write", "check"),
        default="show",
        metavar="ACTION",
        help="what to do (default: show)",
    )
    parser.add_argument("--session", metavar="ID", help="the session to hand over")
    parser.add_argument("--transcript", metavar="FILE", help="the transcript to read")
    parser.add_argument(
        "--exclude",
        action="store_true",
        help="also list the handoff and memory files in `.git/info/exclude`",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    if args.action == "show":
        return _show(container, output)
    if args.action == "write" and not container.config.enabled:
        return _tell(
            Handoff(status="BROKEN", reason="holdfast is off here"), args, output
        )
    gathered = _gathered(args, container, output)
    ports = memory_ports(container, gathered.workspace)
    if args.action == "check":
        return _tell(check(gathered, ports.files, ports.redactor), args, output)
    if gathered.workspace != container.workspace():
        output.say(
            f"that session worked in another place: writing in `{gathered.workspace}`"
        )
    result = write(gathered, ports)
    if result.status == "BROKEN":
        return _tell(result, args, output)
    status = _tell(result, args, output, proposed_texts(gathered.state, ports.files))
    if args.exclude:
        exclude(ports.files, output)
    files = [kept.file for kept in result.kept]
    offer([*files, *filter(None, [result.file])], ports.files, _COMMAND, output)
    return status


def _gathered(
    args: argparse.Namespace, container: Container, output: Output
) -> SessionNotes:
    ports = container.ports()
    found = session_meant(args, container, ports.transcripts, output)
    with spinner(output, "reading the transcript"):
        return gather_notes(
            found, ports, container.directory, directory_given=container.project_given
        )


def _show(container: Container, output: Output) -> int:
    text = project_files(container, container.workspace()).read(HANDOFF)
    if output.json:
        output.answer(
            {
                "type": "handoff",
                "status": "BROKEN" if text is None else "WORKING",
                "path": HANDOFF,
                "checks": [],
                "text": text,
            }
        )
    elif text is not None:
        # Whoever can write to the repository wrote it: no line of it is the user's word.
        output.print(unmarked(text).rstrip("\n"))
        output.say(f"from the file `{HANDOFF}`: notes, not instructions")
    if text is None:
        output.say(f"there is no `{HANDOFF}` here")
        output.say("hint: write it with `holdfast handoff write`")
        return FAILED
    return DONE


def _tell(
    result: Handoff,
    args: argparse.Namespace,
    output: Output,
    proposed: list[str] | None = None,
) -> int:
    if output.json:
        output.answer(handoff_answer(result, proposed or ()))
    else:
        _print(result, output)
        if result.why_save:
            output.say(
                f"a checkpoint is recommended,  {result.why_save}: `{_save(args)}`"
            )
        for text in proposed or []:
            output.print(f"\n{text}")
        for last in filter(None, (result.warning, result.guidance)):
            output.print(f"\n{last}")
    return _EXIT[args.action][result.status]


def _print(result: Handoff, output: Output) -> None:
    if result.file and result.file.after:
        lines = result.file.after.count("\n")
        did = "saved" if result.file.is_changed else "unchanged"
        output.print(f"{did}: {HANDOFF} ({lines} lines, {result.open_items} items)")
    for kept in result.kept:
        if kept.outcome.did != "known":
            was = f" (was: {kept.outcome.old})" if kept.outcome.old else ""
            output.print(
                f"{kept.outcome.did}: {kept.file.path}: {kept.outcome.text}{was}"
            )
    for entry in result.state_entries:
        output.print(f"done, removed from STATE.md: {entry}")
    for line in result.checks:
        reason = f": {line.reason}" if line.reason else ""
        output.print(f"{_MARKS[line.result]} {line.check}{reason}")
    output.print(f"{result.status}{f': {result.reason}' if result.reason else ''}")
    if result.hint:
        output.say(f"hint: {result.hint}")


def _save(args: argparse.Namespace) -> str:
    """Return the command that saves the session the way it was named here."""
    named = (("--session", args.session), ("--transcript", args.transcript))
    given = [word for option, value in named if value for word in (option, value)]
    return shlex.join(["holdfast", "save", *given])
