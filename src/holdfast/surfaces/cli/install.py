"""`holdfast install`: set holdfast up in an agent."""

import argparse
import os

from holdfast.app.administration.health import Installed, install
from holdfast.bootstrap import Container
from holdfast.bootstrap.agents import WIRED
from holdfast.bootstrap.backfill import past_waiting
from holdfast.domain.amounts import counted
from holdfast.kernel.errors import DONE, FAILED, WiringFailed
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
        "--scope",
        choices=("user", "project"),
        default="user",
        help="for all your projects (user) or only this one (project)",
    )
    parser.add_argument(
        "--no-mcp", action="store_true", help="do not add the MCP server"
    )
    parser.add_argument(
        "--no-permissions",
        action="store_true",
        help="make the agent ask before it reads a checkpoint",
    )
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="show what would change, and change nothing",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    wiring = wiring_of(args.agent, container)
    check_platform(os.name)
    installed = install(
        wiring,
        container.ports(create=True),
        scope=args.scope,
        mcp=not args.no_mcp,
        dry_run=args.dry_run,
        permissions=not args.no_permissions,
    )
    past = 0 if args.dry_run else past_waiting(container, WIRED[args.agent])
    if output.json:
        output.answer({**_answer(installed, args), "past": past})
    else:
        _tell(installed, container, output, args, past=past)
        if wiring.advice and not args.dry_run:
            output.print(wiring.advice)
    return DONE if installed.works else FAILED


def check_platform(name: str) -> None:
    """Raises: WiringFailed: hooks could not keep their promises here."""
    if name == "nt":
        raise WiringFailed(
            "native Windows is not supported",
            hint="install it inside WSL, beside the Claude Code that runs there",
        )


def _tell(
    installed: Installed,
    container: Container,
    output: Output,
    args: argparse.Namespace,
    *,
    past: int,
) -> None:
    dry_run = args.dry_run
    if not installed.changes:
        output.print("  plugin   already there, nothing changed")
    print_changes(installed.changes, container, output, dry_run=dry_run)
    if dry_run:
        output.print("Nothing was changed: this was a dry run.")
        return
    said = " · ".join(check.message for check in installed.checks)
    output.print(f"  {'check':<8} {said}")
    for check in installed.checks:
        if check.state == "fail":
            output.print(f"  {'hint':<8} {check.hint}")
    if past:
        can = f"{counted(past, 'session')} on this machine can be searched"
        output.print(f"  {'past':<8} {can}: holdfast backfill")
    output.print(
        "Start a new session to use it.\n"
        "It records sessions on this machine only, secrets removed, in"
        f" {container.tilde(container.home)}. Stop with: holdfast off\n"
        f"Undo with: holdfast uninstall {args.agent}"
    )


def _answer(installed: Installed, args: argparse.Namespace) -> dict[str, object]:
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
