"""The notes of restores that are forgotten, in every worktree that has some."""

import errno
import os
from pathlib import Path

import pytest

from holdfast.domain.forgetting import Order
from holdfast.domain.restore import RestoreNote
from holdfast.snapshot.restore.notes import RestoreNotes, read_notes, write_notes

ORDER = Order(at=1, checkpoint_ids=("ccp-gone",))


def _note(restored: str) -> RestoreNote:
    return RestoreNote(
        token="0" * 16,
        restored=restored,
        saved_first="ccp-before",
        tree="0" * 40,
        at=1,
        paths=("a.py",),
    )


GONE, LEFT = _note("ccp-gone"), _note("ccp-left")


@pytest.fixture
def worktrees(tmp_path: Path) -> list[Path]:
    """Three worktrees; all that is noted of the second is about to go."""
    paths = [tmp_path / f"{name}.json" for name in "abc"]
    for path, notes in zip(paths, ([GONE, LEFT], [GONE], [GONE, LEFT]), strict=True):
        write_notes(str(path), str(path.with_suffix("")), notes)
    return paths


def test_the_notes_of_every_worktree_go(tmp_path: Path, worktrees: list[Path]) -> None:
    """Only the first was looked into."""
    assert RestoreNotes(str(tmp_path)).forget(ORDER) == ()
    assert [read_notes(str(path)) for path in worktrees] == [(LEFT,), (), (LEFT,)]


def test_notes_that_cannot_go_keep_no_others(
    tmp_path: Path, worktrees: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are told by their path."""
    first, bad, last = worktrees

    def fail(path: str, **_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO), path)

    monkeypatch.setattr(os, "unlink", fail)

    kept = RestoreNotes(str(tmp_path)).forget(ORDER)

    assert kept == (f"`{bad}`: {os.strerror(errno.EIO)}",)
    assert [read_notes(str(path)) for path in (first, last)] == [(LEFT,), (LEFT,)]
