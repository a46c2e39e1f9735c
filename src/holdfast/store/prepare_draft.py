"""What every engine does with a draft before it keeps it. Pure.

A draft is completed with what the store allocates and written as the one text that is
hashed. Text that no store takes is rare, and found out while writing: looking for it
beforehand would cost each save a tenth more. Then the draft is cleaned and put again.
"""

from collections.abc import Mapping
from typing import Any

from holdfast.domain.checkpoint import Checkpoint, Draft
from holdfast.domain.record import body, draft_from, draft_record
from holdfast.domain.session import SessionRecord
from holdfast.domain.text import storable
from holdfast.kernel.digests import canonical
from holdfast.kernel.errors import SaveFailed
from holdfast.kernel.ids import checkpoint_id, session_uuid
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.store.chain import link

# What ends a session; the store learns it with the save, in the same transaction.
_ENDS = ("clear", "exit")


_NUL = "\\u0000"  # as JSON writes it; behind a backslash, somebody wrote of it


class Unclean(UnicodeError):
    """A draft holds text that no store takes: half a surrogate pair, or NUL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocation:
    """What a store allocates inside the save's transaction."""

    number: int
    sequence: int
    observation: int  # id of the master summary; details follow
    previous_checkpoint: str | None


def cleaned(draft: Draft) -> Draft:
    """Return the draft with only text that every store and encoder accepts."""
    return draft_from(_clean_tree(draft_record(draft)))


def completed(draft: Draft, place: Allocation) -> Checkpoint:
    """Return the checkpoint a draft becomes at its place, its hash still missing."""
    uuid = session_uuid(draft.session_id, draft.agent)
    if draft.details or not draft.root_session:
        first = place.observation + 1
        draft = replace(
            draft,
            root_session=draft.root_session or draft.session_id,
            details=tuple(
                replace(detail, detail_id=number)
                for number, detail in enumerate(draft.details, first)
            ),
        )
    return Checkpoint(
        draft=draft,
        checkpoint_id=checkpoint_id(uuid, place.sequence, draft.created_at),
        number=place.number,
        sequence=place.sequence,
        master_summary_id=place.observation,
        previous_checkpoint=place.previous_checkpoint,
        content_hash="",
        name=draft.name,
    )


# Places of foreign records lie below every number, the later the higher.
_BELOW_NUMBERS = 1 << 40


def adopted(checkpoint: Checkpoint, position: int, observation: int) -> Checkpoint:
    """Return a checkpoint of another store as it is kept at a position of this one."""
    if checkpoint.foreign is None:
        raise ValueError(checkpoint.checkpoint_id)
    details = tuple(
        replace(detail, detail_id=number)
        for number, detail in enumerate(checkpoint.draft.details, observation + 1)
    )
    return replace(
        checkpoint,
        draft=replace(checkpoint.draft, details=details),
        master_summary_id=observation,
        foreign=replace(checkpoint.foreign, place=position - _BELOW_NUMBERS),
        name=None,
    )


def called_as(here: Checkpoint, came: Checkpoint) -> Checkpoint:
    """Return a record of another store with the name that it has there now."""
    if here.foreign is None or came.foreign is None:
        return here
    return replace(here, foreign=replace(here.foreign, name=came.foreign.name))


def sealed(checkpoint: Checkpoint, previous_hash: str) -> tuple[Checkpoint, str]:
    """Return the checkpoint with its hash, and the text that was hashed.

    Raises:
        Unclean: the draft has to be cleaned first.
        SaveFailed: something in it has no JSON form.
    """
    try:
        text = canonical(body(checkpoint))
    except (TypeError, ValueError, RecursionError) as error:
        raise SaveFailed(
            f"the checkpoint cannot be written as JSON: {error}",
            hint="nothing was stored; leave out the notes and save again",
        ) from error
    if _NUL in text and _has_nul(text):
        raise Unclean
    return replace(checkpoint, content_hash=link(previous_hash, text)), text


def rewritten(
    before: Checkpoint, draft: Draft, key: str | None = None
) -> tuple[Checkpoint, str]:
    """Return a kept checkpoint that says `draft`, standing on its own old hash.

    What it is looked up by stays as it was, but for its retry key if there is another.

    Raises:
        Unclean, SaveFailed: as `sealed` says.
    """
    kept = before.draft
    same = replace(
        draft,
        key=kept.key if key is None else key,
        state_key=kept.state_key,
        name=kept.name,
        workspace=kept.workspace,
        type=kept.type,
        trigger=kept.trigger,
        created_at=kept.created_at,
        session_id=kept.session_id,
        project_id=kept.project_id,
    )
    return sealed(replace(before, draft=same), before.content_hash)


def session_of(draft: Draft) -> SessionRecord:
    """Return what a draft tells about its session."""
    ended = draft.trigger in _ENDS
    return SessionRecord(
        session_id=draft.session_id,
        agent=draft.agent,
        agent_version=draft.agent_version,
        project_id=draft.project_id,
        workspace=draft.workspace,
        working_directory=draft.working_directory,
        hostname=draft.hostname,
        transcript=draft.transcript,
        parent_session=draft.parent_session,
        root_session=draft.root_session,
        started_at=draft.facts.started_at,
        ended_at=draft.created_at if ended else None,
        cleared=draft.trigger == "clear",
        message_count=draft.facts.message_count,
    )


def _has_nul(text: str) -> bool:
    """Say whether a JSON text holds a NUL, and not only words that look like one."""
    return _NUL in text.replace("\\\\", "")


def _clean_tree(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Mapping):
        return {storable(str(key)): _clean_tree(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_clean_tree(part) for part in value]
    return value
