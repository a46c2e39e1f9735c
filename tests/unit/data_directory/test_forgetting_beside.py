"""Forgetting lets go of our own files beside the store, and of nobody else's."""

from pathlib import Path

from holdfast.data_directory.plain_files import SessionTraces
from holdfast.domain.forgetting import Order
from holdfast.store.sqlite.schema.backups import Backups

ORDER = Order(at=1, sessions=("abc",))


def made(home: Path, *names: str) -> None:
    for name in names:
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_only_our_copies_of_the_store_go(tmp_path: Path) -> None:
    """A person may keep their own backups in a directory called `backups`."""
    ours = ("schema-3.db", ".schema-4.db.tmp", ".schema-4.db.tmp-journal")
    theirs = {"photos.tar", "schema-notes.db", ".photos.tmp", "schema-3.db-journal"}
    made(tmp_path / "backups", *ours, *theirs)

    stayed = Backups(str(tmp_path)).forget(ORDER)

    assert stayed == ()
    assert names_in(tmp_path / "backups") == theirs


def test_only_our_logs_and_reports_go(tmp_path: Path) -> None:
    """The audit has no content; what others log beside ours is theirs."""
    theirs = {"audit.log", "nginx.log", "bug-list.md", "hook.log.2"}
    reports = ("bug-17.md", "bug-2026-11-18-000123456789.md")
    made(tmp_path / "log", "hook.log", "hook.log.1", *reports, *theirs)

    stayed = SessionTraces(str(tmp_path)).forget(ORDER)

    assert stayed == ()
    assert names_in(tmp_path / "log") == theirs


def test_only_half_marks_of_ours_go(tmp_path: Path) -> None:
    """A killed hook leaves `.NAME.PID.tmp`, and nothing else with a dot in its name."""
    theirs = {"tax.2019", "letter.txt", "other-session"}
    made(tmp_path / "pending", "abc", ".abc.17.tmp", *theirs)

    stayed = SessionTraces(str(tmp_path)).forget(ORDER)

    assert stayed == ()
    assert names_in(tmp_path / "pending") == theirs
