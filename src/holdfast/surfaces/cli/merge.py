"""`holdfast merge`: combine what several checkpoints know into one."""

import argparse
from collections.abc import Iterator
from string import ascii_lowercase

from holdfast.app.branch_answers import dry_run_answer, merge_answer
from holdfast.app.checkpoints.code_branches import FileClash
from holdfast.app.checkpoints.drafting import clean_title
from holdfast.app.checkpoints.merge import (
    Merged,
    MergePlan,
    MergeRequest,
    carry_out,
    merged_before,
    plan_merge,
    with_choices,
)
from holdfast.bootstrap import Container
from holdfast.branches.conflicts import Conflict
from holdfast.domain.amounts import counted
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.text import plain
from holdfast.kernel.ids import label, reference
from holdfast.reports.branches import (
    CLASHES,
    WHYS,
    brought,
    conflict_rows,
    option_text,
)
from holdfast.reports.changes import preview_title
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import Column, ask, can_ask, print_rows, spinner

_CONFLICTS = (Column("yellow", right=True), Column("dim"), Column("bold"), Column())
_CLASHES = (Column("red"), Column(), Column("dim"))
_MOST_CLASHES = 20
_PAIR = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "refs",
        nargs="+",
        metavar="REF",
        help="first the one to merge into, then the others; one alone is merged into"
        " the newest of the session it came from",
    )
    add("--title", metavar="T", help="the title of the merged checkpoint")
    add(
        "--choose",
        action="append",
        default=[],
        metavar="N=REF",
        help="settle conflict N with what REF says; `all=REF` settles every conflict",
    )
    add("--dry-run", action="store_true", help="show the conflicts, and save nothing")


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    if container.config.is_off_in(container.directory):
        return _tell_off(output)
    ports, caller = container.ports(), container.caller()
    request = MergeRequest(
        references=tuple(map(reference, args.refs)),
        title=clean_title(args.title),
        choices=tuple(args.choose),
    )
    with spinner(output, "comparing"):
        plan = plan_merge(request, caller, ports)
    if not output.json:
        _print_plan(plan, container, output)
    if args.dry_run:
        return _tell_plan(plan, merged_before(plan, ports), output)
    plan = _with_answers(plan, output)
    done = carry_out(plan, caller, ports)
    if output.json:
        output.answer(merge_answer(done))
    else:
        _tell(done, output)
    return 0


def _tell_off(output: Output) -> int:
    reason = "holdfast is off here"
    if output.json:
        output.answer({"type": "unchanged", "checkpoint": None, "reason": reason})
    output.say(f"nothing was merged: {reason}")
    return 0


def _tell_plan(plan: MergePlan, before: Checkpoint | None, output: Output) -> int:
    """Say what would be, or that nothing would: all of it is there already."""
    if output.json:
        output.answer(dry_run_answer(plan, before))
    elif not plan.is_needed:
        output.print(f"nothing to merge: {plan.home.label} already has all of it")
    elif before is not None:
        output.print(f"nothing to merge: {before.label} already is this merge")
    else:
        output.say("nothing was saved; leave out `--dry-run` to save it")
    return 0


def _print_plan(plan: MergePlan, container: Container, output: Output) -> None:
    now = container.clock.now_ms()
    output.print(f"home   {preview_title(plan.home, now)}")
    for other in plan.parting.checkpoints[1:]:
        output.print(f"merge  {preview_title(other, now)}")
    if not plan.is_needed:
        return
    output.print(f"from   {_ancestor(plan, now)}")
    if plan.conflicts:
        output.print("")
        output.print(f"{counted(len(plan.conflicts), 'conflict')}:")
        print_rows(output, _CONFLICTS, [*conflict_rows(plan.conflicts)])
    output.print("")
    for line in _code(plan):
        output.print(line)
    shown = plan.code.clashes[:_MOST_CLASHES]
    rows = [["C", plain(one.path), _clash(one, plan)] for one in shown]
    print_rows(output, _CLASHES, rows)
    if len(plan.code.clashes) > len(shown):
        output.print(f"… and {len(plan.code.clashes) - len(shown)} more")


def _clash(clash: FileClash, plan: MergePlan) -> str:
    several = len(plan.parting.checkpoints) > _PAIR
    return CLASHES[clash.clash] + (f" ({clash.number:05d})" if several else "")


def _ancestor(plan: MergePlan, now_ms: int) -> str:
    ancestor = plan.parting.ancestor
    if ancestor.checkpoint is not None:
        gone = " (a newer one is gone)" if ancestor.is_gone else ""
        return preview_title(ancestor.checkpoint, now_ms) + gone
    if ancestor.is_gone:
        return "a checkpoint that no longer exists: all statements of both are kept"
    if ancestor.session_id:
        return "a session that had no checkpoint then: all statements of both are kept"
    return "no checkpoint in common: all statements of both are kept"


def _code(plan: MergePlan) -> Iterator[str]:
    code = plan.code
    if code.reason:
        yield f"code: nothing to compare: {code.reason}"
        return
    conflicting = counted(len({clash.path for clash in code.clashes}), "file")
    yield (
        f"code: {counted(code.merging, 'file')} would merge, {conflicting} would"
        " conflict; no file is written"
    )


def _with_answers(plan: MergePlan, output: Output) -> MergePlan:
    """Ask about each conflict that nobody decided, where somebody sits."""
    if plan.request.choices or not can_ask(output):
        return plan
    answers = [_asked(conflict, output) for conflict in plan.conflicts]
    return with_choices(plan, filter(None, answers))


def _asked(conflict: Conflict, output: Output) -> str:
    options = [*zip(ascii_lowercase, conflict.options, strict=False)]
    told = "\n".join(
        f"  {letter}) {option.number:05d}: {option_text(option)}"
        for letter, option in options
    )
    question = f"Conflict {conflict.number}: {WHYS[conflict.why]}\n{told}\n"
    answer = ask(f"{question}Which is right? [a/b, Enter keeps both] ", output) or ""
    for letter, option in options:
        if answer.lower().lstrip("0") in (letter, str(option.number)):
            return f"{conflict.number}={option.number}"
    return ""


def _tell(done: Merged, output: Output) -> None:
    plan, name = done.plan, label(done.checkpoint.number)
    if done.outcome == "unchanged":
        output.print(f"nothing to merge: {name} already has all of it")
        return
    added = brought(plan.home.draft.content, done.checkpoint.draft.content)
    again = " (merged before)" if done.outcome == "repeated" else ""
    output.print("")
    output.print(f"✓ merged as {name}{again}: {added or 'nothing new'}")
    undecided = plan.found.undecided
    if undecided:
        refs = " ".join(str(one.number) for one in plan.parting.checkpoints)
        conflict = undecided[0]
        kept = counted(len(undecided), "conflict")
        choice = f"{conflict.number}={conflict.options[0].number}"
        output.say(f"{kept} not settled: both sides are kept, marked as doubtful")
        output.say(f"choose with: holdfast merge {refs} --choose {choice}")
    output.say(f"resume with: holdfast resume {done.checkpoint.number}")
