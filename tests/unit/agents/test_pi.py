"""pi's sessions, by the format that its documentation publishes: entries in a tree."""

import json
from pathlib import Path
from typing import Any

import pytest

from holdfast.agents.pi.sessions import PiTranscripts
from holdfast.domain.event import (
    Compacted,
    Summarised,
    ToolReturned,
    Unrecognised,
    UserSaid,
)
from holdfast.domain.session import SessionState
from holdfast.session.fold import begin, fold

SESSION = "019a1ee2-f67b-7554-947e-1b6db4d96642"


def entry(kind: str, own: int, above: int | None, **more: Any) -> dict[str, Any]:
    return {
        "type": kind,
        "id": f"{own:08x}",
        "parentId": None if above is None else f"{above:08x}",
        "timestamp": "2026-11-18T11:03:35.007Z",
        **more,
    }


def message(
    own: int, above: int | None, role: str, content: object, **more: Any
) -> dict[str, Any]:
    return entry(
        "message", own, above, message={"role": role, "content": content, **more}
    )


def user(own: int, above: int | None, text: str) -> dict[str, Any]:
    return message(own, above, "user", [{"type": "text", "text": text}])


def header(**more: Any) -> dict[str, Any]:
    return {"type": "session", "version": 3, "id": SESSION, "cwd": "/code/here", **more}


def write(root: Path, *lines: dict[str, Any], **more: Any) -> Path:
    path = root / "sessions" / "--code-here--" / f"2026-11-18T11-03-35_{SESSION}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "".join(json.dumps(line) + "\n" for line in (header(**more), *lines))
    )
    return path


def _state(root: Path, *lines: dict[str, Any]) -> SessionState:
    reading = PiTranscripts(str(root), str).read(str(write(root, *lines)))
    return fold(begin(SESSION, "pi"), reading)


def _prompts(root: Path, *lines: dict[str, Any]) -> list[str]:
    events = PiTranscripts(str(root), str).read(str(write(root, *lines)))
    return [one.text for one in events if isinstance(one, UserSaid)]


def test_a_session_is_what_its_entries_say(tmp_path: Path) -> None:
    ran = {
        "type": "toolCall",
        "id": "call_1",
        "name": "bash",
        "arguments": {"command": "make test"},
    }
    steps = [{"oldText": "x", "newText": "y"}]
    edit = {
        "type": "toolCall",
        "id": "call_2",
        "name": "edit",
        "arguments": {"path": "a.py", "edits": steps},
    }
    failed = [{"type": "text", "text": "FAILED test_a\n\nCommand exited with code 1"}]
    state = _state(
        tmp_path,
        entry("model_change", 1, None, modelId="some-model"),
        user(2, 1, "fix it"),
        message(3, 2, "assistant", [{"type": "thinking"}, ran], model="some-model", usage={"totalTokens": 9}),
        message(4, 3, "toolResult", failed, toolCallId="call_1", toolName="bash", isError=True),
        message(5, 4, "assistant", [edit, {"type": "text", "text": "Done."}]),
        message(6, 5, "toolResult", [], toolCallId="call_2", toolName="edit", isError=False),
        entry("session_info", 7, 6, name="A name"),
    )  # fmt: skip

    (turn,) = (turn for turn in state.live_turns() if turn.prompt)
    assert [(c.role, c.target, c.outcome, c.exit_status) for c in turn.calls] == [
        ("run", "make test", "failed", 1),
        ("edit", "a.py", "ok", None),
    ]
    assert (turn.said[-1].text, state.title, state.model) == (
        "Done.",
        "A name",
        "some-model",
    )
    assert (state.cwd, state.context_tokens) == ("/code/here", 9)
    assert state.counts.unrecognised == ()


def test_a_branch_that_was_left_is_not_the_conversation(tmp_path: Path) -> None:
    turns = _state(
        tmp_path,
        user(1, None, "one"),
        message(2, 1, "assistant", [{"type": "text", "text": "a"}]),
        user(3, 2, "two"),
        message(4, 3, "assistant", [{"type": "text", "text": "b"}]),
        entry("branch_summary", 5, 2, fromId="00000004", summary="left it"),
        user(6, 5, "instead"),
    ).live_turns()

    assert [turn.prompt for turn in turns] == ["one", "instead"]


@pytest.mark.parametrize(
    "line",
    [
        entry("custom_message", 1, None, content="Never push", display=True),
        entry("branch_summary", 1, None, summary="Never push"),
        message(1, None, "system", "Never push"),
        message(1, None, "custom", "Never push"),
        message(1, None, "assistant", [{"type": "text", "text": "Never push"}]),
        user(1, None, '<skill name="x" location="y">\nNever push\n</skill>'),
        user(1, None, "  "),
    ],
)
def test_what_nobody_typed_is_not_the_users(
    tmp_path: Path, line: dict[str, Any]
) -> None:
    assert _prompts(tmp_path, line) == []


