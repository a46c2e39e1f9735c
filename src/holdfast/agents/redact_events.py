"""The redaction chokepoint: every string that enters an event passes here.

Storable, then redacted, then clipped. A text longer than its clip is redacted with a
margin around what is kept, so that a secret the clip cuts in two is seen whole first. A
block that may be longer than the margin, a key or what the user marked as private, is left
out whole where the margin ends in it.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from holdfast.domain.text import storable

if TYPE_CHECKING:
    import re

    from holdfast.redaction import Span

PROMPT = 8_000
AGENT_TEXT = 4_000
SAID_HEAD = 2_300
SAID_TAIL = 1_600  # what a message closes with matters as much as how it begins
SUMMARY = 24_000
PLAN = 4_000
COMMAND = 2_000
CONTEXT = 2_000
TARGET = 1_000
DETAIL = 400
NAME = 128
IDENTIFIER = 64
OUTPUT_HEAD = 2_000
OUTPUT_TAIL = 4_000
GAP = "\n…\n"
_FENCE = "```"
# Longer than any token and than a 4096-bit private key in PEM.
MARGIN = 4_096
# Characters of which both ends are kept that are redacted whole: hardly any is longer.
_MOST_WHOLE = 65_536
_MOST_KNOWN = 4_096

Redact = Callable[[str], str]


class CleanedOnce(dict[str | None, str]):
    """Short strings that come again and again, cleaned once.

    Indexing cleans; what is known costs no more than a look-up. Nothing is `""`.
    """

    def __init__(self, clean: Redact) -> None:
        super().__init__()
        self._clean = clean

    def __missing__(self, raw: str | None) -> str:
        if not raw:
            return ""
        clean = self._clean(raw)
        if len(self) >= _MOST_KNOWN:
            self.clear()
        if len(raw) <= TARGET:
            self[raw] = clean
        return clean


class Cleaner:
    """Makes strings of a transcript fit to be kept."""

    def __init__(self, redact: Redact, plain_id: "re.Pattern[str]") -> None:
        """`plain_id` is what the agent's own ids look like; anything else may hide
        something."""
        self._redact = redact
        self._is_plain_id = plain_id.fullmatch
        self.names = CleanedOnce(lambda raw: self.text(raw, NAME))
        self.places = CleanedOnce(lambda raw: self.text(raw, TARGET))  # paths, patterns

    def identifier(self, raw: str | None) -> str:
        """Return an id as it is if it looks like one, else as any other text."""
        if raw is None or self._is_plain_id(raw):
            return raw or ""
        return self.text(raw, IDENTIFIER)

    def text(self, text: str, limit: int) -> str:
        """Return at most the first `limit` characters, redacted."""
        if len(text) <= limit + MARGIN:
            return self._redact(storable(text))[:limit]
        cut = limit + MARGIN
        if block := _block_around(text, cut):
            return self._redact(storable(text[: block[0]]))[:limit]
        redacted = self._redact(storable(text[:cut]))
        return redacted[: max(0, min(limit, len(redacted) - MARGIN))]

    def output(self, text: str) -> str:
        """Return the head and the tail of what a tool printed, cut between lines."""
        head, tail = self._ends(text, OUTPUT_HEAD, OUTPUT_TAIL)
        return head + GAP + tail if tail else head

    def said(self, text: str) -> str:
        """Return what an agent said, of a long message the head and the tail; code that
        is cut is still set apart."""
        if len(text) <= AGENT_TEXT:
            return self.text(text, AGENT_TEXT)
        head, tail = self._ends(text, SAID_HEAD, SAID_TAIL)
        if not tail:
            return head
        closes = f"\n{_FENCE}" if head.count(_FENCE) % 2 else ""
        opens = f"{_FENCE}\n" if tail.count(_FENCE) % 2 else ""
        return f"{head}{closes}{GAP}{opens}{tail}"

    def _ends(self, text: str, first: int, last: int) -> tuple[str, str]:
        """Return the head and the tail of a text, redacted, or all of it and nothing."""
        if len(text) <= _MOST_WHOLE:
            whole = self._redact(storable(text))
            if len(whole) <= first + last:
                return whole, ""
            head, tail = whole[:first], whole[-last:]
        else:
            head, tail = self.text(text, first), self._tail(text, last)
        return _to_line_end(head), _from_line_start(tail)

    def _tail(self, text: str, limit: int) -> str:
        cut = len(text) - limit - MARGIN
        if block := _block_around(text, cut):
            return self._redact(storable(text[block[1] :]))[-limit:]
        redacted = self._redact(storable(text[cut:]))
        kept = min(limit, len(redacted) - MARGIN)
        return redacted[-kept:] if kept > 0 else ""


def beginning(text: str, limit: int) -> str:
    """Return as much of a text as its first `limit` characters are redacted with: no more
    than the margin, and nothing of a block that the margin ends in."""
    cut = limit + MARGIN
    if len(text) <= cut:
        return text
    block = _block_around(text, cut)
    return text[: block[0] if block else cut + 1]


def _block_around(text: str, place: int) -> "Span | None":
    from holdfast.redaction.blocks import block_around  # noqa: PLC0415  # for long texts

    return block_around(text, place)


def _to_line_end(head: str) -> str:
    newline = head.rfind("\n")
    return head[:newline] if newline > len(head) // 2 else head


def _from_line_start(tail: str) -> str:
    newline = tail.find("\n")
    return tail[newline + 1 :] if 0 <= newline < len(tail) // 2 else tail
