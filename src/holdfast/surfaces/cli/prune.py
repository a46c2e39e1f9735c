"""`holdfast prune`: remove automatic checkpoints that later ones have replaced."""

import argparse

from holdfast.app.forgetting.prune import Pruned, prune
from holdfast.bootstrap import Container
from holdfast.bootstrap.forgetting import retention_limits
from holdfast.domain.amounts import size
from holdfast.kernel.errors import DONE
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import spinner


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="show what would be removed, and remove nothing",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    keeping = retention_limits(container)
    with spinner(output, "looking for what is no longer needed"):
        gone = prune(container.ports(), keeping, dry_run=args.dry_run)
    if output.json:
        output.answer(
            {
                "type": "pruned",
                "checkpoints": list(gone.checkpoints),
                "trees": gone.trees,
                "code_bytes": gone.code_bytes,
                "reason": gone.reason,
                "dry_run": args.dry_run,
            }
        )
        return DONE
    verb = "would go" if args.dry_run else "removed"
    output.print(f"{len(gone.checkpoints)} automatic checkpoints {verb}")
    for checkpoint_id in gone.checkpoints:
        output.print(f"  {checkpoint_id}")
    _tell_code(gone, output)
    return DONE


def _tell_code(gone: Pruned, output: Output) -> None:
    if gone.reason:
        output.print(f"no code was removed: {gone.reason}")
    elif gone.trees:
        output.print(f"{gone.trees} snapshots removed that no checkpoint needs")
    output.print(f"code takes {size(gone.code_bytes)}")
