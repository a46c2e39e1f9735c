"""Seals: every row outside the chain has one, and every column is under it."""

from collections.abc import Callable

import pytest

from holdfast.store.sqlite.schema.migrate import SCHEMA, definitions
from holdfast.store.sqlite.schema.seals import SEALED, seal
from holdfast.store.sqlite.store import SqliteStore
from tests.builders import a_draft, a_session

Opened = Callable[..., SqliteStore]

SEAL_OF_THESE = 2052162634
# What the chain or the search index proves, or what can be made again.
_PROVED = {"chain", "tombstone", "rewrite", "search_state", "fold", "fold_turn"}


def test_every_table_is_proved_or_sealed() -> None:
    """A new table must not stand outside of both."""
    made = definitions(SCHEMA)
    tables = {name for name, (kind, *_) in made.items() if kind == "table"}
    own = {name for name in tables if not name.startswith(("search_", "sqlite_"))}

    assert own - _PROVED == set(SEALED)


@pytest.mark.parametrize("table", SEALED)
def test_the_triggers_seal_what_is_checked(table: str) -> None:
    """Two lists of the same columns: one in SQL, one in Python."""
    made = definitions(SCHEMA)
    wanted = ", ".join(f"NEW.{column}" for column in SEALED[table])

    for trigger in (f"{table}_made", f"{table}_changed"):
        text = " ".join(str(made[trigger][2]).split())
        assert f"row_seal( {wanted} )" in text


def test_a_row_is_sealed_when_it_is_made_and_when_it_changes(opened: Opened) -> None:
    """Writers know nothing of it."""
    store = opened()
    store.note_session(a_session(hostname="one"))
    store.note_session(a_session(hostname="two"))
    kept = store.put(a_draft(name="api")).checkpoint
    store.consume(kept.checkpoint_id)

    rows = {f.name: f for f in store.check()}["rows"]

    assert rows.state == "ok"


def test_a_seal_tells_values_and_their_types_apart() -> None:
    """A flipped bit can change a type, too."""
    told = (("1",), (1,), (None,), (b"1",), (1.0,), ("1", ""), ("", "1"))

    assert len({seal(*values) for values in told}) == len(told)


def test_a_seal_is_the_same_under_every_interpreter() -> None:
    """A store outlives the Python that made it: which characters print is its own affair."""
    values = ("name", "\U0001fae9 \u00ad \ud800", -7, None, 1.5, b"\x00\xff")

    assert seal(*values) == SEAL_OF_THESE
