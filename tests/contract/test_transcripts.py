"""What every reader of transcripts promises, and what both decoders must agree on."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from holdfast.agents.claude_code.transcript.transcripts import (
    ClaudeCodeTranscripts,
)
from holdfast.agents.port import TranscriptReading, Transcripts
from holdfast.domain.event import (
    Clipped,
    Event,
    Located,
    Origin,
    ToolCalled,
    Unrecognised,
    UserSaid,
)
from holdfast.domain.session import Cursor
from holdfast.kernel.errors import SaveFailed
from tests.unit.agents.building import (
    SESSION,
    agent,
    answer,
    call,
    line,
    queue,
    raw,
    unchanged,
    user,
    uuid,
)

_ROOT = Path(__file__).parents[2]
_SAMPLES = sorted((_ROOT / "tests" / "fixtures" / "transcripts").glob("*.jsonl"))
_SHARED = _ROOT / ".." / "shared" / "data" / "transcripts"
_PROC = Path("/proc/self/status")
_TEXT = {"type": "text", "text": "done"}


def _name(path: Path) -> str:
    return path.stem


@pytest.fixture(params=[False, True], ids=["standard", "bulk"])
def transcripts(request: pytest.FixtureRequest, tmp_path: Path) -> Transcripts:
    return ClaudeCodeTranscripts(
        str(tmp_path / "claude"), unchanged, bulk=request.param
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a session's transcript lies, once it is written."""
    place = tmp_path / "claude" / "projects" / "-code-here" / f"{SESSION}.jsonl"
    place.parent.mkdir(parents=True)
    return place


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("transcripts") / f"{SESSION}.jsonl"


def _events(
    transcripts: Transcripts, path: Path, since: Cursor | None = None
) -> list[Event]:
    return list(transcripts.read(str(path), since))


def _prompts(events: list[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, UserSaid)]


def _both(path: Path) -> tuple[list[Event], list[Event]]:
    standard = ClaudeCodeTranscripts("/nowhere", unchanged)
    bulk = ClaudeCodeTranscripts("/nowhere", unchanged, bulk=True)
    return _events(standard, path), _events(bulk, path)


# What a line means


@pytest.mark.parametrize("sample", _SAMPLES, ids=_name)
def test_every_line_of_a_real_session_is_understood(
    transcripts: Transcripts, sample: Path
) -> None:
    """Two clients, interactive and headless, with sub-agents, compactions and rewinds."""
    events = _events(transcripts, sample)

    assert [event for event in events if isinstance(event, Unrecognised)] == []
    assert len(events) >= len(sample.read_bytes().splitlines())


@pytest.mark.parametrize("sample", _SAMPLES, ids=_name)
def test_a_reader_that_has_read_much_reads_the_same(sample: Path) -> None:
    """Many small files are as much as a large one: it goes over to reading in bulk."""
    size = sample.stat().st_size
    reader = ClaudeCodeTranscripts("/nowhere", unchanged, bulk=True, bulk_from=2 * size)

    first, second, third = (_events(reader, sample) for _ in range(3))

    assert first == second == third


@pytest.mark.parametrize("sample", _SAMPLES, ids=_name)
def test_every_line_with_an_id_shows_its_parent(
    transcripts: Transcripts, sample: Path
) -> None:
    """A rewind is noticed by parents alone."""
    written = [json.loads(each) for each in sample.read_bytes().splitlines()]

    seen = {
        (origin.uuid, origin.parent)
        for event in _events(transcripts, sample)
        if isinstance(origin := getattr(event, "origin", None), Origin)
    }

    assert seen == {
        (made["uuid"], made["parentUuid"] or made.get("logicalParentUuid"))
        for made in written
        if "uuid" in made
    }


def test_only_what_was_typed_is_the_users(transcripts: Transcripts) -> None:
    """Skill bodies, caveats, command output and shell output stand in the same place."""
    sample = _SAMPLES[0].parent / "interactive-rewind-skill-bashmode.jsonl"

    said = [
        (event.via, event.text)
        for event in _events(transcripts, sample)
        if isinstance(event, UserSaid)
    ]

    assert said == [
        ("typed", "resume-test one"),
        ("typed", "resume-test two"),
        ("typed", "rewound branch"),
        ("typed", 'slow <<STUB [{"sleep":20,"text":"late"}] STUB>>'),
        ("shell", "echo SHELLMODE"),
        ("steering", "/help"),
        ("command", "/ckpt:save my label"),
        ("command", "/ckpt:hidden XY"),
        ("typed", "/ckpt:modelonly"),
    ]


