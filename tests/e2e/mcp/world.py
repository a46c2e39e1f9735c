"""A machine with one session on it, and the official client talking to our server."""

import json
import os
import shutil
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import anyio
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult

from holdfast.surfaces.mcp.calls import Calls
from holdfast.surfaces.mcp.server import HoldfastServer, Offer, server

SESSION = "a2523e9a-5b5d-4506-ae8b-d2f616a916b5"
OTHER_SESSION = "157e3abc-c05f-483e-89d7-1e9fcee58c4e"
_SAMPLES = Path(__file__).parents[2] / "fixtures" / "transcripts"
_TRANSCRIPTS = {
    SESSION: "interactive-edit-filehistory.jsonl",
    OTHER_SESSION: "print-tools.jsonl",
}
_HOLDFAST = str(Path(sys.executable).parent / "holdfast")
T = TypeVar("T")


@dataclass(frozen=True)
class World:
    root: Path

    @property
    def project(self) -> Path:
        return self.root / "project"

    @property
    def claude(self) -> Path:
        return self.root / "claude"

    @property
    def environ(self) -> dict[str, str]:
        """What the client gives its server; the session id in it is an old one."""
        return {
            "HOME": str(self.root / "user"),
            "PATH": os.defpath,
            "CLAUDE_CONFIG_DIR": str(self.claude),
            "CLAUDE_CODE_SESSION_ID": "00000000-0000-4000-8000-000000000000",
        }

    def in_session(self, session: str) -> None:
        """Be the client, in this session: its note names the process of the tests."""
        note = {"pid": os.getpid(), "sessionId": session, "status": "idle"}
        path = self.claude / "sessions" / f"{os.getpid()}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(note), encoding="utf-8")

    def session_in(self, directory: Path, session: str) -> str:
        """Let a session have worked in a directory; return its id."""
        sample = (_SAMPLES / _TRANSCRIPTS[OTHER_SESSION]).read_text(encoding="utf-8")
        own = sample.replace("/home/me/proj", str(directory))
        place = self.claude / "projects" / str(directory).replace("/", "-")
        place.mkdir(exist_ok=True)
        path = place / f"{session}.jsonl"
        path.write_text(own.replace(OTHER_SESSION, session), encoding="utf-8")
        return session

    def calls(self, **environ: str) -> Calls:
        stale = "CLAUDE_CODE_SESSION_ID"
        given = {k: v for k, v in self.environ.items() if k != stale} | environ
        return Calls(environ=given, client_pid=os.getpid(), project=str(self.project))

    def server(self, offer: Offer = "all", **environ: str) -> HoldfastServer:
        return server(self.calls(**environ), offer)

    def stdio(self, *words: str) -> StdioServerParameters:
        return StdioServerParameters(
            command=_HOLDFAST,
            args=["mcp", *words],
            env=self.environ,
            cwd=str(self.project),
        )

    def call(
        self, tool: str, meta: Mapping[str, Any] | None = None, **arguments: Any
    ) -> CallToolResult:
        return self.talk(
            lambda client: client.call_tool(tool, arguments, meta=meta)  # type: ignore[arg-type]  # any `_meta` may be sent
        )

    def answer(self, tool: str, **arguments: Any) -> Any:
        """The structured answer of a call that must succeed."""
        result = self.call(tool, **arguments)
        assert not result.is_error, result
        return result.structured_content

    def refusal(self, tool: str, **arguments: Any) -> Any:
        """The error of a call that must fail; its text says what to do next."""
        result = self.call(tool, **arguments)
        assert result.is_error, result
        assert "Traceback" not in text_of(result)
        assert "\nnext: " in text_of(result)
        return result.structured_content

    def protocol_error(self, words: Callable[[Client], Awaitable[object]]) -> str:
        """The words of a protocol error that must come."""

        async def caught(client: Client) -> str:
            try:
                await words(client)
            except MCPError as error:
                return error.message
            raise AssertionError("there was no error")

        return self.talk(caught)

    def talk(
        self,
        words: Callable[[Client], Awaitable[T]],
        to: HoldfastServer | StdioServerParameters | None = None,
        **options: Any,
    ) -> T:
        """Connect the official client, say `words`, and hang up."""

        async def connected() -> T:
            async with Client(to or self.server(), **options) as client:
                return await words(client)

        return anyio.run(connected)


def a_world(root: Path) -> World:
    world = World(root)
    world.project.mkdir()
    place = world.claude / "projects" / "-home-me-proj"
    place.mkdir(parents=True)
    for session, sample in _TRANSCRIPTS.items():
        shutil.copy(_SAMPLES / sample, place / f"{session}.jsonl")
    world.in_session(SESSION)
    return world


def a_repository(path: Path) -> Path:
    """Make a repository without a commit, owned by whoever runs the tests."""
    for part in ("objects", "refs/heads"):
        (path / ".git" / part).mkdir(parents=True)
    (path / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="ascii")
    return path


def text_of(result: CallToolResult) -> str:
    return "".join(getattr(block, "text", "") for block in result.content)
