"""MCP over HTTP: 16 connections that are kept, each with one question after the other.

Goals: ≥ 500 reads/s, ≥ 200 saves/s of 4 kB, and every save that was acknowledged is there
afterwards. The server is `holdfast serve` with a token; beside it, in the same run, the
official SDK alone answers a tool that repeats its argument. Clients are one process that
speaks HTTP by hand, on the same cores as the server.

`python -m benchmarks.http_mcp soak 600`: for so many seconds at half of that, and how the
server's memory grows.
"""

import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from holdfast.domain.query import Scope
from holdfast.store.sqlite.store import open_store
from tests.builders import a_full_draft, identity, session_number

_CONNECTIONS = 16
_SECONDS = 6.0
_RECORDS = 1_000
_GOALS = {"reads": 500, "saves": 200}
_SOAK_READS, _SOAK_SAVES = 250, 100  # a second: half of each goal
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


@dataclass
class Tally:
    done: int = 0
    acknowledged: list[str] = field(default_factory=list)
    slowest: float = 0.0

    @property
    def rate(self) -> float:
        return self.done / _SECONDS


class At(NamedTuple):
    port: int
    token: str
    pid: int  # of the server


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


def main() -> None:
    if "soak" in sys.argv:
        _soak(float(sys.argv[sys.argv.index("soak") + 1]))
        return
    load = os.getloadavg()[0]
    print(f"{_CONNECTIONS} connections, {_SECONDS:.0f} s each, load average {load:.1f}")
    with _echoing() as (port, pid):
        bare = _measured("the SDK alone, an echo", At(port, "-", pid), _echo)
    with tempfile.TemporaryDirectory() as root, _serving(Path(root)) as server:
        at = At(server.port, server.token, server.process.pid)
        for name, call in _READS.items():
            _measured(name, at, call, bare.rate)
        mixed = list(_READS.values())
        _measured(
            "reads, a fourth of each",
            at,
            lambda n: mixed[n % len(mixed)](n),
            bare.rate,
            _GOALS["reads"],
        )
        size = len(json.dumps(_save(1)[1]))
        told = _measured(
            f"saves of {size:,} bytes", at, _save, bare.rate, _GOALS["saves"]
        )
        lost = _missing(server.home, told.acknowledged)
        print(f"  acknowledged {len(told.acknowledged):,}, missing afterwards {lost}")


def _measured(
    name: str,
    at: "At",
    call: Callable[[int], Call],
    bare: float = 0.0,
    goal: int = 0,
) -> Tally:
    before = _cpu(at.pid)
    told = _run(at.port, at.token, _SECONDS, call)
    each = (_cpu(at.pid) - before) / told.done
    wanted = f"  (goal {goal}{'' if told.rate >= goal else ', missed'})" if goal else ""
    part = f", {told.rate / bare:.2f} of the SDK alone" if bare else ""
    print(
        f"  {name:24} {told.rate:6,.0f}/s, {each * 1000:5.2f} ms of a core{part}{wanted}"
    )
    return told


