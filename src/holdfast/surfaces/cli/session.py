"""`holdfast session`: show a session: its checkpoints and the session it came from."""

import argparse

from holdfast.app.checkpoints.session_story import session_beginning, session_story
from holdfast.app.json_answers import session_answer
from holdfast.bootstrap import Container
from holdfast.reports.sessions import session_rows
from holdfast.surfaces.cli.options import session_meant
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import Column, print_rows, spinner


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "session",
        nargs="?",
        metavar="ID",
        help="an id or the beginning of one (default: this session, or the newest here)",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    ports = container.ports()
    if args.session:
        session_id = session_beginning(args.session, ports)
    else:
        args.transcript = None
        session_id = session_meant(
            args, container, ports.transcripts, output
        ).session_id
    with spinner(output, "reading the transcript"):
        story = session_story(session_id, ports)
    if output.json:
        output.answer(session_answer(story))
    else:
        columns = (Column("dim"), Column(stretch=True))
        rows = [list(row) for row in session_rows(story, container.clock.now_ms())]
        print_rows(output, columns, rows)
    return 0
