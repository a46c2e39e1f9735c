"""`holdfast archive`: keep transcripts before the agent's client deletes them."""

import argparse

from holdfast.app.past.archive import Archived
from holdfast.bootstrap import Container
from holdfast.bootstrap.archive import archive_size, run_archive
from holdfast.domain.amounts import counted, size
from holdfast.kernel.errors import DONE, PARTS_MISSING
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import spinner

_SHOWN = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--dying",
        action="store_true",
        help="only transcripts that the client will delete within 7 days",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    with spinner(output, "archiving"):
        done = run_archive(container, only_dying=args.dying)
    stored = archive_size(container)
    if output.json:
        output.answer(_answer(done, stored))
    else:
        _print(done, stored, container, output)
        if args.dying and not done.sessions:
            output.say("the client will delete no other transcript within 7 days")
    return PARTS_MISSING if done.unread else DONE


def _print(done: Archived, stored: int, container: Container, output: Output) -> None:
    for path, why in done.unread[:_SHOWN]:
        output.warn(f"not archived: `{path}`: {why}")
    if (more := len(done.unread) - _SHOWN) > 0:
        output.warn(f"{more:,} more were not archived")
    if done.left:
        output.say(
            f"{counted(done.left, 'session')} skipped: switched off, or still running"
        )
    new = f"{counted(done.sessions, 'session')} archived ({size(done.size)})"
    what = new if done.sessions else "nothing new"
    place = container.tilde(f"{container.home}/archive")
    all_of_it = f"{size(stored)} in {place}" if stored else "the archive is empty"
    output.print(f"{what}, {done.known:,} archived before: {all_of_it}")
    if done.sessions:
        output.say("`holdfast open REF --native` brings one back")


def _answer(done: Archived, stored: int) -> dict[str, object]:
    return {
        "type": "archived",
        "sessions": done.sessions,
        "known": done.known,
        "left": done.left,
        "bytes": done.size,
        "stored": stored,
        "unread": [{"path": path, "reason": why} for path, why in done.unread],
    }
