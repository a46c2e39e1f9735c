"""The journal: a line for each entry of the chain, and nothing that was let go of."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.kernel.errors import StoreDamaged
from holdfast.store.journal import Journal, JournalEntry, decode, encode
from holdfast.store.sqlite.repair.repairing import repair
from holdfast.store.sqlite.store import SqliteStore, open_store
from tests.builders import NOON, a_draft, a_full_draft, session_number
from tests.faults.dying import dies_at, points_of
from tests.stores import bodies

Opened = Callable[..., SqliteStore]
ENTRY = JournalEntry(7, "record", "ccp-x", "api", '{"title":"é"}', "f" * 64)


def told(store: SqliteStore) -> str:
    return {f.name: f.message for f in store.check()}["journal"]


def everywhere(home: Path, word: str) -> list[str]:
    files = [path for path in home.rglob("*") if path.is_file()]
    return [path.name for path in files if word.encode() in path.read_bytes()]


@pytest.mark.parametrize(
    "entry", [ENTRY, ENTRY._replace(name=None, text=None, kind="tombstone")]
)
def test_a_line_says_what_was_written(entry: JournalEntry) -> None:
    """Whatever is missing in it."""
    assert decode(encode(entry).removesuffix(b"\n")) == entry


def test_every_changed_byte_of_a_line_is_noticed() -> None:
    """A witness that was changed must not be believed."""
    line = encode(ENTRY).removesuffix(b"\n")
    damaged = (
        line[:at] + bytes([line[at] ^ bit]) + line[at + 1 :]
        for at in range(len(line))
        for bit in (1, 0x80)
    )

    assert all(decode(each) is None for each in damaged)


def test_each_entry_has_its_line(opened: Opened) -> None:
    """Records, removals and rewrites."""
    store = opened()
    kept = [store.put(a_draft(f"Number {n}")).checkpoint for n in range(4)]
    store.remove([kept[0].checkpoint_id], "test", NOON)
    store.rewrite(kept[1].checkpoint_id, a_full_draft(title="Again"), "test")

    assert told(store) == "6 lines agree"


def test_what_was_removed_or_rewritten_is_in_no_line(
    opened: Opened, home: Path
) -> None:
    """A witness of what the user took back would be a leak."""
    store = opened()
    gone = store.put(a_draft("giraffe")).checkpoint.checkpoint_id
    again = store.put(a_draft("elephant")).checkpoint.checkpoint_id
    assert everywhere(home / "journal", "giraffe")

    store.remove([gone], "test", NOON)
    store.rewrite(again, a_draft("zebra"), "test")
    store.wipe()

    assert everywhere(home, "giraffe") == []
    assert everywhere(home, "elephant") == []
    assert told(store) == "4 lines agree"


def test_a_record_has_the_name_it_was_given_last(opened: Opened, home: Path) -> None:
    """The name is outside the hash, and the user finds the record by it."""
    store = opened()
    first = store.put(a_draft("One", name="api")).checkpoint
    second = store.put(a_draft("Two", name="api", replace_name=True)).checkpoint
    store.rename(first.checkpoint_id, "older")
    store.close()
    (home / "holdfast.db").unlink()

    list(repair(str(home), NOON))

    after = opened()
    assert after.get(first.checkpoint_id).name == "older"
    assert after.get(second.checkpoint_id).name == "api"


def test_a_journal_that_is_behind_catches_up(opened: Opened, home: Path) -> None:
    """Whoever died before its line was written costs nothing."""
    store = opened()
    for number in range(3):
        store.put(a_draft(f"Number {number}"))
    shutil.rmtree(home / "journal")
    assert "3 entries behind" in told(store)

    store.put(a_draft("The next"))

    assert told(store) == "4 lines agree"


@pytest.mark.parametrize(
    "tail", [b"x", b"half a line", b"\t9\tff\t0\n", b"\t9\t\xff\xfe\t0\n", b"9" * 5000]
)
def test_a_torn_end_costs_no_line_after_it(
    opened: Opened, home: Path, tail: bytes
) -> None:
    """What a killed process left is followed by a whole line, and repaired some day."""
    store = opened()
    store.put(a_draft("One"))
    (file,) = (home / "journal").iterdir()
    with file.open("ab") as end:
        end.write(tail)

    store.put(a_draft("Two"))
    lines = [entry.position for entry in Journal(str(home)).entries() if entry]
    store.close()
    said = list(repair(str(home), NOON))

    assert lines == [1, 2]
    assert said == ["the journal was written again from the records"]
    assert told(opened()) == "2 lines agree"


def test_a_journal_of_another_chain_is_set_aside(opened: Opened, home: Path) -> None:
    """It may be the only thing that has those records; and ours need one of their own."""
    store = opened()
    for number in range(3):
        store.put(a_draft(f"Number {number}"))
    shutil.copytree(home / "journal", home / "other")
    store.close()
    shutil.rmtree(home / "journal")
    for path in (*home.glob("holdfast.db*"), home / "head"):
        path.unlink()
    opened().put(a_draft("Another chain"))
    shutil.rmtree(home / "journal")
    (home / "other").rename(home / "journal")

    after = opened()
    after.put(a_draft("And on"))

    assert told(after) == "2 lines agree"
    assert everywhere(home / "quarantine" / "journal-001", "Number 2")


def test_lines_go_into_a_new_file_after_a_megabyte(
    opened: Opened, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Taking one record out must not write all of them again."""
    monkeypatch.setattr("holdfast.store.journal._SEGMENT_BYTES", 5_000)
    store = opened()
    kept = [store.put(a_draft(f"Number {n}")).checkpoint for n in range(9)]
    files = sorted((home / "journal").iterdir())
    before = {path.name: path.read_bytes() for path in files}
    store.remove([kept[0].checkpoint_id], "test", NOON)

    assert len(files) > 2
    changed = [p.name for p in files if p.read_bytes() != before[p.name]]
    assert files[0].name in changed
    assert {*changed} <= {files[0].name, files[-1].name}
    assert told(store) == "10 lines agree"


