"""The open turns, of the session and of its sub-agents: thawed, continued and frozen.

Bounds hold after every event, never only at the end, so a turn comes out the same
wherever its events were split. Of a turn far back, what still matters stays.
"""

from binascii import crc32
from collections import deque
from collections.abc import Callable, Iterable

from holdfast.domain.event import (
    EDITING,
    LOOKING,
    AgentSaid,
    Interrupted,
    Origin,
    Planned,
    Recapped,
    RequestFailed,
    Role,
    ToolCalled,
    ToolReturned,
    UserSaid,
)
from holdfast.domain.session import AgentWork, Call, Said, ToolUse, Turn
from holdfast.domain.text import without_middle
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.session.calls import answered, kept_call

LINE_WIDTH = 8  # characters that stand for a line in `Turn.lines`
SAID_CHARS = 1_500
LAST_SAID_CHARS = 4_000
_UUID_CHARS = 36
_MOST_TOOLS = 100
_MOST_CONTEXT = 50
_MOST_REQUEST_ERRORS = 10
_REQUEST_ERROR_CHARS = 300
_GATHER = 4_096  # line keys held apart before they are joined: memory stays flat


class Bounds(NamedTuple):
    """How much of a turn is kept."""

    calls: int
    said_first: int
    said_last: int
    lines: int


class StateLimits(NamedTuple):
    """How much of a session is kept, so that memory stays flat at any length."""

    main: Bounds = Bounds(calls=400, said_first=5, said_last=25, lines=20_000)
    # A sub-agent's chain is never rewound: its last line is kept to count lines.
    sub_agent: Bounds = Bounds(calls=100, said_first=1, said_last=9, lines=1)
    agents: int = 100
    detailed_turns: int = 1_000  # older ones are thinned
    look_back: int = 50  # turns before the last in which a result looks for its call


def line_key(uuid: str | None) -> str:
    """Return the characters that stand for a line; empty if it has no id."""
    if not uuid:
        return ""
    if len(uuid) == _UUID_CHARS:
        return uuid[:LINE_WIDTH]
    # An id of another form may begin like all its neighbours.
    return format(crc32(uuid.encode("utf-8", "replace")), "08x")


