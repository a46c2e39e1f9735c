"""Session state as a reduction of events: pure from outside, continued at any point.

`fold(fold(s, a), b) == fold(s, a + b)` for every split, and the turns before the last
stay the same objects, so that continuing costs what is new and a store writes only what
changed. Inside, the head and the last turn are thawed, and frozen again at the end.
"""

from collections.abc import Callable, Iterable
from typing import Any

from holdfast.domain.event import (
    CLIENTS_OWN,
    AgentSaid,
    AgentSpent,
    Clipped,
    Compacted,
    ContextAdded,
    Event,
    Interrupted,
    Listed,
    Located,
    Origin,
    Passed,
    Planned,
    Recapped,
    RequestFailed,
    Role,
    Summarised,
    Titled,
    ToolCalled,
    ToolReturned,
    Unrecognised,
    UserSaid,
    WorkEnded,
    Wrote,
)
from holdfast.domain.session import Compaction, Inherited, SessionState, Turn
from holdfast.kernel.lazy_values import replace
from holdfast.session.calls import placed
from holdfast.session.lazy_turns import growing, kept
from holdfast.session.look_back import (
    EarlyResults,
    KnownLines,
    WaitingCalls,
    abandoned,
    as_last,
    end_seen,
    with_end,
)
from holdfast.session.turns import AgentsAtWork, OpenTurn, StateLimits, thinned

LIMITS = StateLimits()
_AT_HAND = {Wrote: "wrote", Listed: "listed"}
_MOST_KINDS = 100
_SUMMARY_CHARS = 20_000
_OLD_SUMMARY_CHARS = 1_500


def begin(
    session_id: str, agent: str, inherited: Iterable[Inherited] = ()
) -> SessionState:
    """Return a session of which nothing is known but what its parent left open."""
    return SessionState(session_id=session_id, agent=agent, inherited=tuple(inherited))


def fold(
    state: SessionState, events: Iterable[Event], limits: StateLimits = LIMITS
) -> SessionState:
    """Return the state after `events`; the same object if there are none."""
    folding = _Folding(state, limits)
    steps = _STEPS
    step = None
    for event in events:
        step = steps[type(event)]
        step(folding, event)
    return state if step is None else folding.frozen()


