"""Files that people write in, too: their lines come back byte for byte when joined again."""

from collections.abc import Sequence

from holdfast.domain.text import one_line, visible
from holdfast.kernel.lazy_patterns import pattern

_FENCE = pattern(r"^ {0,3}(`{3,}|~{3,})[ \t]*([^\r\n]*)")
# Nobody's item, heading or fact is longer, and patterns may take the square of a line.
MOST_MEANT = 2_000  # characters
_LONGEST_ITEM = 400  # characters of one item of ours
_LOOKED_AT = 10_000  # characters that tell how a file ends its lines


def split_lines(text: str) -> list[str]:
    """Split at newlines only, endings kept: other separators are part of a line."""
    lines = text.split("\n")
    last = lines.pop()
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def newline_of(text: str | None) -> str:
    """Return how a text ends its lines."""
    return "\r\n" if "\r\n" in (text or "")[:_LOOKED_AT] else "\n"


def fenced(lines: Sequence[str]) -> list[bool]:
    """Say of each line whether it belongs to a code block, its fences included.

    A fence that nothing closes is none: it must not hide the rest of a file. A line too
    long to mean anything to us is left alone in the same way.
    """
    covered = [len(line) > MOST_MEANT for line in lines]
    fences = [
        (place, found[1], not found[2])
        for place, line in enumerate(lines)
        if not covered[place] and (found := _FENCE.match(line))
    ]
    past = -1
    for (place, _, _), end in zip(fences, _closings(fences), strict=True):
        if place > past and end is not None:
            covered[place : end + 1] = [True] * (end + 1 - place)
            past = end
    return covered


def _closings(fences: Sequence[tuple[int, str, bool]]) -> list[int | None]:
    """Return for each fence the next bare one of its sign that is as long or longer."""
    # Of the fences after a place only those matter that are longer than all nearer ones.
    longer: dict[str, list[tuple[int, int]]] = {"`": [], "~": []}
    ends: list[int | None] = []
    for place, sign, is_bare in reversed(fences):
        later = longer[sign[0]]
        fitting = (at for length, at in reversed(later) if length >= len(sign))
        ends.append(next(fitting, None))
        if is_bare:
            while later and later[-1][0] <= len(sign):
                later.pop()
            later.append((len(sign), place))
    return ends[::-1]


def ended(lines: list[str], newline: str) -> None:
    """End the last line, so that another can follow."""
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += newline


def put(lines: list[str], place: int, line: str, newline: str) -> None:
    """Put a line in; the one before it is ended only where it was the last."""
    if place == len(lines):
        ended(lines, newline)
    lines.insert(place, line + newline)


def as_item(text: str, longest: int = _LONGEST_ITEM) -> str:
    """Return words as one item may say them: one line that cannot close its comment."""
    flat = visible(text).replace("<!--", "‹!--").replace("-->", "--›")
    return one_line(flat, longest)