def test_where_the_session_runs_is_told_once(transcripts: Transcripts) -> None:
    """Every line of a transcript says it."""
    events = _events(transcripts, _SAMPLES[0])

    assert [event for event in events if isinstance(event, Located)] == [
        Located("d92c4ceb-7c85-49c8-b575-b0efc7e52ba9", "/home/me/proj", "master", "2.1.197", "sdk-cli")
    ]  # fmt: skip


# Finding transcripts


def test_the_agent_has_a_name(transcripts: Transcripts) -> None:
    """Records carry it."""
    assert transcripts.agent == "claude-code"


def test_a_transcript_says_which_session_it_is(
    transcripts: Transcripts, tmp_path: Path
) -> None:
    """The first line that says one; its name only if none does."""
    said = tmp_path / "copy.jsonl"
    said.write_bytes(raw({"type": "mode"}, user("a")))
    silent = tmp_path / f"{SESSION.upper()}.jsonl"
    silent.write_bytes(b'{"type":"mode","sessionId":"../../etc"}')
    nobody = tmp_path / "notes.jsonl"
    nobody.write_bytes(b"")

    assert transcripts.session_of(str(said)) == SESSION
    assert transcripts.session_of(str(silent)) == SESSION
    assert transcripts.session_of(str(nobody)) is None


def test_a_session_is_found_by_its_id(transcripts: Transcripts, path: Path) -> None:
    """Whatever directory it began in."""
    path.write_bytes(raw(user("a")))

    assert transcripts.find(SESSION) == str(path)
    assert transcripts.find(uuid(9)) is None


@pytest.mark.parametrize("asked", ["", "../x", "a/b", "*", "x\x00y", "."])
def test_what_is_no_id_finds_nothing(
    transcripts: Transcripts, path: Path, asked: str
) -> None:
    """An id must not walk out of the directory."""
    path.write_bytes(raw(user("a")))
    (path.parent / "x.jsonl").write_bytes(raw(user("a")))

    assert transcripts.find(asked) is None


def test_without_a_client_there_is_nothing_to_find(transcripts: Transcripts) -> None:
    """The directory may not exist at all."""
    assert transcripts.find(SESSION) is None
    assert transcripts.newest() is None
    assert transcripts.newest("/code/here") is None


def test_a_session_is_found_by_the_beginning_of_its_id(
    transcripts: Transcripts, path: Path
) -> None:
    """Nobody types a whole one; the same session in two directories is one."""
    elsewhere = path.parent.parent / "-code-else"
    elsewhere.mkdir()
    for place in (path, elsewhere / path.name, elsewhere / f"{uuid(2)}.jsonl"):
        place.write_bytes(raw(user("a")))

    own = transcripts.session_of(str(path)) or ""
    assert transcripts.beginning_with(own[:-1]) == transcripts.beginning_with(own)
    assert transcripts.beginning_with(own) == (own,)
    assert {own, uuid(2)} == {*transcripts.beginning_with("")}
    assert transcripts.beginning_with("zz") == ()


def test_the_newest_transcript_is_the_one_written_last(
    transcripts: Transcripts, path: Path
) -> None:
    """Of all, or of the sessions begun in a directory."""
    elsewhere = path.parent.parent / "-code-else" / f"{uuid(2)}.jsonl"
    elsewhere.parent.mkdir()
    older = path.parent / f"{uuid(3)}.jsonl"
    for place, cwd, age in ((older, "/code/here", 30), (path, "/code/here", 20), (elsewhere, "/code/else", 10)):  # fmt: skip
        place.write_bytes(raw({"type": "mode"}, user("a", cwd=cwd)))
        os.utime(place, (1_000 - age, 1_000 - age))

    assert transcripts.newest() == str(elsewhere)
    assert transcripts.newest("/code/here") == str(path)
    assert transcripts.newest("/work") is None


def test_two_directories_with_one_name_are_told_apart(
    transcripts: Transcripts, path: Path
) -> None:
    """`/code/here` and `/code-here` share a directory of transcripts."""
    other = path.parent / f"{uuid(2)}.jsonl"
    path.write_bytes(raw(user("a", cwd="/code/here")))
    other.write_bytes(raw(user("a", cwd="/code-here")))
    os.utime(path, (1, 1))

    assert transcripts.newest("/code/here") == str(path)
    assert transcripts.newest("/code-here") == str(other)


