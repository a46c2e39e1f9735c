"""A call as a session keeps it: while it waits for its result, and with it."""

from holdfast.domain.event import EDITING, LOOKING, Role, Todo, ToolCalled, ToolReturned
from holdfast.domain.session import Call, SessionState
from holdfast.domain.text import one_line
from holdfast.kernel.lazy_patterns import pattern
from holdfast.session.key_lines import key_lines, shown_line

# What these say on success is boilerplate; the call itself tells it all.
_QUIET: frozenset[Role] = (
    LOOKING | EDITING | {"todo_list", "todo", "plan_mode", "plan", "skill"}
)

# Commands that only look, alone: the next session looks for itself.
_LOOKING = frozenset(
    ["ls", "cat", "head", "tail", "wc", "grep", "rg", "find", "sed", "tree"]
)
_JOINED = pattern(r"[;&|\n]")
_LONGEST = 320  # characters of a question, and of an answer


def placed(event: ToolCalled, state: SessionState) -> ToolCalled:
    """Return a call with where it runs: a `cd` of an earlier command holds on."""
    is_here = event.role != "run" or event.origin.agent
    if is_here or _is_one_place(state.last_cwd, state.cwd):
        return event
    return event._replace(place=state.last_cwd)


def _is_one_place(here: str, there: str) -> bool:
    """Windows writes one directory as `c:\\` and as `C:\\`, in any case."""
    return here == there or (here[1:2] == ":" and here.lower() == there.lower())


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
        call.place,
    )


def kept_call(call: ToolCalled | Call) -> Call:
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
        place=call.place,
    )


def _told(call: ToolCalled | Call, event: ToolReturned) -> str:
    """Return what is kept of an answer; a refusal carries the words it was made with."""
    failed = event.outcome in ("failed", "interrupted")
    if event.cause == "refused" and event.outcome == "interrupted":
        return shown_line(event.refusal or event.output.partition(". ")[0])
    if call.role == "plan" and not failed and not call.target:
        headings = (line for line in event.output.split("\n") if line.startswith("# "))
        return shown_line(next(headings, ""))
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


def _named(todos: tuple[Todo, ...], reference: str) -> tuple[Todo, ...]:
    """Return todos of a call that was answered; one just made learns its id."""
    if not reference:
        return todos
    return tuple(
        todo if todo.todo_id else todo._replace(todo_id=reference) for todo in todos
    )