class OpenTurn:
    """A turn that still grows."""

    __slots__ = (
        "_bounds", "_calls", "_ended_at", "_last_key", "_messages", "_new_keys",
        "_readers", "_said", "_tools", "context", "detour", "dropped", "interrupted",
        "last_message_id", "last_spent", "lines", "plan", "recap", "request_errors",
        "spent", "turn",
    )  # fmt: skip

    def __init__(self, turn: Turn, bounds: Bounds) -> None:
        self.turn = turn
        self._bounds = bounds
        self._calls: dict[str, ToolCalled | Call] = {c.call_id: c for c in turn.calls}
        self._readers: deque[str] | None = None  # made when the first call must go
        self._said = list(turn.said)
        self._tools = {
            use.tool: ([use.count, use.first_at, use.last_at], use.role)
            for use in turn.tools
        }
        self._messages = turn.messages
        self._ended_at = turn.ended_at
        self.lines = turn.lines
        self._new_keys: list[str] = []
        self._last_key = turn.lines[-LINE_WIDTH:]
        self.last_message_id = turn.last_message_id
        self.spent, self.last_spent = turn.spent, turn.last_spent
        self.context = turn.context
        self.plan = turn.plan
        self.recap = turn.recap
        self.interrupted = turn.interrupted
        self.request_errors = turn.request_errors
        self.dropped = turn.dropped
        self.detour = turn.detour

    def frozen(self) -> Turn:
        begun = self.turn
        self._join_lines()
        return Turn(
            uuid=begun.uuid,
            parent=begun.parent,
            at=begun.at,
            ended_at=self._ended_at,
            prompt=begun.prompt,
            prompt_chars=begun.prompt_chars,
            via=begun.via,
            context=self.context,
            said=tuple(self._said),
            calls=tuple(map(kept_call, self._calls.values())),
            tools=tuple(
                ToolUse(tool, count, first_at, last_at, role)
                for tool, ((count, first_at, last_at), role) in self._tools.items()
            ),
            messages=self._messages,
            last_message_id=self.last_message_id,
            plan=self.plan,
            recap=self.recap,
            interrupted=self.interrupted,
            request_errors=self.request_errors,
            lines=self.lines,
            dropped=self.dropped,
            after=begun.after,
            detour=self.detour,
            midway=begun.midway,
            spent=self.spent,
            last_spent=self.last_spent,
        )

    def saw(self, uuid: str, at: int) -> bool:
        """Note the line an event came from; say whether it is a new one."""
        if at > self._ended_at:  # noqa: PLR1730  # max() costs a call per event
            self._ended_at = at
        key = uuid[:LINE_WIDTH] if len(uuid) == _UUID_CHARS else line_key(uuid)
        if key == self._last_key:
            return not key
        if not key:
            return True
        self._last_key = key
        self._new_keys.append(key)
        if len(self._new_keys) > _GATHER:
            self._join_lines()
        return True

    def ends_with(self, uuid: str) -> bool:
        """Say whether the last line seen was this one."""
        return self._last_key == line_key(uuid) != ""

    def is_begun_by(self, event: UserSaid) -> bool:
        """Say whether this prompt began the turn, and nothing has followed yet.

        A prompt that was queued has no line of its own and is told with the last one's
        id, so the words must be the same, too.
        """
        begun = self.turn
        return (
            begun.uuid == event.origin.uuid
            and begun.prompt == event.text
            and self.ends_with(begun.uuid)
        )

    def stepped_aside(self, origin: Origin) -> None:
        """Remember an injected line that does not follow the line before it.

        After a rewind, a slash command is preceded by a caveat line: the command's
        parent is the caveat, and only the caveat's parent tells of the rewind.
        """
        parent = line_key(origin.parent)
        if parent == self._last_key and not self.detour:
            return
        if self.detour and self.detour[:LINE_WIDTH] == parent:
            parent = self.detour[LINE_WIDTH:]
        elif parent in ("", self._last_key):
            return
        if key := line_key(origin.uuid):
            self.detour = key + parent

    def add_context(self, kind: str) -> None:
        if kind not in self.context and len(self.context) < _MOST_CONTEXT:
            self.context = (*self.context, kind)

    def add_request_error(self, text: str) -> None:
        told = text[:_REQUEST_ERROR_CHARS]
        self.request_errors = (*self.request_errors, told)[-_MOST_REQUEST_ERRORS:]

    def spoke(self, message_id: str) -> None:
        """Count a message of the agent; its lines follow each other."""
        if message_id and message_id != self.last_message_id:
            self.last_message_id = message_id
            self.last_spent = ()
            self._messages += 1

    def spent_on(self, message_id: str, spent: tuple[int, ...] | None) -> None:
        """Count a message and what it cost: each of its lines tells all of it again."""
        self.spoke(message_id)
        if spent is None:
            return
        nothing = (0,) * len(spent)
        before = (self.last_spent if message_id else ()) or nothing
        self.last_spent = most = tuple(map(max, before, spent))
        if most != before or not self.spent:
            sums = zip(self.spent or nothing, before, most, strict=True)
            self.spent = tuple(total - old + new for total, old, new in sums)

    def noted(self, event: Planned | Recapped | Interrupted | RequestFailed) -> None:
        """Note what the client told of the turn."""
        if isinstance(event, Planned):
            self.plan = event.path
        elif isinstance(event, Recapped):
            self.recap = _clipped(event.text, SAID_CHARS)
        elif isinstance(event, Interrupted):
            self.interrupted = True
        else:
            self.add_request_error(event.text)

    def said(self, event: AgentSaid) -> None:
        self.recap, self.interrupted = "", False  # who speaks on was not stopped
        self.request_errors = ()
        if event.message_id:
            self.spoke(event.message_id)
        else:
            self._messages += 1
        said = self._said
        if said and len(said[-1].text) > SAID_CHARS:
            said[-1] = said[-1]._replace(text=without_middle(said[-1].text, SAID_CHARS))
        uuid, _, at, _ = event.origin
        said.append(Said(uuid, at, without_middle(event.text, LAST_SAID_CHARS)))
        if len(said) > self._bounds.said_first + self._bounds.said_last:
            del said[self._bounds.said_first]
            self.dropped += 1

    def called(self, event: ToolCalled) -> None:
        self.recap = ""
        self.request_errors = ()
        self.spoke(event.message_id)
        if event.call_id in self._calls:  # the same line again
            return
        self._calls[event.call_id] = event
        self._used(event.tool, event.role, event.origin.at)
        if self._readers is not None and event.role in LOOKING:
            self._readers.append(event.call_id)
        if len(self._calls) > self._bounds.calls:
            self._drop_one()

    def knows(self, call_id: str) -> bool:
        return call_id in self._calls

    def role_of(self, call_id: str) -> Role:
        call = self._calls.get(call_id)
        return call.role if call else "other"

    def target_of(self, call_id: str) -> str:
        call = self._calls.get(call_id)
        return call.target if call else ""

    def returned(self, event: ToolReturned) -> bool:
        """Give a call its result; False if there is no such call or it has one."""
        call = self._calls.get(event.call_id)
        if call is None or (isinstance(call, Call) and call.outcome != "pending"):
            return False
        self._calls[event.call_id] = answered(call, event)
        return True

    def changed(self, change: Callable[[Call], Call | None]) -> bool:
        """Put in place of the last call for which there is another; False if none is."""
        for key, call in reversed(self._calls.items()):
            if isinstance(call, Call) and (other := change(call)):
                self._calls[key] = other
                return True
        return False

    def _used(self, tool: str, role: Role, at: int) -> None:
        known = self._tools.get(tool)
        if known is not None:
            use = known[0]
            use[0] += 1
            use[1] = use[1] or at
            use[2] = max(at, use[2])
        elif len(self._tools) < _MOST_TOOLS:
            self._tools[tool] = ([1, at, at], role)

    def _drop_one(self) -> None:
        """Let go of the oldest call that only looked, or else of the oldest."""
        if self._readers is None:
            self._readers = deque(
                key for key, call in self._calls.items() if call.role in LOOKING
            )
        oldest = self._readers.popleft() if self._readers else next(iter(self._calls))
        del self._calls[oldest]
        self.dropped += 1

    def _join_lines(self) -> None:
        if self._new_keys:
            joined = self.lines + "".join(self._new_keys)
            self.lines = joined[-self._bounds.lines * LINE_WIDTH :]
            self._new_keys.clear()


