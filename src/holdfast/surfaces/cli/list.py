"""`holdfast list`."""

import argparse

from holdfast.bootstrap import Desk
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.query import Scope
from holdfast.domain.record import record
from holdfast.render.listing import row
from holdfast.surfaces.cli.numbers import limit
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.table import Column, print_rows

_COLUMNS = (
    Column("bold"),
    Column("dim"),
    Column(),
    Column(stretch=True),
    Column("cyan"),
    Column("dim"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="list every project")
    parser.add_argument("--session", metavar="ID", help="only this session's")
    parser.add_argument(
        "--lineage", metavar="ID", help="only the whole chain of this session"
    )
    parser.add_argument(
        "--limit", type=limit, default=20, metavar="N", help="list at most N (20)"
    )


def run(args: argparse.Namespace, desk: Desk, output: Output) -> int:
    store = desk.tools().open_store()
    everywhere = args.all or args.session or args.lineage
    scope = Scope() if everywhere else desk.scope().in_project()
    found = store.list(
        scope, session=args.session, lineage=args.lineage, limit=args.limit
    )
    if output.json:
        output.answer({"type": "list", "checkpoints": [record(c) for c in found]})
    elif found:
        print_checkpoints(found, desk, output)
    else:
        output.say("no checkpoints here yet")
        output.say("hint: make one with `holdfast save`, or look at all with `--all`")
    return 0


def print_checkpoints(
    checkpoints: tuple[Checkpoint, ...], desk: Desk, output: Output
) -> None:
    now = desk.clock.now_ms()
    rows = [row(checkpoint, now) for checkpoint in checkpoints]
    print_rows(output, _COLUMNS, rows)
