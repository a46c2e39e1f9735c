"""What a project remembers in files: facts, episodes, lessons, and repeated workflows."""

from collections.abc import Callable
from typing import Literal

from holdfast.kernel.lazy_values import dataclass

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
Alike = Callable[[str, str], bool]
Contradicts = Callable[[str, str], bool]


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