class AgentsAtWork:
    """One open turn for each sub-agent that is heard of, the others as they were."""

    __slots__ = ("_known", "_limits", "_open")

    def __init__(self, agents: Iterable[AgentWork], limits: StateLimits) -> None:
        self._limits = limits
        self._known = {work.agent: work for work in agents}
        self._open: dict[str, OpenTurn] = {}

    def turn(self, agent: str) -> OpenTurn:
        """Return the turn in which a sub-agent's work is kept."""
        turn = self._open.get(agent)
        if turn is None:
            work = self._known.get(agent) or AgentWork(agent, Turn())
            self._known[agent] = work
            turn = self._open[agent] = OpenTurn(work.turn, self._limits.sub_agent)
            if len(self._known) > self._limits.agents:
                self._drop_one(agent)
        return turn

    def frozen(self) -> tuple[AgentWork, ...]:
        """Return the work of each sub-agent, by id."""
        for agent in list(self._open):
            self._close(agent)
        return tuple(self._known[agent] for agent in sorted(self._known))

    def _drop_one(self, newest: str) -> None:
        """Let go of the sub-agent that has been silent for longest."""
        for agent in list(self._open):
            if agent != newest:
                self._close(agent)
        _, oldest = min(
            (work.turn.ended_at, work.agent)
            for work in self._known.values()
            if work.agent != newest
        )
        del self._known[oldest]

    def _close(self, agent: str) -> None:
        self._known[agent] = AgentWork(agent, self._open.pop(agent).frozen())


def thinned(turn: Turn) -> Turn:
    """Return an old turn with its prompt, and of the rest what still matters.

    Its lines go, too: a rewind of more than a thousand turns is noticed only where it
    repeats a prompt's own parent.
    """
    calls = tuple(call for call in turn.calls if _matters_long(call))
    return Turn(
        uuid=turn.uuid,
        parent=turn.parent,
        at=turn.at,
        ended_at=turn.ended_at,
        prompt=turn.prompt,
        prompt_chars=turn.prompt_chars,
        via=turn.via,
        calls=calls,
        tools=turn.tools,
        messages=turn.messages,
        plan=turn.plan,
        interrupted=turn.interrupted,
        dropped=turn.dropped + len(turn.calls) - len(calls) + len(turn.said),
        after=turn.after,
        midway=turn.midway,
        spent=turn.spent,
    )


def _clipped(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _matters_long(call: Call) -> bool:
    return (
        call.role in EDITING
        or call.outcome in ("failed", "interrupted", "pending")
        or bool(call.todos or call.added or call.removed or call.created)
        or call.background
    )
