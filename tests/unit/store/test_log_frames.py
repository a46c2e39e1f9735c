"""The write-ahead log, read frame by frame: damage stays where it is."""

import random
from pathlib import Path

import apsw
import pytest

from holdfast.store.sqlite.repair.log_frames import (
    PAGE_BYTES,
    LogReading,
    overlaid,
    read_log,
)

FRAME = 24 + PAGE_BYTES


class Log:
    """A database whose rows are still in its log."""

    def __init__(self, home: Path) -> None:
        path = home / "some.db"
        connection = apsw.Connection(str(path))
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        connection.pragma("journal_mode", "wal")
        connection.execute("CREATE TABLE said (words TEXT)")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        for number in range(12):
            connection.execute("INSERT INTO said VALUES (?)", (f"{number} " * 900,))
        connection.close()
        self.database = path.read_bytes()
        self.bytes = (home / "some.db-wal").read_bytes()
        self.whole = read_log(self.bytes)
        folder = apsw.Connection(str(path))
        folder.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        folder.close()
        self.folded = path.read_bytes()

    def flipped(self, place: int, bit: int) -> LogReading:
        data = bytearray(self.bytes)
        data[place] ^= bit
        return read_log(bytes(data))

    def apart(self, found: LogReading) -> list[int]:
        """Return the frames that are read as something else."""
        assert len(found.frames) == len(self.whole.frames)
        pairs = enumerate(zip(found.frames, self.whole.frames, strict=True))
        return [at for at, (now, before) in pairs if now != before]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    return Log(tmp_path_factory.mktemp("log"))


def test_a_whole_log_is_brought_in_as_the_engine_does(log: Log) -> None:
    """Byte for byte."""
    assert len(log.whole.frames) == log.whole.read_by_engine > 12
    assert log.whole.hidden_commits == 0
    assert overlaid(log.database, log.whole.frames) == log.folded


def test_a_flipped_bit_of_the_log_costs_at_most_its_own_frame(log: Log) -> None:
    """The engine stops there; what comes after is as it was, and most of it is mended."""
    chance = random.Random(11)  # noqa: S311  # the same flips in every run
    places = [*range(0, 80, 7), *(chance.randrange(len(log.bytes)) for _ in range(12))]
    mended = 0

    for place in places:
        apart = log.apart(log.flipped(place, 1 << chance.randrange(8)))
        assert apart in ([], [(place - 32) // FRAME]), place
        mended += not apart

    assert mended > len(places) // 2


def test_what_the_engine_does_not_read_is_counted(log: Log) -> None:
    """A log is damaged where a transaction lies behind a frame that does not match."""
    found = log.flipped(32 + 3 * FRAME + 500, 1)

    assert found.read_by_engine == 3
    assert found.hidden_commits > 8
    assert overlaid(log.database, found.frames) == log.folded


@pytest.mark.parametrize("size", [0, 10, 31, 32, 33, 40, FRAME])
def test_a_log_that_was_cut_has_what_is_left(log: Log, size: int) -> None:
    """Down to nothing."""
    assert read_log(log.bytes[:size]).frames == ()
    assert overlaid(log.database, ()) == log.database


def test_frames_of_an_earlier_round_are_none(log: Log) -> None:
    """A log that was begun anew still has the old frames behind the new ones."""
    older = bytearray(log.bytes[32 : 32 + 2 * FRAME])
    for start in (8, FRAME + 8):
        older[start : start + 8] = b"\1" * 8

    assert read_log(log.bytes + bytes(older)) == log.whole
