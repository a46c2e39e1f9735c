"""Who reads transcripts for a backfill: two processes where there are two cores, neither in
anybody's way."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from holdfast.app.past.past_drafts import PastDrafts, PastWork
from holdfast.bootstrap import Container, backfill
from holdfast.bootstrap.backfill import ForkedPool, run_backfill
from holdfast.domain.code import ProjectIdentity
from holdfast.kernel.errors import SaveFailed
from holdfast.session.fold import begin
from tests.builders import SESSION

_LESS_URGENT = 10


def _work(transcript: str) -> PastWork:
    return PastWork(
        start=begin(SESSION, "claude-code"),
        transcript=transcript,
        identity=ProjectIdentity(path="/code/here", workspace="/code/here"),
        after=0,
        hostname="here",
        budget=2_000,
    )


def _who_reads(given: PastWork, key: bytes) -> PastDrafts:
    return PastDrafts(
        problem=f"{given.transcript} {key.hex()} {os.getpid()} {os.nice(0)}"
    )


@pytest.fixture
def pool() -> Iterator[ForkedPool]:
    pool = ForkedPool(_who_reads, 2)
    yield pool
    pool.close()


def test_two_read_at_once_and_let_everybody_else_go_first(pool: ForkedPool) -> None:
    """Each a process of its own, at low priority; who asked is as urgent as before."""
    before = os.nice(0)
    pool.key = b"\x01\x02"
    for place, path in enumerate(("/a", "/b")):
        assert pool.has_room()
        pool.give(place, _work(path))
    assert not pool.has_room()

    told = dict(pool.take() for _ in range(2))

    (first, second) = (told[place].problem.split() for place in (0, 1))
    assert (first[:2], second[:2]) == (["/a", "0102"], ["/b", "0102"])
    assert len({first[2], second[2], str(os.getpid())}) == 3
    assert int(first[3]) == int(second[3]) == max(before, _LESS_URGENT)
    assert os.nice(0) == before
    assert pool.has_room()


def test_a_reader_that_dies_is_a_sentence_and_no_wait_for_ever() -> None:
    """The kernel takes the largest process first."""

    def dies(_given: PastWork, _key: bytes) -> PastDrafts:
        os.kill(os.getpid(), signal.SIGKILL)
        return PastDrafts()

    pool = ForkedPool(dies, 1)
    pool.give(0, _work("/a"))

    with pytest.raises(SaveFailed, match="ended in the middle") as told:
        pool.take()

    pool.close()
    assert "continues there" in str(told.value.hint)


def test_no_reader_is_left_behind() -> None:
    """Also one that is in the middle of a long transcript."""

    def reads_long(_given: PastWork, _key: bytes) -> PastDrafts:
        signal.pause()
        return PastDrafts()

    pool = ForkedPool(reads_long, 2)
    readers = [reader.pid for reader in pool._idle]
    pool.give(0, _work("/a"))

    pool.close()

    assert len(readers) == 2
    for reader in readers:
        with pytest.raises(ProcessLookupError):
            os.kill(reader, 0)


@pytest.mark.parametrize(("cores", "readers"), [(1, None), (2, 2), (16, 2)])
def test_there_are_two_where_there_are_two_cores(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cores: int, readers: int | None
) -> None:
    """On one, the process that writes also reads."""
    made: list[int] = []

    class Counted(ForkedPool):
        def __init__(self, work: backfill.Work, count: int) -> None:
            made.append(count)
            super().__init__(work, count)

    monkeypatch.setattr(backfill, "ForkedPool", Counted)
    monkeypatch.setattr(backfill, "_be_patient", lambda: None)  # this process goes on
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: set(range(cores)))

    environ = {"HOLDFAST_HOME": str(tmp_path / "data"), "HOME": str(tmp_path)}
    with closing(Container(environ=environ, project=str(tmp_path))) as container:
        run_backfill(container, None, None, lambda _done: None)

    assert made == ([] if readers is None else [readers])
