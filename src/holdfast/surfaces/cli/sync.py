"""`holdfast sync`: send and fetch what is shared, and store saves that are waiting."""

import argparse
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from holdfast.app.checkpoints.save import drain
from holdfast.bootstrap import Container
from holdfast.kernel.errors import DONE, PARTS_MISSING, HoldfastError, UsageWrong
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.reports.saved import went_in
from holdfast.surfaces.cli.output import Output

# Each is a module with `is_on(target, container)` and `sync(target, args, container,
# output)`, which says what it did and returns a `TargetSynced`; it is imported when it is
# asked for.
TARGETS = {
    "team": "holdfast.surfaces.cli.sync_team",
    "git": "holdfast.surfaces.cli.sync_git",
    "claude-mem": "holdfast.surfaces.cli.sync_mirror",
    "memora": "holdfast.surfaces.cli.sync_mirror",
}
_ASKS = ("git",)  # who may have to ask the user is nothing for the background


class TargetSynced(NamedTuple):
    """What came of one target."""

    target: str
    sent: int
    waiting: int  # what should have gone and did not
    status: int = DONE
    more: Mapping[str, Any] = {}

    def answer(self) -> dict[str, Any]:
        told = {"target": self.target, "sent": self.sent, "waiting": self.waiting}
        return {**told, **self.more}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "target",
        nargs="?",
        choices=tuple(TARGETS),
        metavar="TARGET",
        help=f"{', '.join(TARGETS)} (default: all that are set up)",
    )
    add(
        "--only",
        action="append",
        default=[],
        metavar="REF",
        help="send only this checkpoint (with `git`); repeatable",
    )
    add(
        "--preview",
        action="store_true",
        help="show what would be sent, and send nothing",
    )
    add(
        "--due",
        action="store_true",
        help="only what is due now, as a save does in the background",
    )
    add(
        "--all",
        action="store_true",
        help="also what was saved before the mirror was set up",
    )
    add("--yes", action="store_true", help="do not ask")


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    _refuse_more_than_asked(args)
    ports = container.ports(create=True)
    went, missing = drain(ports, ports.open_store())
    for waited in went:
        output.say(went_in(waited))
    for told in missing:
        output.warn(told)
    if args.target:
        done = _synced(args.target, args, container, output)
        if output.json:
            output.answer({"type": "synced", **done.answer()})
        return done.status or (PARTS_MISSING if missing else DONE)
    return _everything(args, container, output, PARTS_MISSING if missing else DONE)


def _refuse_more_than_asked(args: argparse.Namespace) -> None:
    """Whoever asks for less is never sent more: an option that a target does not know is
    no reason to send without it.

    Raises:
        UsageWrong: nothing was done.
    """
    if args.only and args.target != "git":
        raise UsageWrong(
            "`--only` works only with `git`: every other target gets all that waits for it",
            hint="`holdfast sync --preview` shows what that is",
        )
    if args.preview and args.all:
        raise UsageWrong(
            "`--preview` shows what waits, and `--all` sends what never waited",
            hint="leave one of them out; `holdfast list --all` shows every checkpoint",
        )


def _everything(
    args: argparse.Namespace, container: Container, output: Output, status: int
) -> int:
    """Sync with all that is switched on; one that is down does not keep the others."""
    targets = [
        name
        for name, module in TARGETS.items()
        if not (args.due and name in _ASKS)
        and import_module(module).is_on(name, container)
    ]
    found = []
    for name in targets:
        try:
            done = _synced(name, args, container, output)
        except HoldfastError as problem:
            output.warn(f"{name}: {problem.message}")
            more = {"reason": problem.message}
            done = TargetSynced(name, 0, 0, PARTS_MISSING, more)
        found.append(done)
        status = max(status, done.status)
    if output.json:
        output.answer(
            {
                "type": "synced",
                "target": None,
                "sent": sum(each.sent for each in found),
                "waiting": sum(each.waiting for each in found),
                "targets": [each.answer() for each in found],
            }
        )
    elif not targets:
        output.print(
            "sharing is not set up: `holdfast config list` shows `share`, `team`, `mirrors`"
        )
    return status


def _synced(
    name: str, args: argparse.Namespace, container: Container, output: Output
) -> TargetSynced:
    done: TargetSynced = import_module(TARGETS[name]).sync(
        name, args, container, output
    )
    return done
