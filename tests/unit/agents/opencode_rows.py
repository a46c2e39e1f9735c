"""An OpenCode database by its published schema, filled by hand."""

import json
from itertools import count
from pathlib import Path
from typing import Any

import apsw

SESSION = "ses_5f35b4fd4e75N1"
_NUMBERS = count(1)
_SCHEMA = """
CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, slug TEXT,
  directory TEXT NOT NULL, title TEXT, version TEXT, revert TEXT,
  time_created INTEGER, time_updated INTEGER);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER,
  time_updated INTEGER, data TEXT);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT,
  time_created INTEGER, time_updated INTEGER, data TEXT);
"""
_AT = 1_794_999_815_000

Part = dict[str, Any]


def text(words: str, **more: Any) -> Part:
    return {"type": "text", "text": words, **more}


def tool(name: str, status: str = "completed", output: str = "", **given: Any) -> Part:
    metadata = {"exit": given.pop("exit")} if "exit" in given else {}
    state = {"status": status, "input": given, "output": output, "metadata": metadata}
    if status == "error":
        state["error"] = output
    return {
        "type": "tool",
        "tool": name,
        "callID": f"call_{next(_NUMBERS)}",
        "state": state,
    }


class OpenCodeData:
    """A directory of OpenCode's, with one session in its database."""

    def __init__(
        self,
        directory: Path,
        cwd: str = "/code/here",
        session: str = SESSION,
        began: int = _AT,
    ) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.path = directory / "opencode.db"
        self._at, self._session = began, session
        with self.connection() as database:
            database.execute(_SCHEMA)
            row = (session, cwd, "A title", "1.18.33", began, began)
            database.execute(
                "INSERT INTO session (id, directory, title, version, time_created,"
                " time_updated) VALUES (?, ?, ?, ?, ?, ?)",
                row,
            )

    def connection(self) -> apsw.Connection:
        return apsw.Connection(str(self.path))

    def add(self, role: str, *parts: Part, **message: Any) -> str:
        """Add a message with its parts, and return its id."""
        self._at += 1
        own = f"msg_{next(_NUMBERS):06d}"
        with self.connection() as database:
            data = json.dumps({"role": role, **message})
            database.execute(
                "INSERT INTO message VALUES (?, ?, ?, ?, ?)",
                (own, self._session, self._at, self._at, data),
            )
            for part in parts:
                part_id = f"prt_{next(_NUMBERS):06d}"
                row = (part_id, own, self._session, self._at, self._at)
                database.execute(
                    "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)",
                    (*row, json.dumps(part)),
                )
        return own

    def work(self, goal: str) -> None:
        """A prompt, a command that fails, an edit, and a last word."""
        self.add("user", text(goal))
        change = {"filePath": "a.py", "oldString": "x", "newString": "y"}
        self.add(
            "assistant",
            {"type": "step-start"},
            tool("bash", output="FAILED test_a", command="make test", exit=1),
            tool("edit", **change),
            text("The edit is made."),
            modelID="some-model",
            tokens={"input": 7, "output": 2, "cache": {"read": 1}},
        )
