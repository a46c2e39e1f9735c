"""`holdfast off`, `on` and `fresh`: whether sessions are recorded and told."""

import argparse

from holdfast.app.care.switches import (
    ask_fresh,
    duration_ms,
    is_off,
    switch_off,
    switch_on,
    switch_on_here,
    target,
)
from holdfast.app.checkpoints.which_session import known_session
from holdfast.app.ports import Ports
from holdfast.bootstrap import Container
from holdfast.domain.client import SwitchKind
from holdfast.kernel.clock import local_time
from holdfast.surfaces.cli.commands import CommandCode
from holdfast.surfaces.cli.failure import hint_without_store
from holdfast.surfaces.cli.output import Output


def add_on_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--session", action="store_true", help="only the session this runs in"
    )


def add_off_arguments(parser: argparse.ArgumentParser) -> None:
    add_on_arguments(parser)
    parser.add_argument(
        "--for",
        dest="lasting",
        metavar="TIME",
        help="only for a while: `30m`, `2h`, `1d`",
    )


def run_off(args: argparse.Namespace, container: Container, output: Output) -> int:
    lasting = duration_ms(args.lasting) if args.lasting else None
    with hint_without_store():
        ports = container.ports(create=True)
        ports.open_store()
        session = known_session(container.environ, "claude-code")
        kind, value = target(_kind(args), container.scope(), session, ports)
        switch = switch_off(kind, value, lasting, ports)
    if output.json:
        output.answer({"type": "off", "scope": kind, "until": switch.until})
        return 0
    where = {"all": "everywhere", "project": "in this project", "session": "here"}[kind]
    until = f" until {local_time(switch.until)}" if switch.until else ""
    output.print(f"holdfast is off {where}{until}")
    output.say("turn it on again with `holdfast on`")
    return 0


def run_on(args: argparse.Namespace, container: Container, output: Output) -> int:
    ports = container.ports(create=True)
    ports.open_store()
    session = known_session(container.environ, "claude-code")
    kind, was_off = _switched(_kind(args), session, container, ports)
    if output.json:
        output.answer({"type": "on", "scope": kind, "was_off": was_off})
    elif is_off(
        container.store(), session or "", container.scope, container.clock.now_ms()
    ):
        output.print("holdfast is still off here")
        output.say("hint: lift everything that is off here with plain `holdfast on`")
    else:
        output.print("holdfast is on" if was_off else "holdfast was on already")
    return 0


def _kind(args: argparse.Namespace) -> SwitchKind:
    """Without a word about where, everywhere is meant."""
    if args.session:
        return "session"
    return "all" if args.project is None else "project"


def _switched(
    kind: SwitchKind, session: str | None, container: Container, ports: Ports
) -> tuple[SwitchKind, bool]:
    """Without a word about where, everything that is off here is meant."""
    if kind == "all":
        return kind, switch_on_here(container.scope().project_id, session, ports)
    kind, value = target(kind, container.scope(), session, ports)
    return kind, switch_on(kind, value, ports)


def run_fresh(args: argparse.Namespace, container: Container, output: Output) -> int:
    del args
    with hint_without_store():
        ask_fresh(container.workspace(), container.ports(create=True))
    if output.json:
        output.answer({"type": "fresh", "workspace": container.workspace()})
    else:
        output.print("the next session here is told nothing; after that, as usual")
    return 0


COMMANDS = {
    "off": CommandCode(run_off, add_off_arguments),
    "on": CommandCode(run_on, add_on_arguments),
    "fresh": CommandCode(run_fresh),
}