def test_a_directory_with_a_very_long_name_is_found(
    transcripts: Transcripts, path: Path
) -> None:
    """The client cuts the name and adds a number that only it can make."""
    cwd = "/code/" + "deep/" * 60
    place = path.parent.parent / (re.sub(r"\W", "-", cwd)[:200] + "-1xk3a") / path.name
    place.parent.mkdir()
    place.write_bytes(raw(user("a", cwd=cwd)))

    assert transcripts.newest(cwd) == str(place)


def test_sub_agents_and_empty_files_are_not_the_newest_session(
    transcripts: Transcripts, path: Path
) -> None:
    """Older clients keep sub-agents beside their session."""
    path.write_bytes(raw(user("a")))
    os.utime(path, (1, 1))
    (path.parent / "agent-ab12.jsonl").write_bytes(raw(user("b")))
    (path.parent / f"{uuid(2)}.jsonl").write_bytes(b"")
    (path.parent / f"{uuid(3)}.jsonl").mkdir()

    assert transcripts.newest() == str(path)


# Reading on


def test_the_last_message_bears_its_own_time(
    transcripts: Transcripts, path: Path
) -> None:
    """A client that resumes writes bookkeeping, and touches the file."""
    told = [
        user("go", timestamp="2026-01-18T15:23:45.000Z"),
        {"type": "last-prompt", "timestamp": "2027-01-01T00:00:00.000Z"},
        {"type": "mode", "mode": "default"},
    ]
    path.write_text("".join(json.dumps(each) + "\n" for each in told))

    assert transcripts.last_message_at(str(path)) == 1768749825000
    assert transcripts.last_message_at(str(path.with_name("gone"))) == 0


def test_a_pass_continues_where_the_last_one_ended(
    transcripts: Transcripts, path: Path
) -> None:
    """A hook costs what is new, not what is old."""
    path.write_bytes(raw(user("one", 1)))
    first = transcripts.read(str(path))
    assert _prompts(list(first)) == ["one"]
    with path.open("ab") as file:
        file.write(raw(user("two", 2)))

    second = transcripts.read(str(path), first.cursor)

    assert _prompts(list(second)) == ["two"]
    assert not second.restarted
    assert second.cursor.main.offset == path.stat().st_size


def test_a_pass_over_nothing_new_says_nothing(
    transcripts: Transcripts, path: Path
) -> None:
    """The same cursor comes back."""
    path.write_bytes(raw(user("one")))
    first = transcripts.read(str(path))
    list(first)

    again = transcripts.read(str(path), first.cursor)

    assert list(again) == []
    assert (again.cursor, again.half_written) == (first.cursor, 0)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(raw(user("new", 5)), id="shorter"),
        pytest.param(raw(user("new", 5), user("x" * 9_000, 6)), id="another beginning"),
        pytest.param(b"", id="empty"),
    ],
)
def test_a_file_that_was_replaced_is_read_from_the_beginning(
    transcripts: Transcripts, path: Path, content: bytes
) -> None:
    """The caller must forget what it knew, and is told so before it reads."""
    path.write_bytes(raw(user("old", 1), user("y" * 2_000, 2)))
    first = transcripts.read(str(path))
    list(first)
    path.write_bytes(content)

    second = transcripts.read(str(path), first.cursor)

    assert second.restarted
    assert _prompts(list(second))[:1] == (["new"] if content else [])


def test_the_first_pass_is_no_restart(transcripts: Transcripts, path: Path) -> None:
    """Nothing was known before."""
    path.write_bytes(raw(user("one")))

    assert not transcripts.read(str(path)).restarted
    assert not transcripts.read(str(path), Cursor()).restarted


def test_a_half_written_line_is_left_for_the_next_pass(
    transcripts: Transcripts, path: Path
) -> None:
    """The client writes behind: the last line may be on its way."""
    whole = raw(user("one", 1), user("two", 2))
    path.write_bytes(whole[:-30])
    first = transcripts.read(str(path))
    assert _prompts(list(first)) == ["one"]
    assert first.half_written == len(raw(user("two", 2))) - 30
    path.write_bytes(whole)

    second = transcripts.read(str(path), first.cursor)

    assert _prompts(list(second)) == ["two"]
    assert second.half_written == 0


