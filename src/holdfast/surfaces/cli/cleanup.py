"""`holdfast cleanup`: remove the files of named checkpoints."""

import argparse

from holdfast.app.notes.named import cleanup
from holdfast.bootstrap import Container
from holdfast.kernel.errors import DONE, FAILED, PARTS_MISSING, UsageWrong
from holdfast.surfaces.cli.output import Output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name",
        nargs="?",
        metavar="NAME",
        help="the named checkpoint whose files to remove",
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help="remove the files of every named checkpoint here",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    if bool(args.name) == args.all:
        raise UsageWrong(
            "give a name or `--all`", hint="see the names with `holdfast list`"
        )
    cleaned = cleanup(
        args.name or None, container.workspace(), container.ports(create=True)
    )
    if output.json:
        kept = [{"name": each, "reason": why} for each, why in cleaned.kept]
        names = list(cleaned.names)
        output.answer({"type": "cleaned", "names": names, "kept": kept})
    else:
        if args.all:
            output.print(f"Cleared {len(cleaned.names)} checkpoint(s)")
        for each in cleaned.names if args.name else ():
            output.print(f'Cleared checkpoint "{each}"')
        for _, why in cleaned.kept:
            output.warn(why)
    if not cleaned.kept:
        return DONE
    return PARTS_MISSING if cleaned.names or args.all else FAILED
