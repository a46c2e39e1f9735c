"""Made-up sessions that part from one another: forks, rewinds, and what a clear begins."""

import json
import re
from typing import Any

from holdfast.agents.claude_code.demo import Scene
from tests.e2e.conftest import Cli

BEGAN = 1_768_749_000_000
_LINE_ID = re.compile(r"([0-9a-f]{8})-(?!0000)(\d{4})(-4000-8000-\d{12})")


def _told_apart(found: "re.Match[str]") -> str:
    """Line ids that differ from the first digits on, as real ones do: a rewind is known
    by those. A copy of a line has the same one."""
    return f"{int(found[1], 16) * 10_000 + int(found[2]):08x}-{found[2]}{found[3]}"


class Branch(Scene):
    """A session in a real project; a fork of it begins with a copy of its lines."""

    def __init__(
        self, cli: Cli, number: int, parent: "Branch | None" = None, **begun: Any
    ) -> None:
        self.session = f"{number:08x}-0000-4000-8000-{number:012x}"
        super().__init__(self.session, str(cli.project), begun.get("began", BEGAN))
        self.cli = cli
        self.parent = parent

    def fork(self, number: int) -> "Branch":
        """Return a session that has the whole conversation so far."""
        copy = Branch(self.cli, number, self)
        copy.lines = [
            json.dumps({**json.loads(line), "sessionId": copy.session})
            for line in self.lines
        ]
        copy._now, copy._parent, copy._count = self._now, self._parent, self._count
        return copy

    def cleared(self, number: int) -> "Branch":
        """Return a session that begins with nothing but what this one left open."""
        return Branch(self.cli, number, self, began=self._now)

    def rewinds(self, prompts: int) -> None:
        """Go back before the last so many prompts; their lines stay in the file."""
        asked = [
            (place, line)
            for place, line in enumerate(map(json.loads, self.lines))
            if line["type"] == "user" and isinstance(line["message"]["content"], str)
        ]
        self._parent = asked[-prompts][1]["parentUuid"]

    def edits(self, path: str, text: str) -> None:
        """Write a file with the agent's own tool."""
        place = self.cli.project / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        patch = [{"lines": ["+"] * len(text.splitlines())}]
        self.tool(
            "Edit",
            {"file_path": str(place), "old_string": "", "new_string": text},
            {
                "text": f"The file {place} has been updated.",
                "structured": {"filePath": str(place), "structuredPatch": patch},
            },
        )

    def moves(self, old: str, new: str) -> None:
        """Rename a file in the shell."""
        (self.cli.project / old).rename(self.cli.project / new)
        self.runs(f"mv {old} {new}", "")

    def removes(self, path: str) -> None:
        (self.cli.project / path).unlink()
        self.runs(f"rm {path}", "")

    def plans(self, **tasks: str) -> None:
        """Keep a list of tasks, each with its state."""
        todos = [
            {"content": text.replace("_", " "), "status": state, "activeForm": text}
            for text, state in tasks.items()
        ]
        self.tool("TodoWrite", {"todos": todos}, {"text": "Todos have been modified"})

    def runs(self, command: str, printed: str, *, failed: bool = False) -> None:
        self.tool(
            "Bash",
            {"command": command},
            {
                "text": printed,
                "failed": failed,
                "structured": {"stdout": printed, "stderr": "", "interrupted": False},
            },
        )

    def saves(self, title: str, **notes: Any) -> Any:
        """Save; return the record."""
        self.cli.home.parent.mkdir(exist_ok=True)
        file = self.cli.home.parent / f"{self.session}.jsonl"
        text = "".join(f"{line}\n" for line in self.lines)
        file.write_text(_LINE_ID.sub(_told_apart, text), encoding="utf-8")
        words = ["--title", title, "--session", self.session]
        if notes:
            written = self.cli.home.parent / "notes.json"
            written.write_text(json.dumps(notes), encoding="utf-8")
            words += ["--notes", str(written)]
        with self.cli.parent(self.parent.session if self.parent else None):
            return self.cli.save(*words, transcript=file)["checkpoint"]
