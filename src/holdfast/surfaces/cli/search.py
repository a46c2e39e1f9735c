"""`holdfast search`."""

import argparse

from holdfast.analysis.query import parse
from holdfast.bootstrap import Desk
from holdfast.domain.query import Scope
from holdfast.domain.record import record
from holdfast.surfaces.cli.list import print_checkpoints
from holdfast.surfaces.cli.numbers import limit
from holdfast.surfaces.cli.output import Output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="+", metavar="QUERY", help="words and filters")
    parser.add_argument("--all", action="store_true", help="search every project")
    parser.add_argument(
        "--limit", type=limit, default=20, metavar="N", help="find at most N (20)"
    )


def run(args: argparse.Namespace, desk: Desk, output: Output) -> int:
    store = desk.tools().open_store()
    query = parse(" ".join(args.query), desk.clock.now_ms())
    # An id is global: whoever asks for one session or lineage means it, wherever it is.
    everywhere = args.all or query.session or query.lineage or query.checkpoint
    scope = Scope() if everywhere else desk.scope().in_project()
    hits = store.search(query, scope, args.limit)
    if output.json:
        found = [record(hit.checkpoint) | {"score": hit.score} for hit in hits]
        output.answer({"type": "list", "checkpoints": found})
    elif hits:
        print_checkpoints(tuple(hit.checkpoint for hit in hits), desk, output)
    else:
        output.say("nothing found")
        if not args.all:
            output.say("hint: look in every project with `--all`")
    return 0
