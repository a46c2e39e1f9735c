"""What is forgotten is gone from the disk, too."""

import os
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from holdfast.domain.checkpoint import FileRef, Item
from holdfast.domain.query import Scope
from holdfast.domain.session import Cursor, KeptFold, SessionState, Turn
from holdfast.kernel.errors import StoreBusy
from holdfast.store.sqlite.store import SqliteStore
from tests.builders import SESSION, a_draft, session_number

Opened = Callable[..., SqliteStore]


def on_disk(home: Path, *words: str) -> list[str]:
    data = b"".join(p.read_bytes() for p in home.rglob("*") if p.is_file())
    return [word for word in words if word.encode() in data]


def test_no_byte_of_a_removed_record_is_left(opened: Opened, home: Path) -> None:
    """Neither in its row, nor in the index, nor in a freed page, nor in the log."""
    store = opened()
    # Words that share no beginning with others: the index stores only how words differ.
    secrets = [os.urandom(20).hex() for _ in range(8)]
    kept = []
    for number, secret in enumerate(secrets):
        store.put(a_draft(f"Number {number}", session_id=session_number(number)))
        draft = a_draft(
            f"Title {secret}",
            name=secret[:30],
            summary=f"{secret} " * 200,
            requests=(Item(secret, "user", (secret,), secret),),
            files=(FileRef(f"src/{secret}.py", "edited"),),
            tags=(secret,),
            session_id=session_number(number),
        )
        kept.append(store.put(draft).checkpoint.checkpoint_id)
    parts = [
        part for secret in secrets for part in (secret, secret[5:25], secret[-12:])
    ]
    assert on_disk(home, *parts)

    store.remove(kept, "forgotten")

    assert on_disk(home, *parts) == []
    assert {finding.state for finding in store.check()} == {"ok"}
    assert len(store.list(Scope(), limit=100)) == len(secrets)


def test_no_byte_of_its_fold_is_left_either(opened: Opened, home: Path) -> None:
    """The fold of a session says what its checkpoints said."""
    store = opened()
    secret = os.urandom(20).hex()
    state = SessionState(session_id=SESSION, turns=(Turn(prompt=secret),), title=secret)
    kept = store.put(a_draft()).checkpoint
    store.keep_fold(SESSION, KeptFold("/t", Cursor(), state))
    assert on_disk(home, secret)

    store.remove([kept.checkpoint_id], "forgotten")

    assert on_disk(home, secret) == []


def test_wiping_waits_for_readers_and_can_be_done_again(
    opened: Opened, home: Path
) -> None:
    """Whoever reads still needs the old pages; nothing is said to be gone until it is."""
    store = opened()
    secret = os.urandom(20).hex()
    kept = store.put(a_draft(f"Title {secret}")).checkpoint
    reader = apsw.Connection(str(home / "holdfast.db"))
    reader.execute("BEGIN; SELECT count(*) FROM checkpoint").fetchall()
    store.remove([kept.checkpoint_id], "forgotten")

    with pytest.raises(StoreBusy):
        store.wipe()
    reader.close()
    store.wipe()

    assert on_disk(home, secret) == []
