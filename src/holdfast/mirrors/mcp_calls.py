"""Calling the tools of an MCP server over streamable HTTP, as much of it as a mirror needs.

The protocol's own library is not used: the server wants an older one, and each message is
one request with one answer, as JSON or as a stream of events.
"""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, Any

from holdfast import __version__
from holdfast.kernel.errors import MirrorDown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from holdfast.mirrors.web import Web, WebAnswer

_PROTOCOL = "2025-06-18"
_ACCEPTED = (200, 202)
_SESSION = "mcp-session-id"
_EVENTS = "text/event-stream"


class ToolRefused(Exception):
    """A tool answered with an error of its own; the message is the server's."""


class ToolServer:
    """One conversation with a server; begun by `begin`."""

    def __init__(self, web: Web) -> None:
        self._web = web
        self._ids = count(1)
        self._headers: dict[str, str] = {"Accept": f"application/json, {_EVENTS}"}

    def begin(self) -> Mapping[str, Any]:
        """Say hello, and return who answers.

        Raises:
            MirrorDown: nobody does, or it does not speak MCP.
        """
        told = self._request(
            "initialize",
            {
                "protocolVersion": _PROTOCOL,
                "capabilities": {},
                "clientInfo": {"name": "holdfast", "version": __version__},
            },
        )
        self._headers["Mcp-Protocol-Version"] = str(told.get("protocolVersion"))
        self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})
        info = told.get("serverInfo")
        return info if isinstance(info, dict) else {}

    def tools(self) -> frozenset[str]:
        """Return the names of the tools it has."""
        listed = self._request("tools/list", {}).get("tools")
        rows = listed if isinstance(listed, list) else []
        return frozenset(str(row.get("name")) for row in rows if isinstance(row, dict))

    def call(self, tool: str, **arguments: object) -> Mapping[str, Any]:
        """Return what a tool answers.

        Raises:
            ToolRefused: it answers with an error.
            MirrorDown: it does not answer.
        """
        told = self._request("tools/call", {"name": tool, "arguments": arguments})
        structured = told.get("structuredContent")
        result = structured.get("result") if isinstance(structured, dict) else None
        if told.get("isError") or not isinstance(result, dict) or "error" in result:
            raise ToolRefused(tool)
        return result

    def end(self) -> None:
        """Let the server forget the conversation; it may have done so already."""
        try:
            self._web.ask("DELETE", self._web.address.path, headers=self._headers)
        except MirrorDown:
            return

    def _request(self, method: str, parameters: object) -> Mapping[str, Any]:
        number = next(self._ids)
        message = {
            "jsonrpc": "2.0",
            "id": number,
            "method": method,
            "params": parameters,
        }
        for told in _messages(self._post(message)):
            if isinstance(told, dict) and told.get("id") == number:
                result = told.get("result")
                if isinstance(result, dict):
                    return result
        raise self._strange()

    def _post(self, message: Mapping[str, object]) -> WebAnswer:
        answer = self._web.ask("POST", self._web.address.path, message, self._headers)
        if answer.status not in _ACCEPTED:
            raise self._strange()
        if session := answer.headers.get(_SESSION):
            self._headers["Mcp-Session-Id"] = session
        return answer

    def _strange(self) -> MirrorDown:
        return MirrorDown(
            f"what answers at {self._web.address.shown} does not speak MCP",
            hint="start it with `--transport streamable-http`, and set its `url`",
        )


def _messages(answer: WebAnswer) -> Iterator[Any]:
    """Yield the messages of an answer: one, or the data of each event."""
    if not answer.headers.get("content-type", "").startswith(_EVENTS):
        yield answer.json()
        return
    for line in answer.body.decode("utf-8", "replace").splitlines():
        if line.startswith("data:"):
            try:
                yield json.loads(line.removeprefix("data:"))
            except (ValueError, RecursionError):
                continue
