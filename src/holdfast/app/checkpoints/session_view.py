"""A session for a page: what is kept of it, what was said in it, and its family."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.checkpoints.session_story import session_beginning
from holdfast.app.checkpoints.which_session import bare_record
from holdfast.domain.checkpoint import PAST_TRIGGERS
from holdfast.domain.query import Scope
from holdfast.kernel.errors import SessionUnknown
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.app.checkpoints.conversation import Conversations, Spoken
    from holdfast.app.ports import Ports
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.domain.outline import Outline
    from holdfast.domain.session import SessionRecord

# What the newest checkpoint says of how a session ended; others say nothing of it.
_ENDS = {
    "clear": "cleared",
    "exit": "ended",
    "headless": "ended",
    "rescue": "crashed",
}


class Counted(NamedTuple):
    """What a session came to; None: nobody knows."""

    began_at: int = 0
    last_at: int = 0
    prompts: int | None = None
    calls: int | None = None
    failed: int | None = None
    files: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionView:
    record: SessionRecord
    outlines: tuple[Outline, ...]  # of its checkpoints, oldest first
    records: Mapping[str, Checkpoint]  # those that are whole
    family: tuple[SessionRecord, ...]
    spoken: tuple[Spoken, ...] | None  # None: its transcript is not here

    @property
    def latest(self) -> Checkpoint | None:
        """Return its newest whole checkpoint."""
        ids = [each.checkpoint_id for each in self.outlines]
        return next((self.records[i] for i in reversed(ids) if i in self.records), None)

    @property
    def machine(self) -> str | None:
        """Return where it ran, if that is another machine."""
        return self.outlines[-1].machine if self.outlines else None

    @property
    def outcome(self) -> str:
        """Return how it ended, in a word."""
        newest = self.outlines[-1].trigger if self.outlines else "command"
        if self.record.cleared:
            return "cleared"
        if newest in _ENDS:
            return _ENDS[newest]
        return "ended" if self.record.ended_at or newest in PAST_TRIGGERS else "open"


def session_named(text: str, ports: Ports) -> SessionRecord:
    """Return what is kept of the session that a text is the id or the only beginning of.

    Raises:
        SessionUnknown: none begins like this.
        ReferenceAmbiguous: several do.
    """
    store = ports.open_store()
    if (kept := store.session(text)) is not None:
        return kept
    session_id = session_beginning(text, ports)
    return store.session(session_id) or bare_record(session_id, ports)


def session_view(text: str, ports: Ports, conversations: Conversations) -> SessionView:
    """Return all there is to tell of a session.

    Raises:
        SessionUnknown: neither the store nor a transcript has seen it.
        ReferenceAmbiguous: several begin like this.
    """
    store = ports.open_store()
    record = session_named(text, ports)
    session_id = record.session_id
    found = store.outlines(Scope(), session=session_id)
    outlines = tuple(each for each in found if each.session_id == session_id)
    spoken = conversations.of(session_id, record.agent)
    if not record.project_id and not outlines and spoken is None:
        raise SessionUnknown(
            f"no session `{session_id}` is known here",
            hint="see the sessions of the checkpoints with `holdfast list --all --json`",
        )
    return SessionView(
        record=record,
        outlines=outlines,
        records=store.several([each.checkpoint_id for each in outlines]),
        family=store.lineage(session_id),
        spoken=spoken,
    )


def counted_in(view: SessionView) -> Counted:
    """Return what a session came to: by what was said, else by its newest checkpoint."""
    if view.spoken:
        return _heard(view.spoken)
    latest, record = view.latest, view.record
    if latest is None:
        return Counted(record.started_at, record.ended_at or record.started_at)
    facts = latest.draft.facts
    began = facts.started_at or record.started_at
    return Counted(
        began_at=began,
        last_at=max(record.ended_at or 0, latest.draft.created_at),
        prompts=facts.prompts,
        calls=sum(tool.count for tool in facts.tools) or None,
        failed=facts.failed_calls,
        files=facts.files_modified,
    )


def _heard(spoken: Sequence[Spoken]) -> Counted:
    moments = [each.at for each in spoken if each.at]
    calls = [each for each in spoken if each.kind == "call"]
    changed = {each.text for each in calls if _has_changed_a_file(each)}
    return Counted(
        began_at=min(moments, default=0),
        last_at=max(moments, default=0),
        prompts=sum(_is_prompt(each) for each in spoken),
        calls=len(calls),
        failed=sum(each.outcome == "failed" for each in calls),
        files=len(changed),
    )


def _is_prompt(one: Spoken) -> bool:
    return one.kind == "user" and one.via in ("typed", "command")


def _has_changed_a_file(call: Spoken) -> bool:
    return call.role in ("edit", "write") and call.outcome == "ok"
