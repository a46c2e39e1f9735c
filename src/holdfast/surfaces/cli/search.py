"""`holdfast search`."""

import argparse

from holdfast.app.answers import search_answer
from holdfast.app.finding import search_checkpoints
from holdfast.bootstrap import Desk
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
    hits = search_checkpoints(
        " ".join(args.query),
        desk.scope,
        desk.tools(),
        everywhere=args.all,
        limit=args.limit,
    )
    if output.json:
        output.answer(search_answer(hits))
    elif hits:
        print_checkpoints(tuple(hit.checkpoint for hit in hits), desk, output)
    else:
        output.say("nothing found")
        if not args.all:
            output.say("hint: look in every project with `--all`")
    return 0
