"""Two machines and a host that both reach over wires of their own: by which way they share.

A remote over SSH, one over HTTPS, and a database over TLS; each is another machine's, so all
of it is encrypted, as it has to be.
"""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from holdfast.bootstrap import sync_process, team as team_bootstrap
from holdfast.kernel import programs
from holdfast.store.postgres.database import TeamDatabase
from holdfast.store.postgres.store import open_team_store
from tests import postgres_server
from tests.e2e.conftest import Ran
from tests.e2e.fellows import Fellows
from tests.e2e.repository import git
from tests.e2e.team import Machine, Team
from tests.git_server import serving
from tests.missing import without
from tests.network import MACHINES, SERVER, Network
from tests.remote_hosts import a_certificate, ssh_host

WAYS = ("git over ssh", "git over https", "team over tls")
_DAY_NS = 86_400 * 10**9


class Apart:
    """The two, each in its own network, and the command by which they share."""

    def __init__(
        self,
        net: Network,
        machines: Sequence[Machine],
        words: Sequence[str],
        step: tuple[Any, str],
    ) -> None:
        self.net = net
        self.laptop, self.desk = machines
        self._words, self._step = words, step

    def do(self, machine: Machine, *words: str) -> Ran:
        with self.net.inside(machine.name):
            return machine(*words)

    def saves(self, machine: Machine, title: str, *words: str, days: int = 0) -> str:
        """Make a checkpoint there, by a clock that is so many days wrong."""
        now = time.time_ns
        with self.net.inside(machine.name), pytest.MonkeyPatch.context() as patch:
            patch.setattr(time, "time_ns", lambda: now() + days * _DAY_NS)
            return machine.saves(title, *words)

    def syncs(self, machine: Machine) -> Ran:
        return self.do(machine, *self._words)

    def syncs_alone(self, machine: Machine) -> Ran:
        """Sync where nobody answers, or soon nobody will; that is not waited for long."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(team_bootstrap, "_SYNC_SECONDS", 3.0)
            return self.syncs(machine)

    def converge(self) -> None:
        """Sync both until neither has anything new; twice is enough."""
        for machine in (self.laptop, self.desk) * 2:
            ran = self.syncs(machine)
            assert ran.status == 0, ran

    def steps(self) -> int:
        """Return how often a sync of the laptop asks or writes something."""
        with self._stepping(0) as seen:
            assert self.syncs(self.laptop).status == 0
        return len(seen)

    def is_cut_at(self, step: int) -> Ran:
        """Sync the laptop, and pull its wire before one of its steps."""
        with self._stepping(step):
            ran = self.syncs_alone(self.laptop)
        self.net.mend("laptop")
        return ran

    @contextmanager
    def _stepping(self, at: int) -> Iterator[list[None]]:
        owner, name = self._step
        does, seen = getattr(owner, name), list[None]()

        def step(*words: Any, **more: Any) -> Any:
            seen.append(None)
            if len(seen) == at:
                self.net.cut("laptop")
            return does(*words, **more)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(owner, name, step)
            yield seen


@contextmanager
def sharing(
    way: str, net: Network, root: Path, capsys: pytest.CaptureFixture[str]
) -> Iterator[Apart]:
    """Lend two machines that share by a way, each with a store and a clone."""
    with ExitStack() as opened, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(root / "config"))
        patch.setenv("CLAUDE_CONFIG_DIR", str(root / "claude"))
        # A sync that a save starts would come in between.
        patch.setattr(sync_process, "_start", lambda *_: None)
        if way == "team over tls":
            dsn = opened.enter_context(_database(net, root))
            fellows = Fellows(root, capsys, dsn, "team")
            command = ("sync", "team", "--json")
            yield Apart(net, fellows.machines, command, (TeamDatabase, "_once"))
            return
        team = Team(root, capsys)
        machines = (team.laptop, team.desk)
        address = opened.enter_context(_remote(way, net, root, team.bare))
        for machine in machines:
            git(machine.project, "remote", "set-url", "origin", address)
        words = ("sync", "git", "--yes", "--json")
        yield Apart(net, machines, words, (programs, "run_program"))


@contextmanager
def _remote(way: str, net: Network, root: Path, bare: Path) -> Iterator[str]:
    """Serve a bare repository to the machines; how they get in is their user's setting."""
    settings = Path(os.environ["HOME"]) / ".gitconfig"
    settings.parent.mkdir(parents=True, exist_ok=True)
    with ExitStack() as opened:
        if way == "git over ssh":
            with net.inside("server"):
                command = opened.enter_context(ssh_host(root, SERVER))
            told, address = (
                f'[core]\nsshCommand = "{command}"\n',
                f"ssh://root@{SERVER}{bare}",
            )
        else:
            git(bare, "config", "http.receivepack", "true")
            shown = a_certificate(root, SERVER)
            with net.inside("server"):
                host = serving(bare, host=SERVER, certificate=shown)
                address = opened.enter_context(host)
            told = f"[http]\nsslCAInfo = {shown.certificate}\n"
        settings.write_text(told, encoding="utf-8")
        yield address


@contextmanager
def _database(net: Network, root: Path) -> Iterator[str]:
    """Run PostgreSQL for the machines; only over TLS does it let them in."""
    if postgres_server.programs() is None:
        without("PostgreSQL is not installed: a team's store was not tried")
    shown = a_certificate(root, SERVER)
    with ExitStack() as opened:
        with net.inside("server"):
            running = postgres_server.running(open_to=(MACHINES, SERVER, shown))
            server = opened.enter_context(running)
        open_team_store(server.dsn, create=True).close()
        trusted = f"sslmode=verify-full&sslrootcert={shown.certificate}"
        yield f"postgresql://owner@{SERVER}/postgres?{trusted}"
