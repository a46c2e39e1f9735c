"""A PostgreSQL server of the tests' own: started where the programs are, ended with them.

    with running(tmp) as server:
        server.dsn   # of its only database, through a socket in a directory of its own

`HOLDFAST_TEST_POSTGRES_BIN` names the directory of `initdb` and `postgres` where they are
not in a usual place. The server does not run as root: then it gets another user.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from holdfast.store.postgres.store import open_team_store
from tests.missing import without
from tests.remote_hosts import Certificate

_READY = b"ready to accept connections"
_USUAL = ("/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/pgsql")
_USERS = ("postgres", "nobody")
# Durable where a test is about durability; elsewhere, only quick.
_HASTY = ("fsync=off", "full_page_writes=off", "synchronous_commit=off")


def programs() -> Path | None:
    """Return the directory of the server's programs, or None if it is not installed."""
    told = os.environ.get("HOLDFAST_TEST_POSTGRES_BIN")
    found = shutil.which("initdb")
    places = [Path(told)] if told else []
    places += [Path(found).resolve().parent] if found else []
    places += [p for root in _USUAL for p in sorted(Path(root).glob("*/bin"))[::-1]]
    has_both = (
        p for p in places if (p / "initdb").exists() and (p / "postgres").exists()
    )
    return next(has_both, None)


class Server:
    """One server; it can be killed and started again."""

    def __init__(
        self, root: Path, bin_directory: Path, settings: Sequence[str]
    ) -> None:
        self._root = root
        self._bin = bin_directory
        self._settings = settings
        self._user = _other_user()
        self._process: subprocess.Popen[bytes] | None = None
        self._drain = threading.Thread()

    @property
    def dsn(self) -> str:
        return f"host={self._root} port=5432 dbname=postgres user=owner"

    @property
    def url(self) -> str:
        """The same as an address."""
        return f"postgresql:///postgres?host={self._root}&user=owner"

    def make(self) -> None:
        if self._user is not None:
            os.chown(self._root, self._user.pw_uid, self._user.pw_gid)
        self._run(
            "initdb", "--no-sync", "-E", "UTF8", "--locale=C", "-A", "trust",
            "-U", "owner", "-D", str(self._data),
        )  # fmt: skip

    def open_to(self, network: str, host: str, shown: Certificate) -> None:
        """Let a network in as well, at an address of this machine's, over TLS only."""
        rules = f"local all all trust\nhostssl all all {network} trust\n"
        files = {
            "tls.pem": shown.certificate.read_bytes(),
            "tls.key": shown.key.read_bytes(),
            "rules.conf": rules.encode(),
        }
        for name, content in files.items():
            place = self._root / name
            place.write_bytes(content)
            place.chmod(0o600)
            if self._user is not None:
                os.chown(place, self._user.pw_uid, self._user.pw_gid)
        self._settings = (
            *self._settings,
            f"listen_addresses={host}",
            "ssl=on",
            f"ssl_cert_file={self._root}/tls.pem",
            f"ssl_key_file={self._root}/tls.key",
            f"hba_file={self._root}/rules.conf",
        )

    def start(self) -> None:
        options = [f"--{setting}" for setting in self._settings]
        self._process = self._popen(
            "postgres", "-D", str(self._data), "-k", str(self._root),
            "--listen_addresses=", "--max_connections=120", *options,
        )  # fmt: skip
        log = self._process.stderr
        assert log is not None
        for line in log:
            if _READY in line:
                break
        else:
            raise RuntimeError("the server did not start")
        # It would stop at a full pipe.
        self._drain = threading.Thread(target=log.read, daemon=True)
        self._drain.start()

    def kill(self) -> None:
        """End it without a word, and all that it started with it."""
        self._end(signal.SIGKILL)

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """Let it answer nothing for a while, though it is there."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGSTOP)
        own = [self._process.pid, *_children_of(self._process.pid)]
        for pid in own:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in own:
                os.kill(pid, signal.SIGCONT)

    def stop(self) -> None:
        if self._process is not None:
            self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> None:
        assert self._process is not None
        own: list[int] = []
        if how == signal.SIGKILL:
            # It must not start one more while they are counted.
            os.kill(self._process.pid, signal.SIGSTOP)
            own = _children_of(self._process.pid)
        for pid in (self._process.pid, *own):
            try:
                os.kill(pid, how)
            except ProcessLookupError:
                continue
        self._process.wait()
        self._drain.join()
        if self._process.stderr is not None:
            self._process.stderr.close()
        self._process = None

    @property
    def _data(self) -> Path:
        return self._root / "data"

    def _run(self, program: str, *arguments: str) -> None:
        process = self._popen(program, *arguments)
        _, said = process.communicate()
        if process.returncode:
            raise RuntimeError(said.decode(errors="replace"))

    def _popen(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        other = self._user
        return subprocess.Popen(
            [str(self._bin / program), *arguments],
            cwd=self._root,
            env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "UTC"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            user=other.pw_uid if other else None,
            group=other.pw_gid if other else None,
            extra_groups=[] if other else None,
        )


@contextmanager
def running(
    *settings: str,
    hasty: bool = True,
    open_to: tuple[str, str, Certificate] | None = None,
) -> Iterator[Server]:
    """Start a server for a while. Its directory's name is short: it holds a socket."""
    found = programs()
    if found is None:
        raise RuntimeError("PostgreSQL is not installed")
    root = Path(tempfile.mkdtemp(prefix="hf-pg-"))
    server = Server(root, found, (*(_HASTY if hasty else ()), *settings))
    try:
        server.make()
        if open_to:
            server.open_to(*open_to)
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(root, ignore_errors=True)


def _other_user() -> pwd.struct_passwd | None:
    """Return who runs the server where we are root, which it refuses to be."""
    if os.geteuid() != 0:
        return None
    for name in _USERS:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise RuntimeError("there is no user that could run a server")


def _children_of(pid: int) -> list[int]:
    """Return the processes that a process started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = stat.read_text(encoding="utf-8").rpartition(")")[2].split()[1]
        except OSError:
            continue
        if int(parent) == pid:
            found.append(int(stat.parent.name))
    return found


@pytest.fixture(scope="session")
def team_server() -> Iterator[Server]:
    """A server with our tables, for all tests of this process."""
    if programs() is None:
        without("PostgreSQL is not installed: a team's store was not tried")
    with running() as server:
        open_team_store(server.dsn, create=True).close()
        yield server
