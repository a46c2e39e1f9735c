"""`holdfast install` and `uninstall`: wire holdfast into an agent, and undo that."""

import argparse
import os
from collections.abc import Iterable

from holdfast.agents.port import WiringChange
from holdfast.app.care.health import Installed, install, uninstall
from holdfast.bootstrap import Container
from holdfast.domain.text import beginning
from holdfast.kernel.errors import DONE, FAILED, UsageWrong, WiringFailed
from holdfast.surfaces.cli.commands import CommandCode
from holdfast.surfaces.cli.output import Output

_AGENTS = ("claude",)
_WOULD = {
    "written": "would write",
    "changed": "would change",
    "removed": "would remove",
}
_NARROW, _WIDE = 8, 12


def add_install_arguments(parser: argparse.ArgumentParser) -> None:
    add_agent(parser)
    parser.add_argument(
        "--scope",
        choices=("user", "project"),
        default="user",
        help="for every project of yours (user), or for this one",
    )
    parser.add_argument(
        "--no-mcp", action="store_true", help="leave the MCP server out"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would change, change nothing"
    )


def run_install(args: argparse.Namespace, container: Container, output: Output) -> int:
    check_agent(args.agent)
    check_platform(os.name)
    installed = install(
        container.wiring(),
        container.ports(create=True),
        scope=args.scope,
        mcp=not args.no_mcp,
        dry_run=args.dry_run,
    )
    if output.json:
        output.answer(_install_answer(installed, args))
    else:
        _tell_installed(installed, container, output, dry_run=args.dry_run)
    return DONE if installed.works else FAILED


def check_platform(name: str) -> None:
    """Raises: WiringFailed: hooks could not keep their promises here."""
    if name == "nt":
        raise WiringFailed(
            "native Windows is not supported",
            hint="install it inside WSL, beside the Claude Code that runs there",
        )


def _tell_installed(
    installed: Installed, container: Container, output: Output, *, dry_run: bool
) -> None:
    if not installed.changes:
        output.print("  plugin   there already, nothing changed")
    print_changes(installed.changes, container, output, dry_run=dry_run)
    if dry_run:
        output.print("Nothing was changed: this was a dry run.")
        return
    said = " · ".join(check.message for check in installed.checks)
    output.print(f"  {'check':<8} {said}")
    for check in installed.checks:
        if check.state == "fail":
            output.print(f"  {'hint':<8} {check.hint}")
    output.print(
        "It records sessions on this machine only, secrets removed, in"
        f" {container.tilde(container.home)}. Stop with: holdfast off\n"
        "Undo with: holdfast uninstall claude"
    )


def _install_answer(
    installed: Installed, args: argparse.Namespace
) -> dict[str, object]:
    return {
        "type": "installed",
        "agent": args.agent,
        "scope": args.scope,
        "dry_run": args.dry_run,
        "changes": changes_json(installed.changes),
        "checks": [
            {"name": c.name, "state": c.state, "message": c.message, "hint": c.hint}
            for c in installed.checks
        ],
    }


def add_uninstall_arguments(parser: argparse.ArgumentParser) -> None:
    add_agent(parser)
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would change, change nothing"
    )


def run_uninstall(
    args: argparse.Namespace, container: Container, output: Output
) -> int:
    check_agent(args.agent)
    changes = uninstall(container.wiring(), dry_run=args.dry_run)
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
        output.print("Nothing to undo: it is not wired in.")
    elif args.dry_run:
        output.print("Nothing was changed: this was a dry run.")
    else:
        output.print(f"Your checkpoints stay in {container.tilde(container.home)}.")
    return 0


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


COMMANDS = {
    "install": CommandCode(run_install, add_install_arguments),
    "uninstall": CommandCode(run_uninstall, add_uninstall_arguments),
}
