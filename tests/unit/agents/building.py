"""Lines of a transcript, made up: what a test does not say is as a client writes it."""

import json
from typing import Any

from holdfast.agents.claude_code.transcript.events import Interpreter
from holdfast.agents.claude_code.transcript.lines import PLAIN_ID, Line, objects
from holdfast.agents.redact_events import Cleaner
from holdfast.domain.event import Event, Located

SESSION = "0f0e0d0c-0b0a-4908-8706-050403020100"
AT = "2026-11-15T19:41:39.677Z"
AT_MS = 1_794_771_699_677

Json = dict[str, Any]


def unchanged(text: str) -> str:
    """A redaction that finds nothing."""
    return text


def uuid(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012x}"


def line(kind: str, number: int = 1, **more: Any) -> Json:
    """A line that has an id, the next one of its chain."""
    return {
        "parentUuid": uuid(number - 1) if number > 1 else None,
        "isSidechain": False,
        "type": kind,
        "uuid": uuid(number),
        "timestamp": AT,
        "cwd": "/code/here",
        "sessionId": SESSION,
        "version": "2.1.197",
        "gitBranch": "main",
        "entrypoint": "cli",
    } | more


def user(content: object, number: int = 1, **more: Any) -> Json:
    return line("user", number, message={"role": "user", "content": content}) | more


def agent(*blocks: Json, number: int = 1, **more: Any) -> Json:
    message = {
        "id": "msg_01",
        "model": "claude-opus-4-8",
        "role": "assistant",
        "content": list(blocks),
        "usage": {"input_tokens": 10, "output_tokens": 2},
    }
    return line("assistant", number, message=message) | more


def call(tool: str, number: int = 1, **given: Any) -> Json:
    block = {"type": "tool_use", "id": "toolu_01", "name": tool, "input": given}
    return agent(block, number=number)


def answer(
    content: object, result: object = None, *, is_error: bool = False, number: int = 1
) -> Json:
    block = {"type": "tool_result", "tool_use_id": "toolu_01", "content": content}
    if is_error:
        block["is_error"] = True
    more = {} if result is None else {"toolUseResult": result}
    return user([block], number, **more)


def queue(operation: str, content: str | None = None, **more: Any) -> Json:
    made = {"type": "queue-operation", "operation": operation, "timestamp": AT}
    return made | ({} if content is None else {"content": content}) | more


def raw(*lines: Json) -> bytes:
    """The lines as a client writes them, each with its newline."""
    return b"".join(
        json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        for made in lines
    )


def told(*lines: Json) -> list[Event]:
    """What the lines say, except where the session runs."""
    interpreter = Interpreter(Cleaner(unchanged, PLAIN_ID))
    found = [each for made in raw(*lines).splitlines() for each in objects(made)]
    events = [
        event
        for each in found
        if isinstance(each, Line)
        for event in interpreter.events(each)
    ]
    return [event for event in events if not isinstance(event, Located)]
