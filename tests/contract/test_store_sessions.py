"""Session records and lineage: any depth, up and down."""

from dataclasses import replace
from typing import Any

import pytest

from holdfast.domain.query import Scope
from holdfast.store.port import Store
from tests.builders import (
    NOON,
    OTHER_PROJECT,
    PROJECT,
    SESSION,
    WORKSPACE,
    a_draft,
    a_session,
    session_number,
)

A, B, C, D, E = (session_number(number) for number in range(1, 6))


def ids(records: tuple[object, ...]) -> list[str]:
    return [record.session_id for record in records]  # type: ignore[attr-defined]  # records of sessions


def test_an_unknown_session_is_none(store: Store) -> None:
    """Asking is not an error."""
    assert store.session(SESSION) is None
    assert store.lineage(SESSION) == ()
    assert store.session("\ud800") is None


def test_what_was_noted_is_kept(store: Store) -> None:
    """All of it, and it comes back as kept."""
    record = a_session(
        transcript="/t.jsonl",
        started_at=NOON,
        ended_at=NOON + 60_000,
        cleared=True,
        message_count=12,
    )

    noted = store.note_session(record)

    assert noted == replace(record, root_session=SESSION)
    assert store.session(SESSION) == noted
    assert noted.duration_seconds == 60


def test_an_id_is_found_by_its_beginning(store: Store) -> None:
    """Nobody types a whole one."""
    for session_id in ("7821aaaa-0", "7821bbbb-0", "7821bbbb", "90ff"):
        store.note_session(a_session(session_id=session_id))

    assert store.sessions_like("7821B") == ("7821bbbb", "7821bbbb-0")
    assert store.sessions_like("7821bbbb") == ("7821bbbb",)
    assert store.sessions_like("9") == ("90ff",)
    assert store.sessions_like("\ud800") == store.sessions_like("") == ()


@pytest.mark.parametrize(
    ("field", "value", "nothing"),
    [
        pytest.param("agent_version", "2.2.0", "", id="agent version"),
        pytest.param("project_id", OTHER_PROJECT, "", id="project"),
        pytest.param("workspace", "/else", "", id="workspace"),
        pytest.param("working_directory", "/else", "", id="working directory"),
        pytest.param("hostname", "laptop", "", id="hostname"),
        pytest.param("transcript", "/t.jsonl", "", id="transcript"),
        pytest.param("started_at", NOON, 0, id="start"),
        pytest.param("ended_at", NOON, None, id="end"),
        pytest.param("message_count", 7, 0, id="messages"),
        pytest.param("cleared", True, False, id="cleared"),
    ],
)
def test_news_replaces_and_silence_does_not(
    store: Store, field: str, value: Any, nothing: Any
) -> None:
    """A hook that knows one thing must not erase what others knew."""
    store.note_session(a_session())

    told = store.note_session(replace(a_session(), **{field: value}))
    silent = store.note_session(replace(a_session(), **{field: nothing}))

    assert getattr(told, field) == value
    assert getattr(silent, field) == value


def test_a_parent_once_set_stays(store: Store) -> None:
    """Lineage is history; a later guess does not rewrite it."""
    store.note_session(a_session(B, parent_session=A))

    store.note_session(a_session(B, parent_session=C))
    again = store.note_session(a_session(B))

    assert again.parent_session == A
    assert again.root_session == A


def test_the_root_is_the_parents_root(store: Store) -> None:
    """Whatever was told about it."""
    store.note_session(a_session(A))
    store.note_session(a_session(B, parent_session=A))

    record = store.note_session(a_session(C, parent_session=B, root_session=C))

    assert record.root_session == A


def test_a_root_that_was_told_stands_in_for_parents_nobody_recorded(
    store: Store,
) -> None:
    """An imported session knows its root, though its parent was never here."""
    record = store.note_session(a_session(C, parent_session=B, root_session=A))
    again = store.note_session(a_session(C))

    assert record.root_session == A
    assert again.root_session == A


