"""`holdfast off`."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from holdfast.app.care.switches import duration_ms, switch_off, target
from holdfast.app.checkpoints.locate import known_session
from holdfast.bootstrap import Container
from holdfast.domain.client import SwitchKind
from holdfast.kernel.clock import local_time
from holdfast.kernel.errors import STORE_TROUBLE
from holdfast.surfaces.cli.output import Output

_WITHOUT_STORE = "until then `holdfast config set enabled false` turns all of it off without the store"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--session", action="store_true", help="only the session this runs in"
    )
    parser.add_argument(
        "--for",
        dest="lasting",
        metavar="TIME",
        help="only for a while: `30m`, `2h`, `1d`",
    )


def switch_kind(args: argparse.Namespace) -> SwitchKind:
    """Without a word about where, everywhere is meant."""
    if args.session:
        return "session"
    return "all" if args.project is None else "project"


@contextmanager
def hint_without_store() -> Iterator[None]:
    """A switch lies in the store: where that is in trouble, name the one that does not."""
    try:
        yield
    except STORE_TROUBLE as trouble:
        hint = f"{trouble.hint}; {_WITHOUT_STORE}"
        raise type(trouble)(trouble.message, hint=hint) from None


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
