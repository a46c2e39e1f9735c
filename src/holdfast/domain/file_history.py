"""What an agent did that can change files, read from its transcript; who made a line.

A step holds texts of files, and a command, as they are: it lives in memory for the length
of one question and is never kept. Its prompt has passed the redaction; whoever shows its
command redacts that.
"""

from typing import Literal

from holdfast.domain.checkpoint import Checkpoint
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass

StepKind = Literal[
    "edit",  # parts of a file were replaced
    "write",  # a whole file was written
    "run",  # a command
    "other",  # any other tool that may write: a server's, a sub-agent, a notebook's cell
]
Maker = Literal["agent", "user", "unknown"]
UNENDED = 1 << 62  # the moment at which a call ends that nothing told the end of


class Replacement(NamedTuple):
    """One text of a file that was put in the place of another."""

    old: str
    new: str
    everywhere: bool = False


class PromptHeard(NamedTuple):
    """The user's words that an agent was answering."""

    uuid: str = ""
    text: str = ""
    at: int = 0


class AgentStep(NamedTuple):
    """One call that changed a file, or may have. One that is known to have failed and to
    have changed nothing is no step."""

    session_id: str
    prompt: PromptHeard
    call_id: str
    kind: StepKind
    begun: int  # Unix ms
    ended: int  # the same; UNENDED where nothing tells
    offset: int = -1  # of its answer in the main transcript; -1: a sub-agent's
    path: str = ""  # of an edit or a write, as the client names it
    before: str | None = None  # the whole file just before, where the client told
    is_new: bool = False  # there was no file before
    replacements: tuple[Replacement, ...] = ()
    content: str | None = None  # of a write
    is_altered: bool = False  # the user changed the proposal before accepting it
    command: str = ""
    cwd: str = ""  # where it ran
    is_done: bool = True  # a command is known to have gone well to its end


class LineOrigin(NamedTuple):
    """Who made a line. `why` says what is known where that is not."""

    by: Maker
    step: AgentStep | None = None
    why: str = ""
    head_moved: bool = False  # a commit may have brought it
    seen_at: int = 0  # of a user's own line: when it was first seen
    missing_at: int = 0  # and when the file was last seen without it


class LineCommit(NamedTuple):
    """The commit that a line came with."""

    commit: str
    at: int  # Unix ms, to the second
    is_made_here: bool = False  # of what lay in this worktree, and not brought to it


class LineMade(NamedTuple):
    """One line as it is now, and who made it."""

    number: int
    text: str
    origin: LineOrigin
    checkpoint: Checkpoint | None  # of its session, the first that knows of it
    commit: str | None
    command: str = ""  # that wrote it, redacted


@dataclass(frozen=True, slots=True, kw_only=True)
class Blame:
    """Some lines of a file, in order."""

    path: str  # seen from the worktree's root
    lines: tuple[LineMade, ...]
    checkpoints: int  # how many there are to tell from
    unreadable: int = 0  # snapshots and files in them that are lost
    damaged: int = 0  # records, which were not asked


@dataclass(frozen=True, slots=True, kw_only=True)
class LinesOf:
    """The lines of today's files that a checkpoint's part of its session made."""

    checkpoint: Checkpoint
    files: tuple[Blame, ...]  # with those lines only
    left_out: int = 0  # files that were not looked through
    damaged: int = 0  # records, which were not asked