def _cpu(pid: int) -> float:
    """Return the seconds of a core that a process has had."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def _echo(_: int) -> Call:
    return "echo", {"text": _text(20)}


def _soak(seconds: float) -> None:
    """Half of both goals at once, and what the server's memory does meanwhile."""
    with tempfile.TemporaryDirectory() as root, _serving(Path(root)) as server:
        minute = max(1.0, seconds / 20)
        acknowledged, rss = list[str](), list[int]()
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            told = asyncio.run(_paced(server, minute))
            acknowledged += told.acknowledged
            rss.append(server.memory())
            print(
                f"  {time.monotonic() - began:6.0f} s  {told.done / minute:5.0f}/s"
                f"  slowest {told.slowest * 1000:5.0f} ms  {rss[-1] / 1e6:6.1f} MB"
                f"  load {os.getloadavg()[0]:.1f}",
                flush=True,
            )
        # The first part fills caches; growth is from there to the end.
        grown = rss[-1] / rss[len(rss) // 10] - 1
        lost = _missing(server.home, acknowledged)
        print(f"  {len(acknowledged):,} saves acknowledged, missing {lost}")
        print(f"  memory {grown:+.1%} (goal < 5 %)")


async def _paced(server: "Serving", seconds: float) -> Tally:
    tally, until = Tally(), time.monotonic() + seconds
    reads = list(_READS.values())

    async def one(number: int, every: float, call: Callable[[int], Call]) -> None:
        connection = Connection(server.port, server.token)
        await connection.opened()
        turn, due = 0, time.monotonic()
        while due < until:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            await _once(connection, number, turn, call, tally)
            turn, due = turn + 1, max(due + every, time.monotonic() - every)
        connection.close()

    half = _CONNECTIONS // 2
    await asyncio.gather(
        *(
            one(n, half / _SOAK_READS, lambda k: reads[k % len(reads)](k))
            for n in range(half)
        ),
        *(one(half + n, half / _SOAK_SAVES, _save) for n in range(half)),
    )
    return tally


def _run(port: int, token: str, seconds: float, call: Callable[[int], Call]) -> Tally:
    return asyncio.run(_running(port, token, seconds, call))


async def _running(
    port: int, token: str, seconds: float, call: Callable[[int], Call]
) -> Tally:
    tally = Tally()
    connections = [Connection(port, token) for _ in range(_CONNECTIONS)]
    for each in connections:
        await each.opened()
    until = time.monotonic() + seconds

    async def one(number: int, connection: Connection) -> None:
        turn = 0
        while time.monotonic() < until:
            await _once(connection, number, turn, call, tally)
            turn += 1
        connection.close()

    await asyncio.gather(*(one(n, each) for n, each in enumerate(connections)))
    return tally


async def _once(
    connection: Connection,
    number: int,
    turn: int,
    call: Callable[[int], Call],
    tally: Tally,
) -> None:
    asked = call(turn * _CONNECTIONS + number)
    began = time.monotonic()
    answer = await connection.call(turn, os.urandom(8).hex(), asked)
    tally.slowest = max(tally.slowest, time.monotonic() - began)
    tally.done += 1
    if asked[0] == "checkpoint_save":
        told = json.loads(answer)["result"]["structuredContent"]
        tally.acknowledged.append(told["checkpoint"]["id"])


def _text(words: int) -> str:
    return " ".join(random.choice(_WORDS) for _ in range(words))  # noqa: S311  # no secret


def _texts(count: int, words: int) -> list[str]:
    return [_text(words) for _ in range(count)]


def _save(number: int) -> Call:
    notes = {
        "decisions": _texts(8, 14),
        "key_outcomes": _texts(7, 14),
        "discoveries": _texts(8, 14),
        "next_steps": _texts(6, 12),
        "dead_ends": _texts(4, 14),
    }
    told = {"title": _text(5), "summary": _text(110), "notes": notes}
    return "checkpoint_save", {**told, "session_id": f"s-{number % 500}-{time.time_ns()}"}  # fmt: skip


def _any(_: int) -> str:
    return str(random.randrange(1, _RECORDS))  # noqa: S311  # no secret


_READS: dict[str, Callable[[int], Call]] = {
    "get": lambda n: ("checkpoint_get", {"checkpoint_id": _any(n)}),
    "resume": lambda n: ("checkpoint_resume", {"checkpoint_id": _any(n)}),
    "search, 5 hits": lambda n: (
        "checkpoint_search",
        {"query": _any(n), "limit": 5},
    ),
    "list, 5 newest": lambda _: ("checkpoint_list", {"limit": 5}),
}


@dataclass(frozen=True)
class Serving:
    port: int
    token: str
    home: str
    process: "subprocess.Popen[bytes]"

    def memory(self) -> int:
        """Return the resident bytes of the server."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return 1024 * int(status.partition("VmRSS:")[2].split()[0])


@contextmanager
def _serving(root: Path) -> Iterator[Serving]:
    """`holdfast serve` over a store with records, and a token that may write."""
    project, home = root / "project", root / "home"
    project.mkdir()
    with open_store(str(home), create=True) as store:
        known = store.project(identity(str(project))).project_id
        for row in range(_RECORDS):
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


def _missing(home: str, acknowledged: list[str]) -> int:
    with open_store(home, create=False) as store:
        there = {outline.checkpoint_id for outline in store.outlines(Scope())}
    return len(set(acknowledged) - there) + len(acknowledged) - len(set(acknowledged))


_ECHO = """
import socket, sys, uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
server = MCPServer("echo", log_level="CRITICAL")
@server.tool()
def echo(text: str) -> str:
    return text
app = server.streamable_http_app(
    json_response=True, stateless_http=True,
    transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
)
listening = socket.socket(proto=socket.IPPROTO_TCP)
listening.bind(("127.0.0.1", 0))
listening.listen()
print(listening.getsockname()[1], flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="critical", access_log=False)).run(
    sockets=[listening]
)
"""


@contextmanager
def _echoing() -> Iterator[tuple[int, int]]:
    call = [sys.executable, "-c", _ECHO]
    with subprocess.Popen(call, stdout=subprocess.PIPE) as process:
        assert process.stdout
        try:
            yield int(process.stdout.readline()), process.pid
        finally:
            process.terminate()


if __name__ == "__main__":
    main()
