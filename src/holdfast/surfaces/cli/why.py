"""`holdfast why`: show what a session was told, by which rule, and what it cost."""

import argparse

from holdfast.app.administration.standing import standing_tokens
from holdfast.app.administration.why import why
from holdfast.app.checkpoints.session_story import session_beginning
from holdfast.app.checkpoints.which_session import known_session
from holdfast.bootstrap import Container
from holdfast.domain.amounts import counted
from holdfast.start.decision import RULES
from holdfast.surfaces.cli.output import Output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--session",
        metavar="ID",
        help="the session (default: this one, or the newest here)",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    ports = container.ports()
    session = known_session(container.environ, "claude-code")
    if args.session:
        session = session_beginning(args.session, ports)
    found = why(session, container.workspace(), ports)
    offer, cost = found.offer, found.cost
    standing = standing_tokens(container.agent().standing_texts)
    if output.json:
        output.answer(
            {
                "type": "why",
                "rule": offer.rule if offer else None,
                "meaning": RULES.get(offer.rule) if offer else None,
                "delivered": found.delivered,
                "waiting": found.is_waiting,
                "tokens": offer.tokens if offer else 0,
                "standing_tokens": standing,
                "offered": offer.what if offer else "nothing",
                "session_id": offer.session_id if offer else session,
                "source": offer.source if offer else None,
                "checkpoint": (offer.checkpoint_id or None) if offer else None,
                "sign": found.sign or None,
                "cost": {
                    "events": cost.events,
                    "milliseconds": cost.milliseconds,
                    "tokens": cost.tokens,
                    "bytes": cost.octets,
                },
            }
        )
        return 0
    if offer is None:
        output.print("no session here was told anything yet")
        return 0
    sign = f" (by: {found.sign})" if found.sign else ""
    if found.is_waiting:
        sign = f" yet: the {offer.what} waits for a prompt"
    output.print(f"rule       {offer.rule}: {RULES.get(offer.rule, 'unknown')}")
    output.print(f"offered    {offer.what} at {offer.source}")
    output.print(f"delivered  {found.delivered}{sign} · {offer.tokens} tokens")
    if offer.checkpoint_id:
        output.print(f"from       {offer.checkpoint_id}")
    output.print(
        f"cost       {counted(cost.events, 'hook')} · {cost.milliseconds} ms of CPU ·"
        f" {cost.tokens} tokens · {cost.octets:,} bytes read"
    )
    output.print(f"standing   {standing} tokens of skills and tools in every session")
    return 0
