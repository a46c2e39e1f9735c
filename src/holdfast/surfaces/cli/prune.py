"""`holdfast prune`."""

import argparse

from holdfast.app.prune import prune
from holdfast.bootstrap import Desk
from holdfast.surfaces.cli.output import Output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would go, remove nothing"
    )


def run(args: argparse.Namespace, desk: Desk, output: Output) -> int:
    limits = desk.config.checkpoint
    gone = prune(
        desk.tools(),
        max_auto=limits.max_auto_summaries,
        after_days=limits.cleanup_after_days,
        dry_run=args.dry_run,
    )
    if output.json:
        output.answer(
            {"type": "pruned", "checkpoints": list(gone), "dry_run": args.dry_run}
        )
        return 0
    verb = "would go" if args.dry_run else "removed"
    output.print(f"{len(gone)} automatic checkpoints {verb}")
    for checkpoint_id in gone:
        output.print(f"  {checkpoint_id}")
    return 0
