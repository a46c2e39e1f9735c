"""What was taken out of a record is gone from the disk, and nothing else can be changed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.domain.session import Cursor, KeptFold, SessionState, Turn
from holdfast.kernel.errors import StoreDamaged
from holdfast.store.sqlite.store import SqliteStore
from tests.builders import SESSION, a_draft

Opened = Callable[..., SqliteStore]
CANARY = "zebracanary" * 400  # longer than a page: some of it lies on pages of its own


def on_disk(home: Path, word: str) -> list[str]:
    files = [path for path in home.rglob("*") if path.is_file()]
    return [path.name for path in files if word.encode() in path.read_bytes()]


def test_no_byte_of_the_old_text_stays_in_any_file(opened: Opened, home: Path) -> None:
    """Body, search index, fold and write-ahead log: a byte search finds nothing."""
    store = opened()
    kept = store.put(a_draft(CANARY[:150], summary=f"it said {CANARY} twice"))
    state = SessionState(session_id=SESSION, turns=(Turn(prompt=CANARY),))
    store.keep_fold(SESSION, KeptFold("/t", Cursor(), state))
    assert on_disk(home, "zebracanary")

    store.rewrite(kept.checkpoint.checkpoint_id, a_draft("clean"), "scan")

    assert on_disk(home, "zebracanary") == []
    store.close()
    assert on_disk(home, "zebracanary") == []


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param(
            "UPDATE checkpoint SET body = replace(body, 'clean', 'other')", id="body"
        ),
        pytest.param("UPDATE rewrite SET reason = 'other'", id="reason"),
        pytest.param("UPDATE rewrite SET old_hash = reason", id="old hash"),
        pytest.param("UPDATE rewrite SET new_hash = reason", id="new hash"),
        pytest.param("DELETE FROM rewrite", id="no rewrite"),
        pytest.param("UPDATE rewrite SET record = position", id="another record"),
    ],
)
def test_a_change_to_a_rewritten_record_is_seen(
    opened: Opened, edited: Callable[[str], None], statement: str
) -> None:
    """A rewrite must not be a way to change a record unseen."""
    store = opened()
    kept = store.put(a_draft("zebra")).checkpoint
    store.rewrite(kept.checkpoint_id, a_draft("clean"), "scan")
    store.close()

    edited(statement)

    states = {finding.name: finding.state for finding in opened().check()}
    assert states["chain"] == "fail"


def test_a_damaged_record_is_not_rewritten(
    opened: Opened, edited: Callable[[str], None]
) -> None:
    """It is evidence, and what it said is not known."""
    store = opened()
    kept = store.put(a_draft("zebra")).checkpoint
    store.close()
    edited("UPDATE checkpoint SET body = replace(body, 'zebra', 'horse')")

    with pytest.raises(StoreDamaged):
        opened().rewrite(kept.checkpoint_id, a_draft("clean"), "scan")
