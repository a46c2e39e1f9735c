"""`holdfast forget`, `prune` and `cleanup`: remove what is not wanted or not needed."""

import argparse

from holdfast.app.forgetting.forget import (
    ForgetPlan,
    ForgetRequest,
    Forgotten,
    finish,
    forget,
    plan_forget,
)
from holdfast.app.forgetting.prune import Pruned, prune
from holdfast.app.notes.named import cleanup
from holdfast.bootstrap import Container
from holdfast.bootstrap.retention import forget_means, retention_limits
from holdfast.domain.amounts import counted
from holdfast.kernel.errors import (
    CHECK_SAYS_NO,
    DONE,
    FAILED,
    PARTS_MISSING,
    CheckpointNotFound,
    UsageWrong,
)
from holdfast.kernel.ids import reference
from holdfast.reports.listing import row
from holdfast.surfaces.cli.commands import CommandCode
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import Column, ask, print_rows, spinner

_COLUMNS = (Column("bold"), Column("dim"), Column(), Column(), Column("dim"), Column())

_MB = 1_000_000


def add_forget_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "ref", nargs="?", metavar="REF", help="a checkpoint, or `session:ID`"
    )
    parser.add_argument(
        "--match", metavar="TEXT", help="every checkpoint that has this text, anywhere"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would go, forget nothing"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run_forget(args: argparse.Namespace, container: Container, output: Output) -> int:
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
            # The retry of a call that was killed.
            return _tell_forgotten(before, output)
    if args.dry_run or not _agreed(args, plan, container, output):
        return _shown(plan, args, container, output)
    with spinner(output, "leaving no byte behind"):
        done = forget(plan, ports, means, wanted.match)
    _say_what_stays(plan, output)
    return _tell_forgotten(done, output, _note(plan))


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
        _say_what_stays(plan, output)
    else:
        output.say("nothing was forgotten; `--yes` forgets without asking")
    return DONE if args.dry_run else CHECK_SAYS_NO


def _sum(plan: ForgetPlan) -> str:
    told = counted(len(plan.order.checkpoint_ids), "checkpoint")
    sessions = plan.order.sessions
    return f"{told} and {counted(len(sessions), 'session')}" if sessions else told


def _note(plan: ForgetPlan) -> str:
    """Return how what goes could come back, and what prevents it."""
    sessions = sorted({checkpoint.draft.session_id for checkpoint in plan.doomed})
    if plan.order.sessions or not sessions:
        return ""
    prevents = ", ".join(f"`holdfast forget session:{each}`" for each in sessions)
    return (
        "holdfast stays on in its session: the next save there takes it from the"
        f" transcript again. {prevents} prevents that"
    )


def _say_what_stays(plan: ForgetPlan, output: Output) -> None:
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
        output.say("holdfast is off in that session from now on, or it would come back")
    if plan.order.checkpoint_ids:
        output.say("the agent's own transcripts are not touched: they are its files")


def _tell_forgotten(done: Forgotten, output: Output, note: str = "") -> int:
    if output.json:
        output.answer(
            {
                "type": "forgotten",
                "checkpoints": list(done.checkpoint_ids),
                "kept": list(done.kept),
                "note": note,
            }
        )
    else:
        output.print(f"{counted(len(done.checkpoint_ids), 'checkpoint')} forgotten")
        for why in done.kept:
            output.warn(f"not gone: {why}")
    return PARTS_MISSING if done.kept else DONE


def add_prune_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would go, remove nothing"
    )


def run_prune(args: argparse.Namespace, container: Container, output: Output) -> int:
    keeping = retention_limits(container)
    with spinner(output, "looking for what nobody needs"):
        gone = prune(container.ports(), keeping, dry_run=args.dry_run)
    if output.json:
        output.answer(
            {
                "type": "pruned",
                "checkpoints": list(gone.checkpoints),
                "trees": gone.trees,
                "code_bytes": gone.code_bytes,
                "reason": gone.reason,
                "dry_run": args.dry_run,
            }
        )
        return DONE
    verb = "would go" if args.dry_run else "removed"
    output.print(f"{len(gone.checkpoints)} automatic checkpoints {verb}")
    for checkpoint_id in gone.checkpoints:
        output.print(f"  {checkpoint_id}")
    _tell_code(gone, output)
    return DONE


def _tell_code(gone: Pruned, output: Output) -> None:
    if gone.reason:
        output.print(f"no code was removed: {gone.reason}")
    elif gone.trees:
        output.print(f"{gone.trees} snapshots that no checkpoint needs removed")
    output.print(f"code takes {gone.code_bytes / _MB:,.1f} MB")


def add_cleanup_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="the named checkpoint to clear"
    )
    parser.add_argument(
        "--all", action="store_true", help="clear every named checkpoint here"
    )


def run_cleanup(args: argparse.Namespace, container: Container, output: Output) -> int:
    if bool(args.name) == args.all:
        raise UsageWrong(
            "give a name or `--all`", hint="see the names with `holdfast list`"
        )
    cleaned = cleanup(
        args.name or None, container.workspace(), container.ports(create=True)
    )
    if output.json:
        kept = [{"name": each, "reason": why} for each, why in cleaned.kept]
        names = list(cleaned.names)
        output.answer({"type": "cleaned", "names": names, "kept": kept})
    else:
        if args.all:
            output.print(f"Cleared {len(cleaned.names)} checkpoint(s)")
        for each in cleaned.names if args.name else ():
            output.print(f'Cleared checkpoint "{each}"')
        for _, why in cleaned.kept:
            output.warn(why)
    if not cleaned.kept:
        return DONE
    return PARTS_MISSING if cleaned.names or args.all else FAILED


COMMANDS = {
    "forget": CommandCode(run_forget, add_forget_arguments),
    "prune": CommandCode(run_prune, add_prune_arguments),
    "cleanup": CommandCode(run_cleanup, add_cleanup_arguments),
}
