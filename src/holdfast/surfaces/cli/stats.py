"""`holdfast stats`: show numbers: sessions, work, tokens, what holdfast cost."""

import argparse

from holdfast.app.checkpoints.history import read_statistics
from holdfast.app.history_answers import stats_answer
from holdfast.bootstrap import Container
from holdfast.domain.amounts import counted
from holdfast.reports.statistics_lines import (
    ASCII_CHART,
    UNICODE_CHART,
    StatisticsViewer,
    statistics_lines,
)
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.pager import columns_of, has_unicode, write_lines
from holdfast.surfaces.cli.terminal import spinner


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="count every project")


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    with spinner(output, "counting"):
        found = read_statistics(
            container.ports(),
            container.scope,
            container.disk_octets(),
            everywhere=args.all,
        )
    if output.json:
        output.answer(stats_answer(found))
    elif found.totals.checkpoints:
        chart = UNICODE_CHART if has_unicode(container.environ) else ASCII_CHART
        lines = statistics_lines(found, StatisticsViewer(columns_of(output), chart))
        write_lines(lines, output, container)
    elif not found.damaged:
        output.say("no checkpoints here yet")
        output.say(
            "hint: a `/clear` or the end of a session makes one; `--all` counts every project"
        )
    if found.damaged:
        many = counted(found.damaged, "record")
        verb = "is" if found.damaged == 1 else "are"
        output.say(f"{many} {verb} damaged and not counted")
        output.say("hint: `holdfast doctor --repair` repairs what can be repaired")
    return 0
