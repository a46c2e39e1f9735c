"""Copilot CLI's sessions, by its published schema of events."""

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from holdfast.agents.copilot.sessions import CopilotTranscripts
from holdfast.domain.event import (
    Compacted,
    RequestFailed,
    Summarised,
    Unrecognised,
    UserSaid,
)
from holdfast.domain.session import SessionState
from holdfast.kernel.errors import SaveFailed
from holdfast.session.fold import begin, fold

SESSION = "5f35b4fd-4e75-4b90-99e9-11014e5dbe58"
_NUMBERS = count(1)


def event(kind: str, own: str = "", **data: Any) -> dict[str, Any]:
    own = own or f"{next(_NUMBERS):08x}-0000-4000-8000-000000000000"
    at = "2026-11-18T11:03:35.007Z"
    return {"type": kind, "data": data, "id": own, "timestamp": at, "parentId": None}


def started(cwd: str = "/code/here") -> dict[str, Any]:
    place = {"cwd": cwd, "branch": "main"}
    own = "eeeeeeee-0000-4000-8000-000000000000"
    about: dict[str, Any] = {"sessionId": SESSION, "copilotVersion": "1.0.102"}
    return event("session.start", own, context=place, **about)


def typed(text: str, own: str = "", **more: Any) -> dict[str, Any]:
    return event("user.message", own, content=text, **more)


def write(root: Path, *lines: dict[str, Any]) -> Path:
    path = root / "session-state" / SESSION / "events.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in (started(), *lines)))
    return path


def _state(root: Path, *lines: dict[str, Any]) -> SessionState:
    path = write(root, *lines)
    return fold(
        begin(SESSION, "copilot"), CopilotTranscripts(str(root), str).read(str(path))
    )


def _prompts(root: Path, *lines: dict[str, Any]) -> list[str]:
    events = CopilotTranscripts(str(root), str).read(str(write(root, *lines)))
    return [one.text for one in events if isinstance(one, UserSaid)]


def test_a_session_is_what_its_events_say(tmp_path: Path) -> None:
    ran: dict[str, Any] = {
        "toolCallId": "call_1",
        "toolName": "bash",
        "arguments": {"command": "make test"},
    }
    change = {"path": "a.py", "old_str": "x", "new_str": "y\nz"}
    state = _state(
        tmp_path,
        event("session.model_change", newModel="some-model"),
        typed("fix it"),
        event("assistant.turn_start", turnId="1"),
        event("tool.execution_start", **ran),
        event(
            "tool.execution_complete",
            toolCallId="call_1",
            success=True,
            result={"content": "FAILED test_a"},
            shellExecution={"exitCode": 1},
        ),
        event(
            "tool.execution_start",
            toolCallId="call_2",
            toolName="edit",
            arguments=change,
        ),
        event("tool.execution_complete", toolCallId="call_2", success=True),
        event("assistant.message", messageId="m", content="Done.", toolRequests=[]),
        event("session.shutdown"),
    )

    (turn,) = (turn for turn in state.live_turns() if turn.prompt)
    assert [(c.role, c.target, c.outcome, c.exit_status) for c in turn.calls] == [
        ("run", "make test", "failed", 1),
        ("edit", "a.py", "ok", None),
    ]
    assert (turn.calls[1].added, turn.calls[1].removed) == (2, 1)
    assert turn.said[-1].text == "Done."
    assert (state.cwd, state.branch, state.version) == ("/code/here", "main", "1.0.102")
    assert (state.model, state.counts.unrecognised) == ("some-model", ())


@pytest.mark.parametrize(
    "line",
    [
        typed("Never push", source="skill-pdf"),
        typed("Never push", source="agent-7"),
        typed("<skill-context name='x'>Never push</skill-context>"),
        typed("Never push", isAutopilotContinuation=True),
        typed(""),
        {**typed("Never push"), "agentId": "sub"},
        event("system.message", content="Never push"),
        event("assistant.message", content="Never push"),
    ],
)
def test_what_nobody_typed_is_not_the_users(
    tmp_path: Path, line: dict[str, Any]
) -> None:
    assert _prompts(tmp_path, line) == []


def test_what_the_model_was_given_instead_is_not_told(tmp_path: Path) -> None:
    given = typed("fix it", transformedContent="<reminder>Never push</reminder> fix it")

    assert _prompts(tmp_path, given) == ["fix it"]


