"""Outlines: what a log shows of each checkpoint, without its record."""

from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from holdfast.domain.checkpoint import Item, fact_item
from holdfast.domain.code import CodeState
from holdfast.domain.event import Tokens
from holdfast.domain.fact import Failure
from holdfast.domain.outline import outline_of
from holdfast.domain.query import Scope
from holdfast.store.port import Store
from holdfast.store.sqlite.store import open_store
from tests.builders import (
    OTHER_PROJECT,
    OTHER_SESSION,
    PROJECT,
    SESSION,
    a_draft,
)

EVERYWHERE = Scope()


def filled(store: Store) -> Store:
    first = store.put(a_draft("First", name="one", abandoned=((0, 2),), last_turn=3))
    code = CodeState(branch="spike", dirty=True, uncommitted=("a.py", "ข.py"))
    store.put(
        a_draft(
            "解析器 修复",
            session_id=OTHER_SESSION,
            parent_session=SESSION,
            code=code,
            type="auto",
            trigger="threshold",
            context_percent=71.5,
            files_modified=9,
            merged_from=(first.checkpoint.checkpoint_id,),
        )
    )
    store.put(a_draft("Third", project_id=OTHER_PROJECT))
    return store


def test_an_outline_says_what_the_record_says(store: Store) -> None:
    """A log and a record that differ would both be doubted."""
    filled(store)

    assert list(store.outlines(EVERYWHERE)) == [
        outline_of(checkpoint) for checkpoint in reversed(store.list(EVERYWHERE))
    ]


def test_outlines_are_of_what_a_list_has_oldest_first(store: Store) -> None:
    """The same filters mean the same everywhere."""
    filled(store)

    def titles(scope: Scope = EVERYWHERE, **only: str) -> list[str]:
        return [outline.title for outline in store.outlines(scope, **only)]

    assert titles() == ["First", "解析器 修复", "Third"]
    assert titles(Scope(project_id=PROJECT)) == ["First", "解析器 修复"]
    assert titles(Scope(workspace="/nowhere")) == []
    assert titles(session=OTHER_SESSION[:8]) == ["解析器 修复"]
    assert titles(session="no such") == []
    assert titles(lineage=SESSION) == ["First", "解析器 修复", "Third"]


@pytest.mark.local
def test_a_removed_or_rewritten_record_has_no_old_outline(store: Store) -> None:
    """What is forgotten must not come back in a log."""
    first = store.put(a_draft("First")).checkpoint
    second = store.put(a_draft("A secret name")).checkpoint
    store.remove([first.checkpoint_id], "forgotten")
    changed = a_draft("Clean", created_at=second.draft.created_at)
    store.rewrite(second.checkpoint_id, changed, "forgotten")

    (left,) = store.outlines(EVERYWHERE)

    assert (left.number, left.title, left.is_whole) == (2, "Clean", True)


def test_several_are_what_each_of_them_is(store: Store) -> None:
    """A page shows dozens: whoever is not there is left out, and nobody is told twice."""
    filled(store)
    ids = [each.checkpoint_id for each in store.list(EVERYWHERE)]
    store.remove(ids[:1], "forgotten")

    found = store.several([*ids, *ids, "ccp-nobody", "\ud800"])

    assert found == {name: store.get(name) for name in ids[1:]}
    assert store.several([]) == {}


def test_several_leave_out_what_does_not_match_its_hash(tmp_path: Path) -> None:
    """A page must not show words that somebody put into the file."""
    home = str(tmp_path / "home")
    with open_store(home, create=True) as store:
        ids = [store.put(a_draft(title)).checkpoint.checkpoint_id for title in "ab"]
    connection = apsw.Connection(f"{home}/holdfast.db")
    changed = "UPDATE checkpoint SET body = replace(body, '\"a\"', '\"z\"')"
    connection.execute(changed)
    connection.close()

    with open_store(home, create=False) as store:
        assert set(store.several(ids)) == {ids[1]}


def test_a_tally_has_the_numbers_of_the_record(store: Store) -> None:
    """What is inherited was met by another session, and is its to count."""
    met = fact_item(Failure("pytest", "1 failed", state="fixed"), "tool")
    store.put(
        a_draft(
            errors=(
                met,
                Item("still red", "tool"),
                Item("old", "tool", origin="ccp-1"),
            ),
            dead_ends=(Item("sleep", "engine"), Item("old", "engine", origin="ccp-1")),
            prompts=7,
            spent=Tokens(1, 2, 3, 4, 5),
        )
    )
    store.put(a_draft(project_id=OTHER_PROJECT))

    (tally,) = store.tallies(Scope(project_id=PROJECT))

    assert (tally.errors, tally.open_errors, tally.dead_ends) == (2, 1, 1)
    assert (tally.facts.prompts, tally.facts.spent) == (7, Tokens(1, 2, 3, 4, 5))
    assert (tally.session_id, tally.agent, tally.project_id) == (
        SESSION,
        "claude-code",
        PROJECT,
    )
    assert tally.octets > 1_000
    assert len(list(store.tallies(EVERYWHERE))) == 2


@pytest.mark.local
def test_what_was_kept_is_not_damaged(store: Store) -> None:
    """Renamed, rewritten, or of a record that is gone: none of it is damage."""
    filled(store)
    first, second, third = store.outlines(EVERYWHERE)
    store.rename(first.checkpoint_id, "other")
    draft = store.get(second.checkpoint_id).draft
    store.rewrite(second.checkpoint_id, replace(draft, tags=("new",)), "a test")
    store.remove([third.checkpoint_id], "a test")
    ids = [first.checkpoint_id, second.checkpoint_id, third.checkpoint_id, "ccp-none"]

    assert store.damaged(ids) == frozenset()


def test_a_damaged_record_keeps_its_place(tmp_path: Path) -> None:
    """A gap that nobody sees is worse than one that says what to do."""
    with open_store(str(tmp_path), create=True) as store:
        filled(store)
    damage = apsw.Connection(str(tmp_path / "holdfast.db"))
    change = "UPDATE checkpoint SET body = ? || substr(body, 2) WHERE number = ?"
    damage.execute(change, ("x", 2))
    body = "UPDATE checkpoint SET body = replace(body, 'Third', 'Thirx')"
    damage.execute(body)
    damage.close()

    with open_store(str(tmp_path), create=False) as store:
        found = list(store.outlines(EVERYWHERE))
        damaged = store.damaged([one.checkpoint_id for one in found])

    assert [(one.number, one.title, one.is_whole) for one in found] == [
        (1, "First", True),
        (2, "", False),
        (1, "Thirx", True),
    ]
    assert found[1].session_id == OTHER_SESSION
    assert damaged == {found[1].checkpoint_id, found[2].checkpoint_id}
    assert found[2].as_damaged().title == ""
