"""A project as a user has it, with everything that can be lost, made anew for each point.

A repository, a store with a named checkpoint, its file in the client's memory, a handoff.
"""

import json
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import apsw
import pytest

from holdfast.store.sqlite.schema.migrate import SCHEMA, migrate, scripts
from holdfast.surfaces.cli.main import run
from holdfast.surfaces.hooks.main import answered
from tests.e2e.conftest import SAMPLE, SESSION, Ran
from tests.e2e.repository import commit_all, git, state_of

_PLACES = ("home", "project", "claude")


class Scene:
    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self.home = root / "home"
        self.project = root / "project"
        self._capsys = capsys
        self.project.mkdir()
        slug = re.sub("[^a-zA-Z0-9]", "-", str(self.project))
        self.memory = root / "claude" / "projects" / slug / "memory"
        self.memory.mkdir(parents=True)
        git(self.project, "init", "-q", "-b", "main", ".")
        (self.project / "code.py").write_text("first\n")
        commit_all(self.project)

    def keep(self) -> None:
        """Make the scene as it is now the one that `renew` brings back."""
        good = self.root / "good"
        shutil.rmtree(good, ignore_errors=True)
        for name in _PLACES:
            if (self.root / name).exists():
                shutil.copytree(self.root / name, good / name, symlinks=True)

    def renew(self) -> None:
        for name in _PLACES:
            shutil.rmtree(self.root / name, ignore_errors=True)
            if (self.root / "good" / name).exists():
                source = self.root / "good" / name
                shutil.copytree(source, self.root / name, symlinks=True)

    def run(self, *words: str) -> int:
        """Run a command in this very process, as its victim does."""
        return run([*words, "--json", "--project", str(self.project)])

    def __call__(self, *words: str) -> Ran:
        self._capsys.readouterr()
        status = self.run(*words)
        return Ran(status, *self._capsys.readouterr())

    def save(self, title: str, *more: str) -> list[str]:
        key = ["--title", title, "--key", title]
        return ["save", "--transcript", str(SAMPLE), *key, *more]

    def titles(self) -> list[str]:
        found = self("list", "--limit", "1000").json["checkpoints"]
        assert [c["number"] for c in found] == list(range(len(found), 0, -1))
        return [c["content"]["title"] for c in found]

    def hook(self, event: str, **more: str) -> int:
        """Answer an event in this very process, as its victim does."""
        told = {
            "session_id": SESSION,
            "transcript_path": str(SAMPLE),
            "cwd": str(self.project),
            "hook_event_name": event,
            **more,
        }
        sys.stdin = TextIOWrapper(BytesIO(json.dumps(told).encode()))
        return answered([event])

    def assert_whole(self, about: object) -> None:
        """What doctor says, and what lies about."""
        checked = self("doctor")
        assert checked.status == 0, (about, checked)
        left = [str(p) for p in self.left_behind()]
        assert left == [], (about, left)

    def left_behind(self) -> list[Path]:
        """Return every file that was being written when something died."""
        ours = [p for p in self.home.rglob("*") if p.name.endswith((".tmp", ".half"))]
        theirs = [p for p in self.project.rglob(".*holdfast*") if p.is_file()]
        return ours + theirs + list(self.memory.glob(".*holdfast*"))

    def digest(self) -> str:
        """Return a hash of everything that lies on the disk, times left out."""
        found = sha256()
        for name in _PLACES:
            for path, (mode, content) in sorted(state_of(self.root / name).items()):
                found.update(f"{name}/{path} {mode} {len(content)}\n".encode())
                found.update(content)
        return found.hexdigest()


def aged(home: Path, version: int) -> None:
    """Give the store the structure of an older version, with the records it has."""
    database, old = home / "holdfast.db", home / "old.db"
    then = apsw.Connection(str(old))
    then.execute("PRAGMA journal_mode = wal")
    migrate(then, "desk", scripts()[:version])
    then.execute("ATTACH ? AS now", (str(database),))
    for table in _plain_tables(then, "main"):
        shared = _columns(then, "main", table) & _columns(then, "now", table)
        names = ", ".join(sorted(shared))
        then.execute(
            f"INSERT OR REPLACE INTO main.{table} ({names})"  # noqa: S608  # names of our own schema
            f" SELECT {names} FROM now.{table}"
        )
    then.execute("DETACH now")
    then.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    then.close()
    for beside in home.glob("holdfast.db*"):
        beside.unlink()
    old.rename(database)
    for beside in home.glob("old.db*"):
        beside.unlink()
    database.chmod(0o600)


@contextmanager
def unusable(home: Path) -> Iterator[None]:
    """Make the store one of a newer version for the length of a `with`."""
    _set_version(home, 999)
    try:
        yield
    finally:
        _set_version(home, SCHEMA)


def _set_version(home: Path, version: int) -> None:
    connection = apsw.Connection(str(home / "holdfast.db"))
    connection.execute(f"PRAGMA user_version = {version}")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.close()


def _plain_tables(connection: apsw.Connection, schema: str) -> list[str]:
    rows = connection.execute(f"PRAGMA {schema}.table_list").fetchall()
    mine = [(str(row[1]), row[2]) for row in rows if row[0] == schema]
    virtual = [name for name, kind in mine if kind == "virtual"]
    return [
        name
        for name, kind in mine
        if kind == "table"
        and not name.startswith("sqlite_")
        and not any(name.startswith(f"{v}_") for v in virtual)
    ]


def _columns(connection: apsw.Connection, schema: str, table: str) -> set[str]:
    return {
        row[1] for row in connection.execute(f"PRAGMA {schema}.table_info({table})")
    }


def said(text: str) -> Any:
    """Return the one JSON object a victim said, if it got that far."""
    try:
        return json.loads(text)
    except ValueError:
        return None
