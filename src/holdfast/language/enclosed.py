"""What stands in a prompt between two marks, or in a form whose end can be seen.

Fences, quotations, tags, comments of a page, and what a client says was pasted below its
mark. Each is a pair of lines: the first that is shown, and the one behind the last.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from holdfast.kernel.lazy_patterns import pattern

Lines = tuple[int, int]  # the first line, and the one behind the last

_FENCE = pattern(r"^\s*(`{3,}|~{3,})")
_QUOTE = pattern(r"^\s{0,3}>")
_BEGINS, _ENDS = pattern(r"^\W*BEGIN\b"), pattern(r"^\W*END\b")
_DRAWN = pattern(r"^\s*([=*~_#<>\"'])\1{2,}\s*$")
_CLOSED_BY = {'"': '"', "“": "”", "„": "“”", "«": "»", "「": "」", "『": "』"}
_OPENS = frozenset(_CLOSED_BY)
_CLOSED = pattern(r'"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|『[^』]*』')
# A tag that begins a line or ends one; within a line people only speak of it.
_TAG = pattern(
    r"(?:^[\s>*+-]*<([A-Za-z][\w:.-]*)(?:\s[^<>]*)?>|<([A-Za-z][\w:.-]*)(?:\s[^<>]*)?>\s*$)"
)
_CLOSING_TAG = pattern(r"</([A-Za-z][\w:.-]*)\s*>")
_MOST_OPEN = 200  # tags at once
_FOLDED = "details"  # who pastes half of one has pasted all that follows
_COMMENT = pattern(r"<!--(?:[^-]|-(?!->))*(?:-->|-*\Z)")
# What clients put in the place of a paste: `[Pasted text #1 +10 lines]`.
_PASTED = pattern(
    r"\[(?:\.{3})?\s?(?i:pasted|truncated)\b[^\]\d]{0,20}(?:#\d{1,4}\s)?[^\]\d]{0,10}(\d{1,6})\s(lines?|char)[^\]]{0,20}\]"
)


def enclosed(lines: Sequence[str]) -> list[Lines]:
    """Return every stretch of lines that stands between marks."""
    kinds: tuple[Callable[[Sequence[str]], Iterator[Lines]], ...] = (
        _fenced, _quoted, _between_marks, in_marks, _in_tags, _below_paste_marks
    )  # fmt: skip
    return [each for kind in kinds for each in kind(lines)]


def without_comments(text: str) -> str:
    """Return a text without the comments of a page that take more than a line of it."""
    if "<!--" not in text:
        return text

    def left(found: re.Match[str]) -> str:
        comment = found[0]
        begins_line = not text[: found.start()].rpartition("\n")[2].strip()
        is_shown = "\n" in comment and (comment.endswith("-->") or begins_line)
        return "\n" if is_shown else comment

    return _COMMENT.sub(left, text)


def paragraphs(lines: Sequence[str]) -> Iterator[Lines]:
    """Yield where each begins and ends."""
    first = 0
    for place in range(len(lines) + 1):
        if place == len(lines) or not lines[place].strip():
            if place > first:
                yield first, place
            first = place + 1


def first_said(lines: Sequence[str], place: int) -> int:
    """Return the next line that is not blank, or the end."""
    while place < len(lines) and not lines[place].strip():
        place += 1
    return place


def in_marks(lines: Sequence[str]) -> Iterator[Lines]:
    """Yield the lines behind a quotation mark that is closed on a later line."""
    opened: tuple[int, str] | None = None
    for place, line in enumerate(lines):
        if opened is None:
            if mark := left_open(line):
                opened = (place + 1, _CLOSED_BY[mark])
        elif not set(opened[1]).isdisjoint(line):
            yield opened[0], place + 1
            opened = None


def left_open(line: str) -> str:
    """Return the quotation mark that a line opens and does not close."""
    if _OPENS.isdisjoint(line):
        return ""
    bare = _CLOSED.sub("", line)
    return next((mark for mark in bare if mark in _OPENS), "")


def _fenced(lines: Sequence[str]) -> Iterator[Lines]:
    """Yield code blocks; one that is never closed goes on to the end."""
    opened: tuple[int, str] | None = None
    for place, line in enumerate(lines):
        found = _FENCE.match(line)
        if opened is None and found:
            opened = (place, found[1])
        elif opened and found and _closes(line, opened[1]):
            yield opened[0], place + 1
            opened = None
    if opened:
        yield opened[0], len(lines)


def _closes(line: str, fence: str) -> bool:
    """Say whether a line ends a block: a fence and nothing behind it."""
    bare = line.strip()
    return bare.startswith(fence) and not bare.strip(fence[0])


def _quoted(lines: Sequence[str]) -> Iterator[Lines]:
    """Yield quotations of Markdown and of mails, to the end of their paragraph."""
    for first, end in paragraphs(lines):
        marks = (n for n in range(first, end) if _QUOTE.match(lines[n]))
        begin = next(marks, None)
        if begin is not None:
            yield begin, end


def _between_marks(lines: Sequence[str]) -> Iterator[Lines]:
    """Yield what stands between BEGIN and END, or between two rules drawn alike; with
    `---` people part their own sections."""
    opened: int | None = None
    for place, line in enumerate(lines):
        if opened is None and (_BEGINS.match(line) or _DRAWN.match(line)):
            opened = place
        elif opened is not None and _closes_marks(lines[opened], line):
            yield opened, place + 1
            opened = None
    if opened is not None and _BEGINS.match(lines[opened]):
        yield opened, len(lines)


def _closes_marks(opened: str, line: str) -> bool:
    if _BEGINS.match(opened):
        return _ENDS.match(line) is not None
    return line.strip() == opened.strip()


def _in_tags(lines: Sequence[str]) -> Iterator[Lines]:
    """Yield what a tag holds, up to its own closing one, whatever is in between."""
    opened: list[tuple[str, int]] = []
    for place, line in enumerate(lines):
        if "<" not in line:
            continue
        if len(opened) < _MOST_OPEN and (found := _TAG.search(line)):
            opened.append((found[1] or found[2], place))
        for name in _CLOSING_TAG.findall(line):
            if any(name == other for other, _ in opened):
                while opened[-1][0] != name:
                    opened.pop()
                yield opened.pop()[1], place + 1
    first = next((place for name, place in opened if name == _FOLDED), len(lines))
    yield first, len(lines)


def _below_paste_marks(lines: Sequence[str]) -> Iterator[Lines]:
    """Yield as much as the mark says was pasted, from the first line below it on."""
    for place, line in enumerate(lines):
        for found in _PASTED.finditer(line):
            first = first_said(lines, place + 1)
            count, end = int(found[1]), first
            if found[2] != "char":
                yield first, min(first + count + 1, len(lines))  # `+10` is eleven
                continue
            while end < len(lines) and count > 0:
                count -= len(lines[end]) + 1
                end += 1
            yield first, end
