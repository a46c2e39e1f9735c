"""`holdfast forget`: remove a checkpoint, session or project from every place it went."""

import argparse
from collections.abc import Sequence

from holdfast.app.forgetting.forget import (
    ForgetPlan,
    ForgetRequest,
    Forgotten,
    finish,
    forget,
    plan_forget,
)
from holdfast.app.forgetting.mentions import Mention, mentions
from holdfast.bootstrap import Container
from holdfast.bootstrap.forgetting import forget_means
from holdfast.bootstrap.projects import project_files
from holdfast.domain.amounts import counted
from holdfast.domain.text import plain
from holdfast.kernel.errors import (
    CHECK_SAYS_NO,
    DONE,
    PARTS_MISSING,
    CheckpointNotFound,
    UsageWrong,
)
from holdfast.kernel.ids import reference
from holdfast.reports.listing import row
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import Column, ask, print_rows, spinner

_MOST_MENTIONS = 20
_COLUMNS = (Column("bold"), Column("dim"), Column(), Column(), Column("dim"), Column())


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "ref", nargs="?", metavar="REF", help="a checkpoint, or `session:ID`"
    )
    parser.add_argument(
        "--match", metavar="TEXT", help="every checkpoint that contains this text"
    )
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="show what would be removed, and remove nothing",
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    wanted = _wanted(args)
    ports, means = container.ports(), forget_means(container)
    ports.open_store()
    with spinner(output, "looking at every record"):
        before = Forgotten() if args.dry_run else finish(ports, means)
        try:
            plan = plan_forget(wanted, container.scope(), ports)
        except CheckpointNotFound:
            if not before.checkpoint_ids:
                raise
            return _told(before, args, output)  # the retry of a call that was killed
    if args.dry_run or not _agreed(args, plan, container, output):
        return _shown(plan, args, container, output)
    with spinner(output, "overwriting what was removed"):
        done = forget(plan, ports, means, wanted.match)
    container.start_sync()  # what others have of it goes there, too
    _say_what_stays(plan, container, output)
    found = mentions(
        plan.doomed, wanted.match, ports, lambda root: project_files(container, root)
    )
    return _told(done, args, output, _note(plan), found)


def _wanted(args: argparse.Namespace) -> ForgetRequest:
    """Return what is to be forgotten; `--project` alone means the project.

    Raises:
        UsageWrong: two things were named, or none.
    """
    if args.ref is not None and args.match is not None:
        raise UsageWrong("give a checkpoint or `--match`, not both")
    if args.ref is not None:
        return ForgetRequest(reference=reference(args.ref))
    if args.match is not None:
        return ForgetRequest(match=args.match)
    return ForgetRequest(project=args.project is not None)


def _agreed(
    args: argparse.Namespace, plan: ForgetPlan, container: Container, output: Output
) -> bool:
    """Ask at a terminal; elsewhere only a named record goes without `--yes`."""
    if args.yes or not (plan.order.checkpoint_ids or plan.order.sessions):
        return True
    question = f"Forget {_sum(plan)} for good? [y/N] "
    _print_plan(plan, container, output)
    answer = ask(question, output)
    if answer is None:
        return args.ref is not None
    return answer.lower() in ("y", "yes")


def _print_plan(plan: ForgetPlan, container: Container, output: Output) -> None:
    if output.json:
        return
    now = container.clock.now_ms()
    print_rows(output, _COLUMNS, [list(row(c, now)) for c in plan.doomed])


def _shown(
    plan: ForgetPlan, args: argparse.Namespace, container: Container, output: Output
) -> int:
    """Say what would go. Nothing was touched."""
    ids = list(plan.order.checkpoint_ids)
    if output.json:
        output.answer({"type": "forgotten", "checkpoints": [], "would": ids})
    elif args.dry_run:
        _print_plan(plan, container, output)
        output.print(f"{_sum(plan)} would be forgotten")
        _say_what_stays(plan, container, output)
    else:
        output.say("nothing was forgotten; `--yes` forgets without asking")
    return DONE if args.dry_run else CHECK_SAYS_NO


def _sum(plan: ForgetPlan) -> str:
    told = counted(len(plan.order.checkpoint_ids), "checkpoint")
    sessions = plan.order.sessions
    return f"{told} and {counted(len(sessions), 'session')}" if sessions else told


def _note(plan: ForgetPlan) -> str:
    """Return how what goes could come back, and what prevents it."""
    own = (one for one in plan.doomed if not one.machine)  # others are not saved here
    sessions = sorted({checkpoint.draft.session_id for checkpoint in own})
    if plan.order.sessions or not sessions:
        return ""
    prevents = ", ".join(f"`holdfast forget session:{each}`" for each in sessions)
    return (
        "holdfast stays on in its session: the next save there takes it from the"
        f" transcript again. {prevents} prevents that"
    )


def _say_what_stays(plan: ForgetPlan, container: Container, output: Output) -> None:
    here = container.scope().project_id
    roots = {
        checkpoint.draft.project_root
        for checkpoint in plan.doomed
        if checkpoint.draft.project_id != here
    }
    if roots:
        named = ", ".join(f"`{root}`" for root in sorted(roots))
        output.say(f"from another project than this one: {named}")
    if note := _note(plan):
        output.say(note)
    if plan.same_session and not plan.order.sessions:
        session = plan.doomed[0].draft.session_id
        output.say(
            f"{counted(plan.same_session, 'checkpoint')} of the same session may say the"
            f" same: `holdfast forget session:{session}` forgets all of them"
        )
    if plan.carriers:
        output.say(
            f"what {counted(len(plan.carriers), 'later checkpoint')} inherited from it"
            " goes there, too"
        )
    if plan.order.sessions and not plan.order.project_id:
        output.say("holdfast is now off in that session, so that it does not come back")
    if plan.order.checkpoint_ids:
        _say_who_has_it(container, output)
        output.say("the agent's own transcripts are not changed")


def _say_who_has_it(container: Container, output: Output) -> None:
    if container.config.share is not None:
        output.say("the shared copies are removed by the next `holdfast sync git`")
    if container.config.targets:
        named = ", ".join(container.config.targets)
        output.say(f"what {named} has of it is removed there, too")


def _told(
    done: Forgotten,
    args: argparse.Namespace,
    output: Output,
    note: str = "",
    found: Sequence[Mention] = (),
) -> int:
    del args
    if output.json:
        output.answer(
            {
                "type": "forgotten",
                "checkpoints": list(done.checkpoint_ids),
                "kept": list(done.kept),
                "note": note,
                "mentions": [str(each) for each in found],
            }
        )
    else:
        output.print(f"{counted(len(done.checkpoint_ids), 'checkpoint')} forgotten")
        for why in done.kept:
            output.warn(f"not gone: {why}")
        _print_mentions(found, output)
    return PARTS_MISSING if done.kept else DONE


def _print_mentions(found: Sequence[Mention], output: Output) -> None:
    """Name the lines of the project's own files that still say it."""
    if not found:
        return
    lines = counted(len(found), "line")
    output.say(f"{lines} of your own files still contain it and were not changed:")
    for each in found[:_MOST_MENTIONS]:
        output.say(f"  {plain(str(each))}")
    more = len(found) - _MOST_MENTIONS
    if more > 0:
        output.say(f"  and {more} more; search these files for the same words")
