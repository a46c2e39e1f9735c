"""What a brief is made of, before and after it is fitted to a budget.

Shared by two rooms that do not know each other: render writes the candidates and says
how long they are, policy decides which of them are told.
"""

from collections.abc import Callable, Mapping, Sequence

from holdfast.domain.checkpoint import Content, Item, Receipt
from holdfast.domain.drift import Drift
from holdfast.domain.project import CodeState
from holdfast.domain.text import one_line
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass, field

LEFT_OUT = -1
# What is noted about a request, a line each: the agent's question it answers, what
# was said before that question, the call it refuses, the first line of a long paste in
# it and how that goes on, what the agent said it came to; of the last one that does not
# stand by itself, the user's words that it is part of.
ANSWERING, PROPOSED, REFUSING = "answering: ", "proposed: ", "refusing: "
PASTED, PASTE_SAYS, CAME_TO = "pasted: ", "paste says: ", "came to: "
PART_OF = "part of: "
# How a dead end begins that the user would not have.
REFUSED_BY_USER = "stopped or refused by the user: "
# How the agent's last words begin where they were said before the last request.
BEFORE_ASKED = "(said before this was asked) "
# How the plan is told that the user has not agreed to; its excerpt is what it says.
PLAN_WAITS = "The plan is not accepted yet"
# How an outcome begins that is a commit; its subject stands behind it in quotes.
COMMITTED = "committed "
# How a turn is told that did not come to its end.
CUT_OFF = "The agent was cut off in its work"
# How a change is told that was not made yet; the files stand behind it.
ABOUT_TO_CHANGE = "The agent was about to change "
# How it is told what a sub-agent came back with; its words stand behind it.
REPORTED = pattern(r'^the sub-agent "[^"]{0,100}" reported: ')
# An error that a later success of the same command ended says so at its end.
FIXED = " (fixed since)"
# What is noted about it: the files that were changed between its last time and its end.
MENDED_IN = "mended in: "


def reported(task: str, words: str) -> str:
    """Return what a sub-agent said when it came back from a task."""
    named = one_line(task, 90).replace('"', "'")
    return f'the sub-agent "{named}" reported: {words}'


def noted(request: Item, mark: str) -> str:
    """Return what is noted about a request behind a mark, or nothing."""
    # The first records have it as the excerpt.
    lines = (request.about or request.excerpt).split("\n")
    found = (line.removeprefix(mark) for line in lines if line.startswith(mark))
    return next(found, "")


def is_open(error: Item) -> bool:
    """Say whether an error still stands, as far as the session knows."""
    return not error.text.endswith(FIXED)


class Cost(NamedTuple):
    """The length of a text: what a budget counts, and what a client cuts at."""

    octets: int  # UTF-8
    units: int  # UTF-16


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something a brief could say: of what kind, how good among its kind, how long.

    `costs` are those of its forms, the shortest first; each form says more than the one
    before. `opens` are the headings and labels that must stand before it. `within` is
    another candidate and the form from which on that one says this too.
    """

    kind: str
    rank: int
    costs: tuple[Cost, ...]
    opens: tuple[str, ...] = ()
    within: tuple[int, int] | None = None


def is_within(candidate: Candidate, chosen: Sequence[int]) -> bool:
    """Say whether another candidate says this, in the form that was chosen of it."""
    if candidate.within is None:
        return False
    index, form = candidate.within
    return chosen[index] >= form


# Which form of each candidate is told, or LEFT_OUT. The mapping holds what a heading or
# label costs once; the last argument is the room that all of it must fit in.
Fit = Callable[[Sequence[Candidate], Mapping[str, Cost], Cost], tuple[int, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefSubject:
    """What a brief is about: a kept checkpoint, or a transcript that nobody kept."""

    reference: str  # CHECKPOINT-00042, or `session 7670db3a`
    content: Content
    at: int  # when it was saved, or when the session was last active
    is_saved: bool = True
    has_notes: bool = False  # the summary is the agent's own
    session_id: str = ""
    cwd: str = ""
    code: CodeState = field(default_factory=CodeState)
    branch_now: str | None = None  # set when it differs from the checkpoint's
    drift: Drift | None = None  # None: the code as it is now was not looked at
    fetch: str = ""  # how to get what was left out
    heading: tuple[str, str] | None = None  # first line and rule, where not the usual


@dataclass(frozen=True, slots=True)
class Brief:
    text: str
    receipt: Receipt
    tokens: int
