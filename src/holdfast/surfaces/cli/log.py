"""`holdfast log`: show the history: forks, rewinds, clears, crashes and merges."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from holdfast.app.checkpoints.history import LogHistory, read_history
from holdfast.bootstrap import Container
from holdfast.domain.text import beginning
from holdfast.reports.graph import ASCII, UNICODE
from holdfast.reports.log_lines import LogViewer, log_lines
from holdfast.surfaces.cli.options import moment_given
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.pager import columns_of, has_unicode, write_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.reports.changes import Styled


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--graph", action="store_true", help="draw which checkpoint came from which"
    )
    parser.add_argument(
        "--all", action="store_true", help="the history of every project"
    )
    parser.add_argument(
        "--since",
        metavar="DATE",
        help="start at this date: `2026-01-18`, `yesterday`, `2 weeks ago`",
    )
    parser.add_argument(
        "--session",
        metavar="ID",
        help="only this session: its id or the beginning of it",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    since = None if args.since is None else moment_given(args.since, container)
    history = read_history(
        container.ports(),
        container.scope,
        everywhere=args.all,
        session=args.session,
        since_ms=since,
    )
    if output.json:
        from holdfast.app.history_answers import log_answer

        output.answer(log_answer(history, container.ports().spool.waiting()))
    elif not history.is_empty:
        lines = _lines(history, args, container, output)
        write_lines(lines, output, container)
    else:
        _tell_nothing(args, output)
    return 0


def _lines(
    history: LogHistory, args: argparse.Namespace, container: Container, output: Output
) -> Iterator[tuple[Styled, ...]]:
    projects = {row.outline.project_id for row in history.rows}
    viewer = LogViewer(
        now_ms=container.clock.now_ms(),
        width=columns_of(output),
        signs=UNICODE if has_unicode(container.environ) else ASCII,
        with_graph=args.graph,
        with_project=len(projects) > 1,
    )
    return log_lines(history.rows, viewer, since=history.since, look=history.looker())


def _tell_nothing(args: argparse.Namespace, output: Output) -> None:
    whose = " of that session" if args.session else ""
    when = f" since {beginning(args.since, 40)}" if args.since else ""
    output.say(f"no checkpoints{whose} here{when or ' yet'}")
    if args.since:
        output.say("hint: choose an earlier date, or leave out `--since`")
    else:
        output.say(
            "hint: a `/clear` or the end of a session makes one; `--all` shows every project"
        )
