"""No cost grows with the store: no statement of any verb walks over a table."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import apsw
import pytest

from holdfast.domain.query import Filter, FilterKind, Query, Scope
from holdfast.domain.session import Cursor, KeptFold, SessionState, Turn
from holdfast.kernel.errors import CheckpointNotFound, ReferenceAmbiguous
from holdfast.kernel.ids import reference
from holdfast.store.quarantine import Quarantine
from holdfast.store.sqlite.repair.repairing_rows import repair_rewrites
from holdfast.store.sqlite.search import filters
from holdfast.store.sqlite.store import SqliteStore
from tests.builders import (
    PROJECT,
    SESSION,
    WORKSPACE,
    a_foreign_checkpoint,
    a_full_draft,
    a_session,
    identity,
    session_number,
)

Opened = Callable[..., SqliteStore]
HERE = Scope(project_id=PROJECT)
# The tables that grow. A store has few projects, and one row about itself.
_GROWS = re.compile(
    r"SCAN (c|entry|later|before|checkpoint|chain|tombstone|s|session|fold\w*)\b"
)


def put(store: SqliteStore) -> None:
    store.put(a_full_draft(name="api", replace_name=True))
    store.put(a_full_draft(key="again"))
    store.put(a_full_draft(key="again"))
    store.put(a_full_draft(state_key="same"))
    store.put(a_full_draft(state_key="same"))


def adopt(store: SqliteStore) -> None:
    for _ in range(2):
        store.adopt(a_foreign_checkpoint(1, "laptop"))
    own, *_ = (one for one in store.list(HERE) if not one.machine)
    store.proof(own.checkpoint_id)


def get(store: SqliteStore) -> None:
    store.get(store.list(HERE)[0].checkpoint_id)
    with pytest.raises(CheckpointNotFound):
        store.get("ccp-none")


def find(store: SqliteStore) -> None:
    for text in (
        "latest", "latest~1", "1", "1@desk", "1@laptop", "9@laptop", "ccp-", "api", "ap", "none",
        f"session:{SESSION}", "session:7", store.list(HERE)[0].checkpoint_id,
    ):  # fmt: skip
        for scope in (HERE, Scope()):
            try:
                store.find(reference(text), scope)
            except (CheckpointNotFound, ReferenceAmbiguous):
                continue


def list_(store: SqliteStore) -> None:
    store.list(Scope())
    store.list(HERE)
    store.list(Scope(project_id=PROJECT, workspace=WORKSPACE))
    store.list(HERE, session=SESSION)
    store.list(HERE, lineage=SESSION)


def search(store: SqliteStore) -> None:
    some: tuple[FilterKind, ...] = get_args(FilterKind)
    queries = [
        Query(),
        Query(after=1, before=2**50, words=("token",)),
        Query(before=2**50, latest=True),
        Query(checkpoint="ccp-", name="a", session="7", parent="7", lineage=SESSION),
        Query(tags=("x",), type="auto", files=("a.py",), tools=("Edit",), sort="asc"),
        Query(branch="main", topics=("auth",), phrases=("refresh tokens",)),
        Query(words=("refresh", "tokens"), excluded=("none",)),
        Query(without=tuple(Filter(kind, "7") for kind in some), words=("token",)),
    ]
    for query in queries:
        for scope in (Scope(), HERE, Scope(project_id=PROJECT, workspace=WORKSPACE)):
            store.search(query, scope, 5)


def many_sessions(store: SqliteStore) -> None:
    for number in range(4):
        store.put(a_full_draft(session_id=session_number(number)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(filters, "MOST_SESSIONS", 2)
        assert len(store.search(Query(session="0"), Scope(), 5)) == 4
        others = store.search(Query(without=(Filter("session", "0"),)), Scope(), 5)
    assert {hit.checkpoint.draft.session_id for hit in others} == {SESSION}


def remove(store: SqliteStore) -> None:
    store.remove([c.checkpoint_id for c in store.list(HERE)], "test")


def sessions(store: SqliteStore) -> None:
    store.note_session(a_session("child", parent_session=SESSION))
    store.session(SESSION)
    store.lineage(SESSION)
    store.sessions(HERE, 5)
    store.sessions(Scope(), 5)


def folds(store: SqliteStore) -> None:
    state = SessionState(session_id=SESSION, turns=(Turn(uuid="a"),))
    store.keep_fold(SESSION, KeptFold("/t", Cursor(), state))
    store.fold(SESSION)


def projects(store: SqliteStore) -> None:
    store.project(identity("/new", root_commits=("abc",), remote="example.org/x/y"))
    store.known_project(identity("/new"))


@pytest.mark.parametrize(
    "use",
    [
        put,
        adopt,
        get,
        find,
        list_,
        search,
        many_sessions,
        remove,
        sessions,
        folds,
        projects,
    ],
)
def test_no_statement_walks_over_a_table_that_grows(
    opened: Opened, use: Callable[[SqliteStore], None]
) -> None:
    """An index answers each of them, at ten checkpoints as at a hundred thousand."""
    store = opened()
    for _ in range(3):
        store.put(a_full_draft())

    seen = plans(store, use)

    assert seen
    assert [each for each in seen if _GROWS.match(each[0])] == []


def test_a_repair_looks_for_no_entry_once_per_rewrite(
    opened: Opened, tmp_path: Path
) -> None:
    """A scan can rewrite every record: then that would be every pair of them."""
    store = opened()
    kept = store.put(a_full_draft()).checkpoint
    store.rewrite(kept.checkpoint_id, a_full_draft(title="Other"), "a test", None)

    def mend(store: SqliteStore) -> None:
        with store._database.writing():
            assert not list(repair_rewrites(store._database, Quarantine(str(tmp_path))))

    seen = plans(store, mend)

    assert seen
    assert [each for each in seen if each[0].startswith("CORRELATED")] == []


def plans(
    store: SqliteStore, use: Callable[[SqliteStore], None]
) -> list[tuple[str, str]]:
    """Return each line of the plans of all statements that a use makes, with these."""
    connection = store._database._connection
    seen: dict[str, object] = {}

    def note(_: object, statement: str, bindings: object) -> bool:
        seen[statement] = bindings
        return True

    connection.exec_trace = note
    use(store)
    connection.exec_trace = None
    return [
        (line, statement)
        for statement, bindings in seen.items()
        for line in plan(connection, statement, bindings)
    ]


def plan(connection: apsw.Connection, statement: str, bindings: object) -> list[str]:
    if not re.match(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b", statement):
        return []
    explained = f"EXPLAIN QUERY PLAN {statement}"
    rows = connection.execute(explained, bindings)  # type: ignore[arg-type]  # as it was run
    return [str(row[3]) for row in rows]
