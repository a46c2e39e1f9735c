"""What was found, as values with fields: facts keep their meaning until they are told.

An item of a checkpoint carries at most one. How a fact is worded stands here and nowhere
else, so an item's text cannot say something else than its fact; nobody reads a fact out
of a text but `record_legacy`, for records that were written without facts.
"""

from collections.abc import Sequence
from typing import Literal

from holdfast.domain.text import one_line, visible
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass

_MOST_TASK = 90  # characters
_RUNNING = {
    "background": "Started in the background, no end seen",
    "sub-agent": "Sub-agent without a result",
    "server": "Server",
    "command": "Command without a result",
}
# Whether something runs now, as a look at the machine tells; nothing: nobody looked.
WorkState = Literal["", "running", "ended", "unknown"]
_SEEN = {"running": "Still running", "ended": "Ended since, nobody saw how"}
_ABOUT = (
    ("title", "title"),
    ("says", "says"),
    ("pasted", "pasted"),
    ("paste_says", "paste says"),
    ("refusing", "refusing"),
    ("answering", "answering"),
    ("proposed", "proposed"),
    ("came_to", "came to"),
    ("part_of", "part of"),
)
# What a prompt is to the work. Only a request with content is a goal; a chore ("commit
# this") and an answer stand beside it, the rest goes on with it.
RequestRole = Literal[
    "request", "chore", "answer", "addition", "remark", "aside", "nod", "command"
]

# Agents keep plans in a directory of their own below the user's: `~/.agent/plans/`.
_PLANS_KEPT = pattern(r"/\.[\w-]+/plans/")


class Wording(NamedTuple):
    """A fact in words, in this order: ours, which may hold the name of a file; then
    those of a tool or a person; then ours again."""

    ours: str = ""
    name: str = ""
    more: str = ""
    quoted: str = ""
    end: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """A command or a tool that failed, and what became of it.

    `abandoned` is one that failed again and again and was left: a dead end.
    """

    command: str = ""  # as it is told; of a tool, its name and what it was used on
    line: str = ""  # what the output says
    exit_status: int | None = None
    state: Literal["open", "fixed", "abandoned"] = "open"
    mended_in: tuple[str, ...] = ()  # files changed between its last time and its end
    times: int = 1
    place: str = ""  # the directory it ran in, where that is not the session's own
    ran_in: str = ""  # the checkpoint with whose code it ran, where that is another
    before_goal: bool = False  # it was so when the goal was set

    def wording(self) -> Wording:
        told = f"`{self.command}`" + (f" (in {self.place})" if self.place else "")
        told += f" (in {self.ran_in})" if self.ran_in else ""
        if self.state == "abandoned":
            told += f" failed {self.times} times and was left"
        else:
            how = f"exit {self.exit_status}" if self.exit_status else "failed"
            told += f" → {how}"
        end = " (fixed since)" if self.state == "fixed" else ""
        told = f"{told}: " if self.line else told
        return Wording(told, quoted=self.line, end=end)


@dataclass(frozen=True, slots=True)
class RequestContext:
    """What others said that a request is understood by; its words are the user's."""

    pasted: str = ""  # the first line of a long paste in it
    paste_says: str = ""  # and how that goes on
    refusing: str = ""  # the call it refuses
    answering: str = ""  # the agent's question it answers
    proposed: str = ""  # what was said before that question
    came_to: str = ""  # what the agent said it came to
    part_of: str = ""  # the user's words it is part of, where it does not stand alone
    role: RequestRole = "request"

    def wording(self) -> Wording:
        return Wording()


@dataclass(frozen=True, slots=True)
class Goal:
    """What the work is for: the last request with content, in the user's words, and
    where it was asked. It is inherited until another request replaces it."""

    how: Literal["typed", "plan", "pasted"] = "typed"
    title: str = ""  # of a plan that was accepted, or of what was pasted
    says: str = ""  # and how that goes on
    answering: str = ""  # the agent's question that it was given in answer to
    added: tuple[str, ...] = ()  # what the user added since: "the tests too"
    session: str = ""  # in which it was asked
    number: int = 0  # of the first checkpoint that an heir has it from
    at: int = 0  # when it was asked, Unix ms

    def wording(self) -> Wording:
        return Wording()


