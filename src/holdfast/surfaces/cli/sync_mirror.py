"""`holdfast sync claude-mem`, `holdfast sync memora`: send what waits to a mirror."""

import argparse

from holdfast.app.sharing.mirroring import Synced, state_of
from holdfast.bootstrap import Container
from holdfast.bootstrap.mirrors import mirror_setting, sync_mirror
from holdfast.domain.amounts import counted
from holdfast.kernel.errors import DONE, PARTS_MISSING
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.sync import TargetSynced
from holdfast.surfaces.cli.terminal import spinner

_STAYS = "nothing is lost: it is kept here, and sent with the next save"


def is_on(target: str, container: Container) -> bool:
    """Say whether the user set up this mirror."""
    return any(mirror.kind == target for mirror in container.config.mirrors)


def sync(
    target: str, args: argparse.Namespace, container: Container, output: Output
) -> TargetSynced:
    if args.preview:
        return _preview(target, container, output)
    with spinner(output, f"sending to {target}"):
        done = sync_mirror(container, target, everything=args.all, only_due=args.due)
    _tell(done, output)
    status = PARTS_MISSING if done.problem else DONE
    more = {"problem": done.problem, "hint": done.hint}
    return TargetSynced(target, done.sent, done.waiting, status, more)


def _preview(target: str, container: Container, output: Output) -> TargetSynced:
    """Say how much waits, asking nobody and sending nothing."""
    mirror_setting(container, target)
    waiting = state_of(target, container.ports(create=True).open_store()).waiting
    if not output.json:
        output.print(f"{target}: {counted(waiting, 'change')} would be sent")
    return TargetSynced(target, 0, waiting)


def _tell(done: Synced, output: Output) -> None:
    if output.json:
        return
    waits = f", {done.waiting} waiting" if done.waiting else ""
    output.print(f"{done.target}: {counted(done.sent, 'change')} sent{waits}")
    if done.problem:
        output.warn(f"{done.target}: {done.problem}")
        output.say(f"hint: {done.hint}" if done.hint else _STAYS)