@pytest.mark.timeout(120)
def test_a_removal_killed_anywhere_leaves_nothing_once_it_is_finished(
    home: Path, tmp_path: Path, opened: Opened
) -> None:
    """Between the commit and the lines, the text is still there: the next one takes it."""
    store = opened()
    gone = store.put(a_draft("giraffe")).checkpoint.checkpoint_id
    store.put(a_draft("Another", session_id=session_number(2)))
    store.close()
    shutil.copytree(home, tmp_path / "good")

    def work() -> None:
        again = opened()
        again.remove([gone], "test", NOON)
        again.wipe()
        again.close()

    points = [p for p in points_of(work) if "journal" in p[0]]
    assert points
    for point in points:
        shutil.rmtree(home)
        shutil.copytree(tmp_path / "good", home)
        assert dies_at(point, work), point
        work()
        assert everywhere(home, "giraffe") == [], point


def test_nothing_is_written_over_what_the_head_knows_of(
    opened: Opened, home: Path, tmp_path: Path
) -> None:
    """A write after a damaged frame would go over intact ones: it waits in the spool."""
    store = opened()
    store._database.wipe_log()
    for number in range(6):
        store.put(a_draft(f"Number {number}", session_id=session_number(number)))
    store.close()
    shutil.copytree(home, tmp_path / "copy")  # looking folds the log
    truth = bodies(tmp_path / "copy")
    log = home / "holdfast.db-wal"
    data = bytearray(log.read_bytes())
    data[len(data) // 4] ^= 4
    log.write_bytes(data)

    for _ in range(2):
        with pytest.raises(StoreDamaged, match="newest entries are gone"):
            opened().put(a_draft("Over it"))

    assert log.read_bytes() == data
    shutil.rmtree(home / "journal")  # the log alone has them all
    list(repair(str(home), NOON))
    assert bodies(home) == truth


@pytest.mark.timeout(120)
def test_a_repair_from_the_journal_killed_anywhere_is_finished_by_the_next(
    home: Path, tmp_path: Path, opened: Opened
) -> None:
    """The file is gone: the journal alone has the records, and must have them until then."""
    store = opened()
    for number in range(4):
        store.put(a_draft(f"Number {number}", session_id=session_number(number)))
    store.wipe()
    store.close()
    truth = bodies(home)
    (home / "holdfast.db").unlink()
    shutil.copytree(home, tmp_path / "gone")

    def work() -> None:
        list(repair(str(home), NOON))

    work()  # imports everything, so that children need not
    shutil.rmtree(home)
    shutil.copytree(tmp_path / "gone", home)
    points = [point for point in points_of(work) if "/store/" in point[0]]
    for point in points[:: len(points) // 25]:
        shutil.rmtree(home)
        shutil.copytree(tmp_path / "gone", home)
        assert dies_at(point, work), point
        work()
        assert bodies(home) == truth, point


def test_what_was_removed_goes_with_a_line_that_cannot_be_read(
    opened: Opened, home: Path
) -> None:
    """Two lines became one where a bit flipped in the end of the first."""
    store = opened()
    kept = [store.put(a_draft(f"Quagga {n}")).checkpoint for n in range(3)]
    [file] = (home / "journal").iterdir()
    data = bytearray(file.read_bytes())
    data[data.index(b"\n")] ^= 0x20
    file.write_bytes(bytes(data))

    store.remove([kept[0].checkpoint_id], "test", NOON)

    assert b"Quagga 0" not in file.read_bytes()


def test_a_position_that_no_store_has_is_no_line() -> None:
    """Its checksum is right; a number of 25 digits fits into no database."""
    line = encode(ENTRY._replace(position=10**25)).removesuffix(b"\n")

    assert decode(line) is None


def test_a_journal_that_is_no_file_is_told_and_ends_no_check(
    opened: Opened, home: Path
) -> None:
    """Whatever lies there, a check says so and a save goes on."""
    store = opened()
    store.put(a_draft("One"))
    [file] = (home / "journal").iterdir()
    file.unlink()
    file.mkdir()

    assert told(store) != "1 line agrees"
    assert store.put(a_draft("Two")).checkpoint.number == 2


def test_a_journal_behind_a_link_is_not_written(opened: Opened, home: Path) -> None:
    """No link is followed for writing."""
    elsewhere = home.parent / "elsewhere"
    elsewhere.mkdir()
    home.mkdir(exist_ok=True)
    (home / "journal").symlink_to(elsewhere)

    opened().put(a_draft("One"))

    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize("ours", [2, 5, 7])
def test_a_journal_of_another_store_is_never_taken_for_ours(
    opened: Opened, home: Path, tmp_path: Path, ours: int
) -> None:
    """The file is gone, and somebody put another store's journal there: the head knows."""
    other = open_store(str(tmp_path / "other"), create=True)
    for number in range(7):
        other.put(a_draft(f"Theirs {number}"))
    other.close()
    store = opened()
    for number in range(ours):
        store.put(a_draft(f"Ours {number}"))
    store.close()
    for path in home.glob("holdfast.db*"):
        path.unlink()
    shutil.rmtree(home / "journal")
    shutil.copytree(tmp_path / "other" / "journal", home / "journal")

    said = list[str]()
    with pytest.raises(StoreDamaged, match=f"entry 1 to entry {ours} are gone"):
        said.extend(repair(str(home), NOON))

    assert bodies(home) == {}
    assert everywhere(home / "quarantine" / "journal-001", "Theirs 6")
    after = opened()
    assert after.put(a_draft("The next")).checkpoint.number == ours + 1


@pytest.mark.parametrize("ours", [2, 9])
def test_nothing_is_added_from_a_journal_of_another_store(
    opened: Opened, home: Path, tmp_path: Path, ours: int
) -> None:
    """The database is whole: lines beyond its end are somebody else's."""
    other = open_store(str(tmp_path / "other"), create=True)
    for number in range(5):
        other.put(a_draft(f"Theirs {number}"))
    other.close()
    store = opened()
    for number in range(ours):
        store.put(a_draft(f"Ours {number}"))
    store.close()
    truth = bodies(home)
    shutil.rmtree(home / "journal")
    shutil.copytree(tmp_path / "other" / "journal", home / "journal")

    said = list(repair(str(home), NOON))

    assert [line for line in said if "another store's" in line]
    assert bodies(home) == truth
    assert everywhere(home / "quarantine", "Theirs 4") == ["000000000001.log"]
    assert told(opened()) == f"{ours} lines agree"
