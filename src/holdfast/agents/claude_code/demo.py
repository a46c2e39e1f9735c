"""A made-up session for the demo, written as Claude Code would write it.

One developer, one parser, one test left red: small enough to read, real enough to see
what a checkpoint carries.
"""

import json
from collections.abc import Iterator
from typing import Any

from holdfast.kernel.clock import iso

SESSION = "5eed0000-0000-4000-8000-000000000001"
_MINUTE_MS = 60_000

_RED = """\
============================= test session starts ==============================
tests/test_parser.py ....F
FAILED tests/test_parser.py::test_nested_quotes - ValueError: unclosed quote at 7
========================= 1 failed, 4 passed in 0.21s =========================="""
_ESCAPES_RED = """\
============================= test session starts ==============================
tests/test_parser.py .....F
FAILED tests/test_parser.py::test_escaped_quote - AssertionError: 'a' != 'a\\"b'
========================= 1 failed, 5 passed in 0.22s =========================="""


class Scene:
    """Writes transcript lines, each linked to the one before and a while later."""

    def __init__(self, session: str, directory: str, began_ms: int) -> None:
        self._session = session
        self._directory = directory
        self._now = began_ms
        self._parent: str | None = None
        self._count = 0
        self.lines: list[str] = []

    def user(self, text: str) -> None:
        self._line("user", {"role": "user", "content": text})

    def agent(self, text: str) -> None:
        self._assistant({"type": "text", "text": text})

    def tool(
        self, name: str, arguments: dict[str, Any], result: dict[str, Any]
    ) -> None:
        """Call a tool; `result` has `text`, and what else the client would add."""
        call = f"toolu_demo{self._count:04d}"
        self._assistant(
            {"type": "tool_use", "id": call, "name": name, "input": arguments}
        )
        block = {
            "type": "tool_result",
            "tool_use_id": call,
            "content": result["text"],
            "is_error": result.get("failed", False),
        }
        more = {"toolUseResult": result["structured"]} if "structured" in result else {}
        self._line("user", {"role": "user", "content": [block]}, more)

    def _assistant(self, block: dict[str, Any]) -> None:
        usage = {"input_tokens": 9_000 + 700 * self._count, "output_tokens": 120}
        message = {
            "id": f"msg_demo{self._count:04d}",
            "role": "assistant",
            "model": "claude-opus-4-8",
            "content": [block],
            "usage": usage,
        }
        self._line("assistant", message)

    def _line(
        self, kind: str, message: dict[str, Any], more: dict[str, Any] | None = None
    ) -> None:
        self._count += 1
        self._now += _MINUTE_MS // 3
        uuid = f"{self._session[:8]}-{self._count:04d}-4000-8000-{self._count:012d}"
        line = {
            "type": kind,
            "uuid": uuid,
            "parentUuid": self._parent,
            "timestamp": iso(self._now),
            "sessionId": self._session,
            "cwd": self._directory,
            "gitBranch": "main",
            "version": "2.1.197",
            "isSidechain": False,
            "message": message,
        }
        self._parent = uuid
        self.lines.append(json.dumps(line | (more or {})))


def first_session(directory: str, began_ms: int) -> Iterator[str]:
    """Yield the lines of a session that leaves one test red."""
    scene = Scene(SESSION, directory, began_ms)
    parser, tests = f"{directory}/src/parser.py", f"{directory}/tests/test_parser.py"
    scene.user(
        "Make the parser accept nested quotes. Never use eval, and keep parse() in one"
        " file."
    )
    scene.tool("Read", {"file_path": parser}, _read(parser))
    scene.tool(
        "Bash",
        {"command": "pytest -q tests", "description": "Run tests"},
        _failed(_RED),
    )
    scene.agent(
        "The scanner stops at the first inner quote. I'll track the depth instead."
    )
    scene.tool(
        "Edit",
        {
            "file_path": parser,
            "old_string": "end = text.index(quote, start)",
            "new_string": "end = _closing(text, start, quote)",
        },
        _edited(parser, added=14, removed=3),
    )
    scene.tool(
        "Bash",
        {"command": "pytest -q tests", "description": "Run tests"},
        _passed("5 passed in 0.19s"),
    )
    scene.user("Good. Now escaped quotes too, with a test first.")
    scene.tool(
        "Edit",
        {
            "file_path": tests,
            "old_string": "# more to come",
            "new_string": "def test_escaped_quote():",
        },
        _edited(tests, added=6, removed=1),
    )
    scene.tool(
        "Bash",
        {"command": "pytest -q tests", "description": "Run tests"},
        _failed(_ESCAPES_RED),
    )
    scene.tool(
        "TodoWrite",
        {
            "todos": [
                {"content": "Accept nested quotes", "status": "completed"},
                {
                    "content": "Accept escaped quotes in _closing()",
                    "status": "in_progress",
                },
                {"content": "Document the quoting rules", "status": "pending"},
            ]
        },
        {"text": "Todos have been modified successfully"},
    )
    scene.agent(
        "Parser accepts nested quotes; one test still red: test_escaped_quote. Next:"
        " skip a quote in _closing() when a backslash stands before it. Should a"
        " backslash outside quotes stay literal?"
    )
    yield from scene.lines


def _read(path: str) -> dict[str, Any]:
    return {
        "text": "1  def parse(text):",
        "structured": {"type": "text", "file": {"filePath": path}},
    }


def _passed(text: str) -> dict[str, Any]:
    return {
        "text": text,
        "structured": {"stdout": text, "stderr": "", "interrupted": False},
    }


def _failed(text: str) -> dict[str, Any]:
    return {"text": f"Exit code 1\n{text}", "failed": True}


def _edited(path: str, *, added: int, removed: int) -> dict[str, Any]:
    lines = [*("+" for _ in range(added)), *("-" for _ in range(removed))]
    return {
        "text": f"The file {path} has been updated.",
        "structured": {"filePath": path, "structuredPatch": [{"lines": lines}]},
    }
