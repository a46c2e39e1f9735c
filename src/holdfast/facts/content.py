"""From session state to content: small passes, each one question, put together here."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

from holdfast.domain.checkpoint import (
    Change,
    Checkpoint,
    CommandRef,
    Content,
    FileRef,
    Item,
    SessionFacts,
    ToolRef,
    context_of,
    is_open,
    last_words,
    note_fact,
)
from holdfast.domain.event import Tokens
from holdfast.domain.kinds import INHERITABLE, ITEM_FIELDS
from holdfast.domain.session import Said, SessionState, Turn
from holdfast.facts.commands.dead_ends import dead_ends_of
from holdfast.facts.commands.error_lines import error_lines_of
from holdfast.facts.commands.failures import errors_of, mended_calls, troubles_of
from holdfast.facts.commands.runs import (
    Ran,
    commands_of,
    commit_subject,
    runs_of,
)
from holdfast.facts.requests.goal import goal_of, goes_on, with_roles
from holdfast.facts.requests.requests import last_at_work, requests_of
from holdfast.facts.requests.rules import instructions_of, outlasts_its_request
from holdfast.facts.statements.decisions import decisions_of
from holdfast.facts.statements.statements import (
    discoveries_of,
    manual_steps_of,
    next_lines_of,
    open_questions_of,
    settled_of,
)
from holdfast.facts.statements.story import (
    last_words_of,
    recap_of,
    story_of,
    told_earlier,
    told_last,
)
from holdfast.facts.work.details import details_of
from holdfast.facts.work.files import files_of, files_seen_of
from holdfast.facts.work.headline import summary_of, title_of
from holdfast.facts.work.in_flight import in_flight_of, stands_still
from holdfast.facts.work.outcomes import (
    WorkSeen,
    before_goal,
    lines_before,
    outcomes_of,
)
from holdfast.facts.work.pull_requests import open_pull_requests
from holdfast.facts.work.tasks import done_tasks, open_tasks, plan_of, tasks_of
from holdfast.facts.work.technologies import blockers_of, technologies_of
from holdfast.facts.work.topics import domain_of, names_of, topics_of, work_type_of
from holdfast.facts.work.touched_files import (
    changed_by,
    touched_files,
    uncommitted_of,
)
from holdfast.kernel.clock import utc_day
from holdfast.kernel.lazy_values import replace
from holdfast.session.agent_reports import reports_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from holdfast.facts.statements.notes import Notes

__all__ = ["content_of", "details_of", "facts_of", "tags_of"]

_MOST_STEPS = 20
_PROMPTS = ("typed", "command", "shell")  # what steers the client is none


def content_of(
    state: SessionState,
    notes: Notes | None = None,
    before: Checkpoint | None = None,
    around: Callable[[Content], Content] | None = None,
) -> Content:
    """Return what a session's state says about the work, and what the agent noted: for
    this checkpoint, for `before`, the last one of this session, or in earlier ones.

    `around` sets right what the code around it knows better, before it is summed up.
    """
    content = _with_inherited(state, _with_named_lines(_extracted(state)))
    content = around(content) if around else content
    held_up = blockers_of(content.errors, content.open_questions)
    content = replace(content, blockers=held_up)
    title = title_of(content, state.live_turns(), state.title, _red(content))
    content = replace(content, title=title)
    content = replace(content, summary=summary_of(content))
    if not (notes or content.notes or (before and before.draft.content.notes)):
        return content
    return _with_notes(content, state, notes, before)


def _with_notes(
    content: Content,
    state: SessionState,
    notes: Notes | None,
    before: Checkpoint | None,
) -> Content:
    """Return content with what the agent noted that still stands."""
    from holdfast.facts.statements import kept_notes  # noqa: PLC0415  # most sessions have none

    fresh = kept_notes.note_items(notes, content, state.session_id) if notes else ()
    own = before.draft.content.notes if before else ()
    earlier = kept_notes.own_notes(own, before.number) if before else ()
    kept = kept_notes.joined_notes(content.notes, earlier)
    if not kept and not fresh:
        return content
    over = ("completed", "deleted")
    tasks = tasks_of(state.live_turns())
    done = (task.text for task in tasks if task.status in over)
    finished = frozenset(map(kept_notes.folded, done))
    kept = kept_notes.still_standing(kept, content, finished)
    parts = frozenset(note_fact(note).part for note in fresh)
    noted = replace(content, notes=kept_notes.joined_notes(kept, fresh))
    return kept_notes.with_notes(noted, parts)


def facts_of(state: SessionState) -> SessionFacts:
    """Return the numbers of a session."""
    turns = state.live_turns()
    tools = _tools(turns)
    edited = {
        path for call in state.live_calls() for path in changed_by(call, state.cwd)
    }
    return SessionFacts(
        message_count=state.message_count(),
        duration_seconds=max(0, state.ended_at - state.started_at) // 1000,
        started_at=state.started_at,
        files_modified=len(edited),
        commands_executed=sum(
            use.count for turn in turns for use in turn.tools if use.role == "run"
        ),
        tools=tools,
        context_tokens=state.context_tokens,
        unread_lines=sum(count for _, count in state.counts.unrecognised),
        prompts=sum(turn.via in _PROMPTS for turn in state.turns),
        failed_calls=_failed_calls(state),
        last_turn=len(state.turns) - 1,
        abandoned=state.abandoned,
        spent=_spent(state),
        spent_exactly=not state.costs_partly
        and all(turn.spent for turn in _speaking(state)),
    )


def _failed_calls(state: SessionState) -> int:
    """Return how many calls failed, whatever became of it; one that the user would not
    have did not."""
    turns = chain(state.turns, (work.turn for work in state.agents))
    return sum(
        call.outcome == "failed" and call.cause not in ("refused", "stopped")
        for turn in turns
        for call in turn.calls
    )


def _speaking(state: SessionState) -> Iterator[Turn]:
    """Yield each turn in which an agent spoke: what a rewind left was paid, too."""
    turns = chain(state.turns, (work.turn for work in state.agents))
    return (turn for turn in turns if turn.messages > (turn.via in _PROMPTS))


def _spent(state: SessionState) -> Tokens | None:
    known = [turn.spent for turn in _speaking(state) if turn.spent]
    return Tokens(*map(sum, zip(*known, strict=True))) if known else None


def tags_of(
    session_uuid: str,
    created_at_ms: int,
    topics: Sequence[str],
    given: Sequence[str],
) -> tuple[str, ...]:
    """Return a checkpoint's tags: ours, then its topics, then the user's."""
    ours = (
        "checkpoint",
        f"session-{session_uuid}",
        f"session-{utc_day(created_at_ms)}",
    )
    return tuple(dict.fromkeys((*ours, *topics, *given)))


def _extracted(state: SessionState) -> Content:
    turns = state.live_turns()
    calls = tuple(state.live_calls())
    runs = runs_of(calls, state.cwd)
    troubles = troubles_of(calls, runs, turns)
    tasks = tasks_of(turns)
    requests = with_roles(requests_of(turns), turns)
    said = last_words_of(turns)
    since, before = told_last(said, turns) if said else ("", "")
    earlier_words = before or _told_earlier(since, requests, turns)
    errors = errors_of(troubles)
    pending = open_tasks(tasks, turns, requests)
    naming = _naming(requests, errors, pending, turns)
    touched = touched_files(state)
    files = files_of(state, touched, naming)
    goal = goal_of(requests, turns, state.session_id)
    plan = plan_of(turns, tasks, state.cwd, goal)
    earlier = lines_before(goal, turns)
    red = {t.call.call_id for t in troubles if t.is_open and not t.is_slip}
    in_flight = in_flight_of(turns, state.ended, state.cwd, red)
    return Content(
        title="",
        topics=topics_of(_subjects(requests, runs, pending), files),
        work_type=work_type_of(requests, files, has_plan=plan is not None),
        domain=domain_of(files),
        goal=goal,
        requests=requests,
        last_words=last_words(since, earlier_words),
        said_before=earlier_words,
        key_outcomes=before_goal(
            outcomes_of(WorkSeen(calls, runs, files, touched), done_tasks(tasks)),
            earlier,
        ),
        decisions=decisions_of(turns),
        discoveries=(
            *reports_of(turns),
            *settled_of(turns),
            *discoveries_of(turns),
        ),
        pending=pending,
        next_steps=_next_steps(pending, said, turns),
        # Whoever spoke since has most likely done it, or said that it is not needed.
        manual_steps=(
            *(() if before else manual_steps_of(said)),
            *open_pull_requests(turns),
        ),
        open_questions=open_questions_of(turns),
        instructions=instructions_of(turns, [context_of(r).role for r in requests]),
        errors=before_goal(errors, earlier),
        dead_ends=dead_ends_of(state, turns, troubles, requests),
        in_flight=in_flight,
        files=files,
        commands=_not_in_flight(commands_of(runs, mended_calls(troubles)), in_flight),
        plan=plan,
        names=names_of(turns, files, state.wrote),
        files_seen=files_seen_of(state, files, naming),
        uncommitted=uncommitted_of(touched),
        technologies=technologies_of(files, runs),
        error_lines=error_lines_of(calls),
        story=story_of(turns, state.cwd),
    )


def _told_earlier(since: str, requests: Sequence[Item], turns: Sequence[Turn]) -> str:
    """Return what was said before few last words; an answer is told with its question."""
    answers = any(context_of(request).answering for request in requests[-1:])
    return "" if answers else told_earlier(since, turns)


def _not_in_flight(
    commands: Sequence[CommandRef], in_flight: Sequence[Item]
) -> tuple[CommandRef, ...]:
    """Return the commands without what is told to be at work: it came to nothing yet."""
    at_work = {line for i in in_flight if stands_still(i) for line in i.evidence}
    return tuple(
        command
        for command in commands
        if command.exit is not None or command.output or command.evidence not in at_work
    )


def _with_named_lines(content: Content) -> Content:
    """Return content without evidence that names no line: not each line has an id."""
    named: dict[str, Any] = {}
    for kind in ITEM_FIELDS:
        items: tuple[Item, ...] = getattr(content, kind)
        if any("" in item.evidence for item in items):
            named[kind] = tuple(
                replace(item, evidence=tuple(filter(None, item.evidence)))
                for item in items
            )
    return replace(content, **named) if named else content


def _red(content: Content) -> int:
    """Return how many errors are open at the end, as many as a brief tells."""
    return sum(map(is_open, content.errors))


def _next_steps(
    pending: Sequence[Item], said: Said | None, turns: Sequence[Turn]
) -> tuple[Item, ...]:
    """Return what is left to do: the tasks, then what the client and the agent named."""
    named = (*next_lines_of(recap_of(turns, said)), *next_lines_of(said))
    return (*pending, *named)[:_MOST_STEPS]


def _naming(
    requests: Sequence[Item],
    errors: Sequence[Item],
    pending: Sequence[Item],
    turns: Sequence[Turn],
) -> list[str]:
    """Return the texts whose files come first: asked for, broken, still to do, or what
    the agent spoke of last."""
    broken = [error.excerpt for error in errors if is_open(error)]
    last = last_at_work(turns)
    return [
        *(request.text for request in requests[-1:]),
        *broken,
        *(item.text for item in pending),
        *(said.text for said in (last.said[-2:] if last else ())),
    ]


def _subjects(
    requests: Sequence[Item], runs: Sequence[Ran], pending: Sequence[Item]
) -> list[str]:
    """Return the texts that topics are looked for in."""
    commits = [commit_subject(run.call.target) for run in runs if run.kind == "commit"]
    return [item.text for item in (*requests, *pending)] + commits


def _with_inherited(state: SessionState, content: Content) -> Content:
    """Return the content with what the parent session left open and still holds."""
    if not state.inherited:
        return content
    from holdfast.facts.work.inheritance import FILES, carry_on  # noqa: PLC0415  # heirs only

    own: dict[str, tuple[Item, ...]] = {
        kind: getattr(content, kind) for kind in INHERITABLE
    }
    known = {file.path: file for file in content.files}
    own[FILES] = tuple(Item(path) for path in known)
    items: dict[str, Any] = dict(carry_on(state, own))
    files = tuple(_inherited_file(item, known) for item in items.pop(FILES, ()))
    own_first = sorted(files, key=lambda file: file.path not in known)
    # The newest request with content is the goal: an older one is not told beside it.
    if goals := items.pop("goal", ()):
        newest = goals[-1]
        is_own = newest.origin is None
        if is_own and "instructions" in items:
            items["instructions"] = _lasting(items["instructions"])
        items["goal"] = (newest if is_own else goes_on(newest, content.requests),)
    return replace(content, files=tuple(own_first), **items)


def _lasting(rules: Sequence[Item]) -> tuple[Item, ...]:
    """Return the rules without those that only the goal of an earlier session needed."""
    return tuple(
        rule
        for rule in rules
        if rule.origin is None
        or rule.source != "user"
        or outlasts_its_request(rule.text)
    )


def _inherited_file(item: Item, known: Mapping[str, FileRef]) -> FileRef:
    if item.text in known:
        return known[item.text]
    change = cast("Change", item.excerpt)
    return FileRef(item.text, change, origin=item.origin, age=item.age)


def _tools(turns: Sequence[Turn]) -> tuple[ToolRef, ...]:
    count: Counter[str] = Counter()
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for turn in turns:
        for use in turn.tools:
            count[use.tool] += use.count
            first.setdefault(use.tool, use.first_at)
            last[use.tool] = max(use.last_at, last.get(use.tool, 0))
    return tuple(
        ToolRef(tool, times, first[tool], last[tool])
        for tool, times in count.most_common()
    )
