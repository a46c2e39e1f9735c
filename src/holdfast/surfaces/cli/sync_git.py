"""`holdfast sync git`: share checkpoints through a remote of the repository."""

import argparse

from holdfast import __version__
from holdfast.app.sharing.git_plan import SyncPlan, SyncRequest, plan_sync
from holdfast.app.sharing.git_sync import GitSynced, SyncMeans, sync_git
from holdfast.bootstrap import Container
from holdfast.bootstrap.sharing import git_sharing, is_shared
from holdfast.domain.amounts import counted
from holdfast.domain.text import plain
from holdfast.kernel.errors import CHECK_SAYS_NO, DONE, PARTS_MISSING, RemoteFailed
from holdfast.kernel.ids import reference
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.sharing import agrees, review, warn_of
from holdfast.surfaces.cli.sync import TargetSynced
from holdfast.surfaces.cli.terminal import can_ask, spinner

_TOLD = 10


def is_on(_target: str, container: Container) -> bool:
    """Say whether the user switched it on for this project."""
    return is_shared(container)


def sync(
    _target: str, args: argparse.Namespace, container: Container, output: Output
) -> TargetSynced:
    ports = container.ports(create=True)
    wanted = SyncRequest(
        directory=container.directory,
        scope=container.scope(),
        version=__version__,
        only=tuple(map(reference, args.only)),
    )
    with git_sharing(container) as means:
        with spinner(output, "asking the remote"):
            plan = plan_sync(wanted, ports, means.remote, means.marks)
        if args.preview:
            _show(plan, means, output)
            return _not_sent(plan)
        if not means.marks.is_agreed() and not args.yes:
            _show(plan, means, output)
            if not _is_agreed_to(means, output):
                output.say("nothing was sent; `--yes` sends without asking")
                return _not_sent(plan)._replace(status=CHECK_SAYS_NO)
        with spinner(output, "syncing"):
            done = sync_git(plan, wanted, ports, means)
    return _tell(done, output)


def _show(plan: SyncPlan, means: SyncMeans, output: Output) -> None:
    if output.json:
        return
    for line in review(plan.sharing):
        output.print(line)
    coming = counted(len(plan.incoming), "checkpoint")
    output.print(f"to and from {means.remote.address}; {coming} would come")
    warn_of((*plan.held, *plan.refused), output)


def _is_agreed_to(means: SyncMeans, output: Output) -> bool:
    """Ask once for each address and project: whoever makes a repository names a remote."""
    if not can_ask(output):
        raise RemoteFailed(
            f"you have not agreed yet to share this project with `{means.remote.address}`",
            hint="see what would be sent with `holdfast sync git --preview`, agree with"
            " `holdfast sync git --yes`",
        )
    return agrees("share with it from now on? [y/N] ", output)


def _not_sent(plan: SyncPlan) -> TargetSynced:
    ids = [each.checkpoint_id for each in plan.sharing.checkpoints]
    waiting = len(ids) + len(plan.held)
    return TargetSynced("git", 0, waiting, DONE, {"would": ids})


def _tell(done: GitSynced, output: Output) -> TargetSynced:
    for each in done.received[:_TOLD]:
        title = plain(each.draft.content.title)
        output.say(f"{each.number:05d}@{each.machine}  {title}")
    if len(done.received) > _TOLD:
        output.say(f"and {len(done.received) - _TOLD:,} more")
    warn_of((*done.told, *done.refused), output)
    if not output.json:
        gone = f", {len(done.removed):,} forgotten" if done.removed else ""
        waiting = f", {done.waiting:,} waiting" if done.waiting else ""
        came = counted(len(done.received), "checkpoint")
        output.print(f"git: {done.sent:,} sent, {came} received{gone}{waiting}")
    is_whole = not (done.waiting or done.refused or done.told)
    return TargetSynced(
        "git",
        done.sent,
        done.waiting,
        DONE if is_whole else PARTS_MISSING,
        {
            "received": [each.checkpoint_id for each in done.received],
            "removed": list(done.removed),
            "refused": list(done.refused),
            "told": list(done.told),
        },
    )
