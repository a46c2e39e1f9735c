"""Lines of a rollout as Codex CLI writes them."""

import json
from pathlib import Path
from typing import Any

from holdfast.agents.codex.rollout.rollouts import CodexTranscripts
from holdfast.agents.json_lines import JsonLinesReading
from holdfast.domain.event import Event, UserSaid
from holdfast.domain.session import Cursor

THREAD = "01a1ee2a-a4d3-7d72-b559-98cd1a9b3bdc"
OTHER = "01a1ee2b-bc7c-78f1-8de9-ff319b8d3c39"
CWD = "/code/here"


def line(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-11-18T10:18:54.649Z", "type": kind, "payload": payload}


def meta(thread: str = THREAD, **more: Any) -> dict[str, Any]:
    return line(
        "session_meta",
        **{"id": thread, "cwd": CWD, "cli_version": "0.166.0", "source": "cli", **more},
    )


def event(kind: str, **fields: Any) -> dict[str, Any]:
    return line("event_msg", type=kind, **fields)


def item(kind: str, **fields: Any) -> dict[str, Any]:
    return event("item_completed", item={"type": kind, "id": "i", **fields})


def answer(kind: str, **fields: Any) -> dict[str, Any]:
    return line("response_item", type=kind, **fields)


def typed(text: str) -> dict[str, Any]:
    """A prompt as a paginated rollout has it."""
    return item("UserMessage", content=[{"type": "text", "text": text}])


def typed_then(text: str) -> dict[str, Any]:
    """A prompt as a legacy rollout has it."""
    return event("user_message", message=text, images=[])


def said(text: str) -> dict[str, Any]:
    return item("AgentMessage", content=[{"type": "Text", "text": text}])


def call(name: str, call_id: str = "call_1", **arguments: Any) -> dict[str, Any]:
    text = json.dumps(arguments)
    return answer("function_call", name=name, arguments=text, call_id=call_id)


def patch(text: str, call_id: str = "call_1") -> dict[str, Any]:
    return answer("custom_tool_call", name="apply_patch", input=text, call_id=call_id)


def output(text: object, call_id: str = "call_1") -> dict[str, Any]:
    return answer("function_call_output", call_id=call_id, output=text)


def raw(*lines: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in lines)


def name_of(thread: str = THREAD, rollout: str = "", moment: str = "10-18-54") -> str:
    more = f"_{rollout}" if rollout else ""
    return f"rollout-2026-11-18T{moment}-{thread}{more}.jsonl"


class Rollouts:
    """A `CODEX_HOME` in a directory."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.transcripts = CodexTranscripts(str(root), str)

    def path(self, name: str) -> Path:
        place = self.root / "sessions" / "2026" / "11" / "18" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        return place

    def write(self, *lines: dict[str, Any], name: str = "") -> Path:
        path = self.path(name or name_of())
        path.write_bytes(raw(*lines))
        return path

    def read(self, path: Path, since: Cursor | None = None) -> JsonLinesReading:
        return self.transcripts.read(str(path), since)

    def events(self, *lines: dict[str, Any]) -> list[Event]:
        return list(self.read(self.write(meta(), *lines)))

    def prompts(self, *lines: dict[str, Any]) -> list[str]:
        found = self.events(*lines)
        return [one.text for one in found if isinstance(one, UserSaid)]
