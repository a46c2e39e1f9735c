"""Whatever happens to a store's bytes, `check` says so."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.client import Client, Delivery, HookCost, Switch
from holdfast.domain.query import Scope
from holdfast.kernel.errors import CheckpointNotFound, StoreDamaged
from holdfast.kernel.ids import reference
from holdfast.kernel.lazy_values import replace
from holdfast.store.sqlite.schema.seals import SEALED
from holdfast.store.sqlite.store import SqliteStore, open_store
from tests.builders import SESSION, a_draft, a_full_draft, session_number
from tests.faults.figures import figure

Opened = Callable[..., SqliteStore]
Edited = Callable[[str], None]
HERE = Scope()


def failing(store: SqliteStore) -> dict[str, str]:
    return {f.name: f.message for f in store.check() if f.state == "fail"}


@pytest.fixture
def store(opened: Opened) -> SqliteStore:
    """Six records of two sessions, one of them removed."""
    store = opened()
    kept = [store.put(a_full_draft(name=f"name-{n}")).checkpoint for n in range(5)]
    store.put(a_draft(session_id=session_number(1)))
    store.remove([kept[1].checkpoint_id], "test")
    store._database.wipe_log()
    return store


def test_each_finding_says_what_was_found(store: SqliteStore) -> None:
    """One line each, as `doctor` shows them."""
    told = [(f.name, f.state, f.message) for f in store.check()]

    assert told == [
        ("structure", "ok", "structure whole"),
        ("chain", "ok", "5 checkpoints, chain whole"),
        ("head", "ok", "head matches"),
        ("rows", "ok", "every row is as it was kept"),
        ("index", "ok", "index agrees with 5 records"),
        ("log", "ok", "0 frames, all whole"),
        ("journal", "ok", "7 lines agree"),
    ]


@pytest.mark.parametrize(
    ("edit", "finding"),
    [
        pytest.param(
            "UPDATE checkpoint SET body = replace(body, 'JWT', 'XSS') WHERE number = 3",
            "chain",
            id="a changed body",
        ),
        pytest.param(
            "DELETE FROM checkpoint WHERE number = 3", "chain", id="a lost record"
        ),
        pytest.param(
            "DELETE FROM chain WHERE position = 3", "chain", id="a lost entry"
        ),
        pytest.param(
            "DELETE FROM checkpoint WHERE number = 3;"
            "DELETE FROM chain WHERE position = 3",
            "chain",
            id="a middle record with its entry",
        ),
        pytest.param(
            "DELETE FROM checkpoint WHERE number = 6;"
            "DELETE FROM chain WHERE position = 6",
            "chain",
            id="the newest record with its entry",
        ),
        pytest.param(
            "UPDATE chain SET hash = replace(hash, 'a', 'b')", "chain", id="hashes"
        ),
        pytest.param("DELETE FROM tombstone", "chain", id="a lost tombstone"),
        pytest.param(
            "UPDATE tombstone SET reason = 'other'", "chain", id="a changed tombstone"
        ),
        pytest.param(
            "UPDATE tombstone SET old_hash = 'other'", "chain", id="a forged tombstone"
        ),
        pytest.param(
            "UPDATE chain SET checkpoint_id = 'ccp-x' WHERE position = 2",
            "chain",
            id="an entry of another record",
        ),
        pytest.param("UPDATE store SET hash = 'x'", "chain", id="a changed head"),
        pytest.param("UPDATE store SET records = 9", "chain", id="a changed count"),
        pytest.param("DELETE FROM store", "chain", id="a lost head"),
        pytest.param(
            "INSERT INTO search_index (search_index) VALUES ('delete-all')",
            "index",
            id="a lost index entry",
        ),
        pytest.param(
            "INSERT INTO search_index (rowid, words) VALUES (99, 'x \x9eall')",
            "index",
            id="a stray index entry",
        ),
        pytest.param(
            "UPDATE session SET sequence = 1", "index", id="a sequence counter set back"
        ),
        pytest.param(
            "UPDATE project SET number = 1", "index", id="a number counter set back"
        ),
        pytest.param(
            "UPDATE store SET observations = 1", "index", id="an observation counter"
        ),
        pytest.param("DELETE FROM session", "structure", id="a lost session"),
        *(
            pytest.param(
                f"UPDATE checkpoint SET {column} = {column} || '9' WHERE number = 3",  # noqa: S608  # a name from the list below
                "index",
                id=f"a changed {column}",
            )
            for column in (
                "checkpoint_id", "session_id", "project_id", "workspace", "key",
                "state_key", "type", "trigger",
            )
        ),
        *(
            pytest.param(
                f"UPDATE checkpoint SET {column} = 99 WHERE number = 3",  # noqa: S608  # a name from the list below
                "index",
                id=f"a changed {column}",
            )
            for column in ("sequence", "number", "created_at")
        ),
    ],
)  # fmt: skip
def test_every_change_behind_our_back_is_found(
    store: SqliteStore, opened: Opened, edited: Edited, edit: str, finding: str
) -> None:
    """The statement is what a bug, a tool or a person could do to the file."""
    store.close()
    edited(edit)

    assert finding in failing(opened())


@pytest.mark.parametrize(
    ("name", "change"),
    [
        pytest.param("head", lambda data: data[:50], id="truncated"),
        pytest.param("head", lambda _: b"", id="emptied"),
        pytest.param("head", lambda data: b"x" + data[1:], id="changed"),
        pytest.param("head", None, id="removed"),
    ],
)
def test_a_damaged_head_is_found(
    store: SqliteStore, home: Path, name: str, change: Callable[[bytes], bytes] | None
) -> None:
    """Without it nobody could tell that the newest records were cut off."""
    path = home / name
    if change is None:
        path.unlink()
    else:
        path.write_bytes(change(path.read_bytes()))

    assert failing(store) == {"head": "the head file is missing or damaged"}


def test_the_next_save_makes_a_lost_head_again(store: SqliteStore, home: Path) -> None:
    """A head without content is no evidence worth keeping."""
    (home / "head").unlink()

    store.put(a_draft())

    assert failing(store) == {}


def test_a_store_that_was_set_back_is_found_and_stays_found(
    store: SqliteStore, opened: Opened, home: Path
) -> None:
    """An old copy of the file is whole in itself; only the head knows better."""
    old = (home / "holdfast.db").read_bytes()
    for _ in range(3):
        store.put(a_draft())
    store.close()
    for leftover in ("holdfast.db-wal", "holdfast.db-shm"):
        (home / leftover).unlink(missing_ok=True)
    (home / "holdfast.db").write_bytes(old)

    set_back = opened()
    assert failing(set_back) == {"head": "the 3 newest entries of the chain are gone"}
    for _ in range(2):
        with pytest.raises(StoreDamaged, match="the 3 newest entries are gone"):
            set_back.put(a_draft())

    assert failing(set_back) == {"head": "the 3 newest entries of the chain are gone"}


def test_a_head_that_is_behind_is_fine(store: SqliteStore, home: Path) -> None:
    """A crash between the commit and the head leaves exactly that."""
    behind = (home / "head").read_bytes()
    store.put(a_draft())
    (home / "head").write_bytes(behind)

    assert failing(store) == {}
    assert "behind" in {f.name: f.message for f in store.check()}["head"]


def test_a_changed_record_is_not_shown_as_if_it_were_whole(
    store: SqliteStore, opened: Opened, edited: Edited
) -> None:
    """`get` and `find` refuse it; lists leave it out and keep the others in reach."""
    store.close()
    edited("UPDATE checkpoint SET body = replace(body, 'JWT', 'XSS') WHERE number = 3")
    damaged = opened()
    (checkpoint_id,) = damaged._database.one(
        "SELECT checkpoint_id FROM checkpoint WHERE number = 3"
    )

    with pytest.raises(StoreDamaged) as refused:
        damaged.get(checkpoint_id)
    with pytest.raises(StoreDamaged):
        damaged.find(reference("3"), HERE)
    assert refused.value.exit_status == 13
    assert [c.number for c in damaged.list(HERE, session=SESSION)] == [5, 4, 1]


def test_a_damaged_record_does_not_stand_in_the_way_of_a_save(
    opened: Opened, edited: Edited
) -> None:
    """Even the session's last one, which a save looks at."""
    opened().put(a_draft(state_key="same"))
    edited("UPDATE checkpoint SET body = '{}'")

    assert opened().put(a_draft(state_key="same")).outcome == "saved"


