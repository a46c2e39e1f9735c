"""What a brief is made of, before and after it is fitted to a budget.

Shared by those who write the parts and say how long they are, and by the one who decides
which of them are told.
"""

from collections.abc import Callable, Mapping, Sequence

from holdfast.domain.checkpoint import Content, Receipt
from holdfast.domain.code import CodeState, Drift
from holdfast.domain.fact import Commit
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass, field

LEFT_OUT = -1
_NO_BRANCH = "HEAD"  # what a client writes where there is no repository, or no branch


class Cost(NamedTuple):
    """The length of a text: what a budget counts, and what a client cuts at."""

    octets: int  # UTF-8
    units: int  # UTF-16


@dataclass(frozen=True, slots=True)
class BriefOption:
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


def is_within(candidate: BriefOption, chosen: Sequence[int]) -> bool:
    """Say whether another candidate says this, in the form that was chosen of it."""
    if candidate.within is None:
        return False
    index, form = candidate.within
    return chosen[index] >= form


# Which form of each candidate is told, or LEFT_OUT. The mapping holds what a heading or
# label costs once; the last argument is the room that all of it must fit in.
Fit = Callable[[Sequence[BriefOption], Mapping[str, Cost], Cost], tuple[int, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefSubject:
    """What a brief is about: a kept checkpoint, or a transcript that nobody kept."""

    reference: str  # CHECKPOINT-00042, or `session 7670db3a`
    content: Content
    at: int  # when it was saved, or when the session was last active
    is_saved: bool = True
    has_notes: bool = False  # the summary is the agent's own
    is_merge: bool = (
        False  # it tells of several, and only one of them said the last words
    )
    session_id: str = ""
    cwd: str = ""
    code: CodeState = field(default_factory=CodeState)
    branch_now: str | None = None  # set when it differs from the checkpoint's
    machine: str = ""  # the one it was made on, where that is another
    author: str = ""  # who said it, where that came over HTTP
    is_imported: bool = False  # that is the name of the program that made it
    elsewhere: str = ""  # the project it is of, where another one asks
    worktree: str = ""  # the worktree it is of, where another one of the project asks
    drift: Drift | None = None  # None: the code as it is now was not looked at
    fetch: str = ""  # how to get what was left out
    resume: str = ""  # what `holdfast resume` takes to tell all; empty: nobody kept it
    heading: tuple[str, str] | None = None  # first line and rule, where not the usual

    @property
    def branch(self) -> str:
        """The branch that the work is on, or nothing."""
        branch = self.code.branch or ""
        return "" if branch == _NO_BRANCH else branch

    @property
    def is_versioned(self) -> bool:
        """Whether the work is known to lie in a repository: what it changed is committed
        or not only there."""
        outcomes = self.content.key_outcomes
        is_committed = any(isinstance(item.fact, Commit) for item in outcomes)
        return bool(self.branch or self.code.head or is_committed)


@dataclass(frozen=True, slots=True)
class Brief:
    text: str
    receipt: Receipt
    tokens: int
