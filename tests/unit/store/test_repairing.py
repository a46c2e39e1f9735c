"""Repair keeps every record that is whole, and moves the rest aside, never away."""

import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import apsw
import pytest

from holdfast.domain.query import Query, Scope
from holdfast.kernel.errors import StoreBusy, StoreDamaged, StoreNewer
from holdfast.store.sqlite.repair.repairing import repair
from holdfast.store.sqlite.store import SqliteStore, open_store
from tests.builders import NOON, a_draft, a_full_draft, identity, session_number
from tests.faults.dying import dies_at, points_of
from tests.faults.figures import figure
from tests.stores import bodies

Opened = Callable[..., SqliteStore]
Edited = Callable[[str], None]
RECORDS = 40


def fill(home: Path) -> None:
    with open_store(str(home), create=True) as store:
        kept = []
        for number in range(RECORDS):
            draft = a_full_draft(
                title=f"Number {number}",
                summary=f"word{number} " * (number % 30),
                session_id=session_number(number // 4),
                name=f"name-{number}" if number % 3 == 0 else None,
            )
            kept.append(store.put(draft).checkpoint.checkpoint_id)
        store.remove(kept[5:8], "test", NOON)
        for title, at in (("Again", 10), ("And again", 10), ("Once", 12), ("Gone", 13)):
            store.rewrite(kept[at], a_full_draft(title=title), "test")
        store.remove([kept[13]], "test", NOON)
        store.wipe()
    shutil.rmtree(home / "journal")  # what is found without it


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("good") / "home"
    fill(home)
    return home


@pytest.fixture
def home(good: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "home"
    shutil.copytree(good, copy)
    return copy


def mended(home: Path) -> list[str]:
    """Return what a repair said, and at last what it could not bring back."""
    said = list[str]()
    try:
        said += repair(str(home), NOON)
    except StoreDamaged as loss:
        return [*said, loss.message]
    return said


def failing(home: Path) -> list[str]:
    """Return what is wrong, but for what is gone and said to be."""
    with open_store(str(home), create=False) as store:
        wrong = [f for f in store.check() if f.state == "fail" and f.name != "records"]
        return [f"{f.name}: {f.message}" for f in wrong]


def aside(home: Path) -> list[str]:
    place = home / "quarantine"
    return sorted(path.name for path in place.iterdir()) if place.exists() else []


def test_a_whole_store_is_left_as_it_is(home: Path) -> None:
    """Whoever repairs to be sure must not change anything."""
    before = (home / "holdfast.db").read_bytes()

    assert mended(home) == []
    assert (home / "holdfast.db").read_bytes() == before
    assert aside(home) == []


@pytest.mark.parametrize(
    ("edit", "lost"),
    [
        pytest.param(
            "UPDATE checkpoint SET body = replace(body, 'rotate', 'giraffe') WHERE number = 3",
            1,
            id="a changed body",
        ),
        pytest.param("DELETE FROM checkpoint WHERE number = 3", 1, id="a lost record"),
        pytest.param(
            "UPDATE chain SET hash = 'x' || substr(hash, 2) WHERE position = 3",
            0,
            id="a changed hash",
        ),
        pytest.param(
            "UPDATE chain SET hash = 'x' || substr(hash, 2)"
            " WHERE position = (SELECT max(position) FROM chain)",
            0,
            id="the newest hash",
        ),
        pytest.param("DELETE FROM chain WHERE position = 3", 0, id="a lost entry"),
        pytest.param(
            "UPDATE chain SET checkpoint_id = 'ccp-x' WHERE position = 3",
            0,
            id="an entry of another record",
        ),
        pytest.param("UPDATE chain SET kind = 'tombstone' WHERE position = 3", 0,
                     id="another kind"),
        pytest.param("DELETE FROM tombstone", 0, id="lost tombstones"),
        pytest.param("UPDATE tombstone SET reason = 'x'", 0, id="changed tombstones"),
        pytest.param(
            "UPDATE tombstone SET old_hash = 'x' WHERE number = 6", 0, id="a forged one"
        ),
        pytest.param(
            "UPDATE chain SET hash = 'x' || substr(hash, 2) WHERE position = 11",
            0,
            id="a changed hash of a rewritten record",
        ),
        pytest.param("UPDATE rewrite SET old_hash = 'x' WHERE record = 13", 0,
                     id="a changed hash in a rewrite"),
        pytest.param("UPDATE rewrite SET new_hash = 'x' WHERE record = 13", 0,
                     id="another hash in a rewrite"),
        pytest.param("UPDATE rewrite SET record = 4 WHERE record = 13", 0,
                     id="a rewrite of another record"),
        pytest.param("UPDATE rewrite SET reason = 'x' WHERE record = 13", 0,
                     id="a changed reason"),
        pytest.param("DELETE FROM rewrite WHERE record = 13", 1, id="a lost rewrite"),
        pytest.param("DELETE FROM store", 0, id="a lost head"),
        pytest.param("UPDATE store SET hash = 'x', records = 7", 0, id="a changed head"),
        pytest.param("UPDATE session SET hostname = 'x'", 0, id="changed sessions"),
        pytest.param("DELETE FROM session", 0, id="lost sessions"),
        pytest.param("UPDATE session SET sequence = 0", 0, id="counters set back"),
        pytest.param("UPDATE project SET number = 0", 0, id="numbers set back"),
        pytest.param("UPDATE checkpoint SET number = 99 WHERE number = 3", 0,
                     id="a changed number"),
        pytest.param("UPDATE checkpoint SET name = 'No Name!' WHERE number = 3", 0,
                     id="no name"),
        pytest.param("DELETE FROM chain; DELETE FROM tombstone", 0, id="the whole chain"),
        pytest.param(
            "INSERT INTO search_index (search_index) VALUES ('delete-all')",
            0,
            id="a lost index",
        ),
        pytest.param(
            "UPDATE checkpoint SET position = 90071992547 WHERE number = 3",
            0,
            id="a record far off",
        ),
    ],
)  # fmt: skip
def test_repair_keeps_every_record_that_is_whole(
    home: Path, edited: Edited, edit: str, lost: int
) -> None:
    """Afterwards the store is whole, and a second repair finds nothing to do."""
    truth = bodies(home)
    edited(edit)
    assert failing(home)

    said = mended(home)

    now = bodies(home)
    assert said
    assert failing(home) == []
    assert len(truth) - len(now) == lost
    assert all(truth[name] == body for name, body in now.items())
    assert mended(home) == (said[-1:] if lost else [])
    assert lost == sum("gone and could not be found" in each for each in said)


def test_what_cannot_be_trusted_is_kept_in_the_quarantine(
    home: Path, edited: Edited
) -> None:
    """A person may still read it: the row is there as it was found."""
    edited(
        "UPDATE checkpoint SET body = replace(body, 'rotate', 'giraffe') WHERE number = 3"
    )

    mended(home)

    copy, name = sorted(aside(home), reverse=True)
    assert copy == "store-001"  # everything as it was found, before anything changed
    kept = json.loads((home / "quarantine" / name).read_text(encoding="ascii"))
    assert kept["table"] == "checkpoint"
    assert "giraffe instead of renewing" in kept["values"]["body"]
    assert (home / "quarantine" / name).stat().st_mode & 0o077 == 0


def test_a_quarantined_record_has_a_tombstone_that_says_so(
    home: Path, edited: Edited, opened: Opened
) -> None:
    """Its number is never given again, and whoever asks for it is told why."""
    edited(
        "UPDATE checkpoint SET body = replace(body, 'rotate', 'giraffe') WHERE number = 3"
    )
    mended(home)

    store = opened()
    new = store.put(
        a_draft(session_id=session_number(0), project_id="5f2c1a9be2d04477")
    )

    assert new.checkpoint.number == RECORDS + 1
    assert len(store.search(Query(words=("number",)), Scope(), 100)) == RECORDS - 7


def test_a_file_that_is_no_store_any_more_is_made_again(home: Path) -> None:
    """The first bytes are damaged, the records are not."""
    truth = bodies(home)
    with (home / "holdfast.db").open("r+b") as file:
        file.write(b"\0" * 24)

    (said, *_) = mended(home)

    assert "the store's file was broken: kept in" in said
    assert bodies(home) == truth
    assert failing(home) == []
    assert (home / "quarantine" / "store-001" / "holdfast.db").read_bytes()[
        :4
    ] == b"\0" * 4


def test_a_torn_file_gives_back_what_is_left(home: Path) -> None:
    """Part of a file holds part of the records; they come back, and the rest is told."""
    truth = bodies(home)
    whole = (home / "holdfast.db").read_bytes()
    (home / "holdfast.db").write_bytes(whole[: len(whole) * 3 // 4])

    with pytest.raises(StoreDamaged, match="are gone and could not be") as told:
        list(repair(str(home), NOON))

    now = bodies(home)
    assert f"{home}/quarantine" in told.value.message
    assert 0 < len(now) < len(truth)
    assert all(truth[name] == body for name, body in now.items())
    assert [told for told in failing(home) if not told.startswith("head:")] == []


def test_a_damaged_page_costs_only_its_own_rows(home: Path) -> None:
    """A page of zeros in the middle of the records."""
    truth = bodies(home)
    connection = apsw.Connection(str(home / "holdfast.db"))
    leaves = connection.execute(
        "SELECT pageno FROM dbstat WHERE name = 'checkpoint' AND pagetype = 'leaf'"
    ).fetchall()
    page = int(str(leaves[2][0]))
    connection.close()
    with (home / "holdfast.db").open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\0" * 4096)

    with pytest.raises(StoreDamaged, match="gone and could not be found again"):
        list(repair(str(home), NOON))

    now = bodies(home)
    assert len(truth) - 8 <= len(now) < len(truth)
    assert failing(home) == []


@pytest.mark.parametrize(
    "tables", [("project_alias",), ("project",), ("project", "project_alias")]
)
def test_a_directory_finds_its_checkpoints_when_its_projects_page_was_damaged(
    home: Path, tables: tuple[str, ...]
) -> None:
    """A repaired store whose checkpoints nobody finds is as good as lost."""
    with (home / "holdfast.db").open("r+b") as file:
        for page in pages_of(home, *tables):
            file.seek((page - 1) * 4096)
            file.write(b"\xa5" * 4096)

    mended(home)

    with open_store(str(home), create=False) as store:
        draft = a_full_draft()
        found = store.known_project(identity(draft.project_root))
        assert found is not None
        assert found.project_id == draft.project_id
    assert failing(home) == []


def pages_of(home: Path, *tables: str) -> list[int]:
    connection = apsw.Connection(str(home / "holdfast.db"))
    question = "SELECT rootpage FROM sqlite_master WHERE name = ?"
    pages = [
        connection.execute(question, (table,)).fetchall()[0][0] for table in tables
    ]
    connection.close()
    return [int(str(page)) for page in pages]


def test_a_newer_store_is_not_repaired(home: Path, edited: Edited) -> None:
    """What looks broken may only be newer."""
    edited("PRAGMA user_version = 9999")
    before = (home / "holdfast.db").read_bytes()

    with pytest.raises(StoreNewer):
        mended(home)

    assert (home / "holdfast.db").read_bytes() == before


def test_a_writer_that_has_the_old_file_open_does_not_write_into_it(
    home: Path, opened: Opened
) -> None:
    """What it acknowledged would be lost in the quarantine; it has to spool instead."""
    store = opened()
    with (home / "holdfast.db").open("r+b") as file:
        file.seek(18)
        file.write(b"\0\0\0\0\0\0")
    (home / "holdfast.db-wal").unlink(missing_ok=True)

    mended(home)

    with pytest.raises(StoreBusy):
        store.put(a_draft())


def flips(size: int, count: int, seed: int) -> Iterator[tuple[int, int]]:
    chance = random.Random(seed)  # noqa: S311  # the same flips in every run
    for _ in range(count):
        yield chance.randrange(size), 1 << chance.randrange(8)


class Verdict(NamedTuple):
    gone: int = 0
    wrong: str = ""


def judged(
    home: Path, copy: Path, place: int, bit: int, truth: dict[str, str]
) -> Verdict:
    """Repair a copy with one flipped bit; say what it cost, and what is wrong with that."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(home, copy)
    data = bytearray((home / "holdfast.db").read_bytes())
    data[place] ^= bit
    (copy / "holdfast.db").write_bytes(data)
    wrong = list[str]()
    try:
        said = mended(copy)
    except StoreNewer:
        return Verdict()  # the flip made a newer version of it; nothing was touched
    now = bodies(copy)
    gone = len(truth.keys() - now.keys())
    if any("gone and could not be found" in each for each in said) != bool(gone):
        wrong.append(f"{gone} gone, and said: {said}")
    if any(truth.get(name) != body for name, body in now.items()):
        wrong.append("a changed record stayed")
    if gone > 1:
        wrong.append(f"{gone} records gone")
    return Verdict(gone, "; ".join([*wrong, *failing(copy)]))


def tell_repaired(good: Path, copy: Path, count: int, seed: int) -> None:
    truth = bodies(good)
    size = (good / "holdfast.db").stat().st_size
    verdicts = {
        (place, bit): judged(good, copy, place, bit, truth)
        for place, bit in flips(size, count, seed)
    }
    failed = {place: each.wrong for place, each in verdicts.items() if each.wrong}
    most = max(each.gone for each in verdicts.values())
    wrong = {"repaired_badly": len(failed)}
    figure("F7", "flipped bits repaired", count, wrong, failed, most_records_lost=most)


@pytest.mark.timeout(120)
def test_one_flipped_bit_costs_at_most_one_record(good: Path, tmp_path: Path) -> None:
    """Wherever it is: in a record, a hash, a page's own structure, the index."""
    tell_repaired(good, tmp_path / "copy", 40, seed=7)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_four_hundred_flipped_bits_cost_at_most_one_record_each(
    good: Path, tmp_path: Path
) -> None:
    """The figure that docs/concepts/health.md states."""
    tell_repaired(good, tmp_path / "copy", 400, seed=20260118)


@pytest.mark.timeout(120)
def test_a_repair_killed_anywhere_is_finished_by_the_next(
    good: Path, tmp_path: Path
) -> None:
    """Moving a broken file aside must never leave nothing in its place."""
    truth = bodies(good)
    home = tmp_path / "home"

    def broken() -> None:
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(good, home)
        with (home / "holdfast.db").open("r+b") as file:
            file.write(b"\0" * 24)

    def work() -> None:
        mended(home)

    broken()
    work()
    broken()
    rooms = ("repairing", "salvage", "quarantine", "journal")
    points = [p for p in points_of(work) if any(room in p[0] for room in rooms)]
    for point in points[:: max(1, len(points) // 30)]:
        broken()
        assert dies_at(point, work), point
        mended(home)
        assert bodies(home) == truth, point
        assert failing(home) == [], point
        assert not list(home.glob("*.new")), point
