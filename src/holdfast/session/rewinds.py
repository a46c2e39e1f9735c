"""Which turn a prompt continues, and which turns a rewind left behind.

No hook tells of a rewind: the file is only appended to, and the next prompt's parent is
an older line. What lies between is a branch that the conversation no longer has.
"""

from collections.abc import Sequence

from holdfast.domain.session import Turn
from holdfast.session.turns import LINE_WIDTH, line_key


def continued_turn(
    turns: Sequence[Turn], parent: str | None, *, compacted: bool, linked: bool
) -> int:
    """Return the index of the turn that a prompt with this parent continues.

    The last one, unless the parent says otherwise; -1 stands before the first. A rewind
    may land in mid-turn: that turn then stays whole, with the calls after that point.
    """
    last = len(turns) - 1
    key = line_key(parent)
    if not key:
        starts_over = parent is None and linked and not compacted
        return _before_first_prompt(turns) if starts_over else last
    detour = turns[last].detour
    if detour[:LINE_WIDTH] == key:
        key = detour[LINE_WIDTH:]
    for index in range(last, -1, -1):
        if holds(turns[index].lines, key):
            return index
    for index in range(last, -1, -1):
        if line_key(turns[index].parent) == key:
            return turn_before(turns, index)
    return last  # an attachment, or a line that was never seen


def abandoned(turns: Sequence[Turn]) -> tuple[tuple[int, int], ...]:
    """Return the ranges of turns that are not on the path from the last to the first."""
    ranges: list[tuple[int, int]] = []
    index = len(turns) - 1
    while index >= 0:
        before = turn_before(turns, index)
        if before < index - 1:
            ranges.append((before + 1, index))
        index = before
    return tuple(reversed(ranges))


def turn_before(turns: Sequence[Turn], index: int) -> int:
    """Return the index of the turn that one continues, -1 if it began the session."""
    after = turns[index].after
    return index - 1 if after is None or after >= index else after


def holds(lines: str, key: str) -> bool:
    """Say whether a line is among those of a turn, whose keys stand side by side."""
    at = lines.find(key)
    while at >= 0 and at % LINE_WIDTH:  # found across two keys
        at = lines.find(key, at + 1)
    return at >= 0


def _before_first_prompt(turns: Sequence[Turn]) -> int:
    """Return what the first prompt continued, if a prompt without parent repeats it."""
    last = len(turns) - 1
    if any(turn.via == "clearing" for turn in turns):
        return last  # a host that clears without a new session begins a new chain
    for index, turn in enumerate(turns):
        if turn.via is not None:
            return turn_before(turns, index) if turn.parent is None else last
    return last
