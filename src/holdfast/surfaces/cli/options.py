"""Options that several commands have: numbers, which session, where a switch holds."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from holdfast.domain.text import beginning
from holdfast.kernel.errors import UsageWrong

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.agents.port import Transcripts
    from holdfast.app.checkpoints.which_session import LocatedSession
    from holdfast.bootstrap import Container
    from holdfast.domain.client import SwitchKind
    from holdfast.kernel.shared_files import Changed
    from holdfast.project_notes.port import ProjectFiles
    from holdfast.surfaces.cli.output import Output

_MOST = 1_000_000
_MOST_DAYS = 3_650


def tokens(text: str) -> int:
    """A budget: below 100 tokens nothing can be told, as in the settings."""
    return _whole(text, 100, _MOST)


def limit(text: str) -> int:
    return _whole(text, 1, _MOST)


def days(text: str) -> int:
    return _whole(text, 1, _MOST_DAYS)


def moment_given(text: str, container: Container) -> int:
    """Return the moment that a date means, in every form that a search takes.

    Raises:
        UsageWrong: it means none.
    """
    from datetime import UTC, datetime

    from holdfast.search.query import moment

    present = datetime.fromtimestamp(container.clock.now_ms() / 1000, UTC)
    found = moment(text, present.astimezone(container.zone))
    if found is None:
        raise UsageWrong(
            f"`{beginning(text, 40)}` is not a date",
            hint="a date is `2026-01-18`, `yesterday` or `2 weeks ago`",
        )
    return found


def session_meant(
    args: argparse.Namespace,
    container: Container,
    transcripts: Transcripts,
    output: Output,
) -> LocatedSession:
    """Return the session a command is about; say which, where nobody named one.

    Raises:
        SessionUnknown: none is named, and none was at work here.
        ReferenceAmbiguous: several ids begin like the one given.
        SaveFailed: there is no transcript of that session.
    """
    from holdfast.app.checkpoints.which_session import locate

    directory, workspace = container.directory, container.workspace()
    found = locate(
        args.session,
        args.transcript,
        container.environ,
        transcripts,
        tuple(dict.fromkeys((directory, workspace))),
    )
    if found.is_newest:
        output.say(f"the newest session here: {found.session_id}")
    return found


def switch_kind(args: argparse.Namespace) -> SwitchKind:
    """Without a word about where, everywhere is meant."""
    if args.session:
        return "session"
    return "all" if args.project is None else "project"


def exclude(files: ProjectFiles, output: Output) -> None:
    """Add our files to the repository's own exclude list.

    Raises:
        FileRefused: there is no repository, or its list cannot be written.
    """
    from holdfast.app.notes.handoff import OUR_FILES  # most commands write none of them

    added = files.exclude_from_git(OUR_FILES)
    if added:
        output.say(f"excluded from git in `.git/info/exclude`: {', '.join(added)}")


def offer(
    changed: Iterable[Changed], files: ProjectFiles, command: str, output: Output
) -> None:
    """Say how to keep new files out of git, where that was not done yet."""
    new = [file.path for file in changed if file.is_new]
    if any(not files.is_excluded(path) for path in new):
        output.say(f"keep these files out of git with: {command} --exclude")


def _whole(text: str, least: int, most: int) -> int:
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if not least <= number <= most:
        wanted = f"a whole number from {least} to {most:,}"
        raise argparse.ArgumentTypeError(f"`{beginning(text, 40)}` is not {wanted}")
    return number
