"""`holdfast hook`: answer an event of the agent (JSON on stdin).

`main` passes it on before anything is parsed: a parser would exit 2, which means "block"
to the agent. What stands here is its place in the list of commands.
"""

import argparse

from holdfast.bootstrap import Container
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.hooks.main import AGENT, DETACH, answered


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("event", metavar="EVENT", help="such as `SessionStart`")
    parser.add_argument(
        "--detach", action="store_true", help="do the work in the background"
    )
    parser.add_argument(
        "--agent",
        metavar="NAME",
        help="the agent that calls: codex or gemini (default: Claude Code)",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    del container, output
    detach = [DETACH] if args.detach else []
    agent = [AGENT, args.agent] if args.agent else []
    return answered([args.event, *detach, *agent])