def test_a_last_line_without_its_newline_is_read_once(
    transcripts: Transcripts, path: Path
) -> None:
    """51 of 80 real transcripts end so; a resumed client glues its next line to it."""
    path.write_bytes(raw(user("one", 1)).rstrip())
    first = transcripts.read(str(path))
    assert _prompts(list(first)) == ["one"]
    with path.open("ab") as file:
        file.write(raw(user("two", 2)))

    assert _prompts(_events(transcripts, path, first.cursor)) == ["two"]
    assert _prompts(_events(transcripts, path)) == ["one", "two"]


def test_a_reading_gives_its_events_once(transcripts: Transcripts, path: Path) -> None:
    """Iterate once, then ask the rest."""
    path.write_bytes(raw(user("one")))
    reading = transcripts.read(str(path))

    assert _prompts(list(reading)) == ["one"]
    assert list(reading) == []


# Sub-agents


def _sub_agent(path: Path, name: str = "ab12") -> Path:
    place = path.with_suffix("") / "subagents" / f"agent-{name}.jsonl"
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


def test_the_work_of_sub_agents_follows_with_their_ids(
    transcripts: Transcripts, path: Path
) -> None:
    """It is part of the session, and apart from its conversation."""
    path.write_bytes(raw(user("go")))
    _sub_agent(path, "b2").write_bytes(
        raw(user("inner"), call("Edit", 2, file_path="/b"))
    )
    _sub_agent(path, "a1").write_bytes(raw(call("Edit", 2, file_path="/a")))

    events = _events(transcripts, path)

    assert _prompts(events) == ["go"]
    assert [
        (event.origin.agent, event.target)
        for event in events
        if isinstance(event, ToolCalled)
    ] == [("a1", "/a"), ("b2", "/b")]
    assert len([event for event in events if isinstance(event, Located)]) == 1


def test_each_sub_agent_has_its_own_place_to_read_on_from(
    transcripts: Transcripts, path: Path
) -> None:
    """One grows, another is new, a third is done."""
    path.write_bytes(raw(user("go")))
    for name in ("a1", "b2"):
        _sub_agent(path, name).write_bytes(raw(call("Edit", file_path=f"/{name}")))
    first = transcripts.read(str(path))
    list(first)
    with _sub_agent(path, "b2").open("ab") as file:
        file.write(raw(call("Edit", 2, file_path="/b2-more")))
    _sub_agent(path, "c3").write_bytes(raw(call("Edit", file_path="/c3")))

    second = transcripts.read(str(path), first.cursor)

    assert [e.target for e in second if isinstance(e, ToolCalled)] == [
        "/b2-more",
        "/c3",
    ]
    assert not second.restarted
    assert [name for name, _ in second.cursor.agents] == [
        "agent-a1.jsonl",
        "agent-b2.jsonl",
        "agent-c3.jsonl",
    ]


def test_a_replaced_sub_agent_restarts_the_session(
    transcripts: Transcripts, path: Path
) -> None:
    """Its old work is in the state already and would be counted twice."""
    path.write_bytes(raw(user("go")))
    _sub_agent(path).write_bytes(
        raw(call("Edit", file_path="/old"), line("progress", 2))
    )
    first = transcripts.read(str(path))
    list(first)
    _sub_agent(path).write_bytes(raw(call("Edit", file_path="/new")))

    second = transcripts.read(str(path), first.cursor)

    assert second.restarted
    assert _prompts(list(second)) == ["go"]


def test_a_sub_agent_that_cannot_be_read_costs_only_itself(
    transcripts: Transcripts, path: Path
) -> None:
    """The session is worth more than one of its helpers."""
    path.write_bytes(raw(user("go")))
    _sub_agent(path, "a1").mkdir()
    _sub_agent(path, "b2").write_bytes(raw(call("Edit", file_path="/b")))

    events = _events(transcripts, path)

    assert Unrecognised("unreadable-file") in events
    assert [e.target for e in events if isinstance(e, ToolCalled)] == ["/b"]


def test_a_transcript_under_another_name_keeps_its_sub_agents(
    transcripts: Transcripts, path: Path
) -> None:
    """Beside its own name, or beside its session's."""
    path.write_bytes(raw(user("go")))
    _sub_agent(path).write_bytes(raw(call("Edit", file_path="/a")))
    copy = path.with_name("copy.jsonl")
    shutil.copy(path, copy)

    assert [
        e.target for e in _events(transcripts, copy) if isinstance(e, ToolCalled)
    ] == ["/a"]

    _sub_agent(copy, "own").write_bytes(raw(call("Edit", file_path="/own")))

    assert [
        e.target for e in _events(transcripts, copy) if isinstance(e, ToolCalled)
    ] == ["/own"]


