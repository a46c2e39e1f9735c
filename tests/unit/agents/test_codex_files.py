"""Where Codex CLI keeps a session: forks by reference, compressed files, what is gone."""

import os
from pathlib import Path

import pytest
from zstandard import ZstdCompressor

from holdfast.domain.event import Unrecognised, UserSaid
from holdfast.kernel.errors import SaveFailed
from holdfast.session.fold import begin, fold
from tests.unit.agents.codex_lines import (
    OTHER,
    THREAD,
    Rollouts,
    meta,
    name_of,
    raw,
    typed,
)

_THIRD = "01a1ee2b-6003-7d10-a2a3-2c5a1e402e6c"


@pytest.fixture
def rollouts(tmp_path: Path) -> Rollouts:
    return Rollouts(tmp_path)


def _prompts(rollouts: Rollouts, path: Path) -> list[str]:
    found = rollouts.read(path)
    return [one.text for one in found if isinstance(one, UserSaid)]


def _base(thread: str, end: int) -> dict[str, object]:
    return {"thread_id": thread, "end_ordinal_exclusive": 3, "end_byte_offset": end}


def _fork(rollouts: Rollouts, end: int) -> Path:
    forked = meta(OTHER, forked_from_id=THREAD, history_base=_base(THREAD, end))
    return rollouts.write(forked, typed("another way"), name=name_of(OTHER))


def test_a_fork_begins_with_the_past_it_only_points_to(rollouts: Rollouts) -> None:
    """It holds no copy: up to a byte of the other file, and no further."""
    past = raw(meta(), typed("one"), typed("two"))
    rollouts.path(name_of()).write_bytes(past + raw(typed("after the fork")))

    path = _fork(rollouts, len(past))

    assert _prompts(rollouts, path) == ["one", "two", "another way"]
    assert rollouts.transcripts.origin(str(path)) == THREAD
    assert rollouts.transcripts.session_of(str(path)) == OTHER


def test_a_fork_of_a_fork_reaches_back_to_the_first(rollouts: Rollouts) -> None:
    past = raw(meta(), typed("one"))
    rollouts.path(name_of()).write_bytes(past)
    middle = _fork(rollouts, len(past))
    last = meta(_THIRD, history_base=_base(OTHER, middle.stat().st_size))

    path = rollouts.write(last, typed("three"), name=name_of(_THIRD))

    assert _prompts(rollouts, path) == ["one", "another way", "three"]


def test_a_thread_that_was_taken_back_goes_on_in_its_newest_file(
    rollouts: Rollouts,
) -> None:
    past = raw(meta(), typed("one"))
    first = rollouts.path(name_of())
    first.write_bytes(past + raw(typed("two")))
    again = meta(history_base=_base(THREAD, len(past)))
    name = name_of(rollout=OTHER, moment="11-00-00")
    newest = rollouts.write(again, typed("instead"), name=name)
    os.utime(first, (1, 1))

    assert rollouts.transcripts.find(THREAD) == str(newest)
    assert _prompts(rollouts, newest) == ["one", "instead"]
    assert rollouts.transcripts.beginning_with("01a1") == (THREAD,)


def test_a_base_that_is_gone_is_counted_and_the_rest_is_read(
    rollouts: Rollouts,
) -> None:
    path = _fork(rollouts, 500)

    events = list(rollouts.read(path))

    assert [one.kind for one in events if isinstance(one, Unrecognised)] == [
        "file-gone"
    ]
    assert [one.text for one in events if isinstance(one, UserSaid)] == ["another way"]


def test_files_that_go_on_from_each_other_come_to_an_end(rollouts: Rollouts) -> None:
    rollouts.write(meta(history_base=_base(OTHER, 10_000)), typed("one"))
    path = _fork(rollouts, 10_000)

    assert "another way" in _prompts(rollouts, path)


