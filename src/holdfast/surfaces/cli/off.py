"""`holdfast off`: stop recording, and stop telling sessions anything."""

import argparse

from holdfast.app.administration.switches import duration_ms, switch_off, target
from holdfast.app.checkpoints.which_session import known_session
from holdfast.bootstrap import Container
from holdfast.kernel.clock import local_time
from holdfast.surfaces.cli.options import switch_kind
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.store_trouble import hint_without_store


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--session", action="store_true", help="only for the session that runs this"
    )
    parser.add_argument(
        "--for",
        dest="lasting",
        metavar="TIME",
        help="only for a while: `30m`, `2h`, `1d`",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    lasting = duration_ms(args.lasting) if args.lasting else None
    with hint_without_store():
        ports = container.ports(create=True)
        ports.open_store()
        session = known_session(container.environ, "claude-code")
        kind, value = target(switch_kind(args), container.scope(), session, ports)
        switch = switch_off(kind, value, lasting, ports)
    if output.json:
        output.answer({"type": "off", "scope": kind, "until": switch.until})
        return 0
    where = {"all": "everywhere", "project": "in this project", "session": "here"}[kind]
    until = f" until {local_time(switch.until)}" if switch.until else ""
    output.print(f"holdfast is off {where}{until}")
    output.say("turn it on again with `holdfast on`")
    return 0
