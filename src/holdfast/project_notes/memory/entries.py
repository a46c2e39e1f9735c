"""What a project remembers in files: facts, episodes, lessons, and repeated workflows.

Whether two statements say the same, or the opposite, words decide, not meaning.
"""

import re
from typing import Literal

from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass
from holdfast.language.sentences import FORBIDS, word_list, words_in

FACTS = "memory/MEMORY.md"
LOG = "memory/context-log.md"
LESSONS = "tasks/lessons.md"
LESSON_ARCHIVE = "tasks/archive/lessons.md"
STATE_FILE = "STATE.md"
MOST_TEXT = 2_000  # characters of one thing to remember
PROMOTED_AT = 3  # references that make an episode a fact
REPEATED_HERE, REPEATED_EVER = 3, 5  # times that make a workflow worth proposing
WORKFLOW, DECLINED = "WORKFLOW", "DECLINED"  # types of episodes

# Two questions about texts; `agreement` answers them.

_SAME = 0.8  # share of common words
_FEWEST = 3  # words; two shorter statements are the same only if equal
_ABOUT = pattern(
    r"^(?P<subject>.{2,80}?)(?::\s+|\s+(?:is|are|was|=|→|uses?|lives? in|runs? on|at)\s+)(?P<value>.+)$",
    re.IGNORECASE,
)
_MARKUP = pattern(r"[*_`\"“”▸]+")

# What a statement begins with that is no subject of its own.
_LABELS = frozenset(
    ["note", "todo", "found", "decided", "rule", "fix", "the user's rule"]
)


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that is still true next session. `is_ours`: no person wrote or edited it."""

    text: str
    section: str
    is_ours: bool = False
    line: int = -1  # where it stands in the file


@dataclass(frozen=True, slots=True)
class Episode:
    """Something that happened, with how long it is worth knowing.

    `ref` counts how often it came up again; `owners` are the sessions that were counted.
    """

    date: str  # YYYY-MM-DD
    type: str
    ttl: str  # permanent, 90d, 30d
    ref: int
    text: str
    owners: tuple[str, ...] = ()
    is_promoted: bool = False
    line: int = -1


@dataclass(frozen=True, slots=True)
class Trust:
    """How far a lesson is trusted; lessons from before there was such a line have none."""

    conf: float = 0.5
    seen: str = ""
    obs: int = 1


@dataclass(frozen=True, slots=True)
class Lesson:
    date: str
    title: str
    trust: Trust | None
    body: str = ""
    owners: tuple[str, ...] = ()  # sessions that were counted
    first: int = -1  # its lines in the file: [first, end)
    end: int = -1


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """Something a session says that is worth keeping, and where it says so."""

    kind: Literal["fact", "episode", "rule", "correction"]
    label: str  # the section of a fact, the type of an episode
    text: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Workflow:
    """Work that was done the same way again and again."""

    intent: str
    tools: tuple[str, ...]
    shape: str
    here: int  # times in this session
    ever: int = 0  # in other sessions, as far as the log knows
    evidence: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        return f"{self.intent} + {' → '.join(self.tools)} + {self.shape}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of something that was to be remembered."""

    did: Literal["added", "known", "replaced", "conflict", "observed", "violated"]
    text: str
    old: str = ""


def alike(first: str, second: str) -> bool:
    """Say whether two statements say nearly the same."""
    if _flat(first) == _flat(second):
        return True
    if contradicts(first, second):
        return False
    one, other = _words(first), _words(second)
    if min(len(one), len(other)) < _FEWEST or _numbers(first) != _numbers(second):
        return False
    return len(one & other) >= _SAME * len(one | other)


def contradicts(first: str, second: str) -> bool:
    """Say whether two statements give one subject two values, or one forbids what the
    other wants."""
    return _differ_in_value(first, second) or _turn_around(first, second)


def _differ_in_value(first: str, second: str) -> bool:
    one, other = _ABOUT.match(_bare(first)), _ABOUT.match(_bare(second))
    if not one or not other:
        return False
    subject, again = _flat(one["subject"]), _flat(other["subject"])
    if subject != again or subject in _LABELS:
        return False
    value, new = _flat(one["value"]), _flat(other["value"])
    return value != new and not (value in new or new in value)


def _turn_around(first: str, second: str) -> bool:
    if bool(FORBIDS.search(first.casefold())) == bool(
        FORBIDS.search(second.casefold())
    ):
        return False
    negations = word_list("negations")
    one, other = _words(first) - negations, _words(second) - negations
    return len(one) > 1 and one == other


def _words(text: str) -> frozenset[str]:
    return words_in(_bare(text).casefold())


def _numbers(text: str) -> list[str]:
    return re.findall(r"\d+", text)


def _bare(text: str) -> str:
    return _MARKUP.sub("", text).strip()


def _flat(text: str) -> str:
    return " ".join(_bare(text).casefold().split()).rstrip(".!。 ")
