"""`holdfast log`: the history, newest first, with its forks, rewinds and merges."""

import argparse
from collections.abc import Iterable, Iterator

from holdfast.app.checkpoints.history import History, read_history
from holdfast.bootstrap import Container
from holdfast.domain.text import beginning
from holdfast.kernel.errors import UsageWrong
from holdfast.reports.graph import ASCII, UNICODE
from holdfast.reports.log_lines import LogViewer, Styled, log_lines
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.pager import has_unicode, write_lines

_NARROWEST = 40
_LANES = (36, 33, 35, 32, 34, 31)  # colours that are told apart on dark and on light
_STYLES = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "yellow": "33",
    "magenta": "35",
    "cyan": "36",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--graph", action="store_true", help="draw which came from which"
    )
    parser.add_argument(
        "--all", action="store_true", help="the history of every project"
    )
    parser.add_argument(
        "--since",
        metavar="DATE",
        help="from that moment on: `2026-01-18`, `yesterday`, `2 weeks ago`",
    )
    parser.add_argument(
        "--session", metavar="ID", help="only this session: an id or its beginning"
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    since = None if args.since is None else _moment(args.since, container)
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
    elif history.shown:
        lines = _lines(history, args, container, output)
        write_lines(_texts(lines, output), output, container.environ)
    else:
        _tell_nothing(args, output)
    return 0


def _moment(text: str, container: Container) -> int:
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


def _lines(
    history: History, args: argparse.Namespace, container: Container, output: Output
) -> Iterator[tuple[Styled, ...]]:
    projects = {row.outline.project_id for row in history.rows}
    viewer = LogViewer(
        now_ms=container.clock.now_ms(),
        width=_width(output),
        signs=UNICODE if has_unicode(container.environ) else ASCII,
        with_graph=args.graph,
        with_project=len(projects) > 1,
    )
    return log_lines(history.rows, viewer, since=history.since)


def _width(output: Output) -> int:
    if not output.stdout.isatty():
        return 0
    from shutil import get_terminal_size

    return max(_NARROWEST, get_terminal_size().columns)


def _texts(lines: Iterable[tuple[Styled, ...]], output: Output) -> Iterator[str]:
    if not output.is_terminal:
        for line in lines:
            yield "".join(text for text, _ in line).rstrip() + "\n"
        return
    for line in lines:
        yield (
            "".join(
                text if not style else _painted(text, style) for text, style in line
            )
            + "\n"
        )


def _painted(text: str, style: str) -> str:
    is_lane = style.startswith("lane ")
    code = _LANES[int(style[5:]) % len(_LANES)] if is_lane else _STYLES[style]
    return f"\x1b[{code}m{text}\x1b[0m"


def _tell_nothing(args: argparse.Namespace, output: Output) -> None:
    whose = " of that session" if args.session else ""
    when = f" since {beginning(args.since, 40)}" if args.since else ""
    output.say(f"no checkpoints{whose} here{when or ' yet'}")
    if args.since:
        output.say("hint: go further back, or leave out `--since`")
    else:
        output.say("hint: make one with `holdfast save`, or look at all with `--all`")
