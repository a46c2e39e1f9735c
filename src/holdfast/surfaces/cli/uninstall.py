"""`holdfast uninstall`: remove holdfast from an agent; the data stays."""

import argparse
import shlex

from holdfast.app.administration.health import uninstall
from holdfast.bootstrap import Container
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.wiring import (
    add_agent,
    changes_json,
    print_changes,
    wiring_of,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_agent(parser)
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="show what would change, and change nothing",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    changes = uninstall(wiring_of(args.agent, container), dry_run=args.dry_run)
    if output.json:
        output.answer(
            {
                "type": "uninstalled",
                "agent": args.agent,
                "dry_run": args.dry_run,
                "changes": changes_json(changes),
            }
        )
        return 0
    print_changes(changes, container, output, dry_run=args.dry_run)
    if not changes:
        output.print("Nothing to remove: holdfast is not installed there.")
    elif args.dry_run:
        output.print("Nothing was changed: this was a dry run.")
    else:
        output.print(
            "Only what `install` had added was removed.\n"
            f"Your checkpoints stay in {container.tilde(container.home)}."
            f" Delete them with: rm -r {shlex.quote(container.home)}"
        )
    return 0
