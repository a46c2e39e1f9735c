"""Where work stands: what is left of it, or by what it shows to be finished.

A verdict of what a checkpoint says and of what git said when it was saved; nothing of it
is kept, so it cannot say something else than the record. Imports nothing heavy: hooks ask.
"""

from collections.abc import Iterator
from typing import Literal

from holdfast.domain.checkpoint import Content, Item, is_open, note_fact
from holdfast.domain.code import CodeState
from holdfast.domain.fact import (
    Commit,
    Failure,
    PassingCommand,
    RunningWork,
    UnfinishedTurn,
    WaitingPlan,
)
from holdfast.kernel.lazy_values import dataclass

# Why work is not finished.
Left = Literal[
    "uncommitted",  # files that it changed
    "task",  # of the list, or a step that the agent noted
    "failure",
    "question",  # the agent waits for an answer
    "step",  # something that the user must do by hand
    "plan",  # nobody agreed to it yet
    "turn",  # cut off, stopped or not answered
    "running",  # work without an end; a server is none
]


@dataclass(frozen=True, slots=True)
class WorkStanding:
    """What is left of a session's work; nothing: it is finished."""

    left: tuple[Left, ...] = ()
    commit: str = ""  # subject of the last one
    passed: str = ""  # the command that went well last, of those that verify

    @property
    def is_finished(self) -> bool:
        return not self.left


def standing_of(content: Content, code: CodeState | None = None) -> WorkStanding:
    """Return where the work stands. Git knows best what is not committed; where nobody
    asked it (no `code`), what the session changed since its last commit is not."""
    outcomes = [item.fact for item in reversed(content.key_outcomes)]
    # What was done before the goal was set shows nothing of it to be done, and nothing
    # is called done beside what is red.
    is_red = any(map(is_open, content.errors))
    since = [
        fact
        for fact in outcomes
        if isinstance(fact, Commit | PassingCommand)
        and not (is_red or fact.before_goal)
    ]
    commits = (fact.subject for fact in since if isinstance(fact, Commit))
    passed = (fact.command for fact in since if isinstance(fact, PassingCommand))
    left = dict.fromkeys(_left(content, code))
    return WorkStanding(tuple(left), next(commits, ""), next(passed, ""))


def _left(content: Content, code: CodeState | None) -> Iterator[Left]:
    if _is_uncommitted(content, code):
        yield "uncommitted"
    if content.pending or any(note_fact(n).part == "next_steps" for n in content.notes):
        yield "task"
    if any(map(_is_in_the_way, content.errors)):
        yield "failure"
    if content.open_questions:
        yield "question"
    if content.manual_steps:
        yield "step"
    yield from (left for item in content.in_flight if (left := _going_on(item)))


def _is_in_the_way(error: Item) -> bool:
    """Say whether a failure is of this work: what was red before the goal was set is
    told, but who asked for something else since has seen it."""
    fact = error.fact
    return is_open(error) and not (isinstance(fact, Failure) and fact.before_goal)


def _going_on(item: Item) -> Left | None:
    if isinstance(item.fact, WaitingPlan):
        return "plan"
    if isinstance(item.fact, UnfinishedTurn):
        return "turn"
    if isinstance(item.fact, RunningWork):
        is_over = item.fact.state == "ended"
        return None if is_over or item.fact.how == "server" else "running"
    return "running"


def _is_uncommitted(content: Content, code: CodeState | None) -> bool:
    if code is None or code.uncommitted is not None:
        return bool(content.uncommitted)
    return code.dirty and any(file.change != "read" for file in content.files)
