"""`holdfast why`: which rule and points decided what a session was told, and its cost."""

import argparse
from collections.abc import Iterator
from typing import Any

from holdfast.app.administration.why import why
from holdfast.app.checkpoints.which_session import known_session
from holdfast.bootstrap import Container
from holdfast.domain.amounts import counted
from holdfast.start.continues.evidence import BAR, START
from holdfast.start.continues.tally import MEANINGS, Tally
from holdfast.start.decision import RULES
from holdfast.surfaces.cli.output import Output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--session",
        metavar="ID",
        help="a session; default this one, else the newest here",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    session = args.session or known_session(container.environ, "claude-code")
    found = why(session, container.workspace(), container.ports())
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
                "sign": found.tally.sign or None,
                "points": _points(found.tally),
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
    tally = found.tally
    sign = f" (sign: {tally.sign})" if tally.sign else ""
    if found.is_waiting:
        sign = f" yet: the {offer.what} waits for the first prompt"
    output.print(f"rule       {offer.rule}: {RULES.get(offer.rule, 'unknown')}")
    output.print(f"offered    {offer.what} at {offer.source}")
    output.print(f"delivered  {found.delivered}{sign} · {offer.tokens} tokens")
    for line in _weighed(tally):
        output.print(line)
    if offer.checkpoint_id:
        output.print(f"from       {offer.checkpoint_id}")
    output.print(
        f"cost       {counted(cost.events, 'hook')} · {cost.milliseconds} ms of CPU ·"
        f" {cost.tokens} tokens · {cost.octets:,} bytes read"
    )
    return 0


def _points(tally: Tally) -> dict[str, Any] | None:
    if not tally.parts:
        return None
    return {
        "sum": round(tally.sum, 2),
        "bar": BAR,
        "parts": [
            {"name": part.name, "count": part.times, "points": part.points}
            for part in tally.parts
        ],
    }


def _weighed(tally: Tally) -> Iterator[str]:
    """Yield the points of a prompt that was weighed, the heaviest first."""
    if not tally.parts:
        return
    what = "continues the work" if tally.sum > BAR else "does not continue the work"
    yield f"points     {_signed(tally.sum)}: more than {BAR:.0f} is needed, so it {what}"
    start, *counted = tally.parts
    for part in (start, *sorted(counted, key=lambda part: -abs(part.points))):
        count = "" if part.name == START else f" ({part.times:.3g})"
        meaning = MEANINGS.get(part.name, part.name)
        yield f"           {_signed(part.points)}  {meaning}{count}"


def _signed(points: float) -> str:
    return f"{points:+.2f}".replace("-", "\u2212")