def dump(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return what a reader gets of everything that is kept but folds, which have sums."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return {
            table: connection.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608  # a name from the list below
            for table in ("chain", "tombstone", "rewrite", "search_state", *SEALED)
        }
    finally:
        connection.close()


def flips(size: int, count: int) -> Iterator[tuple[int, int]]:
    chance = random.Random(20260118)  # noqa: S311  # the same flips in every run
    for _ in range(count):
        yield chance.randrange(100, size), 1 << chance.randrange(8)


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    ("records", "bits"),
    [
        pytest.param(60, 250, id="250 bits"),
        pytest.param(200, 400, id="400 bits", marks=pytest.mark.slow),
    ],
)
def test_every_flipped_bit_that_changes_what_is_read_is_found(
    opened: Opened, home: Path, tmp_path: Path, records: int, bits: int
) -> None:
    """The engine's own check sees hardly any; chain, seals and sums must see them all."""
    store = opened()
    for number in range(records):
        draft = a_full_draft(title=f"Number {number}", summary="x" * (number % 60 * 40))
        kept = store.put(replace(draft, session_id=session_number(number // 2)))
        beside(store, kept.checkpoint)
    store._database.wipe_log()
    store.close()
    whole = (home / "holdfast.db").read_bytes()
    head = (home / "head").read_bytes()
    truth = dump(home / "holdfast.db")
    changed = missed = 0

    for place, bit in flips(len(whole), bits):
        copy = tmp_path / "copy"
        copy.mkdir(mode=0o700, exist_ok=True)
        for old in copy.iterdir():
            old.unlink()
        flipped = bytearray(whole)
        flipped[place] ^= bit
        (copy / "holdfast.db").write_bytes(flipped)
        (copy / "head").write_bytes(head)
        changed_it, found = looked_at(copy, truth)
        changed += changed_it
        missed += changed_it and not found

    wrong = {"missed": missed}
    figure("F7", "flipped bits", bits, wrong, changed_what_is_read=changed)
    assert changed > 50


def beside(store: SqliteStore, kept: Checkpoint) -> None:
    """Keep what hooks keep of a session: rows that no hash covers."""
    session_id = kept.draft.session_id
    client = Client(
        pid=kept.number + 10, started="boot", session_id=session_id, transcript="/t",
        workspace="/w", directory="/w", source="startup", headless=False, seen_at=1,
    )  # fmt: skip
    offer = Delivery(
        session_id=session_id, what="card", rule="startup", workspace="/w",
        source="startup", checkpoint_id=kept.checkpoint_id, boundary="", tokens=40,
        offered_at=1,
    )  # fmt: skip
    store.note_client(client)
    store.offer(offer)
    store.add_cost(session_id, HookCost(1, 2, 3, 4))
    store.switch_off(Switch("session", session_id, None))


def looked_at(copy: Path, truth: object) -> tuple[bool, bool]:
    """Say whether a flip changed what is read, and if so, whether it was found."""
    try:
        if dump(copy / "holdfast.db") == truth:
            return False, False  # there is nothing to find
    except (apsw.Error, UnicodeDecodeError):
        pass
    try:
        with open_store(str(copy), create=False) as store:
            return True, bool(failing(store))
    except (StoreDamaged, CheckpointNotFound, OSError):
        return True, True


@pytest.mark.timeout(120)
def test_a_definition_of_the_index_with_a_flipped_bit_is_told(
    opened: Opened, home: Path
) -> None:
    """The engine has a sentence of its own for each option it does not know any more."""
    store = opened()
    store.put(a_draft("One"))
    store._database.wipe_log()
    store.close()
    file = home / "holdfast.db"
    good = file.read_bytes()
    start = good.index(b"CREATE VIRTUAL TABLE search_index")
    unseen = []
    for place in range(start, good.index(b")", start) + 1):
        damaged = bytearray(good)
        damaged[place] ^= 1 << place % 8
        file.write_bytes(damaged)
        try:
            with open_store(str(home), create=False) as hurt:
                seen = failing(hurt)
        except StoreDamaged as error:
            seen = {"opening": error.message}
        if not seen:
            unseen.append(place - start)

    assert unseen == []
