"""`holdfast fresh`."""

import argparse

from holdfast.app.care.switches import ask_fresh
from holdfast.bootstrap import Desk
from holdfast.surfaces.cli.off import way_out
from holdfast.surfaces.cli.output import Output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """It takes none."""


def run(args: argparse.Namespace, desk: Desk, output: Output) -> int:
    del args
    with way_out():
        ask_fresh(desk.workspace(), desk.tools(create=True))
    if output.json:
        output.answer({"type": "fresh", "workspace": desk.workspace()})
    else:
        output.print("the next session here is told nothing; after that, as usual")
    return 0
