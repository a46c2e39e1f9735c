"""Calls of earlier turns that still wait for their result.

A prompt that was queued, or a command in the background, lets a result come after the
turn of its call. Turns are looked through only when the first such result comes. Of what
was moved to the background, the client itself tells the end.
"""

from collections.abc import Sequence

from holdfast.domain.event import ContextAdded, ToolReturned
from holdfast.domain.session import Call, SessionState, Turn
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import replace
from holdfast.session.lazy_turns import LateTurns
from holdfast.session.turns import SUB_AGENTS, OpenTurn, answered

# Only the client's own fields count: what follows them quotes the work's output.
_ENDED = pattern(
    r"\s*<task-notification>\s*<task-id>([\w-]{1,80})</task-id>"
    r"(?:\s*<(?!status>)[a-z-]+>[^<]*</[a-z-]+>)*"
    r"\s*<status>(completed|failed|killed|stopped|cancelled)</status>"
    r"(?:\s*<summary>[^<]*?(?:exit code (\d{1,9})\)?\s*)?</summary>)?"
)
_STARTS_WORK = SUB_AGENTS | frozenset(["Bash"])
_MOST_ENDED = 100


class _End(NamedTuple):
    """How background work ended, as the client tells it."""

    work: str  # its id
    status: str
    code: str
    line: str
    report: str

    def of(self, call: Call) -> Call | None:
        """Return the call that started the work with its end; None if another did."""
        if call.reference != self.work or call.tool not in _STARTS_WORK:
            return None
        kept = ""  # what it printed when it was started says nothing of how it went
        if self.report and call.tool in SUB_AGENTS:
            from holdfast.session.agent_reports import report_says, with_files  # noqa: PLC0415  # for few

            kept = with_files(report_says(self.report), self.report)
        ended = call._replace(output=kept, answer=self.line)
        if self.status == "failed":
            code = int(self.code) if self.code else None
            return ended._replace(outcome="failed", exit_status=code)
        if self.status == "completed":
            return ended._replace(outcome="ok", exit_status=int(self.code or 0))
        return ended


def with_end(
    state: SessionState,
    notification: ContextAdded,
    last: OpenTurn | None,
    turns: list[Turn] | LateTurns,
    look_back: int,
) -> SessionState:
    """Return a state that knows the work to be over that a notification tells the end
    of, if it does; the call that started it learns how it ended."""
    told = _ENDED.match(notification.text)
    if told is None:
        return state
    work, status, code = told.groups()
    report = notification.text.partition("<result>")[2].partition("</result>")[0]
    end = _End(work, status, code, notification.origin.uuid, report)
    if last is None or not last.changed(end.of):
        _end_earlier(end, turns, look_back)
    others = (other for other in state.ended if other != work)
    return replace(state, ended=(*others, work)[-_MOST_ENDED:])


def _end_earlier(end: _End, turns: list[Turn] | LateTurns, look_back: int) -> None:
    before = len(turns) - 2
    for index in range(before, max(-1, before - look_back), -1):
        turn = turns[index]
        calls = tuple(end.of(call) or call for call in turn.calls)
        if calls != turn.calls:
            turns[index] = replace(turn, calls=calls)
            return


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
