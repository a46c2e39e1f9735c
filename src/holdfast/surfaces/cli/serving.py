"""`holdfast hook` and `mcp`: what an agent starts.

`hook` never gets here from a command line: `main` passes it on before anything is parsed,
for a parser would exit 2, which means "block" to the agent. What stands here is its place
in the list of commands.
"""

import argparse

from holdfast.bootstrap import Container
from holdfast.surfaces.cli.commands import CommandCode
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.hooks.main import DETACH, answered


def add_hook_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("event", metavar="EVENT", help="such as `SessionStart`")
    parser.add_argument(
        "--detach", action="store_true", help="do not let the agent wait for the work"
    )


def run_hook(args: argparse.Namespace, container: Container, output: Output) -> int:
    del container, output
    return answered([args.event, *([DETACH] if args.detach else [])])


def add_mcp_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tools",
        choices=("default", "all"),
        default="default",
        help="which tools to offer (default)",
    )


def run_mcp(args: argparse.Namespace, container: Container, output: Output) -> int:
    del output  # stdout belongs to the protocol
    from holdfast.surfaces.mcp.stdio import serve  # the SDK takes about a second

    serve(container.environ, offer=args.tools, project=args.project, store=args.store)
    return 0


COMMANDS = {
    "hook": CommandCode(run_hook, add_hook_arguments),
    "mcp": CommandCode(run_mcp, add_mcp_arguments),
}
