"""Wire the archive: which transcripts, which place, and once a day where it is on."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.app.past.archive import (
    SOON_MS,
    Archived,
    ArchiveLooked,
    ArchiveMeans,
    archive,
    archived_as,
    bring_back,
    clean_archive,
    dying,
)
from holdfast.bootstrap.agents import AGENTS, every_past
from holdfast.bootstrap.projects import off_places
from holdfast.data_directory.archive import TranscriptArchive
from holdfast.domain.amounts import counted, size
from holdfast.domain.query import HealthResult
from holdfast.kernel.errors import ArchiveDamaged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from holdfast.agents.past_port import NativeSessions, PastSessions
    from holdfast.bootstrap import Container

_WARNED_DAYS = 5
_DAY_MS = 86_400_000


def run_archive(container: Container, *, only_dying: bool = False) -> Archived:
    """Archive what every agent has left on disk, or only what its client soon deletes.

    Raises:
        HoldfastError: the store cannot be asked; nothing was kept.
    """
    total = Archived()
    soon = container.clock.now_ms() + SOON_MS
    for name, past in every_past(container.places, container.environ):
        means = _means(container, name, past)
        if means is None:
            continue
        ports = container.ports(agent=name, create=True)
        done = archive(means, ports, dies_before=soon if only_dying else None)
        total.sessions += done.sessions
        total.known += done.known
        total.left += done.left
        total.size += done.size
        total.unread += done.unread
    return total


def archive_daily(container: Container) -> None:
    """Keep what is about to be deleted, if nobody did today."""
    from holdfast.data_directory.markers import claim_daily_run

    if os.path.isdir(container.home) and claim_daily_run(
        f"{container.home}/archived", container.clock.now_ms()
    ):
        run_archive(container, only_dying=True)


def unarchive(
    container: Container, name: str, may_write: Callable[[], bool] = lambda: True
) -> Callable[[str, str], str | None]:
    """Return what brings an archived session of an agent to a directory, once that may
    be."""
    agent, kept = container.agent(name), _kept(container)
    native = agent.native()
    if native is None:
        return lambda _session, _directory: None
    return lambda session, directory: bring_back(
        session, directory, agent.name, native, kept, may_write
    )


@contextmanager
def shared_transcript(
    container: Container, session_id: str, agent: str
) -> Iterator[str | None]:
    """Lend what another machine shared of a session, in the format of its agent."""
    from holdfast.data_directory.share_marks import ShareDirectory

    kept = _kept(container)
    is_known = agent == container.agent().name
    found = kept.session(archived_as(session_id, agent)) if is_known else None
    if found is None:
        yield None
        return
    data = b"".join(kept.lines(file) for file in found.files)
    with ShareDirectory(container.home).lent(data) as path:
        yield path


def clean_archived(container: Container) -> ArchiveLooked:
    """Take secrets out of what is archived, whichever agent's it is."""

    def native_of(agent: str) -> NativeSessions | None:
        return container.agent(agent).native() if agent in AGENTS else None

    return clean_archive(container.ports(), _kept(container), native_of)


def archive_size(container: Container) -> int:
    """Return how many bytes the archive takes."""
    return _kept(container).size()


def check_archive(container: Container) -> Iterator[HealthResult]:
    """Yield what is archived, and what dies soon without it."""
    kept = _kept(container)
    if count := len(kept.ids()):
        told = f"{counted(count, 'session')}, {size(kept.size())}"
        yield HealthResult("archive", "ok", told)
    now = container.clock.now_ms()
    for name, past in every_past(container.places, container.environ):
        try:
            soon = dying(past, kept, name, now + _WARNED_DAYS * _DAY_MS)
        except ArchiveDamaged as trouble:
            yield HealthResult("archive", "warn", trouble.message, trouble.hint)
            continue
        if soon:
            days = max(0, soon[0].dies_at - now) // _DAY_MS
            first = f"in {counted(days, 'day')}" if days else "today"
            yield HealthResult(
                "archive",
                "warn",
                f"{counted(len(soon), 'transcript')} will be deleted by {name} within"
                f" {_WARNED_DAYS} days, the first {first}",
                "`holdfast archive` keeps them; `holdfast config set"
                " archive.auto_archive true` does that automatically",
            )


def _kept(container: Container) -> TranscriptArchive:
    return TranscriptArchive(container.home)


def _means(container: Container, agent: str, past: PastSessions) -> ArchiveMeans | None:
    """Return what archiving needs; None where what comes back could not be written."""
    native = container.agent(agent).native()
    if native is None:
        return None
    return ArchiveMeans(
        past=past,
        native=native,
        kept=_kept(container),
        is_off=off_places(container),
        is_at_work=lambda session: container.is_at_work(session, agent),
    )
