"""What the page about a session shows: its numbers, its checkpoints, and what was said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.checkpoints.conversation import place_at
from holdfast.app.checkpoints.session_view import counted_in
from holdfast.app.checkpoints.told import AGENT as TOLD
from holdfast.app.page_answers import shown
from holdfast.domain.checkpoint import is_open
from holdfast.domain.text import one_line
from holdfast.kernel.ids import label
from holdfast.reports.log_lines import kind_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.app.checkpoints.conversation import Spoken
    from holdfast.app.checkpoints.session_view import SessionView
    from holdfast.app.page_answers import Json
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.domain.event import Tokens
    from holdfast.domain.outline import Outline
    from holdfast.domain.session import SessionRecord

_TITLE = 160
_CHUNK = 100  # of what was said, in one answer
_AROUND = 12  # of what was said before a checkpoint


def session_answer(view: SessionView) -> Json:
    """A session: how it went, its checkpoints with their place, and how long it is."""
    record, latest, spoken = view.record, view.latest, view.spoken or ()
    return shown(
        {
            "type": "session",
            "session": record.session_id,
            "agent": record.agent,
            "machine": view.machine,
            "project": record.project_id or (latest.draft.project_id if latest else ""),
            "title": _title(view),
            "vitals": _vitals(view),
            "checkpoints": [_checkpoint(each, spoken) for each in view.outlines],
            "family": _family(view),
            "count": len(spoken),
            "chunk": _CHUNK,
            "reason": "" if view.spoken else why_silent(view.machine, record.agent),
        }
    )


def spoken_answer(spoken: Sequence[Spoken], start: int, directory: str = "") -> Json:
    """A part of what was said, from a place on; paths are told from the directory."""
    start = max(0, min(start, len(spoken)))
    part = spoken[start : start + _CHUNK]
    return shown(
        {
            "type": "spoken",
            "start": start,
            "count": len(spoken),
            "spoken": [_spoken(each, directory) for each in part],
        }
    )


def around_answer(checkpoint: Checkpoint, spoken: Sequence[Spoken] | None) -> Json:
    """What was said last before a checkpoint was made."""
    draft = checkpoint.draft
    end = place_at(spoken or (), draft.created_at)
    start = max(0, end - _AROUND)
    told = (spoken or ())[start:end]
    return shown(
        {
            "type": "around",
            "session": draft.session_id,
            "start": start,
            "count": len(spoken or ()),
            "spoken": [_spoken(each, draft.working_directory) for each in told],
            "reason": "" if told else why_silent(checkpoint.machine, draft.agent),
        }
    )


def why_silent(machine: str | None, agent: str) -> str:
    """Return why there is no conversation to show."""
    if agent == TOLD:
        return "it was saved over HTTP, so there is no transcript of it here"
    if machine:
        return f"its transcript is on {machine}; this is what was saved of it"
    return (
        f"the transcript is no longer where {agent or 'its agent'} kept it, or says"
        " nothing of this; what was kept of it is in its checkpoints"
    )


def _title(view: SessionView) -> str:
    latest = view.latest
    if latest is not None:
        return one_line(latest.draft.content.title, _TITLE)
    first = next((e.text for e in view.spoken or () if e.kind == "user"), "")
    return one_line(first, _TITLE) or "untitled"


def _vitals(view: SessionView) -> Json:
    counted, latest = counted_in(view), view.latest
    errors = latest.draft.content.errors if latest else ()
    return {
        **counted._asdict(),
        "outcome": view.outcome,
        "open_errors": sum(map(is_open, errors)),
        "tokens": _tokens(latest.draft.facts.spent) if latest else None,
        "context_percent": latest.draft.facts.context_percent if latest else None,
        "branch": latest.draft.code.branch if latest else None,
    }


def _tokens(spent: Tokens | None) -> Json | None:
    if spent is None:
        return None
    read = spent.fresh + spent.written + spent.cached
    cost = spent.cost / 1e6 if spent.cost else None
    return {"read": read, "cached": spent.cached, "written": spent.out, "cost": cost}


def _checkpoint(outline: Outline, spoken: Sequence[Spoken]) -> Json:
    return {
        "id": outline.checkpoint_id,
        "number": outline.number,
        "label": label(outline.number),
        "made_by": kind_of(outline),
        "type": outline.type,
        "at": outline.created_at,
        "title": one_line(outline.title, _TITLE),
        "name": outline.name,
        "place": place_at(spoken, outline.created_at),
    }


def _family(view: SessionView) -> Json:
    own = view.record
    others = [each for each in view.family if each.session_id != own.session_id]

    def told(kin: list[SessionRecord]) -> list[Json]:
        return [
            {
                "session": each.session_id,
                "at": each.started_at,
                "checkpoints": len(each.checkpoints),
            }
            for each in kin
        ]

    parent = own.parent_session
    return {
        "parent": told([each for each in others if each.session_id == parent]),
        "children": told([e for e in others if e.parent_session == own.session_id]),
        "siblings": told([e for e in others if parent and e.parent_session == parent]),
    }


def _spoken(one: Spoken, directory: str) -> Json:
    """Return what is not empty of it: a long conversation is mostly defaults."""
    told = {name: part for name, part in one._asdict().items() if part not in ("", 0)}
    if one.kind == "call" and directory:
        told["text"] = _seen_from(directory, one.text)
    return told


def _seen_from(directory: str, target: str) -> str:
    """Return a path from a directory, where it is one below it."""
    return target.removeprefix(f"{directory.rstrip('/')}/")
