"""`holdfast completion`: print the completion script for bash, zsh or fish."""

import argparse
from collections.abc import Iterator

from holdfast.bootstrap import Container
from holdfast.domain.query import Scope
from holdfast.domain.text import beginning
from holdfast.kernel.errors import HoldfastError, UsageWrong
from holdfast.surfaces.cli.completion_scripts import SCRIPTS, table
from holdfast.surfaces.cli.output import Output

_MOST = 20
_SHORT_ID = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", metavar="SHELL", help="bash, zsh or fish")


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    if args.shell in _ASKED:  # by the scripts, while somebody types
        words = [*_asked(args.shell, container)]
        if output.json:
            output.answer({"type": "completion", "words": words})
        elif words:
            output.print("\n".join(words))
        return 0
    if args.shell not in SCRIPTS:
        raise UsageWrong(
            f"there is no completion for `{beginning(args.shell, 40)}`",
            hint="use one of: bash, zsh, fish",
        )
    script = SCRIPTS[args.shell](table())
    if output.json:
        output.answer({"type": "completion", "shell": args.shell, "script": script})
    else:
        output.stdout.write(script)
    return 0


def _asked(what: str, container: Container) -> Iterator[str]:
    """Yield what a word may be; a store in trouble is no reason to disturb who types."""
    try:
        yield from _ASKED[what](container)
    except HoldfastError:
        return


def _references(container: Container) -> Iterator[str]:
    yield "latest"
    here = container.scope().in_project()
    found = container.ports().open_store().list(here, limit=_MOST)
    yield from (one.name for one in found if one.name and _is_plain(one.name))
    yield from (str(one.number) for one in found)


def _sessions(container: Container) -> Iterator[str]:
    here = Scope(project_id=container.scope().project_id)
    found = container.ports().open_store().sessions(here, _MOST)
    yield from (one.session_id[:_SHORT_ID] for one in found)


def _is_plain(name: str) -> bool:
    """A shell expands what it is given to choose from: only letters, marks and `-._`."""
    return not any(
        one.isascii() and not (one.isalnum() or one in "-._") for one in name
    )


_ASKED = {"references": _references, "sessions": _sessions}
