"""codesearch: `CHECKPOINT-00042` and the `WorkSession` memories before it, in its backups
(`.codesearch/backups/memories_*.json`) or as Markdown. Pure but for the walk."""

import re
from collections.abc import Mapping
from typing import Any

from holdfast.kernel.lazy_patterns import pattern
from holdfast.neighbours.place import SourceFile, SourcePlace
from holdfast.neighbours.record import Found, NeighbourRecord, Remark, Unread
from holdfast.neighbours.texts import (
    digest,
    distinct,
    entries,
    field_text,
    field_texts,
    first_line,
    moment,
    parsed_json,
    sections,
)

KIND = "codesearch"
_DIRECTORY = ".codesearch"
_MOST_FILE = 30_000_000
_DEPTH = 3
_MOST_NUMBER = 9_999_999  # a longer one is a moment, which newer versions put there
_ID = pattern(r"\*{0,2}(CHECKPOINT-(\d{1,20})(?:-[0-9A-Za-z]{1,40})?)\*{0,2}")
_CREATED = pattern(r"^\*{0,2}Created:?\*{0,2}:?[ \t]*([^\n]+)$", re.MULTILINE)
_MEMORIES = pattern(r'"memories"\s*:\s*\[')
_TYPES = ("checkpoint", "worksession")
_OTHER = "memories of other types are left"
# Which part of a record a heading is for.
_STEPS = ("next steps", "next", "todo", "next actions")
_DONE = (
    "what was accomplished",
    "accomplished",
    "accomplishments",
    "completed",
    "done",
)
_FILES = ("files modified", "modified files", "files changed", "files")
_KNOWN = frozenset((*_STEPS, *_DONE, *_FILES, ""))


def recognises(place: SourcePlace) -> bool:
    """Say whether it is a project, backup or checkpoint of codesearch."""
    if place.is_directory:
        return place.name == _DIRECTORY or place.has(_DIRECTORY)
    head = place.head()
    return bool(_MEMORIES.search(head) or _ID.match(head.lstrip()))


def read(place: SourcePlace) -> Found:
    """Yield each checkpoint of a project, of its backups, or of a single file."""
    if place.is_directory and place.has(_DIRECTORY):
        place = place.below(_DIRECTORY)
    for file in place.files((".json", ".md"), depth=_DEPTH, limit=_MOST_FILE):
        if isinstance(file, Unread):
            yield file
        elif file.name.lower().endswith(".md") or _ID.match(file.text.lstrip()):
            yield of_markdown(file)
        elif not place.is_directory or _MEMORIES.search(file.text):
            yield from of_backup(file)


def of_backup(file: SourceFile) -> Found:
    """Yield the checkpoints among the memories of a backup."""
    whole = parsed_json(file.text)
    memories = whole.get("memories") if isinstance(whole, Mapping) else whole
    if not isinstance(memories, list):
        yield Unread(file.name, "no backup of codesearch, or it ends in the middle")
        return
    for number, raw in enumerate(memories, 1):
        where = f"{file.name}: memory {number}"
        if not isinstance(raw, Mapping):
            yield Unread(where, "a memory is not an object")
        elif field_text(raw, "type", "Type").lower() not in _TYPES:
            yield Unread(where, _OTHER, is_left=True)
        else:
            yield _memory(raw, where, file)


def _memory(
    raw: Mapping[str, Any], where: str, file: SourceFile
) -> NeighbourRecord | Unread:
    content = field_text(raw, "content", "Content")
    told_at = raw.get("created") or raw.get("Created") or raw.get("modified")
    # It wrote `DateTime.UtcNow`, with a zone or without.
    created_at = moment(told_at) or _told(content)
    if not content:
        return Unread(where, "it says nothing")
    if not created_at:
        return Unread(where, "it has no valid time")
    files = raw.get("files") or raw.get("Files") or raw.get("filesInvolved")
    return _record(
        content,
        file,
        created_at,
        given_id=field_text(raw, "id", "Id"),
        session=field_text(raw, "sessionId", "SessionId"),
        files=field_texts({"files": files}, "files"),
        tags=(field_text(raw, "type", "Type"),),
    )


def of_markdown(file: SourceFile) -> NeighbourRecord | Unread:
    """Return a checkpoint that was kept as Markdown."""
    text = file.text.replace("\r\n", "\n").strip()
    if not _ID.match(text):
        return Unread(file.name, "no checkpoint of codesearch", is_left=True)
    created_at = _told(text)
    return _record(
        text, file, created_at or file.modified_at, is_dated=bool(created_at)
    )


def _told(text: str) -> int:
    found = _CREATED.search(text)
    return moment(found[1]) if found else 0


def _record(
    text: str,
    file: SourceFile,
    created_at: int,
    *,
    given_id: str = "",
    is_dated: bool = True,
    **more: Any,
) -> NeighbourRecord:
    """Return what a text in its form says; an old one has no id of that form."""
    named = _ID.fullmatch(given_id) or _ID.match(text)
    number = int(named[2]) if named else 0
    body = _CREATED.sub("", _ID.sub("", text, count=1) if named else text, count=1)
    told = sections(body.strip())
    summary = told.get("session summary") or told.get("summary") or told[""] or body
    listed = _under(told, _FILES)
    return NeighbourRecord(
        record=named[1] if named else (given_id or digest(text)),
        path=file.path,
        number=number if number <= _MOST_NUMBER else 0,
        title=first_line(summary) or (named[1] if named else first_line(text)),
        summary=summary.strip(),
        created_at=created_at,
        is_dated=is_dated,
        session=more.get("session", ""),
        files=distinct((*more.get("files", ()), *listed)),
        tags=more.get("tags", ()),
        done=_under(told, _DONE),
        next_steps=_under(told, _STEPS),
        remarks=tuple(
            Remark(heading, said)
            for heading, said in told.items()
            if said and heading not in _KNOWN and said != summary
        ),
    )


def _under(told: Mapping[str, str], headings: tuple[str, ...]) -> tuple[str, ...]:
    return distinct(
        entry for heading in headings for entry in entries(told.get(heading, ""))
    )
