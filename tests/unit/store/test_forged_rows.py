"""Rows that no save of ours ever wrote must not break the saves that follow."""

from collections.abc import Callable

import pytest

from holdfast.domain.query import Scope
from holdfast.kernel.errors import IdCollision, StoreDamaged
from holdfast.store.sqlite.store import SqliteStore
from holdfast.store.sqlite.write import insert_checkpoint
from tests.builders import NOON, SESSION, a_draft, a_session, session_number

Opened = Callable[..., SqliteStore]
Edited = Callable[[str], None]


def forged(sequence: int, moment: int) -> str:
    return f"""
        INSERT INTO checkpoint (
            position, checkpoint_id, session_id, sequence, project_id, number,
            workspace, key, state_key, type, trigger, created_at, body
        )
        VALUES (
            {1000 + moment - NOON}, 'ccp-{SESSION}-{sequence:02d}-{moment}',
            'forged-{moment}', 1, 'forged-{moment}', 1, '', '', '', 'manual', 'command',
            0, '{{}}'
        )
    """  # noqa: S608  # values of our own


def test_an_id_that_is_taken_gets_a_later_timestamp(
    opened: Opened, edited: Edited
) -> None:
    """A collision is solved by itself; sequence and number stay what they are."""
    opened()
    edited(forged(1, NOON) + ";" + forged(1, NOON + 1))

    kept = opened().put(a_draft()).checkpoint

    assert kept.checkpoint_id == f"ccp-{SESSION}-01-{NOON + 2}"
    assert kept.draft.created_at == NOON + 2
    assert (kept.sequence, kept.number) == (1, 1)


def test_a_store_full_of_forged_ids_is_an_error(
    opened: Opened, edited: Edited, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trying for ever would hang the agent; nothing is kept."""
    monkeypatch.setattr(insert_checkpoint, "_MOST_TRIES", 2)
    opened()
    edited(forged(1, NOON) + ";" + forged(1, NOON + 1))

    with pytest.raises(IdCollision) as refused:
        opened().put(a_draft())

    assert refused.value.code == "CKPT_002"
    assert opened().session(SESSION) is None


def test_a_counter_that_was_set_back_gives_no_number_twice(
    opened: Opened, edited: Edited
) -> None:
    """The save is refused rather than made ambiguous."""
    opened().put(a_draft())
    edited("UPDATE project SET number = 0")

    with pytest.raises(StoreDamaged):
        opened().put(a_draft())


def test_a_circle_of_sessions_ends(opened: Opened, edited: Edited) -> None:
    """Damaged lineage must not hang a command."""
    a, b, c = (session_number(number) for number in (1, 2, 3))
    store = opened()
    store.note_session(a_session(a))
    store.note_session(a_session(b, parent_session=a))
    store.note_session(a_session(c, parent_session=b))
    store.put(a_draft(session_id=b))
    edited(f"UPDATE session SET parent_session = '{c}' WHERE session_id = '{a}'")  # noqa: S608  # ids of our own

    damaged = opened()

    assert {r.session_id for r in damaged.lineage(b)} == {a, b, c}
    assert len(damaged.list(Scope(), lineage=c)) == 1
    assert damaged.note_session(a_session(b)).parent_session == a


def test_a_session_that_is_its_own_parent_ends(opened: Opened, edited: Edited) -> None:
    """The smallest circle there is."""
    opened().note_session(a_session())
    edited("UPDATE session SET parent_session = session_id")

    assert [r.session_id for r in opened().lineage(SESSION)] == [SESSION]
