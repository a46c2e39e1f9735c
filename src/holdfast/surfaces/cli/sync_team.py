"""`holdfast sync team`: share checkpoints through a database of the team."""

import argparse

from holdfast.app.sharing.team_sync import TeamSynced, sync_team
from holdfast.bootstrap import Container
from holdfast.bootstrap.team import has_team, team_sharing
from holdfast.domain.amounts import counted
from holdfast.domain.query import Scope
from holdfast.domain.text import plain
from holdfast.kernel.errors import DONE, PARTS_MISSING
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.sharing import warn_of
from holdfast.surfaces.cli.sync import TargetSynced
from holdfast.surfaces.cli.terminal import spinner

_TOLD = 10


def is_on(_target: str, container: Container) -> bool:
    """Say whether the user named a team."""
    return has_team(container)


def sync(
    _target: str, args: argparse.Namespace, container: Container, output: Output
) -> TargetSynced:
    ports = container.ports(create=True)
    if args.preview:
        return _preview(container, output)
    with team_sharing(container) as means, spinner(output, "syncing"):
        done = sync_team(container.directory, ports, means, only_due=args.due)
    return _tell(done, output)


def _preview(container: Container, output: Output) -> TargetSynced:
    """Say how much would go, asking nobody: what it is, `holdfast list` shows."""
    store = container.ports(create=True).open_store()
    with team_sharing(container) as means:
        states = {each.target: each.waiting for each in store.outbox.states()}
        would_go = states.get("team")
        if would_go is None:  # never synced: all of one's own goes
            would_go = sum(
                each.machine is None
                for project in store.projects()
                if project.root and means.is_shared(project.root)
                for each in store.outlines(Scope(project_id=project.project_id))
            )
    if not output.json:
        output.print(f"team: {counted(would_go, 'change')} would be sent")
    return TargetSynced("team", 0, would_go)


def _tell(done: TeamSynced, output: Output) -> TargetSynced:
    for each in done.received[:_TOLD]:
        title = plain(each.draft.content.title)
        output.say(f"{each.number:05d}@{each.machine}  {title}")
    if len(done.received) > _TOLD:
        output.say(f"and {len(done.received) - _TOLD:,} more")
    warn_of((*done.held, *done.refused), output)
    if not output.json:
        gone = f", {len(done.removed):,} forgotten" if done.removed else ""
        waiting = f", {done.waiting:,} waiting" if done.waiting else ""
        came = counted(len(done.received), "checkpoint")
        output.print(f"team: {done.sent:,} sent, {came} received{gone}{waiting}")
    is_whole = not (done.waiting or done.refused or done.held)
    return TargetSynced(
        "team",
        done.sent,
        done.waiting,
        DONE if is_whole else PARTS_MISSING,
        {
            "received": [each.checkpoint_id for each in done.received],
            "removed": list(done.removed),
            "refused": list(done.refused),
            "held": list(done.held),
        },
    )
