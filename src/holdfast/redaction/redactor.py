"""The one place where secrets are taken out of a text before anything keeps it.

A secret becomes `[redacted:<kind>:<tag>]`. The tag is a keyed hash: equal secrets stay
recognisable as equal, and without the key nobody can try guesses against it. What stands
between `<private>` and `</private>` becomes `[private]`.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from holdfast.domain.text import hidden_places, without_hidden
from holdfast.kernel.digests import blake2b
from holdfast.redaction import Span
from holdfast.redaction.blocks import PRIVATE, private_spans
from holdfast.redaction.by_name import NAMED_KINDS, named
from holdfast.redaction.manifests import name_in
from holdfast.redaction.scan import Window, around, spans
from holdfast.redaction.values import REPLACEMENT

_MOST_KEY = 64  # what blake2b takes
_MOST_PASSES = 8
OWN = "own"  # the kind of what the user's own rules find
_MOST_RUN = 256
_ANY_RUN = r"\S{0,256}"
_LABELS = ("name", "Name", "key", "Key", "header")  # of what `value` is the value
_MOST_WORDS = 64  # of a command
_MOST_CALL = 4_096
_SHORTEST_PIECE = 3  # what is left between two replacements and says nothing
_LONGEST_KNOWN = 400  # characters of a text that is remembered to have no secret
_MOST_KNOWN = 8_192


class Redactor:
    """Takes secrets out of texts and JSON values, and counts them by kind."""

    def __init__(
        self,
        key: bytes | Callable[[], bytes] = b"",
        *,
        rules: Sequence[str] = (),
        allow: Sequence[str] = (),
    ) -> None:
        """A `key` that is asked for is asked at each replacement: it may come late."""
        self._key = key
        self._rules = [(_plainest(rule), _OwnRule(rule)) for rule in rules]
        self._allowed = [_matcher(pattern) for pattern in allow]
        self._counts: dict[str, int] = {}
        # To have no secret: what was read comes again in a record, and most of it twice.
        self._known: set[str] = set()

    def text(self, text: str) -> str:
        """Return text without secrets; a text that has none is returned itself.

        Redacting what is redacted changes nothing.
        """
        if text in self._known:
            return text
        clean = self._cleaned(text)
        # What is replaced is counted each time.
        if clean is text and len(text) <= _LONGEST_KNOWN:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known.add(text)
        return clean

    def _cleaned(self, text: str) -> str:
        found = self._found(text)
        if found:
            text = self._without(text, found)
        bare = without_hidden(text)
        if bare is text:
            return text
        # A secret that something invisible was put into is whole again for who copies it.
        clean = self._without(bare, self._found(bare, hidden_places(text)))
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
            for place, owner, item in _items(self._called(source), name):
                copy = item
                if isinstance(item, str):
                    copy = self._leaf(owner, item)
                elif isinstance(item, (dict, list, tuple)):
                    copy = {} if isinstance(item, dict) else []
                    waiting.append((item, copy, owner))
                if isinstance(target, list):
                    target.append(copy)
                else:
                    target[self.text(place) if isinstance(place, str) else place] = copy
        return top[0]

    def secrets(self, text: str) -> list[Span]:
        """Return where secrets stand in a text, by the user's own rules, too.

        Private blocks are none: they are a wish about words, and a file may show the tag.
        """
        return self._secrets(text)

    def _secrets(self, text: str, windows: list[Window] | None = None) -> list[Span]:
        found = self._plainly(text, windows)
        if not text.isascii():
            from holdfast.redaction.lookalikes import read_plainly  # noqa: PLC0415  # most texts are plain

            if plain := read_plainly(text, windows):
                found += self._plainly(plain[0], self._around(*plain))
        if self._allowed and found:
            return [span for span in found if not self._is_allowed(text, span)]
        return found

    def _plainly(self, text: str, windows: list[Window] | None) -> list[Span]:
        found = spans(text, windows)
        for plain, rule in self._rules:
            if plain in text:
                found += rule.found(text)
        return found

    def count(self) -> dict[str, int]:
        """Return how many secrets of each kind were replaced so far."""
        return dict(self._counts)

    def _called(self, source: Any) -> Any:
        """Return the words a program is called with as the command line they make."""
        if isinstance(source, dict) or not _is_call(source):
            return source
        line = " ".join(source)
        ends = list(accumulate(len(word) + 1 for word in source))
        words = list(source)
        for start, end, kind in reversed(_merged(self._found(line))):
            at = bisect_right(ends, start)
            begin = ends[at] - 1 - len(source[at])
            if end < ends[at]:
                inner = [(start - begin, end - begin, kind)]
                words[at] = self._without(words[at], inner)
        return words

    def _leaf(self, name: str, value: str) -> str:
        clean = self.text(value)
        found = list(named(name, clean)) if name else []
        return self._without(clean, found) if found else clean

    def _without(self, text: str, found: list[Span]) -> str:
        # A replacement can bare what it hid: a second look makes redacting idempotent.
        for _ in range(_MOST_PASSES):
            fresh = _outside_replacements(text, _merged(found))
            if not fresh:
                break
            text, changes = self._replaced(text, fresh)
            found = self._found(text, changes)
        return text

    def _found(self, text: str, changes: list[Window] | None = None) -> list[Span]:
        """Return what to take out of a text, or of one that only changed there."""
        windows = None if changes is None else self._around(text, changes)
        found = self._secrets(text, windows)
        return [*private_spans(text), *found] if "<" in text else found

    def _around(self, text: str, changes: Iterable[Window]) -> list[Window] | None:
        # What is allowed was found and stayed: a look that begins inside of it errs.
        return None if self._allowed else around(text, changes)

    def _is_allowed(self, text: str, span: Span) -> bool:
        return any(each.fullmatch(text, span[0], span[1]) for each in self._allowed)

    def _replaced(self, text: str, found: list[Span]) -> tuple[str, list[Window]]:
        """Return a text with replacements, and where in it they stand."""
        parts: list[str] = []
        places: list[Window] = []
        done = shift = 0
        for start, end, kind in found:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            put = self._replacement(kind, text[start:end])
            parts += (text[done:start], put)
            places.append((start + shift, start + shift + len(put)))
            shift += len(put) - (end - start)
            done = end
        return "".join((*parts, text[done:])), places

    def _replacement(self, kind: str, secret: str) -> str:
        if kind == PRIVATE:
            return "[private]"
        data = secret.encode("utf-8", "surrogatepass")
        key = self._key if isinstance(self._key, bytes) else self._key()
        key = key if len(key) <= _MOST_KEY else blake2b(key).digest()
        tag = blake2b(data, digest_size=2, key=key).hexdigest()
        return f"[redacted:{kind}:{tag}]"


class _OwnRule:
    """Finds a pattern of the user's in time linear in the text.

    `*` is a bounded run. One at the beginning is looked for backwards from what follows
    it, and what follows one further on is taken where it first stands: no run is tried in
    every length for every length of another.
    """

    def __init__(self, pattern: str) -> None:
        first, *others = pattern.lstrip("*").split("*")
        parts = [_literal(first)]
        parts += (rf"(?>\S{{0,256}}?{_literal(o)})" for o in others if o)
        if others and not others[-1]:
            parts.append(_ANY_RUN)
        self._begins_anyhow = pattern.startswith("*")
        self._expression = re.compile("".join(parts))

    def found(self, text: str) -> Iterator[Span]:
        done = 0
        for hit in self._expression.finditer(text):
            start, end = hit.span()
            if self._begins_anyhow:
                before = text[max(done, start - _MOST_RUN) : start].split()
                is_joined = start > done and not text[start - 1].isspace()
                start -= len(before[-1]) if before and is_joined else 0
            yield start, end, OWN
            done = end


def _literal(part: str) -> str:
    return re.escape(part).replace(r"\?", r"\S")


def _matcher(pattern: str) -> re.Pattern[str]:
    """Return what a secret as a whole is compared with."""
    escaped = re.escape(pattern).replace(r"\?", r"\S").replace(r"\*", _ANY_RUN)
    return re.compile(escaped)


def _plainest(pattern: str) -> str:
    """Return the longest part of a pattern that must stand in a text as it is."""
    return max(re.split(r"[*?]", pattern), key=len)


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
    """Return the spans, in order, without the earlier replacements inside them.

    What touches a replacement is no less a secret; a private block goes whole.
    """
    if not found:
        return []
    done = [hit.span() for hit in re.finditer(REPLACEMENT, text)]
    fresh: list[Span] = []
    at = 0
    for start, end, kind in found:
        while at < len(done) and done[at][1] <= start:
            at += 1
        if kind == PRIVATE:
            fresh.append((start, end, kind))
        else:
            fresh += _pieces((start, end, kind), done, at)
    return fresh


def _pieces(span: Span, done: list[tuple[int, int]], at: int) -> Iterator[Span]:
    """Yield a span, or what the replacements from `at` on leave of it."""
    start, end, kind = span
    if at == len(done) or done[at][0] >= end:
        yield span
        return
    while at < len(done) and done[at][0] < end:
        if done[at][0] - start >= _SHORTEST_PIECE:
            yield start, done[at][0], kind
        start = done[at][1]
        at += 1
    if end - start >= _SHORTEST_PIECE:
        yield start, end, kind


def _items(source: Any, name: str) -> list[tuple[Any, str, Any]]:
    """Return each item of an object or array, where it stands, and its name."""
    if isinstance(source, dict):
        labels = (source.get(key) for key in _LABELS)
        own = next((label for label in labels if isinstance(label, str)), "value")
        return [
            (
                key,
                own if key in ("value", "Value") else name_in(source, str(key), name),
                item,
            )
            for key, item in source.items()
        ]
    flags = ("", *(item if isinstance(item, str) else "" for item in source))
    return [
        (None, flag.lstrip("-") if flag.startswith("-") else name, item)
        for flag, item in zip(flags, source, strict=False)
    ]


def _is_call(source: Any) -> bool:
    """Say whether an array can be a command with options, and is short enough to be."""
    return (
        len(source) <= _MOST_WORDS
        and all(isinstance(word, str) for word in source)
        and any(word.startswith("-") for word in source)
        and sum(map(len, source)) <= _MOST_CALL
    )
