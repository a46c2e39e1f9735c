"""`holdfast on`."""

import argparse

from holdfast.app.locate import known_session
from holdfast.app.switches import switch_on, target
from holdfast.bootstrap import Desk
from holdfast.surfaces.cli.off import kind_of
from holdfast.surfaces.cli.output import Output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--session", action="store_true", help="only the session this runs in"
    )


def run(args: argparse.Namespace, desk: Desk, output: Output) -> int:
    tools = desk.tools(create=True)
    tools.open_store()
    session = known_session(desk.environ, "claude-code")
    kind, value = target(kind_of(args), desk.scope(), session, tools)
    was_off = switch_on(kind, value, tools)
    if output.json:
        output.answer({"type": "on", "scope": kind, "was_off": was_off})
    else:
        output.print("holdfast is on" if was_off else "holdfast was on already")
    return 0
