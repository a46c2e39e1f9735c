"""MCP over HTTP: 16 connections that are kept, each with one question after the other.

Goals: ≥ 500 reads/s, ≥ 200 saves/s of 4 kB, and every save that was acknowledged is there
afterwards. The server is `holdfast serve` with a token; beside it, in the same run, the
official SDK alone answers a tool that repeats its argument. Clients are one process that
speaks HTTP by hand, on the same cores as the server.

`python -m benchmarks.http_mcp soak 1800 [--reads 250] [--saves 100]`: for so many seconds
at a fixed pace, half of both goals if none is told, and how the server's memory grows.
"""

import argparse
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
from typing import NamedTuple

from benchmarks.http_calls import (
    READS,
    Call,
    Connection,
    Memory,
    Serving,
    a_save,
    missing,
    serving,
    text,
)

_CONNECTIONS = 16
_SECONDS = 6.0
_GOALS = {"reads": 500, "saves": 200}
_PARTS = 30  # of a soak: each is a line
_HELD = 0.98  # of a pace: connections are opened anew for each part


@dataclass
class Tally:
    done: int = 0
    acknowledged: list[str] = field(default_factory=list)
    took: list[float] = field(default_factory=list)
    seconds: float = _SECONDS

    @property
    def rate(self) -> float:
        return self.done / self.seconds


class Pace(NamedTuple):
    """How much is asked in a second, and for how long."""

    seconds: float
    reads: float
    saves: float


class At(NamedTuple):
    port: int
    token: str
    pid: int  # of the server


def main() -> None:
    if "soak" in sys.argv:
        _soak(_pace(sys.argv[sys.argv.index("soak") + 1 :]))
        return
    load = os.getloadavg()[0]
    print(f"{_CONNECTIONS} connections, {_SECONDS:.0f} s each, load average {load:.1f}")
    with _echoing() as (port, pid):
        bare = _measured("the SDK alone, an echo", At(port, "-", pid), _echo)
    with tempfile.TemporaryDirectory() as root, serving(Path(root)) as server:
        at = At(server.port, server.token, server.process.pid)
        for name, call in READS.items():
            _measured(name, at, call, bare.rate)
        mixed = list(READS.values())
        _measured(
            "reads, a fourth of each",
            at,
            lambda n: mixed[n % len(mixed)](n),
            bare.rate,
            _GOALS["reads"],
        )
        size = len(json.dumps(a_save(1)[1]))
        told = _measured(
            f"saves of {size:,} bytes", at, a_save, bare.rate, _GOALS["saves"]
        )
        lost = missing(server.home, told.acknowledged)
        print(f"  acknowledged {len(told.acknowledged):,}, missing afterwards {lost}")


def _pace(words: list[str]) -> Pace:
    parser = argparse.ArgumentParser(prog="soak")
    parser.add_argument("seconds", type=float)
    parser.add_argument("--reads", type=float, default=_GOALS["reads"] / 2)
    parser.add_argument("--saves", type=float, default=_GOALS["saves"] / 2)
    return Pace(**vars(parser.parse_args(words)))


def _measured(
    name: str,
    at: At,
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
    return "echo", {"text": text(20)}


def _soak(pace: Pace) -> None:
    """So much at once for a long time, and what the server's memory does meanwhile."""
    print(f"  asked: {pace.reads:.0f} reads and {pace.saves:.0f} saves a second")
    with tempfile.TemporaryDirectory() as root, serving(Path(root)) as server:
        acknowledged, memory, done = list[str](), list[Memory](), 0
        part = pace._replace(seconds=max(1.0, pace.seconds / _PARTS))
        began = time.monotonic()
        for _ in range(_PARTS):
            told = asyncio.run(_paced(server, part))
            acknowledged += told.acknowledged
            done += told.done
            memory.append(server.memory())
            saves, took = len(told.acknowledged), sorted(told.took)
            print(
                f"  {time.monotonic() - began:6.0f} s"
                f"  {(told.done - saves) / told.seconds:5.0f} reads/s"
                f"  {saves / told.seconds:4.0f} saves/s"
                f"  median {took[len(took) // 2] * 1000:4.0f} ms"
                f"  99 % {took[len(took) * 99 // 100] * 1000:5.0f} ms"
                f"  slowest {took[-1] * 1000:5.0f} ms"
                f"  {memory[-1].resident / 1e6:6.1f} MB"
                f"  of it own {memory[-1].own / 1e6:6.1f} MB"
                f"  load {os.getloadavg()[0]:.1f}",
                flush=True,
            )
        seconds = time.monotonic() - began
        lost = missing(server.home, acknowledged)
        print(f"  {len(acknowledged):,} saves acknowledged, missing {lost}")
        each = (done - len(acknowledged)) / seconds, len(acknowledged) / seconds
        is_held = each[0] >= pace.reads * _HELD and each[1] >= pace.saves * _HELD
        held = "" if is_held else ": the pace was missed"
        print(
            f"  {each[0]:.0f} reads/s, {each[1]:.0f} saves/s over {seconds:,.0f} s{held}"
        )
        # The first tenth fills caches; growth is from there to the end.
        warm, last = memory[_PARTS // 10], memory[-1]
        print(f"  memory {last.resident / warm.resident - 1:+.1%} (goal < 5 %)")
        print(f"  of it the process's own {last.own / warm.own - 1:+.1%}")


async def _paced(server: Serving, pace: Pace) -> Tally:
    tally, began = Tally(), time.monotonic()
    until = began + pace.seconds
    reads = list(READS.values())

    async def one(number: int, every: float, call: Callable[[int], Call]) -> None:
        connection = Connection(server.port, server.token)
        await connection.opened()
        # What a slow moment left undone is asked as soon as there is room again.
        turn, due = 0, began + every * random.random()  # noqa: S311  # no secret
        while due < until and time.monotonic() < until:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            await _once(connection, number, turn, call, tally)
            turn, due = turn + 1, due + every
        connection.close()

    half = _CONNECTIONS // 2
    await asyncio.gather(
        *(
            one(n, half / pace.reads, lambda k: reads[k % len(reads)](k))
            for n in range(half)
        ),
        *(one(half + n, half / pace.saves, a_save) for n in range(half)),
    )
    tally.seconds = time.monotonic() - began
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
    tally.took.append(time.monotonic() - began)
    tally.done += 1
    if asked[0] == "checkpoint_save":
        told = json.loads(answer)["result"]["structuredContent"]
        tally.acknowledged.append(told["checkpoint"]["id"])


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
