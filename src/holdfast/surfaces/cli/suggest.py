"""`holdfast suggest`: find earlier checkpoints that matter to the present session."""

import argparse
from collections.abc import Iterator

from holdfast.app.checkpoints.search import Suggestion, suggest
from holdfast.bootstrap import Container
from holdfast.domain.query import Query
from holdfast.domain.record import record
from holdfast.reports.listing import ShownLine, Viewer, suggestion_lines
from holdfast.search.suggesting import MOST
from holdfast.surfaces.cli.hits import print_blocks, viewer_of
from holdfast.surfaces.cli.options import limit, session_meant
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import spinner


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--session", metavar="ID", help="the session to find checkpoints for"
    )
    parser.add_argument("--transcript", metavar="FILE", help="its transcript")
    parser.add_argument(
        "--limit",
        type=limit,
        default=MOST,
        metavar="N",
        help=f"suggest at most N ({MOST})",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    ports = container.ports()
    at_work = session_meant(args, container, ports.transcripts, output)
    here = container.scope()
    with spinner(output, "reading the transcript"):
        found = suggest(at_work, here, ports, limit=args.limit)
    if output.json:
        answers = [_answer(suggestion) for suggestion in found]
        output.answer({"type": "list", "checkpoints": answers})
    elif found:
        viewer = viewer_of(Query(), here, container.clock.now_ms(), output)
        print_blocks(_blocks(found, viewer), output)
    else:
        output.say("no earlier checkpoint seems to matter to this session")
    return 0


def _answer(suggestion: Suggestion) -> dict[str, object]:
    return record(suggestion.checkpoint) | {
        "score": suggestion.strength,
        "why": "; ".join(suggestion.why),
    }


def _blocks(
    found: tuple[Suggestion, ...], viewer: Viewer
) -> Iterator[Iterator[ShownLine]]:
    return (suggestion_lines(each.checkpoint, each.why, viewer) for each in found)