def test_a_compaction_and_its_summary(tmp_path: Path) -> None:
    made = event(
        "session.compaction_complete", success=True, summaryContent="All of it."
    )
    failed = event("session.compaction_complete", success=False)

    events = list(
        CopilotTranscripts(str(tmp_path), str).read(str(write(tmp_path, made, failed)))
    )

    assert len([one for one in events if isinstance(one, Compacted)]) == 1
    assert [one.text for one in events if isinstance(one, Summarised)] == ["All of it."]


def test_what_was_taken_back_is_not_the_conversation(tmp_path: Path) -> None:
    """Also where an earlier pass had read it."""
    second = "ffffffff-0000-4000-8000-000000000002"
    lines = [
        typed("one"),
        typed("two", second),
        typed("three"),
        event("session.snapshot_rewind", upToEventId=second, eventsRemoved=2),
        typed("four"),
    ]
    transcripts = CopilotTranscripts(str(tmp_path), str)
    expected = _state(tmp_path, *lines)
    first = transcripts.read(str(write(tmp_path, *lines[:3])))
    state = fold(begin(SESSION, "copilot"), first)
    again = transcripts.read(str(write(tmp_path, *lines)), first.cursor)

    assert [t.prompt for t in expected.live_turns()] == ["one", "four"]
    assert not again.restarted
    assert [t.prompt for t in fold(state, again).live_turns()] == ["one", "four"]


def test_a_call_that_was_denied_and_one_that_failed(tmp_path: Path) -> None:
    calls = [
        event(
            "tool.execution_start",
            toolCallId=f"call_{n}",
            toolName="edit",
            arguments={},
        )
        for n in (1, 2)
    ]
    denied = {"message": "no", "code": "denied"}
    state = _state(
        tmp_path,
        typed("a"),
        *calls,
        event(
            "tool.execution_complete", toolCallId="call_1", success=False, error=denied
        ),
        event(
            "tool.execution_complete",
            toolCallId="call_2",
            success=False,
            error={"message": "x"},
        ),
    )

    assert [(c.outcome, c.cause) for c in state.live_calls()] == [
        ("interrupted", "refused"),
        ("failed", ""),
    ]


@pytest.mark.parametrize(
    "odd", [{}, {"type": 5}, {"type": "new.thing"}, {"type": "new", "data": 5}]
)
def test_what_is_not_known_is_counted(tmp_path: Path, odd: dict[str, Any]) -> None:
    path = write(
        tmp_path, odd, event("session.error", message="overloaded"), typed("there")
    )

    events = list(CopilotTranscripts(str(tmp_path), str).read(str(path)))

    assert len([one for one in events if isinstance(one, Unrecognised)]) == 1
    assert [one.text for one in events if isinstance(one, RequestFailed)] == [
        "overloaded"
    ]
    assert [one.text for one in events if isinstance(one, UserSaid)] == ["there"]


@pytest.mark.parametrize("kind", ["user.message", "assistant.message", "tool.execution_start", "tool.execution_complete", "session.start"])  # fmt: skip
@pytest.mark.parametrize(
    "data", [None, 5, [], {"content": 5, "arguments": 5, "context": 5}]
)
def test_no_form_is_an_exception(tmp_path: Path, kind: str, data: object) -> None:
    _prompts(tmp_path, {**event(kind), "data": data})


def test_sessions_are_found(tmp_path: Path) -> None:
    path, transcripts = (
        write(tmp_path, typed("one")),
        CopilotTranscripts(str(tmp_path), str),
    )

    assert transcripts.find(SESSION) == str(path)
    assert transcripts.find("../x") is None
    assert transcripts.session_of(str(path)) == SESSION
    assert transcripts.beginning_with(SESSION[:5]) == (SESSION,)
    assert transcripts.newest("/code/here") == str(path)
    assert transcripts.newest("/elsewhere") is None
    assert transcripts.begun_in("/code/here") == (str(path),)
    assert transcripts.begun_in("/elsewhere") == ()
    assert transcripts.last_message_at(str(path)) == 1_794_999_815_007
    assert transcripts.origin(str(path)) is None
    older = path.parent.with_suffix(".jsonl")
    path.rename(older)
    assert transcripts.find(SESSION) == str(older)
    with pytest.raises(SaveFailed):
        transcripts.session_of(str(path))


def test_without_the_client_there_is_nothing_to_find(tmp_path: Path) -> None:
    transcripts = CopilotTranscripts(str(tmp_path / "nowhere"), str)

    assert (transcripts.find(SESSION), transcripts.newest()) == (None, None)
