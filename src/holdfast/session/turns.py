"""The open turn: the growing end of a session's state, thawed, continued and frozen.

Bounds hold after every event, never only at the end, so a turn comes out the same
wherever its events were split.
"""

from binascii import crc32
from collections import deque
from collections.abc import Callable

from holdfast.domain.event import (
    AgentSaid,
    Origin,
    Todo,
    ToolCalled,
    ToolReturned,
    UserSaid,
)
from holdfast.domain.session import Call, Said, ToolUse, Turn
from holdfast.domain.text import one_line
from holdfast.domain.tool_roles import EDITING, LOOKING, Role
from holdfast.kernel.lazy_patterns import pattern
from holdfast.session.key_lines import key_lines, shown_line
from holdfast.session.limits import Bounds

# What these say on success is boilerplate; the call itself tells it all.
_QUIET: frozenset[Role] = (
    LOOKING | EDITING | {"todo_list", "todo", "plan_mode", "plan", "skill"}
)
# Commands that only look, alone: the next session looks for itself.
_LOOKING = frozenset(
    ["ls", "cat", "head", "tail", "wc", "grep", "rg", "find", "sed", "tree"]
)
_JOINED = pattern(r"[;&|\n]")
LINE_WIDTH = 8  # characters that stand for a line in `Turn.lines`
SAID_CHARS = 1_500
LAST_SAID_CHARS = 4_000
_UUID_CHARS = 36
_LONGEST = 320  # characters of a question, and of an answer
_MOST_TOOLS = 100
_MOST_CONTEXT = 50
_MOST_REQUEST_ERRORS = 10
_REQUEST_ERROR_CHARS = 300
_GATHER = 4_096  # line keys held apart before they are joined: memory stays flat


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
        "last_message_id", "lines", "plan", "request_errors", "turn",
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
        self.context = turn.context
        self.plan = turn.plan
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
            calls=tuple(map(_as_call, self._calls.values())),
            tools=tuple(
                ToolUse(tool, count, first_at, last_at, role)
                for tool, ((count, first_at, last_at), role) in self._tools.items()
            ),
            messages=self._messages,
            last_message_id=self.last_message_id,
            plan=self.plan,
            interrupted=self.interrupted,
            request_errors=self.request_errors,
            lines=self.lines,
            dropped=self.dropped,
            after=begun.after,
            detour=self.detour,
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
        if self.request_errors[-1:] != (told,):  # a retry says it again
            self.request_errors = (*self.request_errors, told)[-_MOST_REQUEST_ERRORS:]

    def spoke(self, message_id: str) -> None:
        """Count a message of the agent; its lines follow each other."""
        if message_id and message_id != self.last_message_id:
            self.last_message_id = message_id
            self._messages += 1

    def said(self, event: AgentSaid) -> None:
        if event.message_id:
            self.spoke(event.message_id)
        else:
            self._messages += 1
        said = self._said
        if said and len(said[-1].text) > SAID_CHARS:
            said[-1] = said[-1]._replace(text=_clipped(said[-1].text, SAID_CHARS))
        uuid, _, at, _ = event.origin
        said.append(Said(uuid, at, _clipped(event.text, LAST_SAID_CHARS)))
        if len(said) > self._bounds.said_first + self._bounds.said_last:
            del said[self._bounds.said_first]
            self.dropped += 1

    def called(self, event: ToolCalled) -> None:
        self.spoke(event.message_id)
        if event.call_id in self._calls:  # the same line again
            return
        self._calls[event.call_id] = event
        self._used(event.tool, event.role, event.origin.at)
        if self._readers is not None and event.role in LOOKING:
            self._readers.append(event.call_id)
        if len(self._calls) > self._bounds.calls:
            self._drop_one()

    def role_of(self, call_id: str) -> Role:
        call = self._calls.get(call_id)
        return call.role if call else "other"

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


def answered(call: ToolCalled | Call, event: ToolReturned) -> Call:
    """Return a call with its result."""
    if isinstance(call, Call):
        uuid, at = call.uuid, call.at
    else:
        uuid, _, at, _ = call.origin
    told = _told(call, event)
    choices = _choices(call, event, told) if call.role == "ask" else ()
    # Not every client tells in its answer what an edit changed.
    is_told = event.is_counted or event.added or event.removed or event.created
    counts = event if is_told or event.outcome != "ok" else call
    return Call(
        call.call_id,
        call.tool,
        call.target,
        uuid,
        at,
        call.role,
        call.detail,
        event.outcome,
        event.exit_status,
        "" if choices else told,
        counts.added,
        counts.removed,
        event.created,
        event.reference,
        call.background,
        call.before,
        call.after,
        _named(call.todos, event.reference) if call.todos else (),
        event.origin.uuid if told else "",
        call.own,
        event.cause,
        shown_line(event.refusal),
        choices,
    )


def _told(call: ToolCalled | Call, event: ToolReturned) -> str:
    """Return what is kept of an answer; a refusal carries the words it was made with."""
    failed = event.outcome in ("failed", "interrupted")
    if event.cause == "refused" and event.outcome == "interrupted":
        return shown_line(event.refusal or event.output.partition(". ")[0])
    is_worth_reading = event.output and (failed or not _is_quiet(call))
    told = key_lines(event.output, failed) if is_worth_reading else ""
    return _reported(event, told, failed=failed) if call.role == "agent" else told


def _choices(
    call: ToolCalled | Call, event: ToolReturned, told: str
) -> tuple[tuple[str, str], ...]:
    """Return what was chosen; an answer of another form answers all that was asked."""
    if event.choices or not told or event.outcome != "ok":
        return event.choices
    return ((one_line(call.target, _LONGEST), one_line(told, _LONGEST)),)


def _reported(event: ToolReturned, told: str, *, failed: bool) -> str:
    """Return what is kept of a sub-agent's report: a sentence, or the lines that tell
    something, and the files it names."""
    from holdfast.session.agent_reports import report_says, with_files  # noqa: PLC0415  # few calls are one

    if event.report is not None and not failed:
        told = key_lines(event.report, failed=False)
    own = event.output if event.report is None else event.report
    said = "" if failed else report_says(own)
    return with_files(said or told, event.output)


def _is_quiet(call: ToolCalled | Call) -> bool:
    """Say whether the success of a call says nothing that the call does not."""
    if call.role != "run":
        return call.role in _QUIET
    command = call.target
    return command[: command.find(" ")] in _LOOKING and not _JOINED.search(command)


def _as_call(call: ToolCalled | Call) -> Call:
    """Return a call as it is kept; one that waits for its result is still an event."""
    if isinstance(call, Call):
        return call
    uuid, _, at, _ = call.origin
    return Call(
        call.call_id,
        call.tool,
        call.target,
        uuid,
        at,
        call.role,
        call.detail,
        added=call.added,
        removed=call.removed,
        background=call.background,
        before=call.before,
        after=call.after,
        todos=call.todos,
        own=call.own,
    )


def _named(todos: tuple[Todo, ...], reference: str) -> tuple[Todo, ...]:
    """Return todos of a call that was answered; one just made learns its id."""
    if not reference:
        return todos
    return tuple(
        todo if todo.todo_id else todo._replace(todo_id=reference) for todo in todos
    )


def _clipped(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
