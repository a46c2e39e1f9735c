"""Undo the last restore: every file that it changed gets its old content back.

A second undo takes back the restore before that one, as editors do. What an undo takes
away is saved first, too, and can be restored by its number.
"""

from collections.abc import Sequence

from holdfast.app.code.restore import planned, read_all, refuse_plan, seen
from holdfast.app.code.save_before_restore import save_present
from holdfast.app.ports import Caller, Ports
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.code import TreeEntry
from holdfast.domain.restore import RestoreNote, RestorePlace, RestorePlan
from holdfast.kernel.errors import CheckpointNotFound, NothingToUndo, RestoreRefused
from holdfast.kernel.ids import label
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.snapshot.restore_plan import PresentCode, undoing, with_permissions
from holdfast.snapshot.restore_port import Restoring


@dataclass(frozen=True, slots=True)
class Undone:
    plan: RestorePlan
    saved_first: Checkpoint | None  # None: nothing had to be done
    undone: str = ""  # id of the checkpoint whose restore was taken back
    left: int = 0  # restores that can still be undone


def undo(caller: Caller, ports: Ports, restoring: Restoring) -> Undone:
    """Take back the latest restore of this worktree that was not undone yet.

    Files that it did not touch stay as they are.

    Raises:
        NothingToUndo: there is none.
        RestoreRefused: it would not be safe now.
        RestoreStopped: it could not go on; undoing again does.
    """
    place = restoring.place(caller.directory)
    if place.underway:
        raise RestoreRefused(
            f"{place.underway} is not finished here", hint="finish or abort it first"
        )
    with restoring.alone(place.root):
        *rest, note = _can_be_undone(restoring.notes(place.root), ports)
        gone = {*note.remake, *restoring.gone_directories(place.root, note)}
        note = replace(note, is_done=False, remake=tuple(sorted(gone)))
        done = _taken_back(note, place, caller, ports, restoring, rest)
        restoring.settle(place.root, note)
        restoring.keep_notes(place.root, rest)
    return replace(done, undone=note.restored, left=len(rest))


def _can_be_undone(notes: Sequence[RestoreNote], ports: Ports) -> Sequence[RestoreNote]:
    """Return the notes up to the latest whose checkpoint is still there.

    Raises:
        NothingToUndo: there is none.
    """
    store = ports.open_store()
    for end in range(len(notes), 0, -1):
        try:
            store.get(notes[end - 1].saved_first)
        except CheckpointNotFound:
            continue  # somebody wanted it forgotten
        return notes[:end]
    raise NothingToUndo(
        "there is no restore in this worktree to undo",
        hint="`holdfast restore REF` brings back the code of any checkpoint",
    )


def _taken_back(
    note: RestoreNote,
    place: RestorePlace,
    caller: Caller,
    ports: Ports,
    restoring: Restoring,
    rest: Sequence[RestoreNote],
) -> Undone:
    made, present = _planned(note, place, caller, ports, restoring)
    refuse_plan(made)
    if not made.steps:
        return Undone(made, None)
    wanted = ports.open_store().get(note.saved_first)
    why = f"before undoing a restore, back to {label(wanted.number)}"
    saved = save_present(why, present, wanted, caller, ports)
    read_all(made, ports)
    restoring.keep_notes(place.root, (*rest, note))
    contents, keep = ports.snapshots.contents, note.before.there
    restoring.carry_out(place.root, made.steps, contents, note.token, keep)
    return Undone(made, saved)


def _planned(
    note: RestoreNote,
    place: RestorePlace,
    caller: Caller,
    ports: Ports,
    restoring: Restoring,
) -> tuple[RestorePlan, str]:
    left_out, tree = seen(caller, ports)
    then, now = ports.snapshots.differing(note.tree, tree)
    wanted = undoing(note.paths, then)
    present = PresentCode.of(now, left_out=left_out)
    present = present.and_also(_unseen(note, present, tree, ports, place, restoring))
    made = planned(wanted, present, place, restoring)
    return with_permissions(made, note.before.permissions), tree


def _unseen(
    note: RestoreNote,
    present: PresentCode,
    tree: str,
    ports: Ports,
    place: RestorePlace,
    restoring: Restoring,
) -> tuple[TreeEntry, ...]:
    """Return what the restore wrote and the rules that came with it now ignore.

    No snapshot of the present holds that, but the restored one does.
    """
    rest = [entry for entry in note.wrote if entry.path not in present.by_path]
    held = {e.path for e in ports.snapshots.entries(tree, [e.path for e in rest])}
    return restoring.still_there(place.root, [e for e in rest if e.path not in held])
