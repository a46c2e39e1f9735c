"""`holdfast on`: start again after `off`."""

import argparse

from holdfast.app.administration.switches import (
    is_off,
    switch_on,
    switch_on_here,
    target,
)
from holdfast.app.checkpoints.which_session import known_session
from holdfast.app.ports import Ports
from holdfast.bootstrap import Container
from holdfast.domain.client import SwitchKind
from holdfast.surfaces.cli.options import switch_kind
from holdfast.surfaces.cli.output import Output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--session", action="store_true", help="only for the session that runs this"
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    ports = container.ports(create=True)
    ports.open_store()
    session = known_session(container.environ, "claude-code")
    kind, was_off = _switched(switch_kind(args), session, container, ports)
    if output.json:
        output.answer({"type": "on", "scope": kind, "was_off": was_off})
    elif is_off(
        container.store(), session or "", container.scope, container.clock.now_ms()
    ):
        output.print("holdfast is still off here")
        output.say(
            "hint: `holdfast on` without options lifts everything that is off here"
        )
    else:
        output.print("holdfast is on" if was_off else "holdfast was already on")
    return 0


def _switched(
    kind: SwitchKind, session: str | None, container: Container, ports: Ports
) -> tuple[SwitchKind, bool]:
    """Without a word about where, everything that is off here is meant."""
    if kind == "all":
        return kind, switch_on_here(container.scope().project_id, session, ports)
    kind, value = target(kind, container.scope(), session, ports)
    return kind, switch_on(kind, value, ports)