@dataclass(frozen=True, slots=True)
class Note:
    """What the agent itself wrote for a checkpoint; it stays with the later ones."""

    part: str = ""  # of the notes: title, summary, decisions, next_steps …
    goal: str = ""  # the line of the goal that it was written under
    session: str = ""  # in which it was written
    number: int = 0  # of the checkpoint that it was written for; 0: this very one
    after: str = ""  # the line of the request that it was written after
    doubt: str = ""  # what contradicted it in the session before

    def wording(self) -> Wording:
        return Wording()


@dataclass(frozen=True, slots=True)
class RefusedCall:
    """Something that the user would not have."""

    tool: str = ""
    what: str = ""
    said: str = ""  # what came with the refusal as the user's words

    def wording(self) -> Wording:
        quote = f': "{self.said}"' if self.said else ""
        told = f"{self.tool} {self.what}".rstrip() + quote
        return Wording("stopped or refused by the user: ", quoted=told)


@dataclass(frozen=True, slots=True)
class RewoundRequest:
    """Something asked for that the user went back before."""

    asked: str = ""
    changed: tuple[str, ...] = ()  # files

    def wording(self) -> Wording:
        touched = "; it had changed " if self.changed else ""
        told = f'the user went back before asking "{self.asked}"{touched}'
        return Wording(told, quoted=", ".join(self.changed))


@dataclass(frozen=True, slots=True)
class RevertedEdit:
    """An edit whose opposite came later."""

    path: str = ""
    intent: str = ""  # what it was for, in the agent's words
    why: str = ""  # what failed in between

    def wording(self) -> Wording:
        meant = f' ("{self.intent}")' if self.intent else ""
        told = f": an edit was taken back{meant}" + (": " if self.why else "")
        return Wording(name=self.path, more=told, quoted=self.why)


@dataclass(frozen=True, slots=True)
class Commit:
    subject: str = ""
    before_goal: bool = False  # for what was asked before

    def wording(self) -> Wording:
        return Wording(f'committed "{self.subject}"')


@dataclass(frozen=True, slots=True)
class PassingCommand:
    command: str = ""
    again: bool = False  # it had failed before
    before_goal: bool = False

    def wording(self) -> Wording:
        return Wording(f"`{self.command}` passes{' again' if self.again else ''}")


@dataclass(frozen=True, slots=True)
class CreatedFile:
    path: str = ""
    lines_added: int = 0

    def wording(self) -> Wording:
        return Wording(f"created {self.path} (+{self.lines_added})")


@dataclass(frozen=True, slots=True)
class ChangedFiles:
    """All changes together, where there is nothing else to say."""

    count: int = 0
    lines_added: int = 0
    lines_removed: int = 0

    def wording(self) -> Wording:
        noun = "file" if self.count == 1 else "files"
        lines = f"(+{self.lines_added} −{self.lines_removed})"
        return Wording(f"changed {self.count} {noun} {lines}")


@dataclass(frozen=True, slots=True)
class AgentReport:
    """What a sub-agent said when it came back from a task."""

    task: str = ""
    words: str = ""

    def wording(self) -> Wording:
        told = one_line(self.task, _MOST_TASK).replace('"', "'")
        return Wording(f'the sub-agent "{told}" reported: ', quoted=self.words)


@dataclass(frozen=True, slots=True)
class RunningWork:
    """Something that was started and whose end nobody saw."""

    how: Literal["background", "sub-agent", "server", "command"]
    what: str = ""
    reference: str = ""  # the client's id of it
    meant: str = ""  # what it was started for, in the agent's words
    port: int = 0  # that it was to listen at, where that is known
    pid: int = 0
    state: WorkState = ""

    def wording(self) -> Wording:
        known = (
            f'"{self.meant}"' if self.meant else "",
            f"id {self.reference}" if self.reference else "",
            f"port {self.port}" if self.port else "",
        )
        about = ", ".join(filter(None, known))
        told = _SEEN.get(self.state) or _RUNNING[self.how]
        return Wording(f"{told}: {self.what}{f' ({about})' if about else ''}")


