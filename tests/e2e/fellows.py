"""Fellows of a team: each with a home and a clone of its own, and one database for all."""

import json
from pathlib import Path
from typing import Any

import pytest

from holdfast.bootstrap import sync_process
from holdfast.domain.query import Scope
from holdfast.kernel.digests import sha256
from holdfast.store.postgres.store import PostgresStore, open_team_store
from tests.e2e.repository import commit_all, git, write
from tests.e2e.team import Machine
from tests.postgres_server import Server, team_server

__all__ = ["team_server"]


class Fellows:
    """Two machines with clones of one repository, and a tenant of the team's database."""

    def __init__(
        self, root: Path, capsys: pytest.CaptureFixture[str], dsn: str, tenant: str
    ) -> None:
        self.dsn, self.tenant = dsn, tenant
        first = root / "first"
        first.mkdir()
        git(first, "init", "-q", "-b", "main", ".")
        write(first, code_py="x = 1\n")
        commit_all(first)
        self.machines = []
        for name, digit in (("laptop", "1"), ("desk", "2")):
            session = f"{digit * 8}-2057-406a-a109-afcedef1cb97"
            machine = Machine(root, name, session, capsys)
            git(root, "clone", "-q", str(first), str(machine.project))
            self.machines.append(machine)
        self.laptop, self.desk = self.machines
        self.set(tenant=tenant)

    def set(self, dsn: str | None = None, **more: object) -> None:
        value = json.dumps({"dsn": dsn or self.dsn, **more})
        ran = self.laptop("config", "set", "team", value)
        assert ran.status == 0, ran

    def converge(self) -> None:
        for _ in range(2):
            for machine in self.machines:
                syncs(machine)

    def store(self) -> PostgresStore:
        return open_team_store(self.dsn, create=False, tenant=self.tenant)

    def kept(self) -> dict[str, str]:
        """Return what the database has: titles by id."""
        with self.store() as store:
            found = store.list(Scope(), limit=1000)
        return {c.checkpoint_id: c.draft.content.title for c in found}


@pytest.fixture
def fellows(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    team_server: Server,
    request: pytest.FixtureRequest,
) -> Fellows:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    # A sync that a save starts would come in between; one test lets it.
    monkeypatch.setattr(sync_process, "_start", lambda *_: None)
    tenant = sha256(request.node.nodeid.encode()).hexdigest()[:16]
    return Fellows(tmp_path, capsys, team_server.url, tenant)


def syncs(machine: Machine, *words: str) -> Any:
    ran = machine("sync", "team", "--json", *words)
    assert ran.status == 0, ran
    return ran.json