# What cannot be read


def test_a_missing_transcript_is_explained(
    transcripts: Transcripts, tmp_path: Path
) -> None:
    """The path may be wrong, or the session has no prompt yet."""
    missing = str(tmp_path / "gone.jsonl")

    for ask in (transcripts.read, transcripts.session_of):
        with pytest.raises(SaveFailed) as failed:
            ask(missing)

        assert failed.value.code == "CKPT_001"
        assert "does not exist" in failed.value.message
        assert failed.value.hint


@pytest.mark.parametrize("kind", ["directory", "fifo", "device", "nul"])
def test_what_is_no_file_is_refused_without_waiting(
    transcripts: Transcripts, tmp_path: Path, kind: str
) -> None:
    """A FIFO would block the hook for ever, and a device may never end."""
    place = tmp_path / "odd.jsonl"
    if kind == "directory":
        place.mkdir()
    elif kind == "fifo":
        os.mkfifo(place)
    asked = {"device": "/dev/zero", "nul": "a\x00b"}.get(kind, str(place))

    with pytest.raises(SaveFailed) as failed:
        transcripts.read(asked)

    assert failed.value.hint


def test_an_unreadable_transcript_is_explained(
    transcripts: Transcripts, path: Path
) -> None:
    """Someone else's session, or a mode set by hand."""
    path.write_bytes(raw(user("one")))
    path.chmod(0)
    me = os.geteuid()
    if me == 0:  # root reads everything, so for a moment somebody else asks
        os.seteuid(65534)

    try:
        with pytest.raises(SaveFailed) as failed:
            transcripts.read(str(path))
    finally:
        os.seteuid(me)

    assert "Permission denied" in failed.value.message


def test_a_transcript_that_vanishes_before_it_is_read_is_explained(
    transcripts: Transcripts, path: Path
) -> None:
    """The client deletes old transcripts by itself."""
    path.write_bytes(raw(user("one")))
    reading = transcripts.read(str(path))
    path.unlink()

    with pytest.raises(SaveFailed):
        list(reading)


def test_a_link_to_a_transcript_is_as_good(
    transcripts: Transcripts, path: Path, tmp_path: Path
) -> None:
    """People keep their configuration elsewhere."""
    path.write_bytes(raw(user("one")))
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)

    assert _prompts(_events(transcripts, link)) == ["one"]


def test_reading_leaves_no_file_open(transcripts: Transcripts, path: Path) -> None:
    """A backfill reads thousands."""
    path.write_bytes(raw(user("one")))
    _sub_agent(path).write_bytes(raw(call("Edit", file_path="/a")))
    probe = os.open(path, os.O_RDONLY)
    os.close(probe)

    list(transcripts.read(str(path)))
    transcripts.read(str(path))
    transcripts.session_of(str(path))

    after = os.open(path, os.O_RDONLY)
    os.close(after)
    assert after == probe


# Lines above the cap


def test_a_giant_prompt_still_counts_as_a_prompt(
    transcripts: Transcripts, path: Path
) -> None:
    """Its beginning is kept, and what was dropped is told."""
    giant = raw(user("paste: " + "x" * 9_000_000, 1))
    path.write_bytes(giant + raw(user("next", 2)))

    events = _events(transcripts, path)

    assert [event for event in events if isinstance(event, Clipped)] == [
        Clipped(len(giant) - 1 - 8 * 1024 * 1024)
    ]
    prompts = _prompts(events)
    assert prompts[0].startswith("paste: xxx")
    assert len(prompts[0]) == 8_000
    assert prompts[1] == "next"


def test_a_giant_line_without_sense_is_counted(
    transcripts: Transcripts, path: Path
) -> None:
    """Nothing can be salvaged from it, and nothing else is lost."""
    path.write_bytes(b"x" * 9_000_000 + b"\n" + raw(user("next")))

    events = _events(transcripts, path)

    assert events[:2] == [
        Clipped(9_000_000 - 8 * 1024 * 1024),
        Unrecognised("oversized"),
    ]
    assert _prompts(events) == ["next"]


