"""Folds on SQLite: only what changed is written, and damage is no loss."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from holdfast.domain.session import Cursor, KeptFold, Mark, SessionState, Turn
from holdfast.kernel.errors import SessionDamaged
from holdfast.session.lazy_turns import LateTurns
from holdfast.session.state_codec import STATE_FORMAT
from holdfast.store.sqlite.store import SqliteStore
from tests.builders import SESSION, a_draft

Opened = Callable[..., SqliteStore]
Edited = Callable[[str], None]


def a_fold(*prompts: str) -> KeptFold:
    turns = tuple(Turn(uuid=prompt, prompt=prompt) for prompt in prompts)
    cursor = Cursor(Mark(len(prompts), "a", "b"))
    return KeptFold("/t.jsonl", cursor, SessionState(session_id=SESSION, turns=turns))


def written(store: SqliteStore, fold: KeptFold) -> list[int]:
    """Keep a fold and return the places of the turns that were written for it."""
    places: list[int] = []

    def note(_: object, statement: str, bindings: object) -> bool:
        if "INSERT INTO fold_turn" in statement:
            places.append(bindings["place"])  # type: ignore[index]  # named parameters
        return True

    connection = store._database._connection
    connection.exec_trace = note
    store.keep_fold(SESSION, fold)
    connection.exec_trace = None
    return places


def test_only_turns_that_changed_are_written(opened: Opened) -> None:
    """A hook costs what is new, not what is old."""
    opened().keep_fold(SESSION, a_fold("one", "two", "three"))
    store = opened()
    loaded = store.fold(SESSION)
    assert loaded is not None
    first, second, third = loaded.state.turns
    grown = (first, second, replace(third, prompt="more"), Turn(uuid="four"))

    places = written(store, replace(loaded, state=replace(loaded.state, turns=grown)))
    again = written(store, replace(loaded, state=replace(loaded.state, turns=grown)))

    assert places == [2, 3]
    assert again == []
    kept = opened().fold(SESSION)
    assert kept is not None
    assert kept.state.turns == grown


def test_equal_turns_are_not_written_again(opened: Opened) -> None:
    """A fold that was made anew says the same in other objects."""
    store = opened()
    store.keep_fold(SESSION, a_fold("one", "two"))

    assert written(store, a_fold("one", "two", "three")) == [2]


def test_what_another_process_wrote_is_not_trusted(opened: Opened) -> None:
    """Then everything is written, so that no two folds mix."""
    store = opened()
    store.keep_fold(SESSION, a_fold("one", "two"))
    opened().keep_fold(SESSION, a_fold("other", "words"))

    assert written(store, a_fold("one", "two")) == [0, 1]


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param("UPDATE fold SET head = '{}'", id="another head"),
        pytest.param("UPDATE fold SET cursor = '['", id="a broken cursor"),
        pytest.param("UPDATE fold SET transcript = '/x'", id="another transcript"),
        pytest.param("UPDATE fold SET turns = 3", id="another count"),
        pytest.param("DELETE FROM fold_turn WHERE place = 0", id="a lost turn"),
        pytest.param(
            "UPDATE fold_turn SET turn = '{}' WHERE place = 0", id="a changed turn"
        ),
        pytest.param("DROP TABLE fold_turn", id="a lost table"),
    ],
)
def test_a_damaged_fold_is_none(opened: Opened, edited: Edited, edit: str) -> None:
    """It is made again from the transcript, which is the source of truth."""
    store = opened()
    store.keep_fold(SESSION, a_fold("one", "two"))
    edited(edit)

    assert opened().fold(SESSION) is None


def test_a_fold_of_another_format_is_none(opened: Opened, edited: Edited) -> None:
    """A newer program may have kept it."""
    store = opened()
    store.keep_fold(SESSION, a_fold("one"))
    own = f'"format":{STATE_FORMAT}'
    edited(f"UPDATE fold SET head = replace(head, '{own}', '\"format\":99')")  # noqa: S608  # our own number

    assert opened().fold(SESSION) is None


def test_keeping_a_fold_does_not_make_later_saves_less_durable(opened: Opened) -> None:
    """It does not wait for the disk; a save must."""
    store = opened()
    store.keep_fold(SESSION, a_fold("one"))
    assert store._database.row("PRAGMA synchronous") == (1,)

    store.put(a_draft())

    assert store._database.row("PRAGMA synchronous") == (2,)


def grown(fold: KeptFold, prompt: str) -> KeptFold:
    """Continue a late fold by one turn, as the analysis does."""
    assert isinstance(fold.state.turns, LateTurns)
    turns = fold.state.turns.copy()
    turns.append(Turn(uuid=prompt, prompt=prompt))
    return replace(fold, state=replace(fold.state, turns=turns))


def test_turns_that_were_not_looked_at_are_neither_read_nor_written(
    opened: Opened,
) -> None:
    """At ten thousand turns, a hook still costs one."""
    opened().keep_fold(SESSION, a_fold("one", "two", "three"))
    store = opened()
    late = store.fold(SESSION, late=True)
    assert late is not None
    more = grown(late, "four")

    places = written(store, more)

    assert places == [3]
    assert [place for place, _ in more.state.turns.seen()] == [3]  # type: ignore[attr-defined]  # late
    assert opened().fold(SESSION) == replace(
        a_fold("one", "two", "three", "four"), cursor=late.cursor
    )


def test_a_late_fold_gives_way_to_what_somebody_else_kept(opened: Opened) -> None:
    """Its unread turns are no longer there: half of each would be neither."""
    opened().keep_fold(SESSION, a_fold("one", "two"))
    store = opened()
    late = store.fold(SESSION, late=True)
    assert late is not None
    opened().keep_fold(SESSION, a_fold("other", "words", "there"))

    places = written(store, grown(late, "three"))

    assert places == []
    assert opened().fold(SESSION) == a_fold("other", "words", "there")


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param("DELETE FROM fold_turn WHERE place = 0", id="a lost turn"),
        pytest.param(
            "UPDATE fold_turn SET turn = '{}' WHERE place = 0", id="a changed turn"
        ),
    ],
)
def test_damage_of_a_late_turn_is_told_when_it_is_looked_at(
    opened: Opened, edited: Edited, edit: str
) -> None:
    """Whoever looks makes the fold again, and who does not needs no telling."""
    opened().keep_fold(SESSION, a_fold("one", "two"))
    edited(edit)
    late = opened().fold(SESSION, late=True)
    assert late is not None

    assert late.state.turns[1].prompt == "two"
    with pytest.raises(SessionDamaged):
        late.state.turns[0]


def test_a_late_fold_that_lost_its_last_turns_is_none(
    opened: Opened, edited: Edited
) -> None:
    """The last turn is what every hook goes on from."""
    opened().keep_fold(SESSION, a_fold("one", "two"))
    edited("DELETE FROM fold_turn WHERE place = 1")

    assert opened().fold(SESSION, late=True) is None
