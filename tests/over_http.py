"""MCP over a real socket: the application behind a door of the tests, and its callers."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from holdfast.domain import query
from holdfast.domain.access import Grant
from holdfast.domain.checkpoint import Checkpoint
from holdfast.store.sqlite.store import open_store
from holdfast.surfaces.mcp.http import McpOverHttp
from tests.builders import a_full_draft, identity

LATER = 4_000_000_000_000
VERSION = "2025-06-18"


def a_grant(name: str = "alice", scope: Any = "write", *projects: str) -> Grant:
    return Grant(
        token_id=f"{abs(hash(name)) % 16**8:08x}",
        name=name,
        scope=scope,
        projects=projects,
        until_ms=LATER,
    )


class DoorOfTests:
    """Says who asks by a word, and lets the application decide what that allows."""

    def __init__(self, app: ASGIApp, grants: Mapping[str, Grant]) -> None:
        self._app, self._grants = app, grants

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        told = dict(scope["headers"]).get(b"authorization", b"").decode()
        grant = self._grants.get(told.removeprefix("Bearer "))
        scope["state"] = {"grant": grant} if grant else {}
        await self._app(scope, receive, send)


@dataclass(frozen=True)
class Address:
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"


@contextmanager
def served(app: McpOverHttp, grants: Mapping[str, Grant]) -> Iterator[Address]:
    """Serve an application until the block is left."""
    # asyncio sends at once what is said over TCP, if the socket says that it is
    listening = socket.socket(proto=socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    ready, over = threading.Event(), threading.Event()
    thread = threading.Thread(
        target=lambda: asyncio.run(
            _run(app, DoorOfTests(app, grants), listening, ready, over)
        )
    )
    thread.start()
    ready.wait()
    try:
        yield Address(listening.getsockname()[1])
    finally:
        over.set()
        thread.join()
        listening.close()


async def _run(
    app: McpOverHttp,
    door: ASGIApp,
    listening: socket.socket,
    ready: threading.Event,
    over: threading.Event,
) -> None:
    config = uvicorn.Config(
        door, lifespan="off", log_level="critical", access_log=False
    )
    server = uvicorn.Server(config)
    async with app.run():
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        ready.set()
        await asyncio.to_thread(over.wait)
        server.should_exit = True
        await serving


@dataclass
class Answered:
    status: int
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def told(self) -> Any:
        """What a tool answered, structured."""
        return self.json["result"]["structuredContent"]


class Asking:
    """One connection that is kept, as a client's is."""

    def __init__(self, address: Address, token: str = "") -> None:
        self._connection = HTTPConnection("127.0.0.1", address.port, timeout=20)
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Mcp-Protocol-Version": VERSION,
        } | ({"Authorization": f"Bearer {token}"} if token else {})

    def ask(self, body: bytes | Mapping[str, Any], method: str = "POST") -> Answered:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        self._connection.request(method, "/mcp", raw, self._headers)
        reply = self._connection.getresponse()
        return Answered(reply.status, reply.read())

    def tool(self, tool_name: str, use: str = "", **arguments: Any) -> Answered:
        meta = {"_meta": {"claudecode/toolUseId": use}} if use else {}
        params = {"name": tool_name, "arguments": arguments, **meta}
        return self.ask(
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        )

    def close(self) -> None:
        self._connection.close()


class Office:
    """A machine with one checkpoint whose `holdfast serve` is a process of its own."""

    def __init__(self, root: Path, author: str) -> None:
        self.store = str(root / "office-data")
        project = root / "office"
        project.mkdir()
        with open_store(self.store, create=True) as store:
            known = store.project(identity(str(project))).project_id
            store.put(a_full_draft(project_id=known, project_root=str(project)))
        self.environ = {
            "PATH": os.environ["PATH"], "HOME": str(root), "HOLDFAST_HOME": self.store,
        }  # fmt: skip
        named = ["--json", "--project", str(project)]
        self._holdfast = [sys.executable, "-m", "holdfast", *named]
        words = ["token", "create", "--scope", "write", "--name", author]
        made = subprocess.run(
            [*self._holdfast, *words],
            env=self.environ, check=True, capture_output=True,
        )  # fmt: skip
        self.secret = str(json.loads(made.stdout)["secret"])

    @contextmanager
    def serving(
        self, *words: str, inside: Sequence[str] = ()
    ) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
        """Serve until the block is left; `inside` says where."""
        call = [*inside, *self._holdfast, "serve", "--no-browser", *words]
        with subprocess.Popen(
            call, env=self.environ, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as server:
            assert server.stdout
            address = json.loads(server.stdout.readline())["address"]
            try:
                yield str(address).partition("/enter/")[0], server
            finally:
                server.terminate()

    def told(self) -> list[Checkpoint]:
        """Return what was told to it, the oldest first."""
        with open_store(self.store, create=False) as store:
            found = store.list(query.Scope(), limit=10_000)
        return [one for one in reversed(found) if one.draft.author]
