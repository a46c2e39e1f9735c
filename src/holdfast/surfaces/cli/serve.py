"""`holdfast serve`: show the timeline in the browser, and let others ask, for as long as
the terminal."""

import argparse
import sys
from typing import TYPE_CHECKING

from holdfast.bootstrap import Container
from holdfast.domain.amounts import counted
from holdfast.surfaces.cli.output import Output

if TYPE_CHECKING:
    from holdfast.surfaces.web.serving import Serving

_IN_THE_CLEAR = (
    "the connection is not encrypted: whoever sees the network sees the tokens."
    " Put Caddy, nginx or ssh with TLS in front of it, and start it with"
    " `--public https://NAME`"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--host",
        metavar="H",
        default="127.0.0.1",
        help="the address to listen on; other machines need a token (127.0.0.1)",
    )
    parser.add_argument(
        "--port",
        metavar="P",
        type=int,
        help="the port to listen on; 0 takes any free one (4653, or a free one)",
    )
    parser.add_argument(
        "--public",
        metavar="URL",
        default="",
        help="the address others use: `https://NAME` of the proxy in front of it",
    )
    parser.add_argument(
        "--no-browser",
        action="store_true",
        help="print the address and do not open a browser",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    from holdfast.surfaces.mcp.http import McpOverHttp
    from holdfast.surfaces.web.serving import (  # starlette, uvicorn
        ServeRequest,
        can_open,
        serve,
    )

    opens = not args.no_browser and can_open(container.environ, sys.platform)
    wanted = ServeRequest(args.host, args.port, args.public, opens)
    programs = McpOverHttp(container)
    serve(container, wanted, lambda begun: _tell(begun, output), output.say, programs)
    return 0


def _tell(begun: "Serving", output: Output) -> None:
    if output.json:
        told = {"type": "serving", "address": begun.once or begun.others}
        others = {"others": begun.others, "tokens": begun.tokens}
        output.answer(told | (others if begun.others else {}))
    else:
        if begun.once:
            output.print(f"open once: {begun.once}")
        if begun.others:
            who = (
                f"{counted(begun.tokens, 'token')} let{'' if begun.tokens > 1 else 's'}"
            )
            output.print(f"for others: {begun.others} ({who} them in)")
        output.say("it ends with Ctrl+C, or when this terminal is closed")
    if not begun.is_secret:
        output.warn(_IN_THE_CLEAR)
    output.stdout.flush()
