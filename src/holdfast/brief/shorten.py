"""Saying less without breaking off: texts are cut where a sentence or a clause ends."""

import re

from holdfast.domain.text import extent, one_line, visible
from holdfast.kernel.lazy_patterns import pattern

MORE = " […]"
_OVER = 120  # per cent of its room that a sentence may take to end
# What begins a heading, a fence, and the last lines of a brief.
_FENCES = ("```", "~~~")
_OURS = ("#", *_FENCES, "Carried:", "Left out:", "Standing instructions")
# A stop behind a list's number or an abbreviation ends nothing.
_SENTENCE_END = pattern(
    r"(?<!\s\d)(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bcf)[.!?…][\"'”’)\]]*(?=\s)|[。！？]|\n"
)
_CLAUSE_END = pattern(r"[,;:](?=\s)|[，；：、]|\s[–—-](?=\s)")


def shortened(text: str, limit: int) -> str:
    """Return about `limit` letters, ended at a sentence; only in one that is much longer
    at a clause or a word. What announces something is no end."""
    bare = text.strip()
    long = extent(bare)
    if long <= limit:
        return bare
    limit = limit * len(bare) // long  # characters
    room = limit - len(MORE)
    end = _last(_SENTENCE_END, bare, room) or _next(bare, room, _OVER * limit // 100)
    end = end or _last(_CLAUSE_END, bare, room)
    if end == len(bare):
        return bare
    if end:
        return bare[:end].rstrip(" ,;:，；：\n-–—") + MORE
    return one_line(bare, limit)


def _last(boundary: re.Pattern[str], text: str, room: int) -> int:
    """Return where the last part ends that has room, unless that leaves little."""
    ends = (found.end() for found in boundary.finditer(text, room // 3, room))
    if boundary is _SENTENCE_END:
        ends = (end for end in ends if not text[:end].rstrip().endswith((":", "：")))
    return max(ends, default=0)


def _next(text: str, room: int, most: int) -> int:
    """Return where the sentence ends that has no room, if it needs little more."""
    found = _SENTENCE_END.search(text, room)
    if found is None:
        return len(text) if len(text) <= most else 0
    return found.end() if found.end() <= most else 0


def forms(text: str, *limits: int) -> tuple[str, ...]:
    """Return a text in growing lengths; equal ones once."""
    return tuple(dict.fromkeys(shortened(text, limit) for limit in limits))


def flat(text: str) -> str:
    """Return text on one line, with nothing hidden in it."""
    return " ".join(visible(text).split())


def indented(text: str) -> str:
    """Return text whose further lines stand in from the margin, so that none of them
    can pass for a heading of ours; a block of code that was cut ends there."""
    lines = [line.rstrip() for line in visible(text).split("\n") if line.strip()]
    fences = [line.strip() for line in lines if line.lstrip().startswith(_FENCES)]
    if len(fences) % 2:
        lines.append(fences[-1][:3])
    return "\n  ".join(lines)


def set_in(text: str) -> str:
    """Return text that stands in from the margin if it begins like a line of ours."""
    return f"  {text}" if text.startswith(_OURS) else text
