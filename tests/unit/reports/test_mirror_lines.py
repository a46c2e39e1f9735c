"""What people are told of mirrors."""

from holdfast.domain.outbox import OutboxState
from holdfast.reports.mirror_lines import down_lines, fallback_report, mirror_names
from tests.builders import a_full_draft
from tests.memory_store.store import MemoryStore


def down(**changes: object) -> OutboxState:
    values = {
        "target": "memora",
        "waiting": 2,
        "failures": 1,
        "error": "nobody answers",
    }
    return OutboxState(**{**values, **changes})  # type: ignore[arg-type]  # of several types


def test_each_mirror_calls_a_record_its_own_way() -> None:
    """A number is what the other system is asked by."""
    remotes = {
        "memora": {"memories": [3, 4]},
        "claude-mem": {"observations": [8047], "summary": 12},
        "team": "somewhere",
    }

    assert list(mirror_names(remotes)) == [
        "claude-mem: Observation #8047",
        "memora: Memory #3, #4",
    ]


def test_a_mirror_that_is_down_is_one_line() -> None:
    """Nobody has to do anything, so nobody is told to."""
    (line,) = down_lines([down(), down(failures=0), down(waiting=0)])

    assert line == (
        "memora is down (nobody answers): nothing is lost, 2 changes for it are kept"
        " here and will be sent automatically; `holdfast sync memora` tries now"
    )


def test_one_change_is_told_as_one() -> None:
    (line,) = down_lines([down(waiting=1)])

    assert "1 change for it is kept here and will be sent automatically;" in line


def test_there_is_no_fallback_where_nothing_is_down() -> None:
    """A report begins with it only if it is true."""
    checkpoint = MemoryStore().put(a_full_draft()).checkpoint

    assert fallback_report(checkpoint, [down(failures=0)]) == ""
    told = fallback_report(checkpoint, [down(), down(target="claude-mem")])
    assert "(Fallback Mode - memora, claude-mem unavailable)" in told
    assert "\x1b" not in fallback_report(checkpoint, [down(error="a\x1b[2Jb")])
