"""What the agent itself writes for a checkpoint, read once and merged on top.

Notes win for wording, the transcript wins for facts: notes have no place for files or
commands, every item they add says that the agent said it, and an instruction that an
agent notes never becomes one of the user's. A note that the transcript contradicts is
kept, and says what contradicts it.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

from holdfast.domain.checkpoint import Content, Detail, Item
from holdfast.domain.kinds import CLAIMS, NOTED
from holdfast.domain.text import MOST_GIVEN, one_line, storable, visible
from holdfast.facts.statements.doubts import doubt_of
from holdfast.kernel.errors import NotesInvalid
from holdfast.kernel.lazy_values import dataclass, field, replace
from holdfast.language.prose import EXCERPT

_MOST_OUTCOMES = 7
_TEXTS = ("title", "summary", "work_type", "domain", "mental_model")
_WORD_LISTS = ("topics", "tags")
_DETAIL_FIELDS = ("topic", "text", "files", "commands")
_HINT = 'notes look like `{"title": "…", "next_steps": ["…"]}`'


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes:
    """The notes of one save; every field is optional. `unknown` is kept and reported."""

    title: str = ""
    summary: str = ""
    work_type: str = ""
    domain: str = ""
    mental_model: str = ""
    topics: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    items: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    details: tuple[Detail, ...] = ()
    unknown: Mapping[str, object] = field(default_factory=dict)


def parse_notes(raw: object) -> Notes:
    """Read notes from JSON values; a field that is null counts as not given.

    Raises:
        NotesInvalid: a field has the wrong type, or a number that JSON does not have;
            the message names it.
    """
    if not isinstance(raw, Mapping):
        raise NotesInvalid(f"the notes must be an object, not {_kind(raw)}", hint=_HINT)
    given = {str(key): value for key, value in raw.items() if value is not None}
    texts = {name: _text(given.pop(name, ""), name) for name in _TEXTS}
    words = {name: _texts(given.pop(name, ()), name) for name in _WORD_LISTS}
    items = {name: _texts(given.pop(name), name) for name in NOTED if name in given}
    details = _details(given.pop("details", ()))
    for name, value in given.items():
        _check_numbers(value, name)
    return Notes(
        title=one_line(visible(texts["title"]), MOST_GIVEN),
        summary=texts["summary"],
        work_type=one_line(texts["work_type"], MOST_GIVEN),
        domain=one_line(texts["domain"], MOST_GIVEN),
        mental_model=texts["mental_model"],
        topics=words["topics"],
        tags=words["tags"],
        items=items,
        details=details,
        unknown=given,
    )


def with_notes(content: Content, notes: Notes) -> Content:
    """Return the content with the agent's wording; what the transcript says stays."""
    lists: dict[str, Any] = {
        name: _joined(notes.items.get(name, ()), getattr(content, name))
        for name in NOTED
    }
    for name in CLAIMS:
        lists[name] = tuple(_doubted(item, content) for item in lists[name])
    lists["key_outcomes"] = lists["key_outcomes"][:_MOST_OUTCOMES]
    # The user's own words come before what an agent says they were.
    lists["instructions"] = (
        *content.instructions,
        *_items(notes.items.get("instructions", ())),
    )
    return replace(
        content,
        title=notes.title or content.title,
        summary=notes.summary or content.summary,
        summary_doubt=doubt_of(f"{notes.title}. {notes.summary}", content),
        topics=tuple(dict.fromkeys((*notes.topics, *content.topics))),
        work_type=notes.work_type or content.work_type,
        domain=notes.domain or content.domain,
        mental_model=notes.mental_model or content.mental_model,
        **lists,
    )


def _doubted(item: Item, content: Content) -> Item:
    """Return a note with what the transcript has against it; our own items have none."""
    if item.source != "agent" or item.evidence:
        return item
    return replace(item, doubt=doubt_of(item.text, content))


def _joined(noted: Sequence[str], known: Sequence[Item]) -> tuple[Item, ...]:
    """Return what was noted, then what the transcript shows and no note says."""
    said = {_folded(text) for text in noted}
    return (
        *_items(noted),
        *(item for item in known if _folded(item.text) not in said),
    )


def _items(noted: Sequence[str]) -> tuple[Item, ...]:
    return tuple(Item(text, "agent", (), text[:EXCERPT]) for text in noted)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise NotesInvalid(
            f"`{name}` in the notes must be text, not {_kind(value)}", hint=_HINT
        )
    return storable(value).strip()


def _texts(value: object, name: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise NotesInvalid(
            f"`{name}` in the notes must be a list of texts, not {_kind(value)}",
            hint=_HINT,
        )
    texts = (_text(entry, f"{name}[{i}]") for i, entry in enumerate(value))
    return tuple(dict.fromkeys(text for text in texts if text))


def _details(value: object) -> tuple[Detail, ...]:
    if not isinstance(value, list | tuple):
        raise NotesInvalid(
            f"`details` in the notes must be a list of objects, not {_kind(value)}",
            hint=_HINT,
        )
    return tuple(_detail(entry, f"details[{i}]") for i, entry in enumerate(value))


def _detail(value: object, name: str) -> Detail:
    if not isinstance(value, Mapping):
        raise NotesInvalid(
            f"`{name}` in the notes must be an object, not {_kind(value)}", hint=_HINT
        )
    raw = cast("Mapping[str, object]", value)
    given = {key: raw.get(key) for key in _DETAIL_FIELDS}
    return Detail(
        topic=_text(given["topic"] or "", f"{name}.topic") or "notes",
        text=_text(given["text"] or "", f"{name}.text"),
        files=_texts(given["files"] or (), f"{name}.files"),
        ran=tuple(map(_ran, _texts(given["commands"] or (), f"{name}.commands"))),
    )


def _ran(line: str) -> tuple[str, str]:
    """Return a command and, where the agent wrote `make → ok`, what it came to."""
    command, arrow, came = line.partition(" → ")
    return (command, came) if came else (command + arrow, "")


def _check_numbers(value: object, name: str) -> None:
    """Refuse `NaN` and `Infinity`, which Python reads and no record can hold."""
    left = [(value, name)]
    while left:
        value, name = left.pop()
        if isinstance(value, float) and not math.isfinite(value):
            raise NotesInvalid(
                f"`{name}` in the notes must be a number, not {value}", hint=_HINT
            )
        if isinstance(value, Mapping):
            left += [(entry, f"{name}.{key}") for key, entry in value.items()]
        elif isinstance(value, list | tuple):
            left += [(entry, f"{name}[{i}]") for i, entry in enumerate(value)]


def _kind(value: object) -> str:
    """Return what JSON calls a value."""
    if value is None:
        return "null"
    names = {bool: "true or false", int: "a number", float: "a number", str: "text"}
    if type(value) in names:
        return names[type(value)]
    return "an object" if isinstance(value, Mapping) else "a list"