class _Folding:
    """A state while it is being continued.

    What changes with nearly every event is held apart; the rest is replaced in `_state`.
    """

    __slots__ = (
        "_agents", "_context_tokens", "_early", "_ended_at", "_is_rewound", "_known", "_limits",
        "_lines", "_linked", "_model", "_noted", "_open", "_passed", "_started_at", "_state", "_turns", "_unmatched",
        "_unrecognised", "_waiting",
    )  # fmt: skip

    def __init__(self, state: SessionState, limits: StateLimits) -> None:
        self._state = state
        self._limits = limits
        self._turns = growing(state.turns)
        self._open: OpenTurn | None = None  # the last turn, once something changes it
        self._noted: Origin | None = None  # the line whose place is noted already
        self._waiting: WaitingCalls | None = None  # made when first asked for
        self._known = KnownLines(self._turns)
        self._is_rewound = False  # by what was folded here
        self._agents = AgentsAtWork(state.agents, limits)
        self._model, self._context_tokens = state.model, state.context_tokens
        self._started_at, self._ended_at = state.started_at, state.ended_at
        self._linked, self._early = state.linked, EarlyResults(state.early)
        self._lines, self._unmatched = state.counts.lines, state.counts.unmatched
        self._passed = dict(state.counts.passed)
        self._unrecognised = dict(state.counts.unrecognised)

    def frozen(self) -> SessionState:
        self._close()
        if self._is_rewound:
            self._state = replace(self._state, abandoned=abandoned(self._turns))
        return replace(
            self._state,
            turns=kept(self._turns),
            agents=self._agents.frozen(),
            model=self._model,
            context_tokens=self._context_tokens,
            started_at=self._started_at,
            ended_at=self._ended_at,
            linked=self._linked,
            early=self._early.frozen(),
            counts=replace(
                self._state.counts,
                lines=self._lines,
                unmatched=self._unmatched,
                passed=tuple(sorted(self._passed.items())),
                unrecognised=tuple(sorted(self._unrecognised.items())),
            ),
        )

    def user_said(self, event: UserSaid) -> None:
        origin = event.origin
        if origin.agent:
            self._turn_of(origin)  # a sub-agent's prompt is not the user's
            return
        last = self._last()
        is_known_line = last is not None and last.ends_with(origin.uuid)
        if last is not None and last.is_begun_by(event):
            return  # the same line once more
        self._begin_turn(event)
        self._turn_of(origin)
        if is_known_line:  # it was counted with what the client put before the prompt
            self._lines -= 1

    def context_added(self, event: ContextAdded) -> None:
        self._step_aside(event.origin)
        self._turn_of(event.origin).add_context(event.kind)

    def work_ended(self, event: WorkEnded) -> None:
        """Note an end that is told behind a line which is counted elsewhere."""
        back = self._limits.look_back
        self._state = with_end(self._state, event, self._last(), self._turns, back)

    def agent_said(self, event: AgentSaid) -> None:
        self._turn_of(event.origin).said(event)

    def agent_spent(self, event: AgentSpent) -> None:
        self._turn_of(event.origin).spent_on(event.message_id, event.spent)
        if event.origin.agent:
            return
        if event.model:
            self._model = event.model
        if event.context_tokens:
            self._context_tokens = event.context_tokens

    def tool_called(self, event: ToolCalled) -> None:
        turn = self._turn_of(event.origin)
        turn.called(placed(event, self._state))
        if event.origin.agent or not (early := self._early.answer(turn, event.call_id)):
            return
        self._unmatched -= early.is_unmatched
        if early.end:
            self.work_ended(early.end)

    def tool_returned(self, event: ToolReturned) -> None:
        turn = self._turn_of(event.origin)
        if turn.returned(event):
            if not event.origin.agent:
                role = turn.role_of(event.call_id)
                if end := end_seen(event, role, turn.target_of(event.call_id)):
                    self.work_ended(end)
                elif event.outcome == "interrupted":
                    self._hear_refusal(event, role)
            return
        if not event.origin.agent and self._is_late(event):
            return
        # Where calls were let go, it may answer one that there was no room for.
        is_unmatched = not turn.dropped
        self._unmatched += is_unmatched
        if not (event.origin.agent or turn.knows(event.call_id)):
            self._early.keep(event, is_unmatched=is_unmatched)

    def _hear_refusal(self, event: ToolReturned, role: Role) -> None:
        """Begin a turn with what the user typed to refuse a call: it is the next thing
        they said, and the agent goes on from it.

        A server's tool can answer anything, and so can a command that was stopped: what
        it printed comes first. Behind a refused question stands what the agent asked.
        """
        words = event.refusal
        if words and role in CLIENTS_OWN:
            self.user_said(UserSaid(event.origin, words, len(words)))

    def at_hand(self, event: Wrote | Listed) -> None:
        """Note what is known of the last calls; their lines are counted elsewhere."""
        name = _AT_HAND[type(event)]
        known: Any = as_last(getattr(self._state, name), event)
        self._state = replace(self._state, **{name: known})

    def compacted(self, event: Compacted) -> None:
        self._turn_of(event.origin)
        if event.origin.agent:
            return
        before = self._state.compactions
        if before:
            short = replace(before[-1], summary=before[-1].summary[:_OLD_SUMMARY_CHARS])
            before = (*before[:-1], short)
        uuid, _, at, _ = event.origin
        place = len(self._turns) - 1
        made = Compaction(uuid, at, event.trigger, event.tokens_before, place)
        self._state = replace(self._state, compactions=(*before, made))
        self._context_tokens = 0  # what was told of it is no longer true

    def summarised(self, event: Summarised) -> None:
        self._turn_of(event.origin)
        if event.origin.agent:
            return
        if not self._state.compactions or self._state.compactions[-1].summary:
            self.compacted(Compacted(event.origin, "", 0))
        *before, last = self._state.compactions
        told = replace(last, summary=event.text[:_SUMMARY_CHARS])
        self._state = replace(self._state, compactions=(*before, told))

    def titled(self, event: Titled) -> None:
        self._lines += 1
        self._state = replace(self._state, title=event.text)

    def noted(self, event: Planned | Recapped | Interrupted | RequestFailed) -> None:
        self._turn_of(event.origin).noted(event)

    def located(self, event: Located) -> None:
        """Note where the session runs; it rides on a line that is counted elsewhere."""
        state = self._state
        self._state = replace(
            state,
            session_id=state.session_id or event.session_id,
            cwd=state.cwd or event.cwd,
            last_cwd=event.cwd or state.last_cwd,
            branch=event.branch or state.branch,
            version=event.version or state.version,
            entrypoint=event.entrypoint or state.entrypoint,
        )

    def passed(self, event: Passed) -> None:
        kind, origin = event
        lines = self._lines
        if origin is None or not (origin.agent or self._turns):
            self._lines += 1
            if kind in self._passed:
                self._passed[kind] += 1
                return
        else:
            self._step_aside(origin)
            self._turn_of(origin)
        if kind == "unrecognised":  # the link of a line that was counted as such
            self._lines = lines
        else:
            _count(self._passed, kind)

    def unrecognised(self, event: Unrecognised) -> None:
        self._lines += 1
        _count(self._unrecognised, event.kind)

    def clipped(self, event: Clipped) -> None:
        """Note what was not read of a line that is counted elsewhere."""
        counts = self._state.counts
        self._state = replace(
            self._state,
            counts=replace(
                counts,
                clipped_lines=counts.clipped_lines + 1,
                clipped_bytes=counts.clipped_bytes + event.dropped_bytes,
            ),
        )

    def _turn_of(self, origin: Origin) -> OpenTurn:
        """Return the turn an event belongs to, its line noted."""
        if origin is self._noted and self._open is not None:
            return self._open  # another event of the same line
        uuid, parent, at, agent = origin
        if agent:
            turn = self._agents.turn(agent)
        else:
            turn = self._open or self._last() or self._first()
            self._noted = origin if uuid else None
            if parent is not None:
                self._linked = True
        if turn.saw(uuid, at):
            self._lines += 1
        if at:
            if at > self._ended_at:  # noqa: PLR1730  # max() costs a call per event
                self._ended_at = at
            if at < self._started_at or not self._started_at:
                self._started_at = at
        return turn

    def _last(self) -> OpenTurn | None:
        if self._open is None and self._turns:
            self._open = OpenTurn(self._turns[-1], self._limits.main)
        return self._open

    def _first(self) -> OpenTurn:
        """Begin the turn of what happens before the first prompt."""
        self._turns.append(Turn())
        self._open = OpenTurn(self._turns[-1], self._limits.main)
        return self._open

    def _begin_turn(self, event: UserSaid) -> None:
        origin = event.origin
        self._close()
        after = self._continued(event)
        self._turns.append(
            Turn(
                uuid=origin.uuid,
                parent=origin.parent,
                at=origin.at,
                prompt=event.text,
                prompt_chars=event.chars,
                via=event.via,
                messages=0 if _steers(event) else 1,
                after=after,
                midway=event.midway,
            )
        )
        self._is_rewound = self._is_rewound or after is not None
        old = len(self._turns) - self._limits.detailed_turns - 1
        if old >= 0:
            self._turns[old] = thinned(self._turns[old])

    def _continued(self, event: UserSaid) -> int | None:
        """Return the turn that a prompt continues, None for the last."""
        origin = event.origin
        if not self._turns or not origin.uuid:
            return None
        if origin.parent is None and _steers(event):
            return None  # a command for the client takes nothing back by itself
        found = self._known.continued_turn(
            self._turns,
            origin.parent,
            compacted=bool(self._state.compactions),
            linked=self._linked,
        )
        return None if found == len(self._turns) - 1 else found

    def _close(self) -> None:
        if self._open is None:
            return
        turn = self._turns[-1] = self._open.frozen()
        self._open = self._noted = None
        if self._waiting is not None:
            self._waiting.add(len(self._turns) - 1, turn)

    def _is_late(self, event: ToolReturned) -> bool:
        """Give a result to a call of an earlier turn, if one waits for it."""
        if self._waiting is None:
            self._waiting = WaitingCalls(self._turns, self._limits.look_back)
        return self._waiting.answer(self._turns, event)

    def _step_aside(self, origin: Origin) -> None:
        if not origin.agent and (last := self._last()) is not None:
            last.stepped_aside(origin)


def _steers(event: UserSaid) -> bool:
    return event.via in ("steering", "clearing")


def _count(kinds: dict[str, int], kind: str) -> None:
    known = kind if kind in kinds or len(kinds) < _MOST_KINDS else "other"
    kinds[known] = kinds.get(known, 0) + 1


_STEPS: dict[type, Callable[[_Folding, Any], None]] = {
    UserSaid: _Folding.user_said,
    ContextAdded: _Folding.context_added,
    AgentSaid: _Folding.agent_said,
    AgentSpent: _Folding.agent_spent,
    ToolCalled: _Folding.tool_called,
    ToolReturned: _Folding.tool_returned,
    WorkEnded: _Folding.work_ended,
    **dict.fromkeys((Wrote, Listed), _Folding.at_hand),
    Compacted: _Folding.compacted,
    Summarised: _Folding.summarised,
    Titled: _Folding.titled,
    **dict.fromkeys((Planned, Recapped, Interrupted, RequestFailed), _Folding.noted),
    Located: _Folding.located,
    Passed: _Folding.passed,
    Unrecognised: _Folding.unrecognised,
    Clipped: _Folding.clipped,
}