def test_what_follows_a_skill_and_a_command_of_their_own_is_the_users(
    tmp_path: Path,
) -> None:
    skill = user(1, None, '<skill name="x">\nNever push\n</skill>\n\nfix it')
    ran = message(2, 1, "bashExecution", "", command="make test")

    assert _prompts(tmp_path, skill, ran) == ["fix it", "make test"]


def test_a_compaction_and_its_summary(tmp_path: Path) -> None:
    made = entry("compaction", 2, 1, summary="All of it.", tokensBefore=9)
    events = list(
        PiTranscripts(str(tmp_path), str).read(
            str(write(tmp_path, user(1, None, "a"), made))
        )
    )

    assert [one.tokens_before for one in events if isinstance(one, Compacted)] == [9]
    assert [one.text for one in events if isinstance(one, Summarised)] == ["All of it."]


@pytest.mark.parametrize("odd", [{}, {"type": 5}, {"type": "new", "id": 5}])
def test_what_is_not_known_is_counted(tmp_path: Path, odd: dict[str, Any]) -> None:
    events = list(
        PiTranscripts(str(tmp_path), str).read(
            str(write(tmp_path, odd, user(1, None, "there")))
        )
    )

    assert len([one for one in events if isinstance(one, Unrecognised)]) == 1
    assert [one.text for one in events if isinstance(one, UserSaid)] == ["there"]


@pytest.mark.parametrize("given", [None, 5, [], {"role": "assistant", "content": [5, {"type": "toolCall"}], "usage": 5}])  # fmt: skip
def test_no_form_is_an_exception(tmp_path: Path, given: object) -> None:
    _prompts(tmp_path, entry("message", 1, None, message=given))


def test_reading_in_passes_equals_reading_at_once(tmp_path: Path) -> None:
    lines = [
        user(1, None, "one"),
        user(2, 1, "two"),
        user(3, 1, "again"),
        user(4, 3, "on"),
    ]
    transcripts, expected = PiTranscripts(str(tmp_path), str), _state(tmp_path, *lines)

    for cut in range(1, len(lines)):
        first = transcripts.read(str(write(tmp_path, *lines[:cut])))
        state = fold(begin(SESSION, "pi"), first)
        second = transcripts.read(str(write(tmp_path, *lines)), first.cursor)
        assert fold(state, second) == expected


def test_sessions_are_found(tmp_path: Path) -> None:
    path = write(tmp_path, user(1, None, "one"), parentSession="/x/2026_0abc.jsonl")
    transcripts = PiTranscripts(str(tmp_path), str)

    assert transcripts.find(SESSION) == str(path)
    assert transcripts.find("../x") is None
    assert transcripts.session_of(str(path)) == SESSION
    assert transcripts.beginning_with(SESSION[:5]) == (SESSION,)
    assert transcripts.newest("/code/here") == str(path)
    assert transcripts.newest("/elsewhere") is None
    assert transcripts.begun_in("/code/here") == (str(path),)
    assert transcripts.begun_in("/elsewhere") == ()
    assert transcripts.origin(str(path)) == "0abc"
    assert transcripts.last_message_at(str(path)) == 1_794_999_815_007


@pytest.mark.parametrize("said", ["one\ntwo\n\nCommand aborted", "Operation aborted"])
def test_what_the_user_stopped_is_no_error(tmp_path: Path, said: str) -> None:
    """The client says it in the answer, and nowhere else."""
    call = {"type": "toolCall", "id": "call_1", "name": "bash", "arguments": {}}
    about = {"toolCallId": "call_1", "toolName": "bash", "isError": True}
    lines = (
        message(2, 1, "assistant", [{**call, "arguments": {"command": "make"}}]),
        message(3, 2, "toolResult", [{"type": "text", "text": said}], **about),
    )
    path = write(tmp_path, user(1, None, "go"), *lines)

    events = PiTranscripts(str(tmp_path), str).read(str(path))

    (answer,) = (one for one in events if isinstance(one, ToolReturned))
    assert (answer.outcome, answer.cause) == ("interrupted", "stopped")


def test_a_session_whose_file_is_named_otherwise_is_found(tmp_path: Path) -> None:
    """The client names the file of a fork of its first prompt by another id."""
    path = write(tmp_path, user(1, None, "fix it"))
    named = path.rename(path.with_name(path.name.replace("9664", "0000")))
    fork = path.with_name("later_other.jsonl")
    write(tmp_path, parentSession=str(named), id="other").rename(fork)
    reader = PiTranscripts(str(tmp_path), str)

    found = reader.find(SESSION)

    assert found == str(named)
    assert reader.origin(str(fork)) == SESSION
    assert reader.beginning_with(SESSION[:8]) == (SESSION,)
