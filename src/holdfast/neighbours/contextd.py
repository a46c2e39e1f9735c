"""contextd: checkpoints as JSON, as its tools answer with them or as its vector store has
them, and that store itself. Pure but for the walk."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from holdfast.kernel.lazy_patterns import pattern
from holdfast.neighbours.gob import gob_value
from holdfast.neighbours.place import SourceFile, SourcePlace
from holdfast.neighbours.record import Found, NeighbourRecord, Remark, Unread
from holdfast.neighbours.texts import (
    digest,
    distinct,
    field_text,
    first_line,
    moment,
    parsed_json,
)

KIND = "contextd"
_MOST_FILE = 30_000_000
_MOST_DEPTH = 8
_SUFFIXES = (".json", ".jsonl", ".ndjson")
# What a list of them, a tool's answer and a database's answer stand in.
_AROUND = ("checkpoints", "structuredContent", "result", "points", "documents")
_WITHIN = ("payload", "metadata", "Metadata")
_SAYS = ("summary", "description", "context", "full_state", "name")
_STORE, _STORE_DEPTH = "vectorstore", 6  # tenant, team, project, collection
_GOBS = (".gob", ".gob.gz")
_OF_CHECKPOINTS = {"session_id", "summary", "auto_created"}
_NONE = "no checkpoints of contextd in it"
_OTHER = "documents of other collections are left"
_LOOKS_SO = pattern(r'"(?:full_state|auto_created|token_count)"')


def recognises(place: SourcePlace) -> bool:
    """Say whether a file looks like its checkpoints, or a directory is its store."""
    if place.is_directory:
        return place.name == _STORE or place.has(_STORE)
    return bool(_LOOKS_SO.search(place.head()))


def read(place: SourcePlace) -> Found:
    """Yield each checkpoint of a file, of the files of a directory, or of its store."""
    is_stored = place.is_directory or place.name.endswith(_GOBS)
    if place.is_directory or not is_stored:
        for file in place.files(_SUFFIXES, depth=2, limit=_MOST_FILE):
            is_named = not place.is_directory
            yield from (
                (file,) if isinstance(file, Unread) else parsed(file, is_named=is_named)
            )
    if is_stored:
        for file in place.files(_GOBS, depth=_STORE_DEPTH, decode=document):
            yield from (file,) if isinstance(file, Unread) else of_document(file)


def document(data: bytes) -> str | None:
    """Return a document of its vector store as JSON, or None if it is none."""
    found = gob_value(data)
    return json.dumps(found) if isinstance(found, dict) else None


def of_document(file: SourceFile) -> Found:
    """Yield the checkpoint that a document is; the store has other collections, too."""
    raw = parsed_json(file.text)
    told = raw.get("Metadata") if isinstance(raw, Mapping) else None
    if isinstance(told, Mapping) and told.keys() >= _OF_CHECKPOINTS:
        yield _checkpoint({"id": raw.get("ID"), **told}, file)
    else:
        yield Unread(file.name, _OTHER, is_left=True)


def parsed(file: SourceFile, *, is_named: bool = True) -> Found:
    """Yield what one file says: one JSON value, or one on each line. One that merely
    lies in a directory may be about something else."""
    whole = parsed_json(file.text)
    if whole is not None:
        found = list(_objects(whole, 0))
        if not found:
            yield Unread(file.name, _NONE, is_left=not is_named)
        for each in found:
            yield _checkpoint(each, file)
        return
    lines = [
        (n, line) for n, line in enumerate(file.text.splitlines(), 1) if line.strip()
    ]
    values = [(number, parsed_json(line)) for number, line in lines]
    if all(value is None for _, value in values):
        yield Unread(file.name, "it is not JSON, or ends in the middle")
        return
    for number, value in values:
        where = f"{file.name}:{number}"
        objects = list(_objects(value, 0))
        if not objects:
            yield Unread(where, "a line is not a checkpoint of contextd")
        for each in objects:
            yield _checkpoint(each, file)


def _objects(value: Any, depth: int) -> Iterator[Mapping[str, Any]]:
    """Yield what looks like a checkpoint, wherever in an answer it stands."""
    if depth > _MOST_DEPTH:
        return
    if isinstance(value, list):
        for each in value:
            yield from _objects(each, depth + 1)
    elif isinstance(value, Mapping):
        if _is_checkpoint(value):
            yield value
            return
        inner = next((value[name] for name in _WITHIN if _holds(value, name)), None)
        if inner is not None:
            yield {"id": value.get("id") or value.get("ID"), **inner}
            return
        for name in _AROUND:
            yield from _objects(value.get(name), depth + 1)
        yield from _objects(_said(value), depth + 1)


def _holds(value: Mapping[str, Any], name: str) -> bool:
    inner = value.get(name)
    return isinstance(inner, Mapping) and _is_checkpoint(inner)


def _said(value: Mapping[str, Any]) -> Any:
    """Return what the text of a tool's answer is, if it is JSON."""
    content = value.get("content")
    if not isinstance(content, list):
        return None
    texts = (field_text(part, "text") for part in content if isinstance(part, Mapping))
    return [parsed_json(text) for text in texts if text.startswith(("{", "["))]


def _is_checkpoint(value: Mapping[str, Any]) -> bool:
    has_words = any(isinstance(value.get(name), str) for name in _SAYS)
    return "session_id" in value and has_words


def _checkpoint(raw: Mapping[str, Any], file: SourceFile) -> NeighbourRecord | Unread:
    record = field_text(raw, "id", "checkpoint_id")
    where = f"{file.name}: {record or 'a checkpoint'}"
    name, summary = field_text(raw, "name"), field_text(raw, "summary")
    said = field_text(raw, "description")
    title = name or said or first_line(summary) or first_line(field_text(raw, *_SAYS))
    if not title:
        return Unread(where, "it says nothing")
    told_at = raw.get("created_at") or raw.get("CreatedAt")
    created_at = moment(told_at)
    if told_at and not created_at:
        return Unread(where, "it has no valid time")
    parts = {
        "description": said,
        "context": field_text(raw, "context"),
        "full state": field_text(raw, "full_state"),
    }
    is_auto = raw.get("auto_created") in (True, "true")
    return NeighbourRecord(
        record=record or digest(title, summary, *parts.values()),
        path=file.path,
        title=title,
        name=name,
        summary=summary or said,
        created_at=created_at or file.modified_at,
        is_dated=bool(created_at),
        project=field_text(raw, "project_path"),
        session=field_text(raw, "session_id"),
        tags=distinct(("auto",) if is_auto else ()),
        remarks=tuple(
            Remark(topic, text)
            for topic, text in parts.items()
            if text and text not in (summary, title)
        ),
    )
