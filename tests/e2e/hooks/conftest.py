"""Clients as the hooks see them: processes that call the real entry point."""

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from holdfast.kernel.clock import SystemClock, iso
from tests.builders import session_number
from tests.waiting import until_carried_out

FIXTURES = Path(__file__).parents[2] / "fixtures"
SAMPLES = {
    line["stdin"]["hook_event_name"] + line["stdin"].get("source", ""): line["stdin"]
    for line in map(
        json.loads,
        (FIXTURES / "hook-inputs.jsonl").read_text(encoding="utf-8").splitlines(),
    )
}
# A client: starts each hook as its own child, as the exec form of hooks does.
_CLIENT = """
import json, subprocess, sys
for line in sys.stdin:
    call = json.loads(line)
    done = subprocess.run(call["words"], input=call["stdin"].encode(), env=call["env"],
                          capture_output=True)
    print(json.dumps([done.returncode, done.stdout.decode(), done.stderr.decode()]),
          flush=True)
"""


@dataclass(frozen=True)
class Heard:
    status: int
    out: str
    err: str

    @property
    def said(self) -> dict[str, Any]:
        return json.loads(self.out) if self.out else {}

    @property
    def context(self) -> str:
        return str(self.said.get("hookSpecificOutput", {}).get("additionalContext", ""))

    @property
    def line(self) -> str:
        return str(self.said.get("systemMessage", ""))


class World:
    """A project, a data directory and the transcripts of one machine."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "holdfast"
        self.project = root / "project"
        self.project.mkdir()
        self._clients: list[subprocess.Popen[str]] = []
        self._is_held = False

    def environ(self, **more: str) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.root / "user"),
            "HOLDFAST_HOME": str(self.home),
            "CLAUDE_CONFIG_DIR": str(self.root / "claude"),
            "CLAUDE_CODE_ENTRYPOINT": "cli",
            **more,
        }

    def transcript(self, session: str) -> Path:
        return self.root / "claude" / "projects" / "-p" / f"{session}.jsonl"

    def window(self, environ: dict[str, str]) -> "Client":
        return self.client(None, **environ)

    def client(self, project: Path | None = None, **environ: str) -> "Client":
        process = subprocess.Popen(
            [sys.executable, "-c", _CLIENT],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._clients.append(process)
        return Client(self, process, project or self.project, self.environ(**environ))

    def cli(self, *words: str, **environ: str) -> Any:
        call = [sys.executable, "-m", "holdfast", *words, "--json"]
        call += ["--project", str(self.project)]
        env = self.environ(**environ)
        done = subprocess.run(
            call, env=env, capture_output=True, text=True, check=False
        )
        return json.loads(done.stdout)

    @contextmanager
    def nobody_saves(self) -> Iterator[None]:
        """Hold the right to carry saves out, as a process busy with a long one does."""
        place = self.home / "requests"
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.home.chmod(0o700)
        with (place / "work.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._is_held = True
            yield
        self._is_held = False
        self.settle()

    def settle(self) -> None:
        """Wait until what was asked for at an end is carried out, however busy we are."""
        if not self._is_held:
            until_carried_out(self.home)

    def git(self, *words: str, directory: Path | None = None) -> None:
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(
            ["git", *who, *words],
            cwd=directory or self.project,
            env={"PATH": os.environ["PATH"], "HOME": str(self.root)},
            check=True,
            capture_output=True,
        )

    def repository(self) -> None:
        """Make the project a repository with one commit."""
        self.git("init", "-q", "-b", "main")
        self.git("commit", "-q", "--allow-empty", "-m", "one")

    def close(self) -> None:
        for process in self._clients:
            process.kill()
            process.communicate()


class Client:
    """One window: a process, and the session it is in."""

    def __init__(
        self,
        world: World,
        process: "subprocess.Popen[str]",
        project: Path,
        environ: dict[str, str],
    ) -> None:
        self.world, self.process, self.project = world, process, project
        self.environ = environ

    def hook(self, event: str, session: str, **more: Any) -> Heard:
        given = {
            **SAMPLES.get(event + str(more.get("source", "")), {}),
            "session_id": session,
            "transcript_path": str(self.world.transcript(session)),
            "cwd": str(self.project),
            "hook_event_name": event,
            **more,
        }
        return self.raw(event, json.dumps(given))

    def raw(self, event: str, stdin: str, *options: str) -> Heard:
        words = [sys.executable, "-m", "holdfast.surfaces.hooks.main", event, *options]
        call = {"words": words, "stdin": stdin, "env": self.environ}
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(call) + "\n")
        self.process.stdin.flush()
        return Heard(*json.loads(self.process.stdout.readline()))

    def start(self, session: str, source: str = "startup", **more: Any) -> Heard:
        return self.hook("SessionStart", session, source=source, **more)

    def prompt(self, session: str, words: str) -> Heard:
        return self.hook("UserPromptSubmit", session, prompt=words)

    def end(self, session: str, reason: str) -> Heard:
        heard = self.hook("SessionEnd", session, reason=reason)
        self.world.settle()
        return heard

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


def write_session(
    world: World, session: str, prompt: str, *more: str, project: Path | None = None
) -> None:
    """Write a transcript in which a prompt was followed by an edit that was left open."""
    path = world.transcript(session)
    path.parent.mkdir(parents=True, exist_ok=True)
    lines: list[dict[str, Any]] = []
    for number, words in enumerate((prompt, *more)):
        lines += _turn(world, session, number, words)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    path.write_text(text.replace(str(world.project), str(project or world.project)))


def _turn(world: World, session: str, number: int, words: str) -> list[dict[str, Any]]:
    def line(place: int, kind: str, message: dict[str, Any]) -> dict[str, Any]:
        serial = number * 10 + place
        return {
            "type": kind,
            "uuid": f"{serial:08x}{session[8:]}",
            "parentUuid": f"{serial - 1:08x}{session[8:]}" if serial else None,
            "timestamp": iso(SystemClock().now_ms() - 60_000 + serial * 1000),
            "sessionId": session,
            "cwd": str(world.project),
            "version": "2.1.197",
            "message": message,
        }

    name = f"part{number}.py" if number else "refresh.py"
    call = {"file_path": f"{world.project}/{name}", "content": "x = 1\n"}
    use = {"type": "tool_use", "id": f"t{number}", "name": "Write", "input": call}
    todos = [{"content": "make reuse detection hold", "status": "pending"}]
    todo = {
        "type": "tool_use",
        "id": f"d{number}",
        "name": "TodoWrite",
        "input": {"todos": todos},
    }
    results = [
        {"type": "tool_result", "tool_use_id": f"{kind}{number}", "content": "ok"}
        for kind in "td"
    ]

    def agent(place: int, block: dict[str, Any]) -> dict[str, Any]:
        message = {"id": f"m{number}{place}", "role": "assistant", "content": [block]}
        usage = {"input_tokens": 1000 * (number + 1), "output_tokens": 5}
        more = {"model": "claude-sonnet-4-5", "usage": usage}
        return line(place, "assistant", {**message, **more})

    written = {"type": "create", "filePath": call["file_path"], "structuredPatch": []}
    done = line(2, "user", {"role": "user", "content": results[:1]})
    return [
        line(0, "user", {"role": "user", "content": words}),
        agent(1, use),
        {**done, "toolUseResult": {**written, "content": call["content"]}},
        agent(3, todo),
        line(4, "user", {"role": "user", "content": results[1:]}),
        agent(5, {"type": "text", "text": "One test is still red."}),
    ]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.close()


@pytest.fixture
def sessions() -> list[str]:
    return [session_number(number) for number in range(1, 8)]
