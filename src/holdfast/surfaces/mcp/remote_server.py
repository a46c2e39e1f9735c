"""The MCP server for callers over HTTP: which tools there are, what each needs, and what a
failure says where it must say nothing of this machine.
"""

from collections.abc import Iterable
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, InputRequiredResult

from holdfast.domain.access import AccessScope
from holdfast.kernel.errors import STORE_TROUBLE, HoldfastError
from holdfast.surfaces.mcp.calls import Calls
from holdfast.surfaces.mcp.remote import Remote, grant_of, refuse_unless
from holdfast.surfaces.mcp.remote_reading import RemoteReadTools, RemoteResources
from holdfast.surfaces.mcp.remote_saving import RemoteSaveTools, RemoteSettingsTool
from holdfast.surfaces.mcp.replies import Refusal, refusal_of, refused
from holdfast.surfaces.mcp.server import MARKDOWN, HoldfastServer, slim_tool

# What a token must grant for a tool: one that is not here is not offered.
NEEDS: dict[str, AccessScope] = {
    "checkpoint_save": "write",
    "checkpoint_get": "read",
    "checkpoint_search": "read",
    "checkpoint_resume": "read",
    "checkpoint_list": "read",
    "checkpoint_diff": "read",
    "checkpoint_configure": "admin",
    "store_checkpoint": "write",
    "get_latest_checkpoint": "read",
}
# What a tool or parameter of `holdfast mcp` would need, and is not on this machine.
_NOT_HERE = {
    "checkpoint_status": "the session and its code",
    "checkpoint_blame": "the file and its repository",
    "checkpoint_merge": "somebody who may speak for each of the checkpoints",
    "handoff_write": "the project's files",
    "handoff_check": "the project's files",
}
_NOT_TAKEN = {
    "include_files": "the files it is about",
    "force": "whoever gave the name",
}
_BESIDE = "use `holdfast mcp` on the machine where the work is"
_TROUBLE = "the store of this server cannot answer now; nothing was saved"
_AGAIN = "call it again in a moment, the same way; then tell the user"
_NAMED = (
    "call again with another `name`; the name is moved on the server's machine only"
)
_BUG = "tell the user that whoever runs this server can find a report there"

# Where a hint for an agent on this machine names what is not to be had over HTTP.
_HINTS = {"BUG_001": _BUG, "NAME_002": _NAMED}


class RemoteServer(HoldfastServer):
    """Every call is looked at for what its token grants, before anything else."""

    async def call_tool(
        self,
        name: str,
        arguments: dict[str, Any],
        context: Context[Any, Any] | None = None,
    ) -> CallToolResult | InputRequiredResult:
        try:
            refuse_unless(grant_of(context), NEEDS.get(name, "read"))
        except HoldfastError as problem:
            return refused(self._refusal(problem))
        lacking = _NOT_HERE.get(name) or next(
            (why for field, why in _NOT_TAKEN.items() if arguments.get(field)), None
        )
        if lacking:
            what = f"that needs {lacking}, which is not available over HTTP"
            return refused(Refusal("USE_001", what, _BESIDE))
        return await super().call_tool(name, arguments, context)

    async def read_resource(self, uri: Any, context: Any = None) -> Any:
        refuse_unless(grant_of(context), "read")
        return await super().read_resource(uri, context)

    def _refusal(self, failed: BaseException) -> Refusal:
        """Say what went wrong, and nothing of where this server keeps its files."""
        cause: BaseException = failed
        while cause.__cause__ is not None and not isinstance(cause, HoldfastError):
            cause = cause.__cause__
        refusal = refusal_of(cause, self._calls.environ)
        if isinstance(cause, STORE_TROUBLE):
            return Refusal(refusal.code, _TROUBLE, _AGAIN)
        if refusal.code in _HINTS:
            return refusal._replace(hint=_HINTS[refusal.code])
        if refusal.code.startswith("TOKN_") and isinstance(cause, HoldfastError):
            return refusal._replace(hint=cause.hint)
        return refusal


def remote_server(remote: Remote, calls: Calls, *, is_on: bool = True) -> RemoteServer:
    """Return the server, ready to be asked; switched off, it offers nothing."""
    ours = RemoteServer(calls, _tools(remote) if is_on else ())
    if is_on:
        ours.resource(
            "checkpoint://{ref}",
            name="checkpoint",
            description="The brief of a checkpoint, by number, id or name",
            mime_type=MARKDOWN,
        )(RemoteResources(remote).one)
    return ours


def _tools(remote: Remote) -> Iterable[Tool]:
    saving, reading = RemoteSaveTools(remote), RemoteReadTools(remote)
    yield slim_tool(
        saving.checkpoint_save,
        "Save what this session knows, as you tell it: nothing here can read its"
        " transcript.",
        reads=False,
    )
    yield slim_tool(
        reading.checkpoint_get,
        "One checkpoint's record: everything, or some fields.",
        reads=True,
    )
    yield slim_tool(
        reading.checkpoint_search,
        "Find checkpoints: what was decided, tried, changed.",
        reads=True,
    )
    yield slim_tool(
        reading.checkpoint_resume,
        "The brief to continue from; somebody else's is quoted.",
        reads=True,
    )
    yield slim_tool(
        reading.checkpoint_list, "List checkpoints, newest first.", reads=True
    )
    yield slim_tool(
        reading.checkpoint_diff,
        "What changed between two checkpoints: items and files.",
        reads=True,
    )
    yield slim_tool(
        RemoteSettingsTool(remote).checkpoint_configure,
        "Change when holdfast saves and resumes by itself on the server's machine;"
        " without arguments show it. Only if the user asks.",
        reads=False,
    )
    yield slim_tool(
        saving.store_checkpoint, "Older name of checkpoint_save.", reads=False
    )
    yield slim_tool(
        reading.get_latest_checkpoint, "The latest checkpoint, whole.", reads=True
    )
