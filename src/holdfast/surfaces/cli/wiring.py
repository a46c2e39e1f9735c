"""What `install` and `uninstall` share: the agent that is meant, and what changed."""

import argparse
from collections.abc import Iterable

from holdfast.agents.port import Wiring, WiringChange
from holdfast.bootstrap import Container
from holdfast.bootstrap.agents import WIRED
from holdfast.domain.text import beginning
from holdfast.kernel.errors import UsageWrong
from holdfast.surfaces.cli.output import Output

_AGENTS = tuple(WIRED)
_WOULD = {
    "written": "would write",
    "changed": "would change",
    "removed": "would remove",
}
_NARROW, _WIDE = 8, 12


def add_agent(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "agent",
        nargs="?",
        default=_AGENTS[0],
        metavar="AGENT",
        help=f"the agent: {', '.join(_AGENTS)}",
    )


def wiring_of(agent: str, container: Container) -> Wiring:
    """Return the wiring into an agent, by the name that people give it.

    Raises:
        UsageWrong: there is none.
    """
    if agent not in _AGENTS:
        raise UsageWrong(
            f"this version cannot be installed into `{beginning(agent, 40)}`",
            hint=f"use one of: {', '.join(_AGENTS)}",
        )
    return container.wiring(WIRED[agent])


def print_changes(
    changes: Iterable[WiringChange],
    container: Container,
    output: Output,
    *,
    dry_run: bool,
) -> None:
    """Print one line for each thing that changed, paths as people write them."""
    for change in changes:
        words = change.detail
        if change.what != "plugin":
            words = f"{container.tilde(change.path)}   {change.detail}".rstrip()
        what = _WOULD.get(change.what, change.what) if dry_run else change.what
        output.print(f"  {what:<{_WIDE if dry_run else _NARROW}} {words}")


def changes_json(changes: Iterable[WiringChange]) -> list[dict[str, str]]:
    return [
        {"what": change.what, "path": change.path, "detail": change.detail}
        for change in changes
    ]
