"""`holdfast blame`: show which prompt made each line of a file."""

import argparse

from holdfast.app.branch_answers import blame_answer
from holdfast.app.code.blame import Span, blame, file_and_lines, line_span
from holdfast.bootstrap import Container
from holdfast.domain.amounts import counted
from holdfast.domain.file_history import Blame
from holdfast.domain.text import beginning
from holdfast.kernel.errors import UsageWrong
from holdfast.kernel.lazy_patterns import pattern
from holdfast.reports.blame import blocks, damaged_told, one_line_told
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import spinner

_SPAN = pattern(r"(\d{1,9})(?:-(\d{1,9}))?")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE[:LINE[-LINE]]",
        help="a file of the project, and optionally some of its lines",
    )
    parser.add_argument(
        "--line",
        type=_span,
        metavar="N",
        help="show all that is known about this line; N-M for several lines",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    path, span = file_and_lines(args.file, container.directory)
    span = args.line or span
    with spinner(output, "reading"):
        found = blame(path, container.caller(), container.ports(), span)
    if output.json:
        output.answer(blame_answer(found))
        return 0
    _print(found, container.clock.now_ms(), output, is_one=span is not None)
    return 0


def _print(found: Blame, now_ms: int, output: Output, *, is_one: bool) -> None:
    if is_one and len(found.lines) == 1:
        told = one_line_told(found.path, found.lines[0], now_ms)
    else:
        told = blocks(found, now_ms)
    for line in told:
        output.print(line)
    if not found.lines:
        output.say("the file is empty")
    if not found.checkpoints:
        output.say("there are no checkpoints here yet, so little is known")
        output.say(
            "hint: a `/clear` or the end of a session makes one, and so does `holdfast save`"
        )
    if found.unreadable:
        lost = counted(found.unreadable, "snapshot")
        output.say(f"{lost} could not be read: run `holdfast doctor`")
    for line in damaged_told(found.damaged):
        output.say(line)


def _span(text: str) -> Span:
    found = _SPAN.fullmatch(text)
    if found is None:
        shown = beginning(text, 40)
        raise argparse.ArgumentTypeError(f"`{shown}` is not a line: N, or N-M")
    try:
        return line_span(found[1], found[2], text)
    except UsageWrong as wrong:
        raise argparse.ArgumentTypeError(wrong.message) from None
