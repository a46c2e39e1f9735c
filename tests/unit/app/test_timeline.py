"""What the page asks the store, counted, and what it is answered."""

import json
from pathlib import Path
from typing import Any

import apsw
import pytest

from holdfast.app.checkpoints.timeline import Timelines, unchanged_rows
from holdfast.app.page_answers.checkpoint import checkpoint_answer
from holdfast.app.page_answers.timeline import projects_answer, rows_answer
from holdfast.domain.checkpoint import Item
from holdfast.kernel.errors import CheckpointNotFound
from holdfast.store.sqlite.database import Database
from holdfast.store.sqlite.store import SqliteStore, open_store
from tests.builders import (
    NOON,
    OTHER_PROJECT,
    PROJECT,
    a_draft,
    a_full_draft,
    session_number,
)
from tests.memory_store.store import MemoryStore


def _row(answer: dict[str, Any], place: int) -> dict[str, Any]:
    columns = answer["columns"]
    at = columns["place"].index(place)
    return {name: values[at] for name, values in columns.items()}


def test_rows_come_newest_first_in_pages() -> None:
    """A page begins where the one before it ended; together they are all there is."""
    store = MemoryStore()
    for number in range(7):
        store.put(a_draft(f"Step {number}"))
    timelines = Timelines(store)

    pages = [
        rows_answer(PROJECT, timelines.page(PROJECT, before, 3))
        for before in (None, 4, 1, 0)
    ]

    assert [page["columns"].get("place", []) for page in pages] == [
        [6, 5, 4],
        [3, 2, 1],
        [0],
        [],
    ]
    assert {page["count"] for page in pages} == {7}
    with pytest.raises(CheckpointNotFound):
        timelines.page("nowhere", None, 3)


def test_a_row_says_what_a_dot_shows() -> None:
    """Size is the work since the one before, a ring is an open error."""
    store = MemoryStore()
    store.put(a_draft("one", message_count=10, commands_executed=2))
    failed = Item("AssertionError", "tool")
    store.put(a_draft("two", message_count=15, commands_executed=4, errors=(failed,)))

    answer = rows_answer(PROJECT, Timelines(store).page(PROJECT, None, 9))

    first, second = _row(answer, 0), _row(answer, 1)
    assert (first["work"], second["work"]) == (14, 9)
    assert (first["errors"], second["errors"]) == (0, 1)
    assert second["parents"] == [[0, 0, "goes on"]]
    assert (second["agent"], second["branch"]) == ("claude-code", "main")


def test_projects_are_told_the_newest_first() -> None:
    """With names as people know them."""
    store = MemoryStore()
    store.put(a_draft("old", project_id=OTHER_PROJECT, created_at=NOON - 1))
    store.put(a_draft("new"))

    told = projects_answer(
        Timelines(store).projects(), PROJECT, lambda path: f"~{path}"
    )

    assert [each["id"] for each in told["projects"]] == [PROJECT, OTHER_PROJECT]
    assert (told["here"], told["projects"][0]["name"]) == (PROJECT, "tokens")
    assert told["projects"][0]["root"] == "~/code/tokens"
    assert projects_answer({}, PROJECT, str)["here"] == ""


def test_nothing_hidden_leaves_in_any_text() -> None:
    """T3: bidi and zero-width in each field; a title of a megabyte is a line."""
    evil = "a\u202eb\u200bc"
    store = MemoryStore()
    store.put(a_full_draft(title=evil + "x" * 1_000_000, summary=evil, agent=evil,
                           decisions=(Item(evil, "agent", (evil,), evil),)))  # fmt: skip
    timelines = Timelines(store)
    page = timelines.page(PROJECT, None, 9)

    rows = rows_answer(PROJECT, page)
    (record,) = page.records.values()
    whole = checkpoint_answer(record, budget=1000, now_ms=NOON)

    assert not {"\u202e", "\u200b"} & {*str(rows), *str(whole)}
    assert len(str(rows)) < 2_000
    assert "origin" not in whole["checkpoint"]
    assert "CHECKPOINT-00001" in whole["brief"]


def test_rows_that_stayed_are_the_beginning() -> None:
    """An update begins with the first row that is another one."""
    store = MemoryStore()
    kept = [store.put(a_draft(title)).checkpoint for title in "abc"]
    timelines = Timelines(store)
    before = timelines.rows(PROJECT)
    store.put(a_draft("d"))
    grown = timelines.rows(PROJECT)
    store.rename(kept[1].checkpoint_id, "named")
    renamed = timelines.rows(PROJECT)

    assert timelines.rows(PROJECT) is renamed
    assert unchanged_rows(before, grown) == 3
    assert unchanged_rows(grown, before) == 3
    assert unchanged_rows(grown, renamed) == 1


class _Asked:
    """Counts the statements that a store runs."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.statements: list[str] = []
        real = Database.rows

        def rows(database: Database, statement: str, *rest: Any) -> Any:
            self.statements.append(statement)
            return real(database, statement, *rest)

        monkeypatch.setattr(Database, "rows", rows)

    def __call__(self) -> int:
        many, self.statements = len(self.statements), []
        return many


@pytest.fixture
def filled(tmp_path: Path) -> SqliteStore:
    store = open_store(str(tmp_path / "home"), create=True)
    for number in range(120):
        store.put(
            a_draft(f"Step {number}", session_id=session_number(1 + number // 10))
        )
    return store


def test_a_page_of_rows_is_one_question(
    filled: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long it is: the mark, and the records; history is read once a change."""
    timelines, asked = Timelines(filled), _Asked(monkeypatch)
    timelines.page(PROJECT, None, 10)
    first = asked()

    timelines.page(PROJECT, 110, 10)
    second = asked()
    timelines.page(PROJECT, None, 100)
    long = asked()
    timelines.projects()
    projects = asked()

    assert first <= 5
    assert (second, long, projects) == (2, 2, 1)
    filled.close()


def test_waiting_for_news_asks_for_a_mark_only(
    filled: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that stands open all day must not read the store all day."""
    timelines, asked = Timelines(filled), _Asked(monkeypatch)
    timelines.rows(PROJECT)
    asked()

    for _ in range(10):
        timelines.rows(PROJECT)

    assert asked.statements == ["PRAGMA data_version"] * 10
    filled.close()


def test_an_update_is_small(filled: SqliteStore) -> None:
    """One new row: under 5 kB."""

    page = Timelines(filled).page(PROJECT, None, 1)

    assert len(json.dumps(rows_answer(PROJECT, page))) < 5_000
    filled.close()


def test_a_damaged_record_is_a_row_that_says_nothing(tmp_path: Path) -> None:
    """Words that somebody put into the file are not shown."""
    home = str(tmp_path / "home")
    with open_store(home, create=True) as store:
        store.put(a_draft("honest"))
    connection = apsw.Connection(f"{home}/holdfast.db")
    connection.execute("UPDATE checkpoint SET body = replace(body, 'honest', 'forged')")
    connection.close()

    with open_store(home, create=False) as store:
        answer = rows_answer(PROJECT, Timelines(store).page(PROJECT, None, 9))

    assert "forged" not in str(answer)
    assert _row(answer, 0)["whole"] is False
