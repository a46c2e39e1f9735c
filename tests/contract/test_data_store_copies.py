"""Copies of the store from before its structure changed."""

from pathlib import Path

import pytest

from holdfast.data_directory.port import StoreCopies
from holdfast.store.sqlite.schema.backups import Backups


@pytest.fixture
def copies(tmp_path: Path) -> StoreCopies:
    for name in ("schema-10.db", "schema-2.db", "schema-2.head", "photos.tar"):
        (tmp_path / "backups").mkdir(exist_ok=True)
        (tmp_path / "backups" / name).write_text("x")
    return Backups(str(tmp_path))


def test_the_oldest_comes_first(copies: StoreCopies) -> None:
    """By version, not by spelling; what is not ours is none."""
    assert copies.names() == ("schema-2.db", "schema-10.db")


def test_all_of_ours_are_removed(copies: StoreCopies, tmp_path: Path) -> None:
    """Removing again finds nothing more to do."""
    assert copies.drop() == ()
    assert copies.drop() == ()

    assert copies.names() == ()
    assert [path.name for path in (tmp_path / "backups").iterdir()] == ["photos.tar"]


def test_what_has_to_stay_is_told(copies: StoreCopies, tmp_path: Path) -> None:
    """A person can remove what we cannot."""
    (tmp_path / "backups" / "schema-3.db").mkdir()

    (told,) = copies.drop()

    assert str(tmp_path / "backups") in told
