"""The one place where secrets are taken out of a text before anything keeps it.

A secret becomes `[redacted:<kind>:<tag>]`. The tag is a keyed hash: equal secrets stay
recognisable as equal, and without the key nobody can try guesses against it. What stands
between `<private>` and `</private>` becomes `[private]`.
"""

import re
from typing import Any

from holdfast.analysis.secret_blocks import PRIVATE, private_spans
from holdfast.analysis.secret_names import NAMED_KINDS, named
from holdfast.analysis.secret_rules import Span, spans
from holdfast.digests import blake2b
from holdfast.domain.text import without_hidden

_MOST_KEY = 64  # what blake2b takes
_MOST_PASSES = 8
_REPLACEMENT = r"\[redacted:[a-z0-9\-]{1,32}:[0-9a-f]{4}\]|\[private\]"


class Redactor:
    """Takes secrets out of texts and JSON values, and counts them by kind."""

    def __init__(self, key: bytes = b"") -> None:
        self._key = key if len(key) <= _MOST_KEY else blake2b(key).digest()
        self._counts: dict[str, int] = {}

    def text(self, text: str) -> str:
        """Return text without secrets; a text that has none is returned itself.

        Redacting what is redacted changes nothing.
        """
        found = _found(text)
        if found:
            text = self._without(text, found)
        bare = without_hidden(text)
        if bare is text:
            return text
        # A secret that something invisible was put into is whole again for who copies it.
        clean = self._without(bare, _found(bare))
        return text if clean == bare else clean

    def tree(self, value: Any) -> Any:
        """Return a JSON value without secrets in its keys and values.

        A name says what its value is, as it does in text: `{"password": "…"}`,
        `{"name": "TOKEN", "value": "…"}`, `["--secret", "…"]`.
        """
        top: list[Any] = []
        waiting: list[tuple[Any, Any, str]] = [([value], top, "")]
        while waiting:
            source, target, name = waiting.pop()
            for place, owner, item in _items(source, name):
                clean = self.text(place) if isinstance(place, str) else place
                copy: Any = self._leaf(owner, item)
                if isinstance(item, dict | list | tuple):
                    copy = {} if isinstance(item, dict) else []
                    waiting.append((item, copy, owner))
                _put(target, clean, copy)
        return top[0]

    def count(self) -> dict[str, int]:
        """Return how many secrets of each kind were replaced so far."""
        return dict(self._counts)

    def _leaf(self, name: str, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        clean = self.text(value)
        found = list(named(name, clean)) if name else []
        return self._without(clean, found) if found else clean

    def _without(self, text: str, found: list[Span]) -> str:
        # A replacement can bare what it hid: a second look makes redacting idempotent.
        for _ in range(_MOST_PASSES):
            fresh = _outside_replacements(text, _merged(found))
            if not fresh:
                break
            text = self._replaced(text, fresh)
            found = _found(text)
        return text

    def _replaced(self, text: str, found: list[Span]) -> str:
        parts: list[str] = []
        done = 0
        for start, end, kind in found:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            parts += (text[done:start], self._replacement(kind, text[start:end]))
            done = end
        return "".join((*parts, text[done:]))

    def _replacement(self, kind: str, secret: str) -> str:
        if kind == PRIVATE:
            return "[private]"
        data = secret.encode("utf-8", "surrogatepass")
        tag = blake2b(data, digest_size=2, key=self._key).hexdigest()
        return f"[redacted:{kind}:{tag}]"


def _found(text: str) -> list[Span]:
    found = spans(text)
    if "<" in text and "</private>" in text:
        return [*private_spans(text), *found]
    return found


def _merged(found: list[Span]) -> list[Span]:
    """Return spans in order without overlap; the most telling kind of two stays."""
    merged: list[Span] = []
    order = sorted(found, key=lambda span: (span[0], span[2] in NAMED_KINDS))
    for start, end, kind in order:
        if merged and start < merged[-1][1]:
            first, last, name = merged[-1]
            merged[-1] = (first, max(last, end), name)
        else:
            merged.append((start, end, kind))
    return merged


def _outside_replacements(text: str, found: list[Span]) -> list[Span]:
    """Return the spans, in order, that touch no earlier replacement."""
    past = len(text)
    done = (hit.span() for hit in re.finditer(_REPLACEMENT, text))
    start, end = next(done, (past, past))
    fresh: list[Span] = []
    for span in found:
        while end <= span[0]:
            start, end = next(done, (past, past + 1))
        if span[1] <= start:
            fresh.append(span)
    return fresh


def _items(source: Any, name: str) -> list[tuple[Any, str, Any]]:
    """Return each item of an object or array, where it stands, and its name."""
    if isinstance(source, dict):
        label = source.get("name")
        own = label if isinstance(label, str) else "value"
        return [
            (key, own if key == "value" else str(key), item)
            for key, item in source.items()
        ]
    flags = ("", *(item if isinstance(item, str) else "" for item in source))
    return [
        (None, flag.lstrip("-") if flag.startswith("-") else name, item)
        for flag, item in zip(flags, source, strict=False)
    ]


def _put(target: Any, place: Any, item: Any) -> None:
    if isinstance(target, dict):
        target[place] = item
    else:
        target.append(item)
