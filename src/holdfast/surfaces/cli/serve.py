"""`holdfast serve`: show the timeline in the browser, for as long as the terminal."""

import argparse
import sys

from holdfast.bootstrap import Container
from holdfast.surfaces.cli.output import Output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--host",
        metavar="H",
        default="127.0.0.1",
        help="an address that only this machine reaches (127.0.0.1)",
    )
    parser.add_argument(
        "--port",
        metavar="P",
        type=int,
        help="the port to listen on; 0 takes a free one (4653, or a free one)",
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="print the address, open no browser"
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    from holdfast.surfaces.web.serving import can_open, serve  # starlette, uvicorn

    def tell(address: str) -> None:
        if output.json:
            output.answer({"type": "serving", "address": address})
        else:
            output.print(f"open once: {address}")
            output.say("it ends with Ctrl+C, or when this terminal is closed")
        output.stdout.flush()

    serve(
        container,
        host=args.host,
        port=args.port,
        tell=tell,
        opens=not args.no_browser and can_open(container.environ, sys.platform),
    )
    return 0
