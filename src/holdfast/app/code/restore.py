"""Bring back the code of a checkpoint, never destroying what is there.

    preview:    take → plan                              nothing is written
    carry out:  save the present → note → files → note   each file old or new, always

The note is what `undo` needs, and is on disk before the first file is touched. Where a
restore would not be safe, it is refused.
"""

import os

from holdfast.app.checkpoints.find import find
from holdfast.app.code.save_before_restore import save_present
from holdfast.app.ports import Caller, Ports
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.code import NOT_LISTED, LeftOut
from holdfast.domain.restore import RestoreNote, RestorePlace, RestorePlan
from holdfast.kernel.errors import RestoreRefused, SnapshotMissing, UsageWrong
from holdfast.kernel.ids import Reference, label
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.snapshot.restore_plan import (
    PresentCode,
    WantedCode,
    newer_paths,
    plan,
    rules_differ,
    rules_of,
    to_look_at,
    with_ignored,
)
from holdfast.snapshot.restore_port import Restoring

ELSEWHERE = "or write the code into a new directory with `--into DIR`"


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreRequest:
    reference: Reference
    paths: tuple[str, ...] = ()  # as typed, seen from the caller's directory
    exact: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RestorePreview:
    """What a restore would do to the present as it was just seen."""

    checkpoint: Checkpoint
    place: RestorePlace
    present: str  # the tree of the present
    plan: RestorePlan


@dataclass(frozen=True, slots=True)
class Restored:
    plan: RestorePlan
    saved_first: Checkpoint | None  # None: nothing had to be done


def preview(
    request: RestoreRequest, caller: Caller, ports: Ports, restoring: Restoring
) -> RestorePreview:
    """Return what restoring would do; nothing is written.

    Raises:
        CheckpointNotFound, ReferenceAmbiguous, SnapshotMissing, SnapshotLost
        RestoreRefused: it would not be safe here and now.
    """
    checkpoint, tree = checkpoint_with_code(request.reference, caller, ports)
    place = restoring.place(caller.directory)
    refuse_unsafe(place)
    refuse_other_project(checkpoint, caller)
    with restoring.alone(place.root):
        restoring.notes(place.root)  # removes what a killed restore left half written
    left_out, present_tree = seen(caller, ports)
    then, now = ports.snapshots.differing(tree, present_tree)
    present = PresentCode.of(now, left_out=left_out)
    wanted = WantedCode(
        entries=then,
        left_out=checkpoint.draft.code.left_out,
        paths=below(place.root, caller.directory, request.paths),
        exact=request.exact,
    )
    refuse_unknown(wanted.paths, (tree, present_tree), ports)
    if request.exact:
        wanted = _knowing_ignored(wanted, present, tree, ports, restoring)
    return RestorePreview(
        checkpoint=checkpoint,
        place=place,
        present=present_tree,
        plan=planned(wanted, present, place, restoring),
    )


def carry_out(
    shown: RestorePreview, caller: Caller, ports: Ports, restoring: Restoring
) -> Restored:
    """Do what was shown, the present saved first.

    Raises:
        RestoreRefused: the present is no longer what was shown; nothing was written.
        RestoreStopped: it could not go on; `undo` takes back what was done.
        SnapshotLost: the code is damaged; nothing was written.
    """
    root = shown.place.root
    refuse_plan(shown.plan)
    if not shown.plan.steps:
        return Restored(shown.plan, None)
    with restoring.alone(root):
        refuse_moved(shown.place, restoring.place(caller.directory))
        notes = restoring.notes(root)
        why = f"before restoring {label(shown.checkpoint.number)}"
        saved = save_present(why, shown.present, shown.checkpoint, caller, ports)
        read_all(shown.plan, ports)
        note = RestoreNote(
            token=caller.key[:16],
            restored=shown.checkpoint.checkpoint_id,
            saved_first=saved.checkpoint_id,
            tree=shown.present,
            at=ports.clock.now_ms(),
            paths=shown.plan.touched,
            wrote=shown.plan.puts,
            before=restoring.before(root, shown.plan.touched),
        )
        restoring.keep_notes(root, (*notes, note))
        restoring.carry_out(
            root, shown.plan.steps, ports.snapshots.contents, note.token
        )
        restoring.keep_notes(root, (*notes, replace(note, is_done=True)))
    return Restored(shown.plan, saved)


