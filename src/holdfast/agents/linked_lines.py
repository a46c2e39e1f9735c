"""A line of a session without its secrets, such that its client still reads it: what links
it to other lines, and what only the service that made it can read, is as it was.

Ids and seals are known by their place. An id that is a password somewhere else is one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from holdfast.kernel.lazy_tuples import NamedTuple

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Sequence

Json = dict[str, Any]


class Links(NamedTuple):
    """Where an agent writes them: keys of what holds some, of ids, and of seals."""

    holders: frozenset[str]
    ids: frozenset[str]
    plain_id: re.Pattern[str]  # what an id looks like; anything else may hide something
    seals: frozenset[str]


def cleaned(
    line: bytes, redact: Callable[[Any], Any], link: Callable[[Json, Json], Json]
) -> bytes:
    """Return a line without what `redact` takes out of it; `link` gets what it said and
    what is left, and returns that with its links."""
    try:
        said = json.loads(line, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return _cleaned_as_text(line, redact)
    clean = redact(said)
    try:
        if clean == said:
            return line
        if isinstance(said, dict) and isinstance(clean, dict):
            clean = link(said, clean)
        return line_of(clean)
    except RecursionError:  # it can be read, and is nested too deep to be walked
        return _cleaned_as_text(line, redact)


def _cleaned_as_text(line: bytes, redact: Callable[[Any], Any]) -> bytes:
    text: str = redact(line.decode("utf-8", "replace"))
    return text.encode("utf-8", "replace")


def line_of(said: Any) -> bytes:
    """Return a line as the clients write it."""
    text = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass") + b"\n"


def linked(links: Links, said: Any, clean: Any) -> Any:
    """Return what is left of something with the ids and seals that it had."""
    if isinstance(said, list) and isinstance(clean, list) and len(said) == len(clean):
        return [linked(links, one, left) for one, left in zip(said, clean, strict=True)]
    if not isinstance(said, dict) or not isinstance(clean, dict):
        return clean
    whole = dict(clean)
    for key, value in said.items():
        if key in links.holders and key in clean and not isinstance(value, str):
            whole[key] = linked(links, value, clean[key])
        elif isinstance(value, str) and _is_link(links, key, value):
            whole[key] = value
    return whole


def _is_link(links: Links, key: str, value: str) -> bool:
    if key in links.seals:
        return True
    return key in links.ids and links.plain_id.fullmatch(value) is not None


def _once(pairs: Sequence[tuple[str, Any]]) -> Json:
    """Return an object whose names are each said once: of a name that is said twice,
    readers see one value, and what the other holds would be looked at by nobody.

    Raises:
        ValueError: one is said twice.
    """
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError(pairs)
    return made
