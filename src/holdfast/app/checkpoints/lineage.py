"""Which session goes on from which: a parent, once set, stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.session import SessionRecord
from holdfast.kernel.errors import HoldfastError
from holdfast.kernel.lazy_values import replace

if TYPE_CHECKING:
    from holdfast.app.ports import Ports
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.store.port import Sessions


def link(session_id: str, parent: str, ports: Ports, store: Sessions) -> None:
    """Make one session the child of another; a parent, once set, stays."""
    store.note_session(replace(bare_record(session_id, ports), parent_session=parent))


def begin_from(checkpoint: Checkpoint, session_id: str, ports: Ports) -> None:
    """Make a session go on from a checkpoint: it inherits what that left open.

    Sessions of one family stay as they are, so that no chain can become a ring.
    """
    earlier = checkpoint.draft.session_id
    try:
        store = ports.open_store()
        family = {record.session_id for record in store.lineage(earlier)}
        if session_id not in family | {earlier}:
            link(session_id, earlier, ports, store)
    except HoldfastError:
        return  # the brief was read, and that is what was asked for


def bare_record(session_id: str, ports: Ports) -> SessionRecord:
    """Return what is known of a session by its name alone; the store keeps the rest."""
    return SessionRecord(
        session_id=session_id,
        agent=ports.transcripts.agent,
        agent_version="",
        project_id="",
        workspace="",
        working_directory="",
        hostname=ports.hostname,
    )