def restore_into(
    request: RestoreRequest,
    into: str,
    caller: Caller,
    ports: Ports,
    restoring: Restoring,
) -> tuple[Checkpoint, tuple[str, ...]]:
    """Write the code into a new directory; return the checkpoint and the files.

    Raises:
        RestoreRefused: the directory is not new.
    """
    checkpoint, tree = checkpoint_with_code(request.reference, caller, ports)
    root = restoring.place(caller.directory).root
    paths = below(root, caller.directory, request.paths)
    wanted = WantedCode(entries=ports.snapshots.entries(tree), paths=paths)
    chosen = plan(wanted, PresentCode.of(()), {})
    refuse_plan(chosen)
    refuse_unknown(paths, (tree,), ports)
    restoring.fill(into, chosen.puts, ports.snapshots.contents)
    return checkpoint, chosen.written


def seen(caller: Caller, ports: Ports) -> tuple[tuple[LeftOut, ...], str]:
    """Return the present, kept as a tree, and what that leaves out.

    Raises:
        RestoreRefused: it cannot be kept, so what would be replaced would be lost.
    """
    taken = ports.snapshots.take(caller.directory, ports.limits)
    if taken.tree is None:
        reason = taken.reason or "".join(left.reason for left in taken.left_out)
        raise RestoreRefused(
            f"the current code cannot be saved first: {reason}",
            hint=f"solve this first, {ELSEWHERE}",
        )
    return taken.left_out, taken.tree


def planned(
    wanted: WantedCode, present: PresentCode, place: RestorePlace, restoring: Restoring
) -> RestorePlan:
    """Return what to do at a place, as it lies there now."""
    found = restoring.look(place.root, to_look_at(wanted, present))
    made = plan(wanted, present, found)
    return replace(
        made, refused=(*made.refused, *restoring.closed(place.root, made.touched))
    )


def read_all(made: RestorePlan, ports: Ports) -> None:
    """Read everything that will be written, once, before the first file is touched.

    Raises:
        SnapshotLost: something of it is damaged.
    """
    for _ in ports.snapshots.contents(entry.object_id for entry in made.puts):
        pass


def _knowing_ignored(
    wanted: WantedCode,
    present: PresentCode,
    tree: str,
    ports: Ports,
    restoring: Restoring,
) -> WantedCode:
    """Tell what is newer from what was there and ignored, which stays.

    Raises:
        RestoreRefused: the checkpoint does not list all that it left out.
    """
    if any(left.path == NOT_LISTED for left in wanted.left_out):
        raise RestoreRefused(
            "the checkpoint does not list every file it left out, so `--exact` cannot"
            " know which of today's files are newer",
            hint="leave out `--exact`, or remove files by hand",
        )
    if not rules_differ(wanted, present):
        return wanted  # what is in the present is ignored neither now nor then
    rules = rules_of(ports.snapshots.entries(tree))
    texts = ports.snapshots.contents(rule.object_id for rule in rules)
    known = {rule.path: text for rule, (_, text) in zip(rules, texts, strict=True)}
    return with_ignored(wanted, restoring.ignored(known, newer_paths(wanted, present)))


def checkpoint_with_code(
    reference: Reference, caller: Caller, ports: Ports
) -> tuple[Checkpoint, str]:
    """Return a checkpoint and its tree.

    Raises:
        SnapshotMissing: it has none.
    """
    checkpoint = find(ports.open_store(), reference, caller.scope)
    tree = checkpoint.draft.code.tree
    if tree is None:
        raise SnapshotMissing(
            f"{checkpoint.label} {'came' if checkpoint.machine else 'was made'} without"
            " its code",
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
            hint="write the code into a new directory with `--into DIR`",
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
            hint="run `--preview` again",
        )


def below(root: str, directory: str, paths: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return paths as a tree has them; none given, or the root, means everything: None.

    Raises:
        UsageWrong: one is outside the worktree.
    """
    wanted: list[str] = []
    for path in paths:
        real = _real(root, os.path.normpath(os.path.join(directory, path)))
        if real == root:
            return None
        if not real.startswith(f"{root}/"):
            raise UsageWrong(
                f"`{path}` is outside the worktree", hint=f"the worktree is `{root}`"
            )
        wanted.append(real[len(root) + 1 :])
    return tuple(wanted) or None


def _real(root: str, path: str) -> str:
    """Return a path below the root; it may have been typed by way of a link to it."""
    if path == root or path.startswith(f"{root}/"):
        return path
    above, name = os.path.split(path)
    return os.path.join(os.path.realpath(above), name)
