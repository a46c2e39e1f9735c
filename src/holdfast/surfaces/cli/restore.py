"""`holdfast restore`: bring back a checkpoint's code; your current code is saved first."""

import argparse

from holdfast.app.checkpoints.resume import resume_checkpoint
from holdfast.app.code.restore import (
    RestorePreview,
    RestoreRequest,
    carry_out,
    preview,
    refuse_plan,
    restore_into,
)
from holdfast.app.ports import Ports
from holdfast.bootstrap import Container
from holdfast.domain.amounts import counted
from holdfast.domain.checkpoint import Checkpoint
from holdfast.kernel.errors import CHECK_SAYS_NO
from holdfast.kernel.ids import label, reference
from holdfast.reports.changes import (
    head_remark,
    kept_remarks,
    preview_rows,
    preview_title,
    sum_of,
)
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import Column, ask, can_ask, print_rows, spinner

_COLUMNS = (Column("bold"), Column(), Column("green"), Column("red"))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("ref", metavar="REF", help="number, id, name, `latest` …")
    add("paths", nargs="*", metavar="PATH", help="only these files and directories")
    add("--into", metavar="DIR", help="write into DIR, a new directory, instead")
    add(
        "--preview",
        action="store_true",
        help="show what would change, and write nothing",
    )
    add(
        "--exact",
        action="store_true",
        help="also remove files that are newer than the checkpoint",
    )
    add("--yes", action="store_true", help="do not ask")
    add("--brief", action="store_true", help="also print the checkpoint's brief")


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    ports, caller = container.ports(), container.caller()
    request = RestoreRequest(
        reference=reference(args.ref), paths=tuple(args.paths), exact=args.exact
    )
    if args.into:
        _into(request, args, container, ports, output)
        return 0
    restoring = container.restoring
    with spinner(output, "looking at the files"):
        shown = preview(request, caller, ports, restoring)
    is_asked = not (args.yes or args.preview) and can_ask(output)
    if not output.json and (args.preview or is_asked):
        _print_preview(shown, container, ports, output)
    refuse_plan(shown.plan)
    if args.preview or not shown.plan.steps:
        _tell(shown, None, args, container, ports, output)
        return 0
    if is_asked and not _agrees(output):
        output.say("nothing was written; `--yes` restores without asking")
        return CHECK_SAYS_NO
    with spinner(output, "writing files"):
        done = carry_out(shown, caller, ports, restoring)
    _tell(shown, done.saved_first, args, container, ports, output)
    return 0


def _into(
    request: RestoreRequest,
    args: argparse.Namespace,
    container: Container,
    ports: Ports,
    output: Output,
) -> None:
    into = container.absolute(args.into)
    with spinner(output, "writing files"):
        checkpoint, written = restore_into(
            request, into, container.caller(), ports, container.restoring
        )
    if output.json:
        told = _brief(checkpoint, args, container, ports)
        output.answer(
            {
                "type": "restored",
                "checkpoint": checkpoint.checkpoint_id,
                "into": into,
                "written": list(written),
                "removed": [],
                "kept": [],
                "saved_first": None,
                "preview": False,
            }
            | told
        )
        return
    files = counted(len(written), "file")
    output.print(f"{files} of {label(checkpoint.number)} written into `{into}`")
    for text in _brief(checkpoint, args, container, ports).values():
        output.print(text)


def _print_preview(
    shown: RestorePreview, container: Container, ports: Ports, output: Output
) -> None:
    output.print(preview_title(shown.checkpoint, container.clock.now_ms()))
    tree = shown.checkpoint.draft.code.tree or ""
    rows = preview_rows(shown.plan, ports.snapshots.changes(shown.present, tree))
    print_rows(output, _COLUMNS, rows)
    for remark in _remarks(shown):
        output.print(remark)
    if shown.plan.steps:
        output.print(sum_of(shown.plan, is_done=False))


def _remarks(shown: RestorePreview) -> list[str]:
    head = head_remark(shown.checkpoint.draft.code.head, shown.place.head)
    return [*kept_remarks(shown.plan.kept), *([head] if head else [])]


def _agrees(output: Output) -> bool:
    answer = ask("Restore? Your current code is saved first. [y/N] ", output)
    return (answer or "").lower() in ("y", "yes")


def _tell(
    shown: RestorePreview,
    saved: Checkpoint | None,
    args: argparse.Namespace,
    container: Container,
    ports: Ports,
    output: Output,
) -> None:
    told = _brief(shown.checkpoint, args, container, ports)
    if output.json:
        output.answer(answer(shown, saved, is_preview=args.preview) | told)
        return
    name = label(shown.checkpoint.number)
    if not shown.plan.steps:
        output.print(f"nothing to restore: these files are as in {name}")
    elif saved is not None:
        output.print(f"{name}: {sum_of(shown.plan, is_done=True)}")
        for remark in _remarks(shown):
            output.say(remark)
        output.say(f"saved first as {label(saved.number)}        holdfast undo")
    for text in told.values():
        output.print(text)


def answer(
    shown: RestorePreview, saved: Checkpoint | None, *, is_preview: bool
) -> dict[str, object]:
    """Return the one JSON object of a restore."""
    made = shown.plan
    return {
        "type": "restored",
        "checkpoint": shown.checkpoint.checkpoint_id,
        "written": list(made.written),
        "removed": list(made.removed),
        "kept": [left.path for left in made.kept],
        "reasons": {left.path: left.reason for left in made.kept},
        "saved_first": saved.checkpoint_id if saved else None,
        "preview": is_preview,
        "head": {"then": shown.checkpoint.draft.code.head, "now": shown.place.head},
    }


def _brief(
    checkpoint: Checkpoint, args: argparse.Namespace, container: Container, ports: Ports
) -> dict[str, str]:
    """Return the brief if it was asked for: code and conversation in one command."""
    if not args.brief:
        return {}
    told = resume_checkpoint(
        checkpoint, container.scope(), ports, budget=container.budget(None)
    )
    return {"brief": told.brief}
