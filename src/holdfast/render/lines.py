"""Texts of other people as lines that give the same bytes when joined again."""

from collections.abc import Sequence

from holdfast.patterns import pattern

_FENCE = pattern(r"^ {0,3}(`{3,}|~{3,})[ \t]*([^\r\n]*)")
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

    A fence that nothing closes is none: it must not hide the rest of a file.
    """
    covered = [False] * len(lines)
    fences = [
        (place, found[1], not found[2])
        for place, line in enumerate(lines)
        if (found := _FENCE.match(line))
    ]
    past = -1
    for number, (place, sign, _) in enumerate(fences):
        if place <= past:
            continue
        ends = (
            other
            for other, closing, is_bare in fences[number + 1 :]
            if is_bare and closing.startswith(sign)
        )
        end = next(ends, None)
        if end is not None:
            covered[place : end + 1] = [True] * (end + 1 - place)
            past = end
    return covered


def ended(lines: list[str], newline: str) -> None:
    """End the last line, so that another can follow."""
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += newline


def put(lines: list[str], place: int, line: str, newline: str) -> None:
    """Put a line in; the one before it is ended only where it was the last."""
    if place == len(lines):
        ended(lines, newline)
    lines.insert(place, line + newline)
