"""`holdfast bisect`: find the first checkpoint at which a command fails."""

import argparse

from holdfast.app.code.bisect import Bisected, BisectRequest, Trial, bisect
from holdfast.app.json_answers import file_json
from holdfast.bootstrap import Container
from holdfast.domain.amounts import counted
from holdfast.domain.record import record
from holdfast.domain.text import visible
from holdfast.kernel.ids import label, reference
from holdfast.reports.changes import file_rows, item_text, preview_title, total
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import Column, print_rows

_FILES = (Column("bold"), Column(), Column("green"), Column("red"))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--good",
        required=True,
        metavar="REF",
        help="an older checkpoint, at which CMD succeeds",
    )
    add(
        "--bad",
        required=True,
        metavar="REF",
        help="a newer checkpoint, at which CMD fails",
    )
    add(
        "command",
        nargs="+",
        metavar="CMD",
        help="after `--`: a program and its arguments, run without a shell",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    request = BisectRequest(
        good=reference(args.good), bad=reference(args.bad), command=tuple(args.command)
    )

    def tell(trial: Trial) -> None:
        number = label(trial.checkpoint.number)
        output.say(f"{number}  {trial.verdict:<4}  (exit status {trial.exit_status})")

    found = bisect(
        request, container.caller(), container.ports(), container.trials, tell
    )
    if output.json:
        output.answer(_answer(found))
    else:
        _print(found, container, output)
    return 0


def _answer(found: Bisected) -> dict[str, object]:
    return {
        "type": "bisected",
        "culprit": record(found.culprit),
        "after": found.after.checkpoint_id,
        "skipped": [checkpoint.checkpoint_id for checkpoint in found.skipped],
        "without_code": [each.checkpoint_id for each in found.without_code],
        "steps": [
            {
                "checkpoint": step.checkpoint.checkpoint_id,
                "label": label(step.checkpoint.number),
                "verdict": step.verdict,
                "exit": step.exit_status,
            }
            for step in found.steps
        ],
        "requests": [item.text for item in found.requests],
        "files": [file_json(change) for change in found.files],
    }


def _print(found: Bisected, container: Container, output: Output) -> None:
    now = container.clock.now_ms()
    output.print(f"first bad: {preview_title(found.culprit, now)}")
    output.print(f"last good: {preview_title(found.after, now)}")
    if found.skipped:
        names = ", ".join(label(checkpoint.number) for checkpoint in found.skipped)
        output.print(f"skipped in between, so it may be one of these: {names}")
    if found.without_code:
        names = ", ".join(label(each.number) for each in found.without_code)
        output.print(f"without code in between, so it may be one of these: {names}")
    if found.requests:
        output.print("\nwhat was asked for in between:")
        for item in found.requests:
            output.print(f'  ▸ "{item_text(item.text)}"')
    output.print(f"\nwhat changed in between: {total(found.files)}")
    print_rows(output, _FILES, file_rows(found.files))
    runs = counted(len(found.steps), "run")
    output.say(f"{counted(found.candidates, 'checkpoint')}, {runs}")
    output.say(f"more: holdfast show {visible(found.culprit.checkpoint_id)} --evidence")
