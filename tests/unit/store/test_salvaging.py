"""A damaged tree costs nothing that its leaves still hold, and loss is never silent."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from holdfast.domain.code import ProjectIdentity
from holdfast.kernel.errors import StoreDamaged
from holdfast.store.quarantine import Quarantine
from holdfast.store.sqlite.repair.repairing import repair
from holdfast.store.sqlite.store import SqliteStore, open_store
from tests.builders import (
    NOON,
    a_draft,
    a_foreign_checkpoint,
    a_full_draft,
    session_number,
)
from tests.stores import bodies

Opened = Callable[..., SqliteStore]
PAGE = 4096


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("good") / "home"
    with open_store(str(home), create=True) as store:
        kept = [
            store.put(
                a_full_draft(
                    title=f"Number {number}",
                    summary=f"word{number} " * (number * 40),
                    session_id=session_number(number // 4),
                    name=f"name-{number}" if number % 3 == 0 else None,
                )
            ).checkpoint.checkpoint_id
            for number in range(24)
        ]
        for number in range(3):
            store.adopt(a_foreign_checkpoint(number + 1, machine="laptop"))
        store.remove(kept[5:7], "test", NOON)
        store.rewrite(kept[10], a_full_draft(title="Again"), "test")
        store.wipe()
    shutil.rmtree(home / "journal")  # what is found without it
    return home


@pytest.fixture
def home(good: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "home"
    shutil.copytree(good, copy)
    return copy


def root(home: Path, table: str) -> int:
    connection = apsw.Connection(str(home / "holdfast.db"))
    try:
        question = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        (row,) = connection.execute(question, (table,)).fetchall()
        return (int(str(row[0])) - 1) * PAGE
    finally:
        connection.close()


def flip(home: Path, place: int, bits: int = 0x80) -> None:
    data = bytearray((home / "holdfast.db").read_bytes())
    data[place] ^= bits
    (home / "holdfast.db").write_bytes(data)


def failing(home: Path) -> list[str]:
    with open_store(str(home), create=False) as store:
        return [f"{f.name}: {f.message}" for f in store.check() if f.state == "fail"]


@pytest.mark.parametrize(
    ("table", "place", "bits"),
    [
        pytest.param("", 103, 0x80, id="how many tables there are"),
        pytest.param("", 100, 0x08, id="the kind of the first page"),
        pytest.param("checkpoint", 0, 0x04, id="the kind of the root of records"),
        pytest.param("checkpoint", 3, 0x80, id="how many pages of records"),
        pytest.param("checkpoint", 8, 0x80, id="the last page of records"),
        pytest.param("chain", 0, 0x04, id="the kind of the root of the chain"),
        pytest.param("chain", 3, 0x80, id="how many entries"),
        pytest.param("session", 0, 0x02, id="the kind of the root of sessions"),
    ],
)
def test_a_bit_of_an_inner_page_costs_no_record(
    home: Path, table: str, place: int, bits: int
) -> None:
    """The engine finds nothing below such a page; the leaves have it all."""
    truth = bodies(home)
    flip(home, (root(home, table) if table else 0) + place, bits)

    said = list(repair(str(home), NOON))

    assert "the store's file was broken" in said[0]
    assert bodies(home) == truth
    assert failing(home) == []
    assert list(repair(str(home), NOON)) == []


def test_projects_and_their_places_survive_a_lost_schema(home: Path) -> None:
    """They are in trees of another kind, and no record vouches for a place."""
    question = "SELECT kind, value, project_id FROM project_alias"
    connection = apsw.Connection(str(home / "holdfast.db"))
    before = connection.execute(question).fetchall()
    connection.close()
    flip(home, 103)

    list(repair(str(home), NOON))

    connection = apsw.Connection(str(home / "holdfast.db"))
    assert connection.execute(question).fetchall() == before
    connection.close()


def emptied(home: Path) -> None:
    """Leave a file in which no record is left, beside a head that knows of them."""
    data = bytearray((home / "holdfast.db").read_bytes())
    data[PAGE:] = bytes(len(data) - PAGE)
    (home / "holdfast.db").write_bytes(data)


def test_a_poorer_store_is_a_failure_that_names_the_broken_copy(home: Path) -> None:
    """A repair that ends well with an empty store would hide the loss for good."""
    head = (home / "head").read_bytes()
    count = len(bodies(home))
    emptied(home)

    with pytest.raises(StoreDamaged, match="gone and could not be found") as told:
        list(repair(str(home), NOON))

    kept = Quarantine(str(home)).unfinished()
    assert kept == [f"{home}/quarantine/store-001"]
    assert f"{home}/quarantine" in told.value.message
    assert Quarantine(str(home)).missing(kept) >= count
    assert (Path(kept[0]) / "head").read_bytes() == head
    assert [told.split(":")[0] for told in failing(home)] == ["records"]


def test_a_later_repair_looks_into_the_broken_copy_again(
    home: Path, good: Path
) -> None:
    """Whoever finds the missing pages puts them into the copy; new saves stay."""
    truth = bodies(home)
    emptied(home)
    with pytest.raises(StoreDamaged):
        list(repair(str(home), NOON))
    with open_store(str(home), create=True) as store:
        new = store.put(a_draft(title="Since then")).checkpoint.checkpoint_id
    shutil.copy(good / "holdfast.db", home / "quarantine" / "store-001")

    said = list(repair(str(home), NOON))

    now = bodies(home)
    assert any("records more were found" in each for each in said)
    assert new in now
    assert {name: now[name] for name in truth} == truth
    assert failing(home) == []


def test_who_removes_the_broken_copy_gives_up_what_is_missing(home: Path) -> None:
    """A loss must not stay a failure for ever."""
    emptied(home)
    with pytest.raises(StoreDamaged):
        list(repair(str(home), NOON))
    shutil.rmtree(home / "quarantine")

    assert list(repair(str(home), NOON)) == []
    assert failing(home) == []


def cell_of(home: Path, name: str) -> tuple[int, int]:
    """Return where the row of a named record lies: its number, and its name."""
    connection = apsw.Connection(str(home / "holdfast.db"))
    question = "SELECT checkpoint_id, session_id, project_id FROM checkpoint"
    (row,) = connection.execute(f"{question} WHERE name = ?", (name,)).fetchall()
    connection.close()
    whose, session, project = (re.escape(str(part).encode()) for part in row)
    data = (home / "holdfast.db").read_bytes()
    found = re.search(whose + session + b".?" + project, data, re.DOTALL)
    assert found is not None
    return found.end(), data.index(name.encode(), found.end()) + len(name) - 1


@pytest.mark.parametrize(
    ("which", "value"),
    [
        pytest.param(0, 3, id="a number that another has"),
        pytest.param(1, ord("0"), id="a name that another has"),
    ],
)
def test_a_changed_column_does_not_cost_its_record(
    home: Path, which: int, value: int
) -> None:
    """The body is proved by the chain: what stands beside it is made from it."""
    truth = bodies(home)
    place = cell_of(home, "name-3")[which]
    flip(home, place, (home / "holdfast.db").read_bytes()[place] ^ value)

    said = list(repair(str(home), NOON))

    assert "the store's file was broken" in said[0]
    assert bodies(home) == truth
    assert failing(home) == []


def test_the_quarantine_never_writes_over_what_it_holds(home: Path) -> None:
    """Folders are removed by people, in any order."""
    quarantine = Quarantine(str(home))
    quarantine.keep_store(str(home), ("holdfast.db",))
    second = quarantine.keep_store(str(home), ("holdfast.db",))
    quarantine.finish([second])
    shutil.rmtree(home / "quarantine" / "store-001")
    before = (home / "quarantine" / "store-002" / "holdfast.db").read_bytes()
    (home / "holdfast.db").write_bytes(b"another")

    third = quarantine.keep_store(str(home), ("holdfast.db",))

    assert third.endswith("store-003")
    assert (home / "quarantine" / "store-002" / "holdfast.db").read_bytes() == before


def column(home: Path, question: str) -> list[object]:
    connection = apsw.Connection(str(home / "holdfast.db"))
    try:
        return [row[0] for row in connection.execute(question)]
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("question", "edit"),
    [
        pytest.param(
            "SELECT hostname FROM session ORDER BY session_id",
            "UPDATE session SET hostname = 'x'",
            id="sessions",
        ),
        pytest.param(
            "SELECT root FROM project", "UPDATE project SET root = '/x'", id="projects"
        ),
        pytest.param(
            "SELECT value FROM project_alias WHERE kind = 'path'",
            "UPDATE project_alias SET seal = 0 WHERE kind = 'path'",
            id="places",
        ),
    ],
)
def test_what_records_tell_of_is_set_right_and_not_moved_aside(
    home: Path, edited: Callable[[str], None], question: str, edit: str
) -> None:
    """A record names its session, its project and where that lies."""
    with open_store(str(home), create=True) as store:
        known = store.project(
            ProjectIdentity(path="/home/sam/api", workspace="/home/sam/api")
        )
        store.put(
            a_draft(
                project_id=known.project_id,
                project_root=known.root,
                session_id=session_number(90),
            )
        )
    before = column(home, question)
    edited(edit)

    said = list(repair(str(home), NOON))

    assert any("were set right by their records" in each for each in said)
    assert column(home, question) == before
    assert failing(home) == []


def test_a_place_that_no_record_tells_of_goes_to_the_quarantine(
    home: Path, edited: Callable[[str], None]
) -> None:
    """Nothing says whether it is still what was kept."""
    with open_store(str(home), create=True) as store:
        store.project(ProjectIdentity(path="/home/sam/other", workspace="/x"))
    edited("UPDATE project_alias SET seal = 0")

    list(repair(str(home), NOON))

    assert "/home/sam/other" not in column(home, "SELECT value FROM project_alias")
    assert [path.name for path in (home / "quarantine").glob("project_alias-*")]
    assert failing(home) == []