@dataclass(frozen=True, slots=True)
class WaitingPlan:
    """A plan that the user has not agreed to."""

    title: str = ""

    def wording(self) -> Wording:
        told = f"The plan is not accepted yet{': ' if self.title else '.'}"
        return Wording(told, quoted=self.title)


@dataclass(frozen=True, slots=True)
class AcceptedPlan:
    """A plan that the user agreed to."""

    title: str = ""

    def wording(self) -> Wording:
        return Wording("plan accepted: ", quoted=self.title)


@dataclass(frozen=True, slots=True)
class ChosenAnswer:
    """What the user answered to a question of the agent's."""

    asked: str = ""
    chosen: str = ""

    def wording(self) -> Wording:
        return Wording(f"{self.asked} → {self.chosen}" if self.asked else self.chosen)


@dataclass(frozen=True, slots=True)
class UnfinishedTurn:
    """A turn that did not come to its end."""

    how: Literal["stopped", "about to change", "cut off", "not answered"]
    files: tuple[str, ...] = ()  # about to be changed
    at: str = ""  # what the agent said last; in silence, what it looked at
    failed: str = ""  # what the client answered in the agent's place
    times: int = 0  # how often, where more than once
    since: tuple[str, ...] = ()  # what it did after those words, the last of it
    done: int = 0  # how much that was, where it is more than is told

    def after(self) -> str:
        """What was done since the last words, in ours: those may announce what is long
        done."""
        if not self.since:
            return ""
        begins = "; done since: " if self.at else ", after: "
        more = f" (the last of {self.done})" if self.done else ""
        return f"{begins}{', '.join(self.since)}{more}"

    def wording(self) -> Wording:
        told = {
            "stopped": "The user stopped the agent",
            "about to change": "The agent was about to change ",
            "cut off": "The agent was cut off in its work",
            "not answered": "The agent had not answered yet.",
        }[self.how]
        at = (f', at: "{self.at}"' if self.at else "") + self.after()
        if not self.failed:
            return Wording(told, ", ".join(self.files), at)
        at += "; the client failed: "
        often = f" ×{self.times}" if self.times > 1 else ""
        told = told.removesuffix(".")
        return Wording(told, ", ".join(self.files), at, self.failed, often)


ItemFact = (
    Failure
    | RequestContext
    | Goal
    | Note
    | RefusedCall
    | RewoundRequest
    | RevertedEdit
    | Commit
    | PassingCommand
    | CreatedFile
    | ChangedFiles
    | AgentReport
    | RunningWork
    | WaitingPlan
    | AcceptedPlan
    | ChosenAnswer
    | UnfinishedTurn
)


class PlanStep(NamedTuple):
    """One step of a plan file."""

    text: str
    done: bool | None  # None: the plan does not say


def text_of(fact: ItemFact) -> str:
    """Return the text of the item that carries a fact; of a request, the user wrote it."""
    return "".join(fact.wording())


def about_of(fact: ItemFact) -> str:
    """Return what is noted beside the text, a line each."""
    if isinstance(fact, Failure):
        return f"mended in: {', '.join(fact.mended_in)}" if fact.mended_in else ""
    if not isinstance(fact, RequestContext | Goal):
        return ""
    return "\n".join(
        [
            f"{label}: {words}"
            for name, label in _ABOUT
            if (words := getattr(fact, name, ""))
        ]
    )


def step_in_hand(steps: Sequence[PlanStep]) -> int | None:
    """Return the number of the first step that is not ticked; the last if all are."""
    if not steps or steps[0].done is None:
        return None
    undone = (place for place, step in enumerate(steps, 1) if not step.done)
    return next(undone, len(steps))


def plan_shown(path: str) -> str:
    """Return a plan's path as people write it, from the user's directory on."""
    shown = visible(path)
    found = [each.start() for each in _PLANS_KEPT.finditer(shown)]
    return f"~{shown[found[-1] :]}" if found else shown
