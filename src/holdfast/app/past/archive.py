"""Keep transcripts before their client deletes them, and bring one back.

Each line passes redaction on its way in. What is off, excluded or forgotten is not kept,
and neither is what goes on: it will be when it is over.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Protocol

from holdfast.kernel.errors import ArchiveDamaged, SaveFailed
from holdfast.kernel.ids import session_uuid
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from holdfast.agents.past_port import (
        NativeSessions,
        PastSession,
        PastSessions,
        PastTranscript,
    )
    from holdfast.app.ports import Ports
    from holdfast.data_directory.archive import ArchivedFile, ArchivedSession

SOON_MS = 7 * 86_400_000  # what dies within that is kept by itself


class KeptTranscripts(Protocol):
    """Where they are kept."""

    def session(self, session_id: str) -> ArchivedSession | None: ...

    def keep(
        self,
        session_id: str,
        files: Iterable[tuple[str, Iterable[bytes]]],
        *,
        agent: str,
        stamp: str,
        now_ms: int,
    ) -> ArchivedSession: ...

    def lines(self, file: ArchivedFile) -> bytes: ...

    def ids(self) -> tuple[str, ...]: ...

    def swept(self) -> Iterable[str]:
        """Remove what no session is made of any more; return what could not be."""
        ...


class ArchiveLooked(NamedTuple):
    """What came of looking for secrets in the archive."""

    changed: tuple[str, ...]  # sessions that had some
    unread: tuple[str, ...]  # what could not be looked at, or not be removed


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveMeans:
    """What archiving works with beside the usual ports."""

    past: PastSessions
    native: NativeSessions
    kept: KeptTranscripts
    is_off: Callable[[str], bool]
    is_at_work: Callable[[str], bool]


@dataclass(slots=True)
class Archived:
    """What was done."""

    sessions: int = 0
    known: int = 0  # kept before, and unchanged
    left: int = 0  # off, forgotten, or still at work
    size: int = 0  # bytes of what was kept now
    unread: list[tuple[str, str]] = field(default_factory=list)  # path, why


def archive(
    means: ArchiveMeans, ports: Ports, *, dies_before: int | None = None
) -> Archived:
    """Keep every transcript, or only those that their client deletes before a moment.

    Raises:
        StoreBusy, StoreNewer, StoreDamaged: nobody can say what was forgotten.
        OSError: there is no room; what was kept stays.
    """
    done = Archived()
    off = _switched_off(ports)
    found, nameless = _newest_of_each(means.past)
    done.unread += [(one.path, "it names no session") for one in nameless]
    for session in found:
        if dies_before is not None and not _dies(session, dies_before):
            continue
        if off(session) or means.is_off(session.directory):
            done.left += 1
        elif is_kept(session, means.kept, ports.transcripts.agent):
            done.known += 1
        elif means.is_at_work(session.session_id):
            done.left += 1
        else:
            _keep(session, means, ports, done)
    return done


def dying(
    past: PastSessions, kept: KeptTranscripts, agent: str, before: int
) -> tuple[PastTranscript, ...]:
    """Return the transcripts that their client deletes before a moment and that are not
    kept as they are now, the first to die first."""
    if not any(0 < one.dies_at < before for one in past.every()):
        return ()
    found, _ = _newest_of_each(past)
    due = [session for session in found if _dies(session, before)]
    lost = [s.transcript for s in due if not is_kept(s, kept, agent)]
    return tuple(sorted(lost, key=lambda one: one.dies_at))


def _newest_of_each(
    past: PastSessions,
) -> tuple[list[PastSession], list[PastTranscript]]:
    """Return every session once, as it is now, and the transcripts that name none."""
    newest: dict[str, PastSession] = {}
    nameless: list[PastTranscript] = []
    for transcript in past.every():
        session = past.glance(transcript)
        if session is None:
            nameless.append(transcript)
            continue
        before = newest.setdefault(session.session_id, session)
        newest[session.session_id] = max(before, session, key=lambda one: one.freshness)
    return list(newest.values()), nameless


def _dies(session: PastSession, before: int) -> bool:
    return 0 < session.transcript.dies_at < before


def is_kept(session: PastSession, kept: KeptTranscripts, agent: str) -> bool:
    """Say whether a session is archived as it is now."""
    known = kept.session(session_uuid(session.session_id, agent))
    return known is not None and known.stamp == session.transcript.stamp


def archived_as(session_id: str, agent: str) -> str:
    """Return what a session goes by in the archive: one of another machine by both."""
    own, at, machine = session_id.partition("@")
    return f"{session_uuid(own, agent)}{at}{machine}"


def bring_back(
    session_id: str,
    directory: str,
    agent: str,
    native: NativeSessions,
    kept: KeptTranscripts,
    may_write: Callable[[], bool] = lambda: True,
) -> str | None:
    """Bring an archived session to where its client finds it from a directory; return
    its path, or None where nothing is archived of it, or nothing may be written.

    Raises:
        ArchiveDamaged: nothing was written.
        NativeRefused: it cannot be written.
    """
    known = kept.session(session_uuid(session_id, agent))
    if known is None or not may_write():
        return None
    files = [(file.name, kept.lines(file)) for file in known.files]
    return native.unpack(session_id, directory, files)


def clean_archive(
    ports: Ports,
    kept: KeptTranscripts,
    native_of: Callable[[str], NativeSessions | None],
) -> ArchiveLooked:
    """Take out of the archive what today's rules know to be a secret.

    Each session is kept anew, whole, before what it was made of goes: a run that was
    killed is done again.
    """
    changed, unread = list[str](), list[str]()
    for session_id in kept.ids():
        try:
            session = kept.session(session_id)
            native = native_of(session.agent) if session else None
            if session and native and _clean_session(session, native, kept, ports):
                changed.append(session_id)
        except ArchiveDamaged as trouble:
            unread.append(trouble.message)
    return ArchiveLooked(tuple(changed), (*unread, *kept.swept()))


def _clean_session(
    session: ArchivedSession,
    native: NativeSessions,
    kept: KeptTranscripts,
    ports: Ports,
) -> bool:
    """Keep a session without what is found in it; say whether anything was."""
    files: list[tuple[str, list[bytes]]] = []
    is_changed = False
    for file in session.files:
        said = kept.lines(file)
        clean = [*_cleaned(file.name, BytesIO(said), native, ports)]
        is_changed = is_changed or b"".join(clean) != said
        files.append((file.name, clean))
    if is_changed:
        kept.keep(
            session.session_id,
            files,
            agent=session.agent,
            stamp=session.stamp,
            now_ms=session.archived_at,
        )
    return is_changed


def _keep(
    session: PastSession, means: ArchiveMeans, ports: Ports, done: Archived
) -> None:
    transcript = session.transcript
    try:
        kept = means.kept.keep(
            session_uuid(session.session_id, ports.transcripts.agent),
            (
                (
                    file.name,
                    _cleaned(
                        file.name, means.past.raw_lines(file), means.native, ports
                    ),
                )
                for file in means.past.files(transcript)
            ),
            agent=ports.transcripts.agent,
            stamp=transcript.stamp,
            now_ms=ports.clock.now_ms(),
        )
    except OSError as problem:
        done.unread.append((transcript.path, problem.strerror or str(problem)))
        return
    except SaveFailed as problem:  # compressed, and nothing here unpacks it
        done.unread.append((transcript.path, problem.message))
        return
    done.sessions += 1
    done.size += kept.size


def _cleaned(
    name: str, lines: Iterable[bytes], native: NativeSessions, ports: Ports
) -> Iterator[bytes]:
    parts = lines if native.is_lines(name) else (b"".join(lines),)
    for part in parts:
        yield native.cleaned(part, ports.redactor.tree)


def _switched_off(ports: Ports) -> Callable[[PastSession], bool]:
    """Return what says whether the user wants nothing kept of a session."""
    store = ports.open_store()
    now = ports.clock.now_ms()
    switches = {
        (switch.kind, switch.value)
        for switch in store.switches()
        if switch.until is None or now < switch.until
    }

    def is_off(session: PastSession) -> bool:
        record = store.session(session.session_id)
        project = record.project_id if record else ""
        places = {("all", ""), ("session", session.session_id), ("project", project)}
        return not switches.isdisjoint(places)

    return is_off
