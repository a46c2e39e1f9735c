"""Whatever happened to a worktree, any state it was in can be had again, and taken back."""

import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings, strategies as st

from holdfast.domain.code import TreeEntry
from holdfast.domain.restore import RestoreNote
from holdfast.snapshot.restore_plan import (
    PresentCode,
    WantedCode,
    undoing,
    with_permissions,
)
from tests.e2e.repository import state_of
from tests.edits import IGNORED, Edit, histories
from tests.unit.snapshot_restore.trees import Trees, a_hand, a_note, planned


class _World:
    def __init__(self, directory: Path) -> None:
        self.root = directory / "work"
        self.root.mkdir()
        self.trees = Trees()
        self.restoring = a_hand(directory / "notes")

    def restore(
        self, wanted: WantedCode, note: RestoreNote | None = None
    ) -> RestoreNote:
        """Restore, or undo what `note` tells of; return the note of it."""
        present = PresentCode.of(self.trees.taken(self.root))
        made = planned(wanted, present, self.root, self.restoring)
        assert not made.refused or not made.steps or note is None
        if made.refused:
            return a_note(made, paths=())
        if note is not None:
            made = with_permissions(made, note.before.permissions)
        before = self.restoring.before(str(self.root), made.touched)
        keep = note.before.there if note else frozenset()
        if note is None:
            note = a_note(made, before=before)
        else:
            gone = self.restoring.gone_directories(str(self.root), note)
            note = replace(note, remake=gone)
        contents = self.trees.contents
        self.restoring.carry_out(str(self.root), made.steps, contents, note.token, keep)
        return note

    def ignored(self) -> dict[str, tuple[int, bytes]]:
        return {p: s for p, s in state_of(self.root).items() if p.endswith(IGNORED)}


@settings(max_examples=150, deadline=None)
@given(history=histories(), data=st.data())
def test_any_state_can_be_had_again_and_taken_back(
    history: list[list[Edit]], data: st.DataObject
) -> None:
    """Exactly then, exactly back: files, links, modes, directories; ignored ones stay."""
    with tempfile.TemporaryDirectory() as scratch:
        world = _World(Path(scratch))
        kept: list[tuple[TreeEntry, ...]] = []
        for edits in history:
            for edit in edits:
                edit.apply(world.root)
            kept.append(world.trees.taken(world.root))
        then = data.draw(st.sampled_from(kept))
        before, ignored = state_of(world.root), world.ignored()

        note = world.restore(WantedCode(entries=then, exact=True))
        restored, still_ignored = world.trees.taken(world.root), world.ignored()
        note = world.restore(undoing(note.paths, kept[-1]), note)
        world.restoring.settle(str(world.root), note)

        if note.paths:
            assert restored == then
        assert still_ignored == ignored
        assert state_of(world.root) == before


def test_an_empty_directory_that_gave_way_to_a_file_comes_back(tmp_path: Path) -> None:
    """No snapshot holds an empty directory, so the note of the restore must."""
    world = _World(tmp_path)
    (world.root / "a").write_bytes(b"")
    then = world.trees.taken(world.root)
    (world.root / "a").unlink()
    (world.root / "a").mkdir(mode=0o750)
    now, before = world.trees.taken(world.root), state_of(world.root)

    note = world.restore(WantedCode(entries=then, exact=True))
    note = world.restore(undoing(note.paths, now), note)
    world.restoring.settle(str(world.root), note)

    assert state_of(world.root) == before
