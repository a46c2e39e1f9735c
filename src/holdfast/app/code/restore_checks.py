"""When a restore would not be safe, and what the paths mean that somebody typed."""

import os

from holdfast.app.checkpoints.find import find
from holdfast.app.ports import Caller, Ports
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.restore import RestorePlace, RestorePlan
from holdfast.kernel.errors import RestoreRefused, SnapshotMissing, UsageWrong
from holdfast.kernel.ids import Reference, label

ELSEWHERE = "or have the code in a new directory with `--into DIR`"


def checkpoint_with_code(
    reference: Reference, caller: Caller, ports: Ports
) -> tuple[Checkpoint, str]:
    """Return a checkpoint and its tree.

    Raises:
        SnapshotMissing: it has none.
    """
    checkpoint = find(ports.open_store(), reference, caller.scope.in_project())
    tree = checkpoint.draft.code.tree
    if tree is None:
        raise SnapshotMissing(
            f"{label(checkpoint.number)} was made without its code",
            hint="see `holdfast list` for others",
        )
    return checkpoint, tree


def refuse_plan(made: RestorePlan) -> None:
    if not made.refused:
        return
    first = made.refused[0]
    more = f" (and {len(made.refused) - 1} more)" if len(made.refused) > 1 else ""
    raise RestoreRefused(
        f"`{first.path}` cannot be restored: {first.reason}{more}",
        hint=f"move it away, name other paths, {ELSEWHERE}",
    )


def refuse_unsafe(place: RestorePlace) -> None:
    if place.is_bare:
        raise RestoreRefused(
            "a bare repository has no files to restore",
            hint="have the code in a new directory with `--into DIR`",
        )
    if place.underway:
        raise RestoreRefused(
            f"{place.underway} is not finished here",
            hint=f"finish or abort it first, {ELSEWHERE}",
        )


def refuse_other_project(checkpoint: Checkpoint, caller: Caller) -> None:
    if checkpoint.draft.project_id != caller.scope.project_id:
        raise RestoreRefused(
            f"{label(checkpoint.number)} belongs to another project,"
            f" `{checkpoint.draft.project_root}`",
            hint="go there, " + ELSEWHERE,
        )


def refuse_unknown(
    paths: tuple[str, ...] | None, trees: tuple[str, ...], ports: Ports
) -> None:
    """Refuse a path that neither then nor now has anything at or below it."""
    for path in paths or ():
        if not any(ports.snapshots.entries(tree, (path,)) for tree in trees):
            raise UsageWrong(
                f"the checkpoint has nothing at `{path}`",
                hint="see what differs with `--preview` and no path",
            )


def refuse_moved(then: RestorePlace, now: RestorePlace) -> None:
    refuse_unsafe(now)
    if (then.head, then.branch) != (now.head, now.branch):
        raise RestoreRefused(
            "HEAD moved after the preview; nothing was written",
            hint="look at the preview again",
        )


def below(root: str, directory: str, paths: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return paths as a tree has them; none given, or the root, means everything: None.

    Raises:
        UsageWrong: one lies outside of the worktree.
    """
    wanted: list[str] = []
    for path in paths:
        real = _real(root, os.path.normpath(os.path.join(directory, path)))
        if real == root:
            return None
        if not real.startswith(f"{root}/"):
            raise UsageWrong(
                f"`{path}` lies outside of the worktree", hint=f"it begins at `{root}`"
            )
        wanted.append(real[len(root) + 1 :])
    return tuple(wanted) or None


def _real(root: str, path: str) -> str:
    """Return a path below the root; it may have been typed by way of a link to it."""
    if path == root or path.startswith(f"{root}/"):
        return path
    above, name = os.path.split(path)
    return os.path.join(os.path.realpath(above), name)
