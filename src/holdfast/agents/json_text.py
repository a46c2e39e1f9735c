"""Change one member of a JSON text and leave every other byte as its owner wrote it.

Pure. The client parses and prints settings anew when it changes them; people keep theirs
in repositories and care about the bytes.
"""

import json
from collections.abc import Collection, Sequence
from typing import Any

from holdfast.kernel.lazy_tuples import NamedTuple

_SPACE = " \t\n\r"
_BOM = "\ufeff"
_decode = json.JSONDecoder().raw_decode


class _Member(NamedTuple):
    name: str
    start: int  # of the name, its quote included
    value: int
    end: int  # of the value


def with_member(text: str, path: Sequence[str], value: object) -> str:
    """Return `text` with the member at `path` set, objects on the way made if missing.

    A member that has the value already changes nothing.

    Raises:
        ValueError: the text is not one JSON object, or something on the way is none.
    """
    return _with(text, _object_at(text), path, value)


def without_member(text: str, path: Sequence[str]) -> str:
    """Return `text` without the member at `path`; the exact inverse of adding it.

    Raises:
        ValueError: the text is not one JSON object.
    """
    at = _object_at(text)
    for name in path[:-1]:
        found = _named(_members(text, at), name)
        if found is None or text[found.value] != "{":
            return text
        at = found.value
    members = _members(text, at)
    found = _named(members, path[-1])
    return text if found is None else _removed(text, members, members.index(found))


def with_elements(text: str, path: Sequence[str], values: Sequence[object]) -> str:
    """Return `text` with values at the end of the list at `path`, which is there.

    Raises:
        ValueError: the text is not one JSON object, or there is no list at `path`.
    """
    for value in values:
        at = _list_at(text, path)
        elements = _elements(text, at)
        if not elements:
            text = text[: at + 1] + json.dumps(value) + text[at + 1 :]
            continue
        gap = text[at + 1 : elements[0].start] or " "
        end = elements[-1].end
        text = f"{text[:end]},{gap}{json.dumps(value)}{text[end:]}"
    return text


def without_elements(text: str, path: Sequence[str], values: Collection[object]) -> str:
    """Return `text` without those values in the list at `path`; no list has none.

    Raises:
        ValueError: the text is not one JSON object.
    """
    if not isinstance(member(text, path), list):
        return text
    at = _list_at(text, path)
    for place in reversed(range(len(_elements(text, at)))):
        elements = _elements(text, at)
        found = elements[place]
        if json.loads(text[found.value : found.end]) in values:
            text = _removed(text, elements, place)
    return text


def member(text: str, path: Sequence[str]) -> Any:
    """Return the value at `path`, or None if there is none.

    Raises:
        ValueError: the text is not one JSON object.
    """
    _object_at(text)
    value = json.loads(text.removeprefix(_BOM))
    for name in path:
        if not isinstance(value, dict) or name not in value:
            return None
        value = value[name]
    return value


def _object_at(text: str) -> int:
    """Return where the one object of a text begins."""
    start = _skip(text, 1 if text.startswith(_BOM) else 0)
    value, end = _decode(text, start)
    if not isinstance(value, dict) or _skip(text, end) != len(text):
        message = "not one JSON object"
        raise ValueError(message)
    return start


def _list_at(text: str, path: Sequence[str]) -> int:
    """Return where the list at a path begins."""
    at = _object_at(text)
    for name in path:
        found = _named(_members(text, at), name) if text[at] == "{" else None
        if found is None:
            message = f"`{name}` is not there"
            raise ValueError(message)
        at = found.value
    if text[at] != "[":
        message = f"`{path[-1]}` is not a list"
        raise ValueError(message)
    return at


def _elements(text: str, at: int) -> list[_Member]:
    """Return the elements of the list at `at`, as members without a name."""
    elements: list[_Member] = []
    place = _skip(text, at + 1)
    while text[place] != "]":
        start = _skip(text, place + 1) if text[place] == "," else place
        _, end = _decode(text, start)
        elements.append(_Member("", start, start, end))
        place = _skip(text, end)
    return elements


def _with(text: str, at: int, path: Sequence[str], value: object) -> str:
    name, *rest = path
    members = _members(text, at)
    found = _named(members, name)
    if found is None:
        for below in reversed(rest):
            value = {below: value}
        return _inserted(text, at, members, name, value)
    if rest:
        if text[found.value] != "{":
            message = f"`{name}` is not an object"
            raise ValueError(message)
        return _with(text, found.value, rest, value)
    if json.loads(text[found.value : found.end]) == value:
        return text
    return text[: found.value] + json.dumps(value) + text[found.end :]


def _inserted(
    text: str, at: int, members: list[_Member], name: str, value: object
) -> str:
    if not members:
        added = f"{json.dumps(name)}: {json.dumps(value)}"
        return text[: at + 1] + added + text[at + 1 :]
    last = members[-1]
    gap = text[at + 1 : members[0].start] or " "
    added = f"{json.dumps(name)}: {_laid_out(value, gap)}"
    return f"{text[: last.end]},{gap}{added}{text[last.end :]}"


def _laid_out(value: object, gap: str) -> str:
    """Return a value as its neighbours are laid out: over lines if they are."""
    line, newline, indent = gap.rpartition("\n")
    if not newline or line.strip(_SPACE):
        return json.dumps(value)
    unit = "\t" if indent.startswith("\t") else "  "
    return json.dumps(value, indent=unit).replace("\n", f"\n{indent}")


def _removed(text: str, members: list[_Member], index: int) -> str:
    gone = members[index]
    if index:
        return text[: members[index - 1].end] + text[gone.end :]
    if len(members) > 1:
        return text[: gone.start] + text[members[1].start :]
    return text[: gone.start] + text[gone.end :]


def _members(text: str, at: int) -> list[_Member]:
    """Return the members of the object at `at`, which is known to be whole."""
    members: list[_Member] = []
    place = _skip(text, at + 1)
    while text[place] != "}":
        start = _skip(text, place + 1) if text[place] == "," else place
        name, after = _decode(text, start)
        value = _skip(text, _skip(text, after) + 1)
        _, end = _decode(text, value)
        members.append(_Member(name, start, value, end))
        place = _skip(text, end)
    return members


def _named(members: list[_Member], name: str) -> _Member | None:
    """Return the member of a name; of two, the last, as every parser does."""
    return next((found for found in reversed(members) if found.name == name), None)


def _skip(text: str, place: int) -> int:
    while place < len(text) and text[place] in _SPACE:
        place += 1
    return place
