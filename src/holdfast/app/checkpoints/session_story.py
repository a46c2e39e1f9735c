"""A session's record as it stands now: what is kept, and what its transcript adds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.checkpoints.session import read_session
from holdfast.app.checkpoints.which_session import bare_record, whole_id
from holdfast.kernel.errors import SessionUnknown, StoreNotFound
from holdfast.kernel.lazy_values import replace
from holdfast.reports.sessions import SessionStory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.app.ports import Ports
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.domain.session import SessionRecord
    from holdfast.store.port import Store


def session_beginning(text: str, ports: Ports) -> str:
    """Return the session that text is the id or the only beginning of.

    Raises:
        SessionUnknown: none begins like this.
        ReferenceAmbiguous: several do; the hint names them.
    """
    store = _store(ports)

    def beginning_with(prefix: str) -> list[str]:
        kept = store.sessions_like(prefix) if store else ()
        return sorted({*kept, *ports.transcripts.beginning_with(prefix)})

    return whole_id(text, beginning_with, ports.transcripts.agent)


def session_story(session_id: str, ports: Ports) -> SessionStory:
    """Return what is known of a session, from the store and its transcript.

    Raises:
        SessionUnknown: neither has ever seen it.
    """
    store = _store(ports)
    kept = store.session(session_id) if store else None
    path = ports.transcripts.find(session_id)
    if kept is None and path is None:
        raise SessionUnknown(
            f"no session `{session_id}` is known here",
            hint="see the sessions of the checkpoints with `holdfast list --all --json`",
        )
    record = kept or replace(bare_record(session_id, ports), root_session=session_id)
    last_at = 0
    if path is not None:
        record, last_at = _brought_up_to_date(record, path, ports, store)
    family = store.lineage(session_id) if store else ()
    return SessionStory(
        record=record,
        chain=tuple(_chain(record, {one.session_id: one for one in family})),
        children=tuple(
            one.session_id for one in family if one.parent_session == session_id
        ),
        siblings=tuple(
            one.session_id
            for one in family
            if one.session_id != session_id
            and one.parent_session
            and one.parent_session == record.parent_session
        ),
        last_at=last_at,
        latest=_latest(record, store),
    )


def _latest(record: SessionRecord, store: Store | None) -> Checkpoint | None:
    return store.get(record.checkpoints[-1]) if store and record.checkpoints else None


def _brought_up_to_date(
    record: SessionRecord, path: str, ports: Ports, store: Store | None
) -> tuple[SessionRecord, int]:
    """Return the record with what its transcript says now, and when it was written."""
    state = read_session(record.session_id, path, ports.transcripts, store).state
    told = replace(
        record,
        agent_version=state.version or record.agent_version,
        working_directory=state.cwd or record.working_directory,
        started_at=state.started_at or record.started_at,
        message_count=state.message_count() or record.message_count,
        transcript=path,
    )
    return told, state.ended_at


def _chain(record: SessionRecord, family: dict[str, SessionRecord]) -> Iterator[str]:
    """Yield the ids from the root to a session; a circle in damaged data ends."""
    ids = [record.session_id]
    parent = record.parent_session
    while parent and parent not in ids:
        ids.append(parent)
        parent = family[parent].parent_session if parent in family else None
    yield from reversed(ids)


def _store(ports: Ports) -> Store | None:
    """Return the store, or None where there is none yet: a transcript is enough."""
    try:
        return ports.open_store()
    except StoreNotFound:
        return None
