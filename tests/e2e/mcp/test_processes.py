"""The server among real processes: whose session it is, and when it ends."""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from tests.e2e.mcp.world import OTHER_SESSION, SESSION, World

_BIN = Path(sys.executable).parent
_PATIENCE = 30.0
# A client of its own: it starts a hook and the server, and says one line to each.
_WINDOW = """
import json, subprocess, sys
hook, server, event, *lines = sys.argv[1:]
subprocess.run([hook, "SessionStart"], input=event, text=True, check=True,
               stdout=subprocess.DEVNULL)
with subprocess.Popen([server, "mcp"], stdin=-1, stdout=-1, text=True) as process:
    for line in lines:
        process.stdin.write(line + "\\n")
        process.stdin.flush()
        if '"id"' in line:
            answer = process.stdout.readline()
    process.stdin.close()
print(answer)
"""
_KILLED = """
import subprocess, sys
server = subprocess.Popen([sys.argv[1], "mcp"], stdin=subprocess.PIPE)
print(server.pid, flush=True)
sys.stdin.read()
"""


def _lines(*calls: tuple[str, dict[str, object]]) -> list[str]:
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "window", "version": "1"},
    }
    says: list[dict[str, object]] = [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]
    for number, (tool, arguments) in enumerate(calls, 1):
        params = {"name": tool, "arguments": arguments}
        says.append(
            {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
        )
    return [json.dumps(line) for line in says]


def _event(world: World, session: str, **more: str) -> str:
    place = world.claude / "projects" / "-home-me-proj" / f"{session}.jsonl"
    return json.dumps(
        {
            "session_id": session,
            "transcript_path": str(place),
            "cwd": str(world.project),
            **more,
        }
    )


def _hook(world: World, name: str, event: str) -> None:
    """Run a hook as the client does: a child of the process that is the client."""
    subprocess.run(
        [_BIN / "holdfast-hook", name],
        input=event,
        text=True,
        env=world.environ,
        cwd=world.project,
        stdout=subprocess.DEVNULL,
        check=True,
    )


def _forget_the_clients_note(world: World) -> None:
    """Leave only what hooks wrote down about this process."""
    (world.claude / "sessions" / f"{os.getpid()}.json").unlink()


def test_after_a_clear_the_running_server_saves_the_new_session(world: World) -> None:
    """The server's environment names a session that is long gone; its parent knows."""
    _forget_the_clients_note(world)
    start = {"hook_event_name": "SessionStart"}
    _hook(world, "SessionStart", _event(world, SESSION, source="startup", **start))

    async def words(client: Client) -> list[Any]:
        before = await client.call_tool("checkpoint_save", {"title": "before"})
        _hook(world, "SessionEnd", _event(world, SESSION, reason="clear"))
        cleared = _event(world, OTHER_SESSION, source="clear", **start)
        _hook(world, "SessionStart", cleared)
        after = await client.call_tool("checkpoint_save", {"title": "after"})
        return [before.structured_content, after.structured_content]

    before, after = world.talk(words, to=world.stdio())

    assert before["checkpoint"]["session_id"] == SESSION
    assert after["checkpoint"]["session_id"] == OTHER_SESSION


def test_two_windows_save_each_its_own_session(world: World) -> None:
    """Two clients in one project at once: each server belongs to one of them."""
    _forget_the_clients_note(world)

    def window(session: str) -> "subprocess.Popen[str]":
        event = _event(world, session, source="startup")
        says = _lines(("checkpoint_save", {"title": "mine"}))
        programs = (str(_BIN / "holdfast-hook"), str(_BIN / "holdfast"))
        return subprocess.Popen(
            [sys.executable, "-c", _WINDOW, *programs, event, *says],
            env=world.environ,
            cwd=world.project,
            stdout=subprocess.PIPE,
            text=True,
        )

    windows = {session: window(session) for session in (SESSION, OTHER_SESSION)}
    answers = {
        session: json.loads(process.communicate(timeout=_PATIENCE * 2)[0])
        for session, process in windows.items()
    }

    for session, answer in answers.items():
        saved = answer["result"]["structuredContent"]
        assert saved["checkpoint"]["session_id"] == session


def test_eight_calls_at_once_are_eight_answers(world: World) -> None:
    """An agent may call tools in parallel; numbers stay without gaps or repeats."""

    async def words(client: Client) -> list[Any]:
        answers: list[Any] = []

        async def save(number: int) -> None:
            result = await client.call_tool("checkpoint_save", {"title": f"t{number}"})
            answers.append(result.structured_content)

        async with anyio.create_task_group() as tasks:
            for number in range(8):
                tasks.start_soon(save, number)
        return answers

    answers = world.talk(words, to=world.stdio())

    sequences = sorted(answer["checkpoint"]["sequence"] for answer in answers)
    assert sequences == list(range(1, 9))


def test_one_tool_use_eight_times_at_once_is_one_save(world: World) -> None:
    """A client that loses patience calls again while the first call is at work."""
    meta: Any = {"claudecode/toolUseId": "toolu_01"}

    async def words(client: Client) -> set[str]:
        ids: set[str] = set()

        async def save() -> None:
            result = await client.call_tool(
                "checkpoint_save", {"title": "x"}, meta=meta
            )
            assert result.structured_content is not None
            ids.add(result.structured_content["checkpoint"]["id"])

        async with anyio.create_task_group() as tasks:
            for _ in range(8):
                tasks.start_soon(save)
        return ids

    assert len(world.talk(words, to=world.stdio())) == 1


def test_stdin_closed_in_the_middle_of_a_save_ends_the_server(world: World) -> None:
    """The client is gone: the save is whole or not there, and nothing stays behind."""
    transcript = Path(json.loads(_event(world, SESSION))["transcript_path"])
    transcript.write_bytes(transcript.read_bytes() * 200)
    said = "\n".join(_lines(("checkpoint_save", {"title": "cut off"}))) + "\n"

    with subprocess.Popen(
        [_BIN / "holdfast", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=world.environ,
        cwd=world.project,
    ) as process:
        assert process.stdin is not None
        process.stdin.write(said.encode())
        process.stdin.close()
        status = process.wait(_PATIENCE)

    found = world.answer("checkpoint_save", session_id=OTHER_SESSION, title="later")
    assert status == 0
    assert (found["type"], found["checkpoint"]["number"]) in (
        ("saved", 1),
        ("saved", 2),
    )


def test_a_client_that_is_killed_leaves_no_server(world: World) -> None:
    """`kill -9` says no goodbye; the closed pipe does."""
    with subprocess.Popen(
        [sys.executable, "-c", _KILLED, _BIN / "holdfast"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=world.environ,
        cwd=world.project,
        text=True,
    ) as client:
        assert client.stdout is not None
        server = int(client.stdout.readline())
        ended = _end_of(server)
        client.send_signal(signal.SIGKILL)
        client.wait(_PATIENCE)

    assert ended()


def _end_of(pid: int) -> Callable[[], bool]:
    """Return what waits for the end of a process that is not our child."""
    if not hasattr(os, "pidfd_open"):
        pytest.skip("this system cannot wait for a process that is not a child")
    handle = os.pidfd_open(pid)

    def ended() -> bool:
        ready, _, _ = select.select([handle], [], [], _PATIENCE)
        os.close(handle)
        return bool(ready)

    return ended
