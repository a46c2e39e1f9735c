"""What `install` and `uninstall` share: the agent that is meant, and what changed."""

import argparse
from collections.abc import Iterable

from holdfast.agents.port import WiringChange
from holdfast.bootstrap import Container
from holdfast.domain.text import beginning
from holdfast.kernel.errors import UsageWrong
from holdfast.surfaces.cli.output import Output

_AGENTS = ("claude",)
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
        help="the agent to wire into: claude",
    )


def check_agent(agent: str) -> None:
    if agent not in _AGENTS:
        raise UsageWrong(
            f"this version cannot be wired into `{beginning(agent, 40)}`",
            hint=f"use one of: {', '.join(_AGENTS)}",
        )


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
