"""`holdfast mcp`: run the MCP server that agents start, over stdio."""

import argparse

from holdfast.bootstrap import Container
from holdfast.bootstrap.agents import refuse_unknown
from holdfast.surfaces.cli.output import Output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tools",
        choices=("default", "all"),
        default="default",
        help="which tools to offer (default)",
    )
    parser.add_argument(
        "--agent",
        default="claude-code",
        metavar="NAME",
        help="the agent whose sessions are meant if a call names none (claude-code)",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    del output  # stdout belongs to the protocol
    refuse_unknown(args.agent)
    from holdfast.surfaces.mcp.stdio import serve  # the SDK takes about a second

    serve(
        container.environ,
        offer=args.tools,
        project=args.project,
        store=args.store,
        agent=args.agent,
    )
    return 0
