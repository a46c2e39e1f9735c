"""`holdfast resume`."""

import argparse

from holdfast.app.answers import resume_answer
from holdfast.app.locate import known_session
from holdfast.app.resume import begin_from, resume
from holdfast.bootstrap import AGENTS, Desk
from holdfast.ids import reference
from holdfast.render.drifting import ground_truth
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
    session = known_session(desk.environ, AGENTS[0])
    if args.consume and session:
        begin_from(resumed.checkpoint, session, desk.tools())
    if output.json:
        output.answer(resume_answer(resumed))
        return 0
    title = resumed.checkpoint.draft.content.title
    when = age(desk.clock.now_ms(), resumed.checkpoint.draft.created_at)
    output.say(f'↻ Resumed from checkpoint: "{title}" (saved {when})')
    if resumed.moved:
        then, now = resumed.moved.then, resumed.moved.now
        output.say(f"warning: this is `{now}`, the checkpoint was saved on `{then}`")
        output.say(f"hint: {resumed.moved.command}")
    if resumed.drift.drifted:
        output.say(ground_truth(resumed.drift))
    output.print(resumed.brief)
    return 0
