"""Session records: how news of one is taken in, and how a family is ordered. Pure."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from holdfast.domain.session import SessionRecord
from holdfast.domain.text import storable
from holdfast.kernel.lazy_values import field_names, replace

Lookup = Callable[[str], SessionRecord | None]
_TEXTS = (
    "session_id", "agent", "agent_version", "project_id", "workspace",
    "working_directory", "hostname", "transcript", "root_session",
)  # fmt: skip
# What is settled apart: who it is, its family, and what the store counts.
_APART = ("session_id", "parent_session", "root_session", "cleared", "checkpoints")
_TOLD = tuple(n for n in field_names(SessionRecord) if n not in _APART)


def clean_record(record: SessionRecord) -> SessionRecord:
    """Return a record with only text that every store accepts: paths hold any bytes."""
    texts: dict[str, Any] = {name: storable(getattr(record, name)) for name in _TEXTS}
    parent = record.parent_session
    return replace(record, **texts, parent_session=storable(parent) if parent else None)


def merged_record(news: SessionRecord, known: Lookup) -> SessionRecord:
    """Return a session's record as it stands after the news.

    What the news leaves empty or zero stays as it was; `cleared` only ever becomes
    true; a parent, once set, stays, and the root is the parent's root.
    """
    kept = known(news.session_id)
    parent_id = _parent(news, kept, known)
    parent = known(parent_id) if parent_id else None
    merged = news if kept is None else _merged(kept, news)
    told_root = news.root_session or (kept.root_session if kept else "")
    root = (
        parent.root_session if parent else _root(news.session_id, parent_id, told_root)
    )
    return replace(merged, parent_session=parent_id, root_session=root, checkpoints=())


def by_generation(family: Iterable[SessionRecord]) -> tuple[SessionRecord, ...]:
    """Return a family root first, then by generation, each in the order it came.

    In damaged data a circle has no root; its last member then stands for one.
    """
    records = {record.session_id: record for record in family}
    depth: dict[str, int] = {}
    for session in records:
        _settle_depth(session, records, depth)
    return tuple(sorted(records.values(), key=lambda r: depth[r.session_id]))


def _merged(kept: SessionRecord, news: SessionRecord) -> SessionRecord:
    told = {name: getattr(news, name) for name in _TOLD if getattr(news, name)}
    return replace(kept, **told, cleared=kept.cleared or news.cleared)


def _parent(
    news: SessionRecord, kept: SessionRecord | None, known: Lookup
) -> str | None:
    if kept is not None and kept.parent_session:
        return kept.parent_session
    told = news.parent_session
    if not told or _descends(told, news.session_id, known):
        return None  # nobody is their own ancestor
    return told


def _descends(session: str, ancestor: str, known: Lookup) -> bool:
    seen: set[str] = set()
    at: str | None = session
    while at and at not in seen:
        if at == ancestor:
            return True
        seen.add(at)
        record = known(at)
        at = record.parent_session if record else None
    return False


def _root(session: str, parent: str | None, told: str) -> str:
    """Return the root where no parent is recorded: what was told, if it can be."""
    if parent is None:
        return session
    return told if told and told != session else parent


def _settle_depth(
    session: str, records: Mapping[str, SessionRecord], depth: dict[str, int]
) -> None:
    path: dict[str, None] = {}
    at: str | None = session
    while at is not None and at in records and at not in depth and at not in path:
        path[at] = None
        at = records[at].parent_session
    level = depth.get(at, -1) if at is not None else -1
    for member in reversed(path):
        level += 1
        depth[member] = level
