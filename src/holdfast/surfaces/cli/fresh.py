"""`holdfast fresh`: start the next session here without a brief."""

import argparse

from holdfast.app.administration.switches import ask_fresh
from holdfast.bootstrap import Container
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.store_trouble import hint_without_store


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """It takes none."""


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    del args
    with hint_without_store():
        ask_fresh(container.workspace(), container.ports(create=True))
    if output.json:
        output.answer({"type": "fresh", "workspace": container.workspace()})
    else:
        output.print(
            "the next session here starts without a brief; the ones after it as usual"
        )
    return 0