def test_a_giant_line_in_the_making_is_left_for_the_next_pass(
    transcripts: Transcripts, path: Path
) -> None:
    """It has no end yet."""
    path.write_bytes(raw(user("one")) + b"x" * 9_000_000)
    reading = transcripts.read(str(path))

    assert _prompts(list(reading)) == ["one"]
    assert reading.half_written == 9_000_000


@pytest.mark.skipif(not _PROC.exists(), reason="only Linux tells a process's peak")
@pytest.mark.parametrize("bulk", ["False", "True"], ids=["standard", "bulk"])
def test_t15_memory_stays_flat_however_long_a_line_is(path: Path, bulk: str) -> None:
    """A line of 40 MB must not take 40 MB, nor a wide character four times 8 MB."""
    with path.open("wb") as file:
        file.write(raw(user("paste: 🌊" + "x" * 8_000_000)))
        file.write(b'{"type":"user","message":{"content":"')
        file.write(b"y" * 40_000_000 + b'"}}\n')
    code = (
        "from holdfast.agents.claude_code.transcript.transcripts import ClaudeCodeTranscripts;"
        f"events = ClaudeCodeTranscripts('/nowhere', str, bulk={bulk}).read({str(path)!r});"
        f"print(len(list(events)), open({str(_PROC)!r}).read())"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    peak = re.search(r"VmHWM:\s+(\d+) kB", done.stdout)
    assert peak is not None
    assert int(peak[1]) <= 96 * 1024
    assert done.stdout.startswith("4 ")


# Both decoders, and every place to stop


def _mixed() -> bytes:
    """A session with everything that a reader must carry from line to line."""
    return raw(
        {"type": "mode"},
        user("one 🌊 ü", 1),
        queue("enqueue", "and tests"),
        queue("enqueue", "and docs"),
        call("Bash", 2, command="make"),
        answer("ok\r\nfine", {"stdout": "ok", "stderr": ""}, number=3),
        queue("remove"),
        line(
            "attachment", 4, attachment={"type": "queued_command", "prompt": "and docs"}
        ),
        queue("remove", "and docs", reason="absorbed_mid_turn"),
        queue("enqueue", "last"),
        queue("dequeue"),
        user("last", 5, promptSource="queued", cwd="/else"),
        {"type": "brand-new"},
        agent(_TEXT, number=6),
    )


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.data(), bulk=st.booleans())
def test_a_transcript_says_the_same_wherever_its_reading_was_split(
    scratch: Path, data: st.DataObject, *, bulk: bool
) -> None:
    """In mid-line, in mid-character, between two glued objects."""
    content = data.draw(
        st.sampled_from([_mixed(), _mixed().replace(b"\n", b"\r\n"), _glued()])
    )
    cuts = sorted(data.draw(st.sets(st.integers(0, len(content)), max_size=6)))
    transcripts = ClaudeCodeTranscripts("/nowhere", unchanged, bulk=bulk)
    scratch.write_bytes(content)
    whole = _events(transcripts, scratch)

    parts: list[Event] = []
    cursor = None
    for cut in [*cuts, len(content)]:
        scratch.write_bytes(content[:cut])
        reading: TranscriptReading = transcripts.read(str(scratch), cursor)
        assert not reading.restarted
        parts.extend(reading)
        cursor = reading.cursor

    assert _without_places(parts) == _without_places(whole)


def _glued() -> bytes:
    """A client that died before each newline, and a machine that left NUL behind."""
    lines = _mixed().splitlines()
    return lines[1] + lines[2] + b"\x00\x00" + lines[4] + b"garbage\n" + lines[5]


def _without_places(events: list[Event]) -> list[Event]:
    return [event for event in events if not isinstance(event, Located)]


_LINES = [
    line
    for sample in _SAMPLES
    for line in sample.read_bytes().splitlines()
    if len(line) < 4_000
]
_ODD = st.sampled_from(
    [
        b"null", b"true", b"7", b"-1.5e300", b"1e999", b"NaN", b'""', b'"\\ud800"',
        b'"\\u0000"', b"[]", b"{}", b"[[[[{}]]]]", b'{"a":{"b":[1]}}', b'"\xff\xfe"',
        b"9" * 5_000, b'"x","type":"user"', b"[" * 3_000 + b"]" * 3_000, b'["a",{"text":"b"}]',
    ]
)  # fmt: skip
_VALUE = re.compile(rb'(?<=:)(?:"(?:[^"\\]|\\.)*"|true|false|null|-?\d+|\{\}|\[\])')


