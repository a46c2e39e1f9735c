"""`holdfast archive`: keep transcripts before the agent's client deletes them."""

import argparse

from holdfast.app.past.archive import Archived
from holdfast.bootstrap import Container
from holdfast.bootstrap.archive import archive_size, run_archive
from holdfast.domain.amounts import counted
from holdfast.kernel.errors import DONE, PARTS_MISSING
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import spinner

_SHOWN = 5
_MB = 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--dying",
        action="store_true",
        help="only what the client deletes within 7 days",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    with spinner(output, "archiving"):
        done = run_archive(container, only_dying=args.dying)
    size = archive_size(container)
    if output.json:
        output.answer(_answer(done, size))
    else:
        _print(done, size, container, output)
    return PARTS_MISSING if done.unread else DONE


def _print(done: Archived, size: int, container: Container, output: Output) -> None:
    for path, why in done.unread[:_SHOWN]:
        output.warn(f"not kept: `{path}`: {why}")
    if (more := len(done.unread) - _SHOWN) > 0:
        output.warn(f"{more:,} more were not kept")
    if done.left:
        output.say(f"{counted(done.left, 'session')} left: off, or still at work")
    what = (
        f"{counted(done.sessions, 'session')} archived ({done.size / _MB:,.1f} MB)"
        if done.sessions
        else "nothing new"
    )
    place = container.tilde(f"{container.home}/archive")
    output.print(f"{what}, {done.known:,} kept before: {size / _MB:,.1f} MB in {place}")
    if done.sessions:
        output.say("`holdfast open REF --native` brings one back")


def _answer(done: Archived, size: int) -> dict[str, object]:
    return {
        "type": "archived",
        "sessions": done.sessions,
        "known": done.known,
        "left": done.left,
        "bytes": done.size,
        "stored": size,
        "unread": [{"path": path, "reason": why} for path, why in done.unread],
    }
