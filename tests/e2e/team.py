"""Machines of a team: each with a home and a clone of its own, and one bare remote."""

import json
from pathlib import Path
from typing import Any

import pytest

from holdfast.store.sqlite.store import open_store
from tests.e2e.conftest import SAMPLE, SESSION as OF_SAMPLE, Cli, Ran
from tests.e2e.repository import commit_all, git, write

ON = json.dumps({"kind": "git", "remote": "origin"})


class Machine(Cli):
    """Commands of one machine, with a store of its own."""

    def __init__(
        self,
        root: Path,
        name: str,
        session: str,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        super().__init__(root / name / "home", root / name / "clone", capsys)
        self.name = name
        self._session = session
        self.home.parent.mkdir(parents=True, exist_ok=True)
        open_store(str(self.home), create=True, machine=name).close()

    def __call__(self, *words: str) -> Ran:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("HOLDFAST_HOME", str(self.home))
            return super().__call__(*words)

    def saves(self, title: str, *words: str) -> str:
        """Make a checkpoint of this machine's session; return its id."""
        transcript = self.home.parent / f"{self._session}.jsonl"
        text = SAMPLE.read_text(encoding="utf-8").replace(OF_SAMPLE, self._session)
        transcript.write_text(text, encoding="utf-8")
        told = self.save("--title", title, *words, transcript=transcript)
        return str(told["checkpoint"]["id"])

    def syncs(self, *words: str) -> Any:
        ran = self("sync", "git", "--yes", "--json", *words)
        assert ran.status == 0, ran
        return ran.json

    def knows(self) -> dict[str, tuple[str, str | None]]:
        """Return what it has: ids with their titles and what they are called."""
        rows = self("list", "--all", "--limit", "1000", "--json").json["checkpoints"]
        return {
            row["id"]: (
                row["content"]["title"],
                row["foreign"]["name"] if row.get("machine") else row["name"],
            )
            for row in rows
        }


class Team:
    """Two machines and what they share."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.bare = root / "team.git"
        git(root, "init", "-q", "--bare", "-b", "main", str(self.bare))
        self._root, self._capsys = root, capsys
        first = root / "first"
        first.mkdir()
        git(first, "init", "-q", "-b", "main", ".")
        write(first, code_py="x = 1\n")
        commit_all(first)
        git(first, "push", "-q", str(self.bare), "main")
        self.laptop = self.machine("laptop", "11111111-2057-406a-a109-afcedef1cb97")
        self.desk = self.machine("desk", "22222222-2057-406a-a109-afcedef1cb97")
        self.laptop("config", "set", "share", ON)

    def machine(self, name: str, session: str) -> Machine:
        made = Machine(self._root, name, session, self._capsys)
        git(self._root, "clone", "-q", str(self.bare), str(made.project))
        return made

    def refs(self) -> dict[str, str]:
        """Return every ref of ours on the remote, with its commit."""
        told = git(
            self.bare,
            "for-each-ref",
            "--format=%(refname) %(objectname)",
            "refs/holdfast",
        )
        return dict(line.split(" ", 1) for line in told.splitlines())

    def converge(self) -> None:
        """Sync both until neither has anything new; twice is enough."""
        for _ in range(2):
            self.laptop.syncs()
            self.desk.syncs()


@pytest.fixture
def team(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Team:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    return Team(tmp_path, capsys)
