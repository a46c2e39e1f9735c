"""The team's database: how it is reached, with which password, and for how long.

Where it is comes from the user's own file. The environment says nothing about it: a
repository can set that, so variables of PostgreSQL's own are taken out before connecting.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from holdfast.bootstrap import Container
from holdfast.domain.text import visible
from holdfast.kernel.errors import HoldfastError, TeamRefused
from holdfast.kernel.files import read_or_none

if TYPE_CHECKING:
    from holdfast.app.sharing.team_sync import TeamMeans
    from holdfast.domain.query import HealthResult
    from holdfast.domain.team import TeamAddress
    from holdfast.store.team_port import TeamStore

_MOST_PASSWORD = 4096
LOOK_SECONDS = 2.0  # for whoever waits at a terminal
_SYNC_SECONDS = 30.0
_SHOWN = 40
_ENCRYPTED = frozenset(["require", "verify-ca", "verify-full"])
_HERE = frozenset(["localhost", "127.0.0.1", "::1"])
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def has_team(container: Container) -> bool:
    return container.config.team is not None


@contextmanager
def team_store(
    container: Container, *, create: bool = False, seconds: float = LOOK_SECONDS
) -> "Iterator[TeamStore]":
    """Lend the team's store; `seconds` is how long it may take to answer.

    Raises:
        TeamUnreachable, TeamRefused, StoreNewer
    """
    address = _address(container)
    try:
        from holdfast.store.postgres.database import Limits
        from holdfast.store.postgres.store import open_team_store
    except ImportError:
        raise TeamRefused(
            "the PostgreSQL client library is not installed",
            hint="install it with `pip install 'holdfast[team]'`",
        ) from None
    for name in [name for name in os.environ if name.startswith("PG")]:
        del os.environ[name]
    limits = Limits(
        connect=min(seconds, 10.0), patience=seconds, statement_ms=int(seconds * 1000)
    )
    store = open_team_store(
        _dsn(address), create=create, tenant=address.tenant, limits=limits
    )
    try:
        yield store
    finally:
        store.close()


@contextmanager
def team_sharing(container: Container) -> "Iterator[TeamMeans]":
    """Lend what a sync with the team works with.

    Raises:
        TeamRefused: no team is set.
        RemoteFailed: another sync is running.
    """
    from contextlib import ExitStack

    from holdfast.app.sharing.team_sync import TeamMeans
    from holdfast.bootstrap.sharing import forget_records
    from holdfast.data_directory.share_marks import ShareDirectory, ShareMarks

    address = _address(container)
    with ShareDirectory(container.home).held(), ExitStack() as opened:
        named = f"{address.dsn} {address.tenant}"
        yield TeamMeans(
            open_team=lambda: opened.enter_context(
                team_store(container, create=True, seconds=_SYNC_SECONDS)
            ),
            marks_of=lambda project: ShareMarks(container.home, named, project),
            is_shared=container.config.is_of_team,
            forget=lambda ids: forget_records(container, ids),
        )


def check_team(container: Container) -> "Iterator[HealthResult]":
    """Yield how things stand with the team's database, and what waits for it."""
    from holdfast.domain.query import HealthResult

    if not has_team(container):
        return
    try:
        waiting = next(
            (
                s.waiting
                for s in container.store().outbox.states()
                if s.target == "team"
            ),
            0,
        )
    except HoldfastError:
        waiting = 0  # the store's own finding says what is wrong
    waits = f"{waiting:,} waiting"
    try:
        with team_store(container) as store:
            projects = len(store.projects())
    except HoldfastError as problem:
        told = f"{problem.message}; {waits}"
        yield HealthResult("team", "warn", told, problem.hint)
        return
    message = f"answers, {projects:,} projects; {waits}"
    if waiting:
        hint = "send it now with `holdfast sync team`"
        yield HealthResult("team", "warn", message, hint)
    else:
        yield HealthResult("team", "ok", message)


def _address(container: Container) -> "TeamAddress":
    address = container.config.team
    if address is None:
        raise TeamRefused(
            "no team is set",
            hint="name its database with `holdfast config set team"
            " postgresql://ME@HOST/DATABASE`",
        )
    return address


def _dsn(address: "TeamAddress") -> str:
    """Return what is connected with: the address, and a password if a file has one."""
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    told: dict[str, Any] = {**conninfo_to_dict(address.dsn)}
    if not _is_near(told):
        told.setdefault("sslmode", "require")  # libpq would also do without
        if told["sslmode"] not in _ENCRYPTED:
            raise TeamRefused(
                f"`sslmode={visible(str(told['sslmode']))[:_SHOWN]}` would let others"
                " read the connection",
                hint="leave it out, or use `sslmode=verify-full`, which also"
                " verifies the server's identity",
            )
    if not address.password_file:
        return make_conninfo(**told)
    path = os.path.expanduser(address.password_file)
    try:
        mode = os.stat(path).st_mode
        data = read_or_none(path) or b""
    except OSError as problem:
        raise TeamRefused(
            f"the team's password cannot be read: {problem.strerror}",
            hint=f"put it into `{path}`, for nobody else to read",
        ) from None
    password = data[:_MOST_PASSWORD].decode("utf-8", "replace").strip()
    if mode & _OTHERS or not password:
        raise TeamRefused(
            "the file with the team's password is empty, or others can read it",
            hint=f"chmod 600 {path}",
        )
    return make_conninfo(**{**told, "password": password})


def _is_near(told: dict[str, Any]) -> bool:
    """Say whether nothing goes over a network: there may be several hosts, and a second
    address that is asked in their place."""
    hosts = str(told.get("hostaddr") or told.get("host", "")).split(",")
    return all(host.startswith("/") or host in _HERE for host in hosts)
