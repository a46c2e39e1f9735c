"""`holdfast on`."""

import argparse

from holdfast.app.care.switches import is_off, switch_on, switch_on_here, target
from holdfast.app.checkpoints.locate import known_session
from holdfast.app.ports import Tools
from holdfast.bootstrap import Desk
from holdfast.domain.client import SwitchKind
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
    kind, was_off = _switched(kind_of(args), session, desk, tools)
    if output.json:
        output.answer({"type": "on", "scope": kind, "was_off": was_off})
    elif is_off(desk.store(), session or "", desk.scope, desk.clock.now_ms()):
        output.print("holdfast is still off here")
        output.say("hint: lift everything that is off here with plain `holdfast on`")
    else:
        output.print("holdfast is on" if was_off else "holdfast was on already")
    return 0


def _switched(
    kind: SwitchKind, session: str | None, desk: Desk, tools: Tools
) -> tuple[SwitchKind, bool]:
    """Without a word about where, everything that is off here is meant."""
    if kind == "all":
        return kind, switch_on_here(desk.scope().project_id, session, tools)
    kind, value = target(kind, desk.scope(), session, tools)
    return kind, switch_on(kind, value, tools)
