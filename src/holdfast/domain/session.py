"""A session as far as it is known: what the fold makes of its events, and a fold that is kept.

Everything a rewind can take back lives in a `Turn`; the rest of the state only grows.
Frozen turns are shared between states, so continuing costs what is new.
"""

from collections.abc import Iterator, Sequence

from holdfast.domain.event import Cause, Outcome, Own, Role, Todo, ToolReturned, Via
from holdfast.domain.fact import ItemFact
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass, field


class Call(NamedTuple):
    """One tool call with what came of it. `output` keeps the telling lines only.

    A tuple, because a state holds thousands and each hook reads them all again.
    """

    call_id: str
    tool: str
    target: str
    uuid: str
    at: int
    role: Role
    detail: str = ""
    outcome: Outcome = "pending"
    exit_status: int | None = None
    output: str = ""
    added: int = 0
    removed: int = 0
    created: bool = False
    reference: str = ""
    background: bool = False
    before: str = ""
    after: str = ""
    todos: tuple[Todo, ...] = ()
    answer: str = ""  # line of its result, where words of that are kept
    own: Own = ""
    cause: Cause = ""
    refusal: str = ""  # what the user said when they refused it, shortened
    choices: tuple[tuple[str, str], ...] = ()  # questions and what was chosen
    place: str = ""  # where a command ran, if not where the session began

    @property
    def evidence(self) -> tuple[str, ...]:
        """The lines that tell what came of it and what it was, in this order."""
        return tuple(line for line in (self.answer, self.uuid) if line)


class Said(NamedTuple):
    """Something the agent said in a turn."""

    uuid: str
    at: int
    text: str


@dataclass(frozen=True, slots=True)
class ToolUse:
    """How often a tool was used in a turn, and when."""

    tool: str
    count: int
    first_at: int
    last_at: int
    role: Role = "other"


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing the user said and all that followed until the next.

    `lines` holds the first eight hex digits of each line's uuid, so that a rewind into
    this turn is noticed without keeping whole ids. Lists are bounded; what did not fit
    is counted in `dropped`. Indices are places in the session's `turns`.
    """

    uuid: str = ""
    parent: str | None = None
    at: int = 0
    ended_at: int = 0
    prompt: str = ""
    prompt_chars: int = 0
    via: Via | None = None  # None: what happened before the first prompt
    context: tuple[str, ...] = ()  # kinds of injected text seen, in order, distinct
    said: tuple[Said, ...] = ()
    calls: tuple[Call, ...] = ()
    tools: tuple[ToolUse, ...] = ()
    messages: int = 0
    last_message_id: str = ""
    plan: str = ""
    recap: str = (
        ""  # what it came to, told while nobody was there; nothing came after it
    )
    interrupted: bool = False
    request_errors: tuple[str, ...] = ()  # nothing came after them
    lines: str = ""
    dropped: int = 0
    after: int | None = None  # the turn it continues, where that is not the one before
    detour: str = ""  # injected line that left the chain: its digits, its parent's
    midway: bool = False  # its prompt was typed while the agent worked
    spent: tuple[int, ...] = ()  # `Tokens` of its messages; empty: no line says
    last_spent: tuple[int, ...] = ()  # of the last of them, which may still grow


@dataclass(frozen=True, slots=True)
class AgentWork:
    """What one sub-agent did. Its prompt is not the user's and is not kept as such."""

    agent: str
    turn: Turn


@dataclass(frozen=True, slots=True)
class Compaction:
    uuid: str
    at: int
    trigger: str
    tokens_before: int
    turn: int  # index of the turn it happened in
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Counts:
    """How the reading itself went."""

    lines: int = 0
    unrecognised: tuple[tuple[str, int], ...] = ()
    passed: tuple[tuple[str, int], ...] = ()
    clipped_lines: int = 0
    clipped_bytes: int = 0
    unmatched: int = 0  # results of calls that are not known, or that have one


@dataclass(frozen=True, slots=True)
class Inherited:
    """An open item that the parent session left, carried until done or forgotten."""

    kind: str  # the Content field it belongs to: instructions, pending, errors …
    text: str
    source: str
    evidence: tuple[str, ...] = ()
    excerpt: str = ""
    origin: str = ""  # id of the checkpoint it came from
    age: int = 0  # sessions in a row that did not touch it
    fact: ItemFact | None = None


@dataclass(frozen=True, slots=True)
class SessionState:
    """Everything known of a session. Equal, however its events were split up."""

    session_id: str = ""
    agent: str = "claude-code"
    turns: Sequence[Turn] = ()  # a tuple, or late: never changed
    abandoned: tuple[tuple[int, int], ...] = ()  # turns left by rewinds: [first, end)
    agents: tuple[AgentWork, ...] = ()  # by id
    compactions: tuple[Compaction, ...] = ()
    inherited: tuple[Inherited, ...] = ()
    cwd: str = ""  # where it began
    last_cwd: str = ""
    branch: str = ""
    version: str = ""
    entrypoint: str = ""
    model: str = ""
    title: str = ""
    context_tokens: int = 0
    started_at: int = 0
    ended_at: int = 0
    counts: Counts = field(default_factory=Counts)
    wrote: tuple[tuple[str, str], ...] = ()  # names in what was written last, by call
    listed: tuple[tuple[str, str], ...] = ()  # files that searches found, by call
    ended: tuple[str, ...] = ()  # background work told to be over, by its id
    # Results whose call was not seen yet, by its id, and whether it counts as unmatched.
    early: tuple[tuple[str, tuple[bool, ToolReturned]], ...] = ()
    linked: bool = False  # lines name their parents: only then can a rewind be seen
    costs_partly: bool = False  # it was begun when costs were not kept

    def live_turns(self) -> tuple[Turn, ...]:
        """Return the turns on the path from the leaf to the root."""
        if not self.abandoned:
            return tuple(self.turns)
        live: list[Turn] = []
        start = 0
        for first, end in self.abandoned:  # in order, and apart from each other
            live += self.turns[start:first]
            start = end
        return (*live, *self.turns[start:])

    def live_calls(self) -> Iterator[Call]:
        """Yield the calls of the live turns in order; sub-agents' are apart."""
        for turn in self.live_turns():
            yield from turn.calls

    def message_count(self) -> int:
        return sum(turn.messages for turn in self.live_turns())


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """What the store knows of a session (B1)."""

    session_id: str
    agent: str
    agent_version: str
    project_id: str
    workspace: str
    working_directory: str
    hostname: str
    transcript: str = ""
    parent_session: str | None = None
    root_session: str = ""
    started_at: int = 0
    ended_at: int | None = None
    cleared: bool = False
    message_count: int = 0
    checkpoints: tuple[str, ...] = ()  # ids, oldest first; filled by the store

    @property
    def duration_seconds(self) -> int:
        end = self.ended_at or self.started_at
        return max(0, end - self.started_at) // 1000


@dataclass(frozen=True, slots=True)
class Mark:
    """How far one file was read, and how to recognise that it is still the same.

    `head` is a digest of the file's first bytes (at most 4096, never past `offset`),
    `tail` of the last bytes before `offset`.
    """

    offset: int = 0
    head: str = ""
    tail: str = ""


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far a transcript was read: its main file and each sub-agent's file."""

    main: Mark = Mark()
    agents: tuple[tuple[str, Mark], ...] = ()  # by file name


@dataclass(frozen=True, slots=True)
class KeptFold:
    transcript: str
    cursor: Cursor
    state: SessionState