@st.composite
def _hostile(draw: st.DrawFn) -> bytes:
    """A real line with something wrong in it."""
    line = draw(st.sampled_from(_LINES))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(line)))
        how = draw(st.sampled_from(["flip", "cut", "insert", "swap", "double"]))
        if how == "flip" and place < len(line):
            line = (
                line[:place]
                + draw(st.binary(min_size=1, max_size=1))
                + line[place + 1 :]
            )
        elif how == "cut":
            line = line[:place]
        elif how == "insert":
            line = line[:place] + draw(st.binary(max_size=3)) + line[place:]
        elif how == "double":
            line = line[:place] + line
        elif values := list(_VALUE.finditer(line)):
            value = draw(st.sampled_from(values))
            line = line[: value.start()] + draw(_ODD) + line[value.end() :]
    return line


@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(lines=st.lists(_hostile(), min_size=1, max_size=4))
def test_no_line_can_crash_a_reader_or_divide_the_decoders(
    scratch: Path, lines: list[bytes]
) -> None:
    """A transcript is untrusted input, and the fast way must be the right way."""
    scratch.write_bytes(b"\n".join(lines))

    standard, bulk = _both(scratch)

    assert bulk == standard
    _assert_storable(standard)


@pytest.mark.parametrize("sample", _SAMPLES, ids=_name)
def test_both_decoders_read_a_real_session_alike(sample: Path) -> None:
    """Line by line, event by event."""
    standard, bulk = _both(sample)

    assert bulk == standard


@pytest.mark.shared
@pytest.mark.skipif(not _SHARED.is_dir(), reason="the measuring data is not there")
def test_both_decoders_read_all_measured_sessions_alike() -> None:
    """71 sessions of other people, of older clients: what nobody would make up."""
    paths = sorted(_SHARED.glob("*/*.jsonl"))

    for path in paths:
        standard, bulk = _both(path)
        assert bulk == standard, path

    assert len(paths) >= 71


def _assert_storable(value: object) -> None:
    """No text that a store refuses, anywhere in the events."""
    if isinstance(value, str):
        value.encode()
        assert "\x00" not in value
    elif isinstance(value, (list, tuple)):
        for item in value:
            _assert_storable(item)
    elif is_dataclass(value):
        for field in fields(value):
            _assert_storable(getattr(value, field.name))


def _edit(number: int, **given: str) -> list[bytes]:
    """An edit that went well, as the client writes it."""
    path = "/code/here/src/a.py"
    asked = {"file_path": path, "old_string": "one", "new_string": "two", **given}
    told = {
        "filePath": path,
        "oldString": asked["old_string"],
        "newString": asked["new_string"],
        "originalFile": "one\n",
        "structuredPatch": [],
        "userModified": False,
    }
    return [
        raw(call("Edit", number, **asked)),
        raw(answer("done", told, number=number + 1)),
    ]


def test_steps_are_what_can_change_files_with_the_prompt_they_answer(
    transcripts: Transcripts, path: Path
) -> None:
    """Edits bring the texts, commands their line; looking at files is no step."""
    run = {"stdout": "", "stderr": "", "interrupted": False}
    path.write_bytes(
        b"".join(
            [
                raw(user("first make it two", 1)),
                raw(call("Read", 2, file_path="/code/here/src/a.py")),
                raw(answer("1 one", number=3)),
                *_edit(4),
                raw(user("and now run it", 6)),
                raw(call("Bash", 7, command="make all")),
                raw(answer("ok", run, number=8)),
            ]
        )
    )

    steps = transcripts.steps(str(path), ["a.py"])

    assert steps is not None
    edit, command = steps
    assert (edit.kind, edit.path, edit.before) == (
        "edit",
        "/code/here/src/a.py",
        "one\n",
    )
    assert [(one.old, one.new) for one in edit.replacements] == [("one", "two")]
    assert (edit.prompt.text, edit.prompt.uuid) == ("first make it two", uuid(1))
    assert (command.kind, command.command) == ("run", "make all")
    assert (command.prompt.text, command.cwd) == ("and now run it", "/code/here")
    assert edit.session_id == SESSION
    assert 0 < edit.offset < command.offset < path.stat().st_size


