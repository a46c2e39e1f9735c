"""An answer as MCP sends it: structured, with the same JSON as text beside it."""

import json
from typing import Any

from mcp.types import CallToolResult, TextContent

from holdfast.domain.record import Json
from holdfast.domain.text import storable
from holdfast.surfaces.mcp.failure import Refusal

# All that is promised of every answer; the reference page shows the rest.
OUTPUT_SCHEMA = {
    "type": "object",
    "properties": {"type": {"type": "string"}},
    "required": ["type"],
}


def reply(answer: Json) -> CallToolResult:
    told = _sendable(answer)
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return CallToolResult(content=[_text(text)], structured_content=told)


def refused(refusal: Refusal) -> CallToolResult:
    return CallToolResult(
        content=[_text(storable(refusal.text))],
        structured_content=_sendable(refusal.json),
        is_error=True,
    )


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def _sendable(value: Any) -> Any:
    """Half a surrogate pair cannot be sent, and would end the server."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list | tuple):
        return [_sendable(part) for part in value]
    if isinstance(value, dict):
        return {storable(str(key)): _sendable(part) for key, part in value.items()}
    return value
