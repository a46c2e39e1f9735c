"""A client of MCP over HTTP for benchmarks: a server, a connection, and what it is asked."""

import asyncio
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from holdfast.domain.query import Scope
from holdfast.store.sqlite.store import open_store
from tests.builders import a_full_draft, identity, session_number

RECORDS = 1_000
_WORDS = [
    "the",
    "parser",
    "keeps",
    "one",
    "table",
    "per",
    "file",
    "because",
    "imports",
    "are",
    "resolved",
    "late",
    "and",
    "tokens",
    "rotate",
    "on",
    "use",
    "when",
    "a",
    "refresh",
    "fails",
    "in",
    "the",
    "login",
    "endpoint",
    "of",
    "the",
    "server",
]

Call = tuple[str, dict[str, Any]]


class Connection:
    """A connection that says HTTP by hand: what a client library costs is not measured."""

    def __init__(self, port: int, token: str) -> None:
        self._port = port
        self._head = (
            f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n"
            "Accept: application/json, text/event-stream\r\n"
            "Mcp-Protocol-Version: 2025-06-18\r\nContent-Length: "
        ).encode()

    async def opened(self) -> None:
        self._reader, self._writer = await asyncio.open_connection(
            "127.0.0.1", self._port
        )

    async def call(self, number: int, use: str, call: Call) -> bytes:
        params = {"name": call[0], "arguments": call[1]}
        meta = {"_meta": {"claudecode/toolUseId": use}}
        asked = {"jsonrpc": "2.0", "id": number, "method": "tools/call"}
        body = json.dumps(asked | {"params": params | meta}).encode()
        self._writer.write(self._head + f"{len(body)}\r\n\r\n".encode() + body)
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
        answer = await self._reader.readexactly(length)
        if b" 200 " not in head[:16] or b'"isError":false' not in answer:
            raise RuntimeError(f"{head!r} {answer[:300]!r}")
        return answer

    def close(self) -> None:
        self._writer.close()


def text(words: int) -> str:
    return " ".join(random.choice(_WORDS) for _ in range(words))  # noqa: S311  # no secret


def _texts(count: int, words: int) -> list[str]:
    return [text(words) for _ in range(count)]


def a_save(number: int) -> Call:
    notes = {
        "decisions": _texts(10, 14),
        "key_outcomes": _texts(9, 14),
        "discoveries": _texts(10, 14),
        "next_steps": _texts(6, 12),
        "dead_ends": _texts(8, 14),
    }
    told = {"title": text(5), "summary": text(110), "notes": notes}
    return "checkpoint_save", {**told, "session_id": f"s-{number % 500}-{time.time_ns()}"}  # fmt: skip


def _any(_: int) -> str:
    return str(random.randrange(1, RECORDS))  # noqa: S311  # no secret


READS: dict[str, Callable[[int], Call]] = {
    "get": lambda n: ("checkpoint_get", {"checkpoint_id": _any(n)}),
    "resume": lambda n: ("checkpoint_resume", {"checkpoint_id": _any(n)}),
    "search, 5 hits": lambda n: (
        "checkpoint_search",
        {"query": _any(n), "limit": 5},
    ),
    "list, 5 newest": lambda _: ("checkpoint_list", {"limit": 5}),
}


class Memory(NamedTuple):
    """Bytes of a process in memory, and how many of them are no mapped file."""

    resident: int
    own: int


@dataclass(frozen=True)
class Serving:
    port: int
    token: str
    home: str
    process: "subprocess.Popen[bytes]"

    def memory(self) -> Memory:
        path = Path(f"/proc/{self.process.pid}/status")
        status = path.read_text(encoding="ascii")
        parts = ("VmRSS:", "RssAnon:")
        kilobytes = (int(status.partition(part)[2].split()[0]) for part in parts)
        return Memory(*(1024 * each for each in kilobytes))


@contextmanager
def serving(root: Path) -> Iterator[Serving]:
    """`holdfast serve` over a store with records, and a token that may write."""
    project, home = root / "project", root / "home"
    project.mkdir()
    with open_store(str(home), create=True) as store:
        known = store.project(identity(str(project))).project_id
        for row in range(RECORDS):
            place = {
                "project_root": str(project),
                "session_id": session_number(row + 1),
            }
            store.put(a_full_draft(title=f"Step {row}", project_id=known, **place))
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(root),
        "HOLDFAST_HOME": str(home),
    }
    holdfast = [sys.executable, "-m", "holdfast", "--json", "--project", str(project)]
    made = subprocess.run(
        [*holdfast, "token", "create", "--scope", "write", "--name", "bench"],
        env=environ, capture_output=True, check=True,
    )  # fmt: skip
    call = [*holdfast, "serve", "--port", "0", "--no-browser"]
    with subprocess.Popen(call, env=environ, stdout=subprocess.PIPE) as process:
        assert process.stdout
        address = json.loads(process.stdout.readline())["address"]
        try:
            port = int(address.split(":")[2].split("/")[0])
            token = json.loads(made.stdout)["secret"]
            yield Serving(port, token, str(home), process)
        finally:
            process.terminate()


def missing(home: str, acknowledged: list[str]) -> int:
    with open_store(home, create=False) as store:
        there = {outline.checkpoint_id for outline in store.outlines(Scope())}
    return len(set(acknowledged) - there) + len(acknowledged) - len(set(acknowledged))
