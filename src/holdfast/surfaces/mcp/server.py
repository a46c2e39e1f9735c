"""The MCP server: which tools there are, their slim schemas, and what a failure says."""

from collections.abc import Callable, Iterable
from typing import Any, Literal

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import (
    ResourceError,
    ResourceNotFoundError,
    ToolError,
)
from mcp.server.mcpserver.tools import Tool
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolResult,
    InputRequiredResult,
    ToolAnnotations,
)

from holdfast import __version__
from holdfast.app.administration.standing import INSTRUCTIONS
from holdfast.kernel.errors import HoldfastError
from holdfast.surfaces.mcp.calls import Calls
from holdfast.surfaces.mcp.handoff import HandoffTools
from holdfast.surfaces.mcp.merging import MergeTool
from holdfast.surfaces.mcp.reading import ReadResources, ReadTools
from holdfast.surfaces.mcp.replies import (
    OUTPUT_SCHEMA,
    Refusal,
    refusal_of,
    refused,
    unknown,
    unknown_arguments,
)
from holdfast.surfaces.mcp.saving import SaveTools, SettingsTool

Offer = Literal["default", "all"]
MARKDOWN = "text/markdown"
_RESOURCES = ("checkpoint://latest", "checkpoint://{ref}", "handoff://latest")


class HoldfastServer(MCPServer[Any]):
    """The SDK's server, with our words for everything that goes wrong."""

    def __init__(self, calls: Calls, tools: Iterable[Tool]) -> None:
        super().__init__(
            "holdfast",
            version=__version__,
            instructions=INSTRUCTIONS,
            tools=list(tools),
            log_level="CRITICAL",  # stderr is the client's log; bugs leave a report
        )
        self._calls = calls

    async def call_tool(
        self,
        name: str,
        arguments: dict[str, Any],
        context: Context[Any, Any] | None = None,
    ) -> CallToolResult | InputRequiredResult:
        tool = self._tool_manager.get_tool(name)
        if tool is None:
            names = [tool.name for tool in self._tool_manager.list_tools()]
            return refused(unknown("tool", name, names, self._calls.environ))
        given = {key: value for key, value in arguments.items() if value is not None}
        known = list(tool.parameters["properties"])
        if strange := [key for key in given if key not in known]:
            return refused(unknown_arguments(strange, known, self._calls.environ))
        try:
            return await super().call_tool(name, given, context)
        except ToolError as failed:
            return refused(self._refusal(failed))

    async def read_resource(self, uri: Any, context: Any = None) -> Any:
        try:
            return await super().read_resource(uri, context)
        except ResourceError as failed:
            # The SDK's own answer repeats the address as it was asked for.
            if isinstance(failed, ResourceNotFoundError):
                refusal = unknown("resource", str(uri), _RESOURCES, self._calls.environ)
            else:
                refusal = self._refusal(failed)
            code = INVALID_PARAMS if _is_nothing(refusal) else INTERNAL_ERROR
            raise MCPError(code=code, message=refusal.text) from None

    async def get_prompt(
        self, name: str, arguments: Any = None, context: Any = None
    ) -> Any:
        names = [prompt.name for prompt in self._prompt_manager.list_prompts()]
        if name not in names:
            text = unknown("prompt", name, names, self._calls.environ).text
            raise MCPError(code=INVALID_PARAMS, message=text)
        try:
            return await super().get_prompt(name, arguments, context)
        except ValueError as failed:
            text = self._refusal(failed).text
            raise MCPError(code=INVALID_PARAMS, message=text) from None

    def _refusal(self, failed: BaseException) -> Refusal:
        """Say what is behind the SDK's own errors, which only wrap it."""
        cause: BaseException = failed
        while cause.__cause__ is not None:
            cause = cause.__cause__
        return refusal_of(cause, self._calls.environ)


def server(calls: Calls, offer: Offer = "default") -> HoldfastServer:
    """Return the server, ready to run; switched off, it offers nothing and costs nothing."""
    if _is_off(calls):
        return HoldfastServer(calls, ())
    ours = HoldfastServer(calls, _tools(calls, offer))
    reading = ReadResources(calls)
    ours.resource(
        "checkpoint://latest",
        name="latest",
        description="The brief of this worktree's latest checkpoint",
        mime_type=MARKDOWN,
    )(reading.latest)
    ours.resource(
        "checkpoint://{ref}",
        name="checkpoint",
        description="The brief of a checkpoint, by number, id or name",
        mime_type=MARKDOWN,
    )(reading.one)
    ours.resource(
        "handoff://latest",
        name="handoff",
        description="The project's handoff file",
        mime_type=MARKDOWN,
    )(HandoffTools(calls).latest)
    ours.prompt("checkpoint", description="Save a checkpoint with good notes")(
        reading.checkpoint
    )
    ours.prompt("resume", description="Continue from a checkpoint")(reading.resume)
    return ours


def _tools(calls: Calls, offer: Offer) -> Iterable[Tool]:
    saving, finding, settings = SaveTools(calls), ReadTools(calls), SettingsTool(calls)
    yield slim_tool(
        saving.checkpoint_save,
        "Save what this session knows. Facts come from its transcript; write in `notes`"
        " what only you know.",
        reads=False,
    )
    yield slim_tool(
        finding.checkpoint_get,
        "One checkpoint's record: everything, or some fields.",
        reads=True,
    )
    yield slim_tool(
        finding.checkpoint_search,
        "Find checkpoints of earlier sessions: what was decided, tried, changed.",
        reads=True,
    )
    yield slim_tool(
        finding.checkpoint_resume,
        "The brief to continue from; default: this worktree's latest.",
        reads=True,
    )
    yield slim_tool(
        finding.checkpoint_list, "List checkpoints, newest first.", reads=True
    )
    if offer == "default":
        return
    yield slim_tool(
        finding.checkpoint_status,
        "Count the work since the last checkpoint.",
        reads=True,
    )
    yield slim_tool(
        finding.checkpoint_diff,
        "What changed between two checkpoints, or since one: items and files.",
        reads=True,
    )
    yield slim_tool(
        MergeTool(calls).checkpoint_merge,
        "Bring what several checkpoints know together in one, such as a fork's"
        " conclusions. Writes no code.",
        reads=False,
    )
    yield slim_tool(
        finding.checkpoint_blame,
        "Which prompt made each line of a file, or that it is not known.",
        reads=True,
    )
    yield slim_tool(
        settings.checkpoint_configure,
        "Change when holdfast saves and resumes by itself, for this user; without"
        " arguments show it. Only if the user asks.",
        reads=False,
    )
    yield from _handing(HandoffTools(calls))
    yield slim_tool(
        saving.store_checkpoint, "Older name of checkpoint_save.", reads=False
    )
    yield slim_tool(
        finding.get_latest_checkpoint,
        "The latest checkpoint, whole. Show it, then end with what `say` holds.",
        reads=True,
    )


def _handing(handing: HandoffTools) -> Iterable[Tool]:
    yield slim_tool(
        handing.handoff_write,
        "Write what is open into the project's handoff file and what stays true into"
        " its memory files. Only if the user asks.",
        reads=False,
    )
    yield slim_tool(
        handing.handoff_check,
        "Could the next session start from the handoff file alone?",
        reads=True,
    )


def _is_off(calls: Calls) -> bool:
    try:
        return not calls.container().config.enabled
    except HoldfastError:
        return False  # each call will say what is wrong, where the agent can read it


def _is_nothing(refusal: Refusal) -> bool:
    """Say whether what was asked for is not there, as opposed to broken."""
    return refusal.code.startswith(("FIND_", "USE_"))


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
