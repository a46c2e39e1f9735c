"""Saying less without breaking off: texts are cut where a sentence or a clause ends."""

from holdfast.domain.text import extent, one_line, visible
from holdfast.patterns import pattern

MORE = " […]"
# What begins a heading, a fence, and the last lines of a brief.
_OURS = ("#", "```", "~~~", "Carried:", "Left out:", "Standing instructions")
# A stop behind a list's number or an abbreviation ends nothing.
_SENTENCE_END = pattern(
    r"(?<!\s\d)(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bcf)[.!?…][\"'”’)\]]*(?=\s)|[。！？]|\n"
)
_CLAUSE_END = pattern(r"[,;:](?=\s)|[，；：、]|\s[–—-](?=\s)")


def shortened(text: str, limit: int) -> str:
    """Return at most `limit` letters, ended at a sentence, a clause or a word."""
    bare = text.strip()
    long = extent(bare)
    if long <= limit:
        return bare
    limit = limit * len(bare) // long  # characters
    room = limit - len(MORE)
    for boundary in (_SENTENCE_END, _CLAUSE_END):
        ends = [found.end() for found in boundary.finditer(bare, 0, room)]
        if ends and ends[-1] >= room // 3:
            return bare[: ends[-1]].rstrip(" ,;:，；：\n-–—") + MORE
    return one_line(bare, limit)


def forms(text: str, *limits: int) -> tuple[str, ...]:
    """Return a text in growing lengths; equal ones once."""
    return tuple(dict.fromkeys(shortened(text, limit) for limit in limits))


def flat(text: str) -> str:
    """Return text on one line, with nothing hidden in it."""
    return " ".join(visible(text).split())


def indented(text: str) -> str:
    """Return text whose further lines stand in from the margin, so that none of them
    can pass for a heading of ours."""
    lines = [line.rstrip() for line in visible(text).split("\n")]
    return "\n  ".join(line for line in lines if line.strip())


def set_in(text: str) -> str:
    """Return text that stands in from the margin if it begins like a line of ours."""
    return f"  {text}" if text.startswith(_OURS) else text
