"""What reaches back behind the last turn: a rewind, and a result that comes late.

No hook tells of a rewind: the file is only appended to, and the next prompt's parent is
an older line. What lies between is a branch that the conversation no longer has.

A prompt that was queued, or a command in the background, lets a result come after the
turn of its call. Turns are looked through only when the first such result comes. Of what
was moved to the background, the client itself tells the end.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from holdfast.domain.event import (
    Listed,
    Role,
    ToolReturned,
    WorkEnded,
    Wrote,
)
from holdfast.domain.session import Call, SessionState, Turn
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import replace
from holdfast.session.calls import answered
from holdfast.session.lazy_turns import LateTurns
from holdfast.session.turns import LINE_WIDTH, OpenTurn, line_key

_STARTS_WORK: frozenset[Role] = frozenset(["run", "agent"])
_ABOUT_WORK: frozenset[Role] = frozenset(["run_output", "task_output", "stop"])
MOST_AT_HAND = 16  # calls, as many as a reading tells
_MOST_ENDED = 100
_MOST_EARLY = 16


class KnownLines:
    """In which turn a line stands, of all that have ended.

    Each turn is looked through once, the last ones first and the others only where those
    do not have the line: parents may be named in any order, and in circles.
    """

    __slots__ = ("_begun_by", "_first", "_held", "_is_cleared", "_newest", "_oldest")

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._held: dict[str, int] = {}  # each line's last turn
        self._begun_by: dict[
            str, int
        ] = {}  # the last turn whose prompt has this parent
        self._first: int | None = None  # the first turn with a prompt, as far as seen
        self._is_cleared = False
        self._oldest = self._newest = len(turns)  # from where to where turns are known

    def continued_turn(
        self,
        turns: Sequence[Turn],
        parent: str | None,
        *,
        compacted: bool,
        linked: bool,
    ) -> int:
        """Return the index of the turn that a prompt with this parent continues.

        The last one, unless the parent says otherwise; -1 stands before the first. A
        rewind may land in mid-turn: that turn then stays whole, with the calls after
        that point.
        """
        last = len(turns) - 1
        key = line_key(parent)
        if not key:
            starts_over = parent is None and linked and not compacted
            return self._before_first_prompt(turns) if starts_over else last
        detour = turns[last].detour
        if detour[:LINE_WIDTH] == key:
            key = detour[LINE_WIDTH:]
        if holds(turns[last].lines, key):
            return last
        place = self._turn_with(turns, key)
        if place is not None:
            return place
        place = self._turn_begun_by(turns, key)
        # Else an attachment, or a line that was never seen.
        return last if place is None else turn_before(turns, place)

    def _turn_with(self, turns: Sequence[Turn], key: str) -> int | None:
        while self._newest < len(turns):
            self._look_at(turns, self._newest)
            self._newest += 1
        while key not in self._held and self._oldest > 0:
            self._oldest -= 1
            self._look_at(turns, self._oldest)
        place = self._held.get(key)
        # Old turns are thinned, and their lines go.
        return place if place is not None and holds(turns[place].lines, key) else None

    def _turn_begun_by(self, turns: Sequence[Turn], key: str) -> int | None:
        self._turn_with(turns, "")  # no line has this key, so all turns are seen
        return self._begun_by.get(key)

    def _look_at(self, turns: Sequence[Turn], index: int) -> None:
        turn, is_newer = turns[index], index >= self._newest
        known = dict.fromkeys(_keys(turn.lines), index)
        begun = {line_key(turn.parent): index}
        for have, new in ((self._held, known), (self._begun_by, begun)):
            if is_newer:
                have.update(new)
            else:
                for key, place in new.items():
                    have.setdefault(key, place)
        self._is_cleared = self._is_cleared or turn.via == "clearing"
        if turn.via is not None and (self._first is None or index < self._first):
            self._first = index

    def _before_first_prompt(self, turns: Sequence[Turn]) -> int:
        """Return what the first prompt continued, if one without parent repeats it."""
        last = len(turns) - 1
        self._turn_with(turns, "")  # see above
        # A host that clears without a new session begins a new chain.
        if self._is_cleared or self._first is None:
            return last
        repeats = turns[self._first].parent is None
        return turn_before(turns, self._first) if repeats else last


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


def _keys(lines: str) -> Iterator[str]:
    for at in range(0, len(lines), LINE_WIDTH):
        yield lines[at : at + LINE_WIDTH]


def holds(lines: str, key: str) -> bool:
    """Say whether a line is among those of a turn, whose keys stand side by side."""
    at = lines.find(key)
    while at >= 0 and at % LINE_WIDTH:  # found across two keys
        at = lines.find(key, at + 1)
    return at >= 0


def with_end(
    state: SessionState,
    end: WorkEnded,
    last: OpenTurn | None,
    turns: list[Turn] | LateTurns,
    look_back: int,
) -> SessionState:
    """Return a state that knows background work to be over; the call that started it
    learns how it ended."""
    if last is None or not last.changed(lambda call: _ended(call, end)):
        _end_earlier(end, turns, look_back)
    others = (other for other in state.ended if other != end.reference)
    return replace(state, ended=(*others, end.reference)[-_MOST_ENDED:])


def end_seen(event: ToolReturned, role: Role, reference: str) -> WorkEnded | None:
    """Return the end of work in the background that a call asked about, or stopped: how
    that went is not known."""
    is_stopped = role == "stop" and event.outcome == "ok"
    is_over = is_stopped or (role in _ABOUT_WORK and event.work == "ended")
    if not reference or not is_over:
        return None
    status = None if is_stopped else event.exit_status
    if status is None:
        return WorkEnded(event.origin, reference, "interrupted")
    return WorkEnded(event.origin, reference, "failed" if status else "ok", status)


def as_last(known: Sequence[tuple[str, ...]], event: Wrote | Listed) -> tuple[Any, ...]:
    """Return what is known by call with one more; each call once, the newest last."""
    others = (one for one in known if one[0] != event.call_id)
    return (*others, tuple(event))[-MOST_AT_HAND:]


class EarlyAnswer(NamedTuple):
    """What a call got that was answered at once, by a line above it."""

    is_unmatched: bool  # it was counted as a result without a call
    end: WorkEnded | None


class EarlyResults:
    """Results that stand above their calls: some transcripts have both in this order.

    No turn begins with the words of such a refusal: its line is behind us.
    """

    __slots__ = ("_kept",)

    def __init__(self, kept: Iterable[tuple[str, tuple[bool, ToolReturned]]]) -> None:
        self._kept = dict(kept)

    def frozen(self) -> tuple[tuple[str, tuple[bool, ToolReturned]], ...]:
        return tuple(self._kept.items())

    def keep(self, event: ToolReturned, *, is_unmatched: bool) -> None:
        """Keep a result until its call comes, the first one of a call."""
        self._kept.setdefault(event.call_id, (is_unmatched, event))
        if len(self._kept) > _MOST_EARLY:
            del self._kept[next(iter(self._kept))]

    def answer(self, turn: OpenTurn, call_id: str) -> EarlyAnswer | None:
        """Give a call the result that came before it, if one did."""
        kept = self._kept.get(call_id)
        if kept is None or not turn.returned(kept[1]):  # or it is the same line again
            return None
        is_unmatched, event = self._kept.pop(call_id)
        end = end_seen(event, turn.role_of(call_id), turn.target_of(call_id))
        return EarlyAnswer(is_unmatched, end)


class WaitingCalls:
    """Where the calls without result are, in the turns before the last."""

    __slots__ = ("_look_back", "_places")

    def __init__(self, turns: Sequence[Turn], look_back: int) -> None:
        self._look_back = look_back
        self._places: dict[str, list[int]] = {}
        last = len(turns) - 1
        for index in range(max(0, last - look_back), last):
            self.add(index, turns[index])

    def add(self, index: int, turn: Turn) -> None:
        """Take note of a turn that has ended."""
        for call in turn.calls:
            if call.outcome == "pending":
                self._places.setdefault(call.call_id, []).append(index)

    def answer(self, turns: list[Turn] | LateTurns, event: ToolReturned) -> bool:
        """Give a result to the last call that waits for it; False if none does."""
        places = self._places.get(event.call_id)
        if not places or places[-1] < len(turns) - 1 - self._look_back:
            return False
        index = places.pop()
        turn = turns[index]
        calls = tuple(
            answered(call, event) if call.call_id == event.call_id else call
            for call in turn.calls
        )
        turns[index] = replace(turn, calls=calls)
        return True


def _ended(call: Call, end: WorkEnded) -> Call | None:
    """Return the call that started the work with its end; None if another did."""
    if call.reference != end.reference or call.role not in _STARTS_WORK:
        return None
    kept = ""  # what it printed when it was started says nothing of how it went
    if end.report and call.role == "agent":
        from holdfast.session.agent_reports import report_says, with_files  # noqa: PLC0415  # for few

        kept = with_files(report_says(end.report), end.report)
    ended = call._replace(output=kept, answer=end.origin.uuid)
    if end.outcome == "interrupted":
        return ended
    return ended._replace(outcome=end.outcome, exit_status=end.exit_status)


def _end_earlier(end: WorkEnded, turns: list[Turn] | LateTurns, look_back: int) -> None:
    before = len(turns) - 2
    for index in range(before, max(-1, before - look_back), -1):
        turn = turns[index]
        calls = tuple(_ended(call, end) or call for call in turn.calls)
        if calls != turn.calls:
            turns[index] = replace(turn, calls=calls)
            return
