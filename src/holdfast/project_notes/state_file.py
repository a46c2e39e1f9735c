"""`STATE.md`, where a project keeps one: entries that are done are taken out, no more."""

from collections.abc import Iterator, Sequence

from holdfast.domain.memory import Alike
from holdfast.kernel.lazy_patterns import pattern
from holdfast.project_notes.lines import fenced, split_lines

_ENTRY = pattern(
    r"^[ \t]*(?:[-*+]|\d{1,4}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(\S.*?)[ \t]*$"
)


def done_entries(
    text: str | None, done: Sequence[str], alike: Alike
) -> tuple[str, ...]:
    """Return the entries that say what was done."""
    return tuple(entry for _, entry in _done(split_lines(text or ""), done, alike))


def without_entries(text: str | None, done: Sequence[str], alike: Alike) -> str | None:
    """Return the file without those; None where there is nothing to take out."""
    lines = split_lines(text or "")
    gone = {place for place, _ in _done(lines, done, alike)}
    if not gone:
        return None
    return "".join(line for place, line in enumerate(lines) if place not in gone)


def _done(
    lines: Sequence[str], done: Sequence[str], alike: Alike
) -> Iterator[tuple[int, str]]:
    code = fenced(lines)
    for place, line in enumerate(lines):
        bare = line.rstrip("\r\n")
        entry = None if code[place] else _ENTRY.match(bare)
        if entry and any(alike(entry[1], text) for text in done):
            yield place, entry[1]
