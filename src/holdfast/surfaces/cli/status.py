"""`holdfast status`: show the work since the last checkpoint."""

import argparse

from holdfast.app.administration.switches import is_off
from holdfast.app.checkpoints.status import Status, status
from holdfast.app.checkpoints.which_session import known_session, newest_session
from holdfast.app.json_answers import status_answer
from holdfast.app.ports import Ports
from holdfast.bootstrap import Container
from holdfast.domain.amounts import age, counted
from holdfast.domain.code import FileChange
from holdfast.domain.text import plain
from holdfast.kernel.errors import CHECK_SAYS_NO, DONE
from holdfast.kernel.ids import label
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import Column, print_rows

_MARKS = {"created": "?", "edited": "M", "deleted": "D", "renamed": "R", "mode": "M"}
_OFF = "holdfast is off here: sessions are not saved until `holdfast on`"
_OFF_BY_SETTINGS = (
    "holdfast is off here by your settings: see `enabled` and `exclude` in"
    " `holdfast config`"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--check", action="store_true", help="exit 4 when there is unsaved work"
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    ports = container.ports()
    found = status(_session(container, ports), container.scope(), ports)
    off = _off(found, container)
    if output.json:
        waiting = ports.spool.waiting()
        output.answer(status_answer(found, waiting) | {"off": off is not None})
    else:
        if off:
            output.print(off)
        _print(found, container, output)
    return CHECK_SAYS_NO if args.check and found.changed else DONE


def _session(container: Container, ports: Ports) -> str | None:
    """Return the session that is asked about: a client's own, or the newest here."""
    if known := known_session(container.environ, ports.transcripts.agent):
        return known
    places = tuple(dict.fromkeys((container.directory, container.workspace())))
    newest = newest_session(places, ports.transcripts)
    return newest.session_id if newest else None


def _off(found: Status, container: Container) -> str | None:
    """Return the line that says why nothing is saved here; None if it is on."""
    if container.config.is_off_in(container.directory):
        return _OFF_BY_SETTINGS
    session, now_ms = found.session_id or "", container.clock.now_ms()
    if is_off(container.store(), session, container.scope, now_ms):
        return _OFF
    return None


def _print(found: Status, container: Container, output: Output) -> None:
    if found.last:
        when = age(container.clock.now_ms(), found.last.draft.created_at)
        since = f"since {label(found.last.number)} ({when})"
    else:
        since = "and no checkpoint yet"
    if found.reason:
        output.print(f"nothing to compare: {found.reason}")
        return
    if not found.changed:
        output.print(f"nothing new {since}")
        return
    output.print(
        f"{counted(len(found.files), 'file')} changed {since}:"
        f" +{found.lines_added} −{found.lines_removed}"
    )
    rows = [
        [_MARKS[f.change], _shown(f), f"+{f.lines_added}", f"−{f.lines_removed}"]
        for f in found.files
    ]
    print_rows(output, (Column("bold"), Column(), Column("green"), Column("red")), rows)
    if found.prompts:
        output.print(f"unsaved: {counted(found.prompts, 'thing')} the user said")
    output.print(f"save with: {_save(found, container)}")


def _save(found: Status, container: Container) -> str:
    """Return the command that saves this from here: a terminal knows no session."""
    if found.session_id is None or known_session(container.environ, "claude-code"):
        return "holdfast save"
    return f"holdfast save --session {found.session_id}"


def _shown(file: FileChange) -> str:
    if file.old_path is None:
        return plain(file.path)
    return f"{plain(file.old_path)} → {plain(file.path)}"
