"""Tool definitions that cost few tokens: an agent pays for each of them in each session."""

from collections.abc import Callable
from typing import Any

from mcp.server.mcpserver.tools import Tool
from mcp.types import ToolAnnotations

from holdfast.surfaces.mcp.replies import OUTPUT_SCHEMA


def slim_tool(function: Callable[..., Any], description: str, *, reads: bool) -> Tool:
    """Return a function as a tool whose schema says each thing once."""
    hints = (
        ToolAnnotations(read_only_hint=True)
        if reads
        else ToolAnnotations(destructive_hint=False)
    )
    tool = Tool.from_function(
        function, description=description, annotations=hints, structured_output=False
    )
    tool.parameters = {
        "type": "object",
        "properties": {
            name: _slim(part) for name, part in tool.parameters["properties"].items()
        },
        **{k: v for k, v in tool.parameters.items() if k == "required"},
        "additionalProperties": False,
    }
    tool.fn_metadata.output_schema = dict(OUTPUT_SCHEMA)
    return tool


def _slim(part: dict[str, Any]) -> dict[str, Any]:
    """Drop titles and empty defaults; a parameter that may be left out is not null."""
    choices = [c for c in part.get("anyOf", ()) if c != {"type": "null"}]
    if len(choices) == 1:
        part = {**choices[0], **{k: v for k, v in part.items() if k != "anyOf"}}
    kept = {k: v for k, v in part.items() if k not in ("title", "additionalProperties")}
    if not kept.get("default"):
        kept.pop("default", None)
    return kept
