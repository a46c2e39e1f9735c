"""`holdfast brief`."""

import argparse

from holdfast.app.brief import brief_of
from holdfast.app.locate import locate
from holdfast.bootstrap import Desk
from holdfast.surfaces.cli.numbers import tokens
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.waiting import patience


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "transcript", nargs="?", metavar="TRANSCRIPT", help="the transcript to read"
    )
    parser.add_argument("--session", metavar="ID", help="the session to look for")
    parser.add_argument(
        "--budget", type=tokens, metavar="TOKENS", help="fit the brief into TOKENS"
    )
    parser.add_argument(
        "--agent", default="claude-code", metavar="NAME", help="whose transcript it is"
    )


def run(args: argparse.Namespace, desk: Desk, output: Output) -> int:
    tools = desk.tools(agent=args.agent)
    found = locate(args.session, args.transcript, desk.environ, tools.transcripts)
    with patience(output, "reading the transcript"):
        told = brief_of(found, tools, budget=desk.budget(args.budget))
    if output.json:
        output.answer(
            {
                "type": "brief",
                "brief": told.text,
                "receipt": {kind: list(pair) for kind, pair in told.receipt.items()},
                "tokens": told.tokens,
            }
        )
    else:
        output.print(told.text)
    return 0