def test_a_transcript_that_says_none_of_the_names_has_no_steps(
    transcripts: Transcripts, path: Path
) -> None:
    """None, and not an empty row: what was done there is simply not known."""
    path.write_bytes(b"".join([raw(user("hello", 1)), *_edit(2)]))

    assert transcripts.steps(str(path), ["b.py"]) is None
    assert transcripts.steps(str(path), ["b.py", "a.py"])


def test_a_name_is_found_however_it_is_written_down(
    transcripts: Transcripts, path: Path
) -> None:
    """JSON may escape what is not ASCII, and may not."""
    escaped = raw(user("look at caf\u00e9.py", 1))
    path.write_bytes(escaped)
    assert transcripts.steps(str(path), ["caf\u00e9.py"]) == ()

    path.write_text(escaped.decode().replace("\\u00e9", "\u00e9"), "utf-8")
    assert transcripts.steps(str(path), ["caf\u00e9.py"]) == ()


def test_an_edit_that_failed_is_no_step(transcripts: Transcripts, path: Path) -> None:
    """It changed nothing; a command that failed may have."""
    path.write_bytes(
        b"".join(
            [
                raw(user("a.py", 1)),
                raw(call("Edit", 2, file_path="/a.py", old_string="x", new_string="y")),
                raw(answer("String not found", "Error", is_error=True, number=3)),
                raw(call("Bash", 4, command="make")),
                raw(answer("Exit code 2", "Error", is_error=True, number=5)),
            ]
        )
    )

    steps = transcripts.steps(str(path), ["a.py"])

    assert steps is not None
    assert [(step.kind, step.is_done) for step in steps] == [("run", False)]


def test_a_step_of_a_sub_agent_answers_the_prompt_that_wanted_it(
    transcripts: Transcripts, path: Path
) -> None:
    """Its own prompt is nobody's words."""
    told = {"agentId": "ab12", "status": "completed", "content": []}
    path.write_bytes(
        b"".join(
            [
                raw(user("let somebody do it", 1)),
                raw(call("Task", 2, description="do it", prompt="do it")),
                raw(answer("done", told, number=3)),
                raw(user("thank you", 4)),
            ]
        )
    )
    place = path.with_suffix("") / "subagents" / "agent-ab12.jsonl"
    place.parent.mkdir(parents=True)
    place.write_bytes(b"".join([raw(user("do it", 1)), *_edit(2)]))

    steps = transcripts.steps(str(path), ["a.py"])

    assert steps is not None
    (edit,) = [step for step in steps if step.kind == "edit"]
    assert (edit.prompt.text, edit.offset) == ("let somebody do it", -1)


def test_prompts_of_steps_are_redacted_and_texts_are_as_they_are(path: Path) -> None:
    """What is shown passes the chokepoint; what is compared could not."""
    clean = ClaudeCodeTranscripts(
        str(path.parents[2]), lambda text: text.replace("secret", "[gone]")
    )
    path.write_bytes(
        b"".join([raw(user("use secret", 1)), *_edit(2, new_string="secret")])
    )

    steps = clean.steps(str(path), ["a.py"])

    assert steps is not None
    assert steps[0].prompt.text == "use [gone]"
    assert steps[0].replacements[0].new == "secret"


@given(lines=st.lists(st.binary(max_size=60), max_size=8))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_line_can_make_the_steps_raise(scratch: Path, lines: list[bytes]) -> None:
    """A bad line costs a line."""
    good = b"".join([raw(user("a.py", 1)), *_edit(2)])
    odd = b'{"type":"user","message":{"content":[{"type":"tool_result"}]}}\n'
    scratch.write_bytes(b"\n".join(lines) + b"\n" + odd + good)

    steps = ClaudeCodeTranscripts(str(scratch.parent), unchanged).steps(
        str(scratch), ["a.py"]
    )

    assert steps is not None
    assert [step.kind for step in steps][-1:] == ["edit"]


def test_the_transcripts_of_a_directory_are_told_newest_first(
    transcripts: Transcripts, path: Path
) -> None:
    """Sessions that nothing was saved of are told, too."""
    path.write_bytes(raw(user("older", 1)))
    other = path.with_name("1f0e0d0c-0b0a-4908-8706-050403020100.jsonl")
    other.write_bytes(raw(user("newer", 1)))
    os.utime(path, (1, 1))

    assert transcripts.begun_in("/code/here") == (str(other), str(path))
    assert transcripts.begun_in("/code/there") == ()
