"""A made-up session at work in a real project: what it edits really changes on disk."""

from pathlib import Path
from typing import Any

from holdfast.agents.claude_code.demo import Scene
from tests.e2e.conftest import Cli
from tests.e2e.repository import git

BEGAN = 1_768_749_000_000
SESSION = "7670db3a-2057-406a-a109-afcedef1cb97"


class Work:
    """A session whose transcript grows; each save is a checkpoint with its code."""

    def __init__(self, cli: Cli, *, under_git: bool = True) -> None:
        self.cli = cli
        self.root = cli.project
        self._scene = Scene(SESSION, str(cli.project), BEGAN)
        self._transcript = cli.home.parent / f"{SESSION}.jsonl"
        if under_git:
            git(self.root, "init", "-q", "-b", "main", ".")

    def asks(self, words: str) -> None:
        self._scene.user(words)

    def says(self, words: str) -> None:
        self._scene.agent(words)

    def edits(self, path: str, text: str) -> None:
        """Write a file with the agent's own tool."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        patch = [{"lines": ["+"] * len(text.splitlines())}]
        self._scene.tool(
            "Edit",
            {"file_path": str(place), "old_string": "", "new_string": text},
            {
                "text": f"The file {place} has been updated.",
                "structured": {"filePath": str(place), "structuredPatch": patch},
            },
        )

    def runs(self, command: str, printed: str) -> None:
        self._scene.tool(
            "Bash",
            {"command": command},
            {
                "text": printed,
                "structured": {"stdout": printed, "stderr": "", "interrupted": False},
            },
        )

    def saves(self, title: str, *words: str) -> Any:
        """Save; return the record."""
        answer = self.cli.save("--title", title, *words, transcript=self.written())
        return answer["checkpoint"]

    def written(self) -> Path:
        """Write the transcript as it is now; return where."""
        text = "".join(line + "\n" for line in self._scene.lines)
        self._transcript.write_text(text, encoding="utf-8")
        return self._transcript

    def path(self, name: str) -> Path:
        return self.root / name
