"""`holdfast resume`."""

import argparse

from holdfast.app.resume import Resumed, resume
from holdfast.bootstrap import Desk
from holdfast.domain.record import record
from holdfast.ids import reference
from holdfast.render.listing import age
from holdfast.surfaces.cli.numbers import tokens
from holdfast.surfaces.cli.output import Output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "ref",
        nargs="?",
        metavar="REF",
        help="number, id, name, `latest` … (default: this worktree's latest)",
    )
    parser.add_argument(
        "--budget", type=tokens, metavar="TOKENS", help="fit the brief into TOKENS"
    )
    parser.add_argument(
        "--consume",
        action="store_true",
        help="free the checkpoint's name afterwards, as the skill does",
    )


def run(args: argparse.Namespace, desk: Desk, output: Output) -> int:
    resumed = resume(
        reference(args.ref) if args.ref else None,
        desk.scope(),
        desk.tools(),
        budget=desk.budget(args.budget),
        consume=args.consume,
    )
    if output.json:
        output.answer(_answer(resumed))
        return 0
    title = resumed.checkpoint.draft.content.title
    when = age(desk.clock.now_ms(), resumed.checkpoint.draft.created_at)
    output.say(f'↻ Resumed from checkpoint: "{title}" (saved {when})')
    if resumed.moved:
        then, now = resumed.moved.then, resumed.moved.now
        output.say(f"warning: this is `{now}`, the checkpoint was saved on `{then}`")
        output.say(f"hint: {resumed.moved.command}")
    output.print(resumed.brief)
    return 0


def _answer(resumed: Resumed) -> dict[str, object]:
    moved = resumed.moved
    drift = (
        [{"kind": "branch", "then": moved.then, "now": moved.now, "fix": moved.command}]
        if moved
        else []
    )
    return {
        "type": "resumed",
        "checkpoint": record(resumed.checkpoint),
        "brief": resumed.brief,
        "receipt": {kind: list(pair) for kind, pair in resumed.receipt.items()},
        "tokens": resumed.tokens,
        "drift": drift,
    }
