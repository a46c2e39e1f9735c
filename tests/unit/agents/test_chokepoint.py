"""Every field of every kind of line passes the redaction chokepoint."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast.agents.claude_code.transcript.transcripts import (
    ClaudeCodeTranscripts,
)
from holdfast.domain.event import Event, UserSaid
from tests.unit.agents.building import (
    Json,
    agent,
    answer,
    call,
    line,
    queue,
    raw,
    user,
)

_CANARY = "cAnArY-7f3d"
_TEXT = {"type": "text", "text": "done"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


def _events(path: Path, *, bulk: bool) -> list[Event]:
    adapter = ClaudeCodeTranscripts(
        "/nowhere", lambda text: text.replace(_CANARY, "[]"), bulk=bulk
    )
    return list(adapter.read(str(path)))


def _canaries() -> Iterator[Any]:
    """Each kind of line with a canary in one field after another."""
    kinds = {
        "prompt": user("x", isMeta=False, promptSource="typed", origin={"kind": "human"}),
        "blocks": user([{"type": "text", "text": "x"}]),
        "injected": user("x", isMeta=True),
        "summary": user("x", isCompactSummary=True),
        "command": user("<command-name>/x</command-name><command-args>y</command-args>"),
        "text": agent(_TEXT),
        "result": answer("x", {"stdout": "", "stderr": "", "backgroundTaskId": "x", "agentId": "x", "task": {"id": "x"}}),
        "error": answer("x", "x", is_error=True),
        "compaction": line("system", subtype="compact_boundary", compactMetadata={"trigger": "x"}, logicalParentUuid="x"),
        "failure": line("system", subtype="api_error", error={"message": "x", "error": {"message": "x"}}),
        "local": line("system", subtype="local_command", content="x"),
        "plan": line("attachment", attachment={"type": "plan_mode", "planFilePath": "x"}),
        "hook": line("attachment", attachment={"type": "hook_additional_context", "content": ["x"]}),
        "queued": line("attachment", attachment={"type": "queued_command", "prompt": "x"}),
        "title": {"type": "custom-title", "customTitle": "x"},
        "own title": {"type": "ai-title", "aiTitle": "x"},
        "absorbed": queue("remove", "x", reason="absorbed_mid_turn"),
        "side": user("x", isSidechain=True, agentId="x"),
        "snapshot": {"type": "file-history-snapshot", "messageId": "x"},
    }  # fmt: skip
    tools: dict[str, Json] = {
        "Bash": {"command": "x", "description": "x"},
        "Read": {"file_path": "x"},
        "Edit": {"file_path": "x", "old_string": "x", "new_string": "x"},
        "MultiEdit": {
            "file_path": "x",
            "edits": [{"old_string": "x", "new_string": "x"}],
        },
        "Write": {"file_path": "x", "content": "x"},
        "NotebookEdit": {"notebook_path": "x", "new_source": "x"},
        "Grep": {"pattern": "x", "path": "x"},
        "WebFetch": {"url": "x", "prompt": "x"},
        "WebSearch": {"query": "x"},
        "Task": {"description": "x", "subagent_type": "x"},
        "Skill": {"skill": "x", "args": "x"},
        "AskUserQuestion": {"questions": [{"question": "x"}]},
        "ExitPlanMode": {"plan": "x"},
        "TodoWrite": {"todos": [{"content": "x", "status": "x"}]},
        "TaskCreate": {"subject": "x", "description": "x"},
        "TaskUpdate": {"taskId": "x", "subject": "x", "status": "completed"},
        "TaskOutput": {"task_id": "x"},
        "mcp__x": {"key": "x", "list": ["x"]},
    }
    kinds |= {f"call of {tool}": call(tool, **given) for tool, given in tools.items()}
    for kind, made in kinds.items():
        yield pytest.param(made, id=kind)


@pytest.mark.parametrize("made", list(_canaries()))
def test_t27_no_field_reaches_an_event_without_passing_redaction(
    path: Path, made: Json
) -> None:
    """One field that goes around the chokepoint is a secret in the store."""
    for spoiled in _spoiled(made):
        path.write_bytes(raw(spoiled))
        for bulk in (False, True):
            events = _events(path, bulk=bulk)

            assert events
            assert _CANARY not in repr(events), json.dumps(spoiled)


def test_a_field_that_is_kept_shows_its_redacted_text(path: Path) -> None:
    """The canary test would pass as well if nothing were kept at all."""
    path.write_bytes(raw(user(f"use {_CANARY} here")))

    said = [e.text for e in _events(path, bulk=True) if isinstance(e, UserSaid)]

    assert said == ["use [] here"]


def _spoiled(made: object) -> Iterator[Any]:
    """Copies of a JSON value with the canary in one text or one name each."""
    if isinstance(made, str):
        yield _CANARY
        yield f"{made} {_CANARY}"
    elif isinstance(made, list):
        for place, item in enumerate(made):
            for spoiled in _spoiled(item):
                yield [*made[:place], spoiled, *made[place + 1 :]]
    elif isinstance(made, dict):
        yield made | {_CANARY: _CANARY}
        for key, item in made.items():
            for spoiled in _spoiled(item):
                yield made | {key: spoiled}
