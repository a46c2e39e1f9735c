"""`holdfast why`."""

import argparse

from holdfast.app.locate import known_session
from holdfast.app.why import why
from holdfast.bootstrap import Desk
from holdfast.policy.rules import RULES
from holdfast.surfaces.cli.output import Output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--session",
        metavar="ID",
        help="a session; default this one, else the newest here",
    )


def run(args: argparse.Namespace, desk: Desk, output: Output) -> int:
    session = args.session or known_session(desk.environ, "claude-code")
    found = why(session, desk.workspace(), desk.tools())
    offer, cost = found.offer, found.cost
    if output.json:
        output.answer(
            {
                "type": "why",
                "rule": offer.rule if offer else None,
                "meaning": RULES.get(offer.rule) if offer else None,
                "delivered": found.delivered,
                "waiting": found.is_waiting,
                "tokens": offer.tokens if offer else 0,
                "offered": offer.what if offer else "nothing",
                "session_id": offer.session_id if offer else session,
                "source": offer.source if offer else None,
                "checkpoint": (offer.checkpoint_id or None) if offer else None,
                "sign": (offer.sign or None) if offer else None,
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
        output.print("no session was told anything here yet")
        return 0
    sign = f" (sign: {offer.sign})" if offer.sign else ""
    if found.is_waiting:
        sign = f" yet: the {offer.what} waits for the first prompt"
    output.print(f"rule       {offer.rule}: {RULES.get(offer.rule, 'unknown')}")
    output.print(f"offered    {offer.what} at {offer.source}")
    output.print(f"delivered  {found.delivered}{sign} · {offer.tokens} tokens")
    if offer.checkpoint_id:
        output.print(f"from       {offer.checkpoint_id}")
    output.print(
        f"cost       {cost.events} hooks · {cost.milliseconds} ms of CPU ·"
        f" {cost.tokens} tokens · {cost.octets:,} bytes read"
    )
    return 0
