"""`holdfast list`: list the checkpoints of this project, newest first."""

import argparse
import shlex

from holdfast.app.checkpoints.find import count_checkpoints, list_checkpoints
from holdfast.app.json_answers import list_answer
from holdfast.bootstrap import Container
from holdfast.domain.checkpoint import Checkpoint
from holdfast.reports.listing import project_name, row
from holdfast.surfaces.cli.options import limit
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import Column, print_rows

_COLUMNS = (
    Column("bold"),
    Column("dim"),
    Column(),
    Column(stretch=True),
    Column("cyan"),
    Column("dim"),
)
_PROJECT = 3  # where its column stands, if there is one: before the title


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="list every project")
    parser.add_argument(
        "--session", metavar="ID", help="only checkpoints of this session"
    )
    parser.add_argument(
        "--lineage",
        metavar="ID",
        help="only checkpoints of this session and those it came from",
    )
    parser.add_argument(
        "--limit", type=limit, default=20, metavar="N", help="list at most N (20)"
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    ports = container.ports()
    which = {
        "everywhere": args.all,
        "session": args.session,
        "lineage": args.lineage,
    }
    found = list_checkpoints(container.scope, ports, **which, limit=args.limit)
    if output.json:
        output.answer(list_answer(found, ports.spool.waiting()))
    elif found:
        here = container.scope().project_id
        is_mixed = any(one.draft.project_id != here for one in found)
        _print_checkpoints(found, container, output, with_project=args.all or is_mixed)
        older = count_checkpoints(container.scope, ports, **which) - len(found)
        if older > 0:
            output.say(f"{older:,} older: {_command(args, len(found) + older)}")
    else:
        whose = " of that session" if args.session else ""
        output.say(f"no checkpoints{whose} here yet")
        output.say(
            "hint: a `/clear` or the end of a session makes one; `--all` shows every project"
        )
    return 0


def _command(args: argparse.Namespace, limit: int) -> str:
    """Return the command that lists all of it."""
    options = [("--session", args.session), ("--lineage", args.lineage)]
    named = [word for option, value in options if value for word in (option, value)]
    everywhere = ["--all"] if args.all else []
    return shlex.join(["holdfast", "list", *everywhere, *named, "--limit", f"{limit}"])


def _print_checkpoints(
    checkpoints: tuple[Checkpoint, ...],
    container: Container,
    output: Output,
    *,
    with_project: bool,
) -> None:
    now, workspace = container.clock.now_ms(), container.scope().workspace
    latest = next((c for c in checkpoints if c.draft.workspace == workspace), None)
    columns = list(_COLUMNS)
    rows = [list(row(one, now, is_latest=one is latest)) for one in checkpoints]
    if with_project:
        columns.insert(_PROJECT, Column("cyan"))
        for cells, checkpoint in zip(rows, checkpoints, strict=True):
            cells.insert(_PROJECT, project_name(checkpoint))
    print_rows(output, columns, rows)