def test_a_compressed_file_says_what_the_plain_one_said(rollouts: Rollouts) -> None:
    """The client compresses what is cold, and may do so between two looks."""
    plain = rollouts.write(meta(), typed("one"), typed("two"))
    expected = fold(begin(THREAD, "codex"), rollouts.read(plain))
    packed = plain.with_name(f"{plain.name}.zst")
    packed.write_bytes(ZstdCompressor().compress(plain.read_bytes()))
    plain.unlink()

    reading = rollouts.read(plain)

    assert fold(begin(THREAD, "codex"), reading) == expected
    assert rollouts.transcripts.find(THREAD) == str(packed)
    assert rollouts.transcripts.session_of(str(plain)) == THREAD
    again = rollouts.read(packed, reading.cursor)
    assert (list(again), again.restarted, again.cursor) == ([], False, reading.cursor)


def test_a_base_may_be_compressed(rollouts: Rollouts) -> None:
    past = raw(meta(), typed("one"))
    whole = past + raw(typed("after the fork"))
    packed = rollouts.path(f"{name_of()}.zst")
    packed.write_bytes(ZstdCompressor().compress(whole))

    assert _prompts(rollouts, _fork(rollouts, len(past))) == ["one", "another way"]


def test_a_compressed_file_that_was_cut_off_gives_what_it_has(
    rollouts: Rollouts,
) -> None:
    """And says that something is missing."""
    prompts = [typed(os.urandom(300).hex()) for _ in range(400)]
    packed = ZstdCompressor().compress(raw(meta(), *prompts))
    path = rollouts.path(f"{name_of()}.zst")

    for size in (len(packed) // 2, len(packed) - 1, 20):
        path.write_bytes(packed[:size])
        events = list(rollouts.read(path))
        kinds = [one.kind for one in events if isinstance(one, Unrecognised)]
        assert kinds[-1] == "file-cut"
        told = len([one for one in events if isinstance(one, UserSaid)])
        assert told < 400
        assert bool(told) == (size > 1000)


def test_a_compressed_file_that_is_none_is_counted(rollouts: Rollouts) -> None:
    path = rollouts.path(f"{name_of()}.zst")
    path.write_bytes(b"this is no such file")

    events = list(rollouts.read(path))

    assert events == [Unrecognised("file-cut")]


def test_several_compressed_pieces_are_one_file(rollouts: Rollouts) -> None:
    pieces = (raw(meta()), raw(typed("one")), raw(typed("two")))
    path = rollouts.path(f"{name_of()}.zst")
    path.write_bytes(b"".join(map(ZstdCompressor().compress, pieces)))

    assert _prompts(rollouts, path) == ["one", "two"]


def test_a_file_that_is_not_there_is_refused_with_a_sentence(
    rollouts: Rollouts,
) -> None:
    for ask in (rollouts.transcripts.session_of, rollouts.transcripts.read):
        with pytest.raises(SaveFailed, match="does not exist"):
            ask(str(rollouts.path(name_of())))


def test_sub_agents_are_not_the_newest_session(rollouts: Rollouts) -> None:
    """Their work belongs to the thread that started them."""
    own = rollouts.write(meta(), typed("one"))
    os.utime(own, (1, 1))
    rollouts.write(meta(OTHER, parent_thread_id=THREAD), name=name_of(OTHER))
    rollouts.write(meta(_THIRD, source={"subagent": "review"}), name=name_of(_THIRD))

    assert rollouts.transcripts.newest() == str(own)
    assert rollouts.transcripts.newest("/code/here") == str(own)
    assert rollouts.transcripts.newest("/elsewhere") is None


def test_archived_sessions_are_found(rollouts: Rollouts) -> None:
    place = rollouts.root / "archived_sessions" / name_of()
    place.parent.mkdir()
    place.write_bytes(raw(meta(), typed("one")))

    assert rollouts.transcripts.find(THREAD) == str(place)


@pytest.mark.parametrize("asked", ["", "../x", "*", "x\x00y", ".", "no-uuid"])
def test_what_is_no_id_finds_nothing(rollouts: Rollouts, asked: str) -> None:
    rollouts.write(meta())

    assert rollouts.transcripts.find(asked) is None


def test_when_somebody_last_said_something(rollouts: Rollouts) -> None:
    path = rollouts.write(meta(), typed("one"))

    assert rollouts.transcripts.last_message_at(str(path)) == 1_794_997_134_649
    assert rollouts.transcripts.last_message_at("/nowhere") == 0