def test_a_parent_that_is_learned_late_gives_all_below_their_root(store: Store) -> None:
    """A child may be recorded before its parent is."""
    store.note_session(a_session(C, parent_session=B))
    store.note_session(a_session(D, parent_session=C))

    store.note_session(a_session(B, parent_session=A))

    roots = {i: store.session(i) for i in (B, C, D)}
    assert {i: r.root_session for i, r in roots.items() if r} == {B: A, C: A, D: A}


def test_a_family_is_told_root_first_then_by_generation(store: Store) -> None:
    """The same family, whichever member is asked for."""
    store.note_session(a_session(E))
    store.note_session(a_session(D, parent_session=B))
    store.note_session(a_session(B, parent_session=A))
    store.note_session(a_session(C, parent_session=A))
    store.note_session(a_session(A))

    for member in (A, B, C, D):
        assert ids(store.lineage(member)) == [A, B, C, D]
    assert ids(store.lineage(E)) == [E]


def test_a_long_chain_is_followed_to_its_ends(store: Store) -> None:
    """Hundreds of `/clear` in a row are one story."""
    depth = 300
    for number in range(depth):
        parent = session_number(number - 1) if number else None
        store.note_session(a_session(session_number(number), parent_session=parent))

    family = store.lineage(session_number(150))

    assert ids(family) == [session_number(number) for number in range(depth)]
    assert {record.root_session for record in family} == {session_number(0)}


def test_nobody_is_their_own_ancestor(store: Store) -> None:
    """A wrong link would make a circle; it is not taken over."""
    store.note_session(a_session(A, parent_session=A))
    store.note_session(a_session(B, parent_session=A))
    store.note_session(a_session(C, parent_session=B))

    circle = store.note_session(a_session(A, parent_session=C))

    assert circle.parent_session is None
    assert ids(store.lineage(B)) == [A, B, C]


def test_checkpoints_are_told_oldest_first(store: Store) -> None:
    """Count and latest follow from the ids."""
    kept = [store.put(a_draft()).checkpoint.checkpoint_id for _ in range(3)]
    store.remove([kept[1]], "test")

    record = store.session(SESSION)

    assert record is not None
    assert record.checkpoints == (kept[0], kept[2])


def test_noting_a_session_keeps_its_checkpoints(store: Store) -> None:
    """They are the store's own, and not to be told by anyone."""
    kept = store.put(a_draft()).checkpoint.checkpoint_id

    record = store.note_session(a_session(checkpoints=("forged",)))

    assert record.checkpoints == (kept,)


def test_the_session_that_was_noted_last_comes_first(store: Store) -> None:
    """By what happened, not by the clock."""
    store.note_session(a_session(A, started_at=NOON + 9))
    store.note_session(a_session(B, project_id=OTHER_PROJECT))
    store.note_session(a_session(C, workspace="/else"))
    store.put(a_draft(session_id=A))

    assert ids(store.sessions(Scope(), 10)) == [A, C, B]
    assert ids(store.sessions(Scope(), 2)) == [A, C]
    assert ids(store.sessions(Scope(), 0)) == []
    assert ids(store.sessions(Scope(project_id=PROJECT), 10)) == [A, C]
    here = Scope(project_id=PROJECT, workspace=WORKSPACE)
    assert ids(store.sessions(here, 10)) == [A]
    assert ids(store.sessions(Scope(workspace="/else"), 10)) == [C]


def test_a_path_of_any_bytes_can_be_noted(store: Store) -> None:
    """File names are bytes; what is no text is replaced."""
    record = store.note_session(a_session(working_directory="/bytes/\udcff"))

    assert record.working_directory == "/bytes/�"


def test_the_parent_of_each_session_is_known(store: Store) -> None:
    """Those without a checkpoint, too: they pass their parent's work on."""
    store.put(a_draft(session_id=B, parent_session=SESSION))
    store.note_session(a_session("empty", parent_session=B))

    assert dict(store.parents()) == {B: SESSION, "empty": B}
