"""`holdfast undo`: take back the last restore."""

import argparse

from holdfast.app.code.undo import Undone, undo
from holdfast.bootstrap import Container
from holdfast.domain.amounts import counted
from holdfast.kernel.ids import label
from holdfast.reports.changes import kept_remarks, sum_of
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import spinner


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """It has none: the latest restore is what is undone."""
    del parser


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    del args
    with spinner(output, "bringing files back"):
        done = undo(container.caller(), container.ports(), container.restoring)
    if output.json:
        output.answer(_answer(done))
        return 0
    if done.plan.steps:
        output.print(f"undone: {sum_of(done.plan, is_done=True)}")
    else:
        output.print("nothing to undo: every file was already as before")
    for remark in kept_remarks(done.plan.kept):
        output.say(remark)
    if done.saved_first:
        number = done.saved_first.number
        again = f"holdfast restore {number} --exact"
        output.say(f"saved first as {label(number)}        again: {again}")
    if done.left:
        output.say(f"{counted(done.left, 'restore')} before it can be undone, too")
    return 0


def _answer(done: Undone) -> dict[str, object]:
    return {
        "type": "restored",
        "undone": done.undone,
        "written": list(done.plan.written),
        "removed": list(done.plan.removed),
        "kept": [left.path for left in done.plan.kept],
        "saved_first": done.saved_first.checkpoint_id if done.saved_first else None,
        "preview": False,
        "left": done.left,
    }
