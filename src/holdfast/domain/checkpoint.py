"""A checkpoint: the immutable record of a session at a moment.

A `Draft` is everything but what the store allocates inside the save's transaction:
number, sequence, id, observation ids and the previous checkpoint.
"""

from collections.abc import Mapping
from typing import Literal

from holdfast.domain.code import CodeState
from holdfast.domain.event import Tokens
from holdfast.domain.fact import (
    Failure,
    Goal,
    ItemFact,
    Note,
    RequestContext,
    about_of,
    text_of,
)
from holdfast.domain.foreign import Foreign, ForeignSource
from holdfast.domain.session import Mark
from holdfast.kernel.ids import label
from holdfast.kernel.lazy_values import dataclass, field, replace

CheckpointType = Literal["manual", "auto", "before-clear"]
CHECKPOINT_TYPES: tuple[CheckpointType, ...] = ("manual", "auto", "before-clear")
Source = Literal["user", "agent", "tool", "engine"]
Change = Literal["edited", "created", "deleted", "read"]
# What made a checkpoint; retention asks it.
Trigger = Literal[
    "command", "threshold", "clear", "compact", "exit", "rescue", "restore", "backfill",
    "import", "headless", "merge",
]  # fmt: skip
# What these keep was over when it was kept: it tells of an earlier time.
PAST_TRIGGERS: frozenset[Trigger] = frozenset(["backfill", "import"])
# What a session without a person is known by, once its trigger says something else.
HEADLESS_TAG = "headless"


@dataclass(frozen=True, slots=True)
class Item:
    """One statement, with who said it and where that can be read."""

    text: str
    source: Source = "engine"
    evidence: tuple[str, ...] = ()
    excerpt: str = ""
    origin: str | None = None  # the checkpoint an inherited item came from
    age: int = 0  # sessions in a row that did not touch an inherited item
    doubt: str = ""  # what in the transcript contradicts it, if anything does
    about: str = ""  # of a request: what others said that it is understood by
    fact: ItemFact | None = None  # what it says, as a value
    mark: str = ""  # what a brief adds to the text: drift, doubt


def fact_item(
    fact: ItemFact,
    source: Source = "engine",
    evidence: tuple[str, ...] = (),
    excerpt: str = "",
) -> Item:
    """Return the item that tells a fact."""
    about = about_of(fact)
    return Item(text_of(fact), source, evidence, excerpt, about=about, fact=fact)


def marked(item: Item, mark: str) -> Item:
    """Return an item with something added behind what it says."""
    return replace(item, text=item.text + mark, mark=item.mark + mark)


def is_open(error: Item) -> bool:
    """Say whether an error still stands, as far as the session knows."""
    return not (isinstance(error.fact, Failure) and error.fact.state == "fixed")


_NO_CONTEXT = RequestContext()


def context_of(request: Item) -> RequestContext:
    """Return what others said that a request is understood by."""
    return request.fact if isinstance(request.fact, RequestContext) else _NO_CONTEXT


@dataclass(frozen=True, slots=True)
class FileRef:
    path: str
    change: Change
    lines_added: int = 0
    lines_removed: int = 0
    origin: str | None = None  # the checkpoint an inherited file came from
    age: int = 0  # sessions in a row that did not touch an inherited file


@dataclass(frozen=True, slots=True)
class CommandRef:
    command: str
    exit: int | None
    output: str = ""
    evidence: str = ""
    place: str = ""  # the directory it ran in, where that is not the session's own
    ran_in: str = ""  # the checkpoint with whose code it ran, where that is another
    ended: str = ""  # how it ended that did not go well, where no status was printed


@dataclass(frozen=True, slots=True)
class Plan:
    path: str
    step: int | None = None
    of: int | None = None


@dataclass(frozen=True, slots=True)
class ToolRef:
    tool: str
    count: int
    first_at: int
    last_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What a checkpoint says about the work."""

    title: str
    summary: str = ""
    summary_doubt: str = ""  # what in the transcript contradicts the agent's summary
    topics: tuple[str, ...] = ()
    work_type: str = "development"
    domain: str = "general"
    goal: tuple[Item, ...] = ()  # what the work is for: one, or none
    requests: tuple[Item, ...] = ()  # the user's prompts in order, verbatim
    last_words: str = ""  # the agent's last message
    said_before: str = ""  # the end of it that was said before the last request
    key_outcomes: tuple[Item, ...] = ()
    decisions: tuple[Item, ...] = ()
    discoveries: tuple[Item, ...] = ()
    pending: tuple[Item, ...] = ()
    next_steps: tuple[Item, ...] = ()
    manual_steps: tuple[Item, ...] = ()  # what the user must do by hand
    open_questions: tuple[Item, ...] = ()
    instructions: tuple[Item, ...] = ()
    errors: tuple[Item, ...] = ()
    dead_ends: tuple[Item, ...] = ()
    in_flight: tuple[Item, ...] = ()
    error_lines: tuple[Item, ...] = ()  # of failed commands, met often and lately first
    story: tuple[Item, ...] = ()  # what the agent told on the way, the newest first
    notes: tuple[Item, ...] = ()  # what the agent wrote for this one or an earlier one
    mental_model: str = ""
    files: tuple[FileRef, ...] = ()
    commands: tuple[CommandRef, ...] = ()
    plan: Plan | None = None
    names: tuple[str, ...] = ()  # identifiers in play, the most spoken of first
    files_seen: tuple[str, ...] = ()  # by searches, never opened, the likeliest first
    uncommitted: tuple[str, ...] = ()  # of its files, as git says; else by its commits
    technologies: tuple[str, ...] = ()  # languages and tools, the most used first
    blockers: tuple[Item, ...] = ()  # what only somebody else can take away


_NO_GOAL, _NO_NOTE = Goal(), Note()


def goal_fact(goal: Item) -> Goal:
    """Return how a goal was given, and where."""
    return goal.fact if isinstance(goal.fact, Goal) else _NO_GOAL


def note_fact(note: Item) -> Note:
    """Return what part of the notes a note is, and where it was written."""
    return note.fact if isinstance(note.fact, Note) else _NO_NOTE


_BEFORE = "(said before this was asked) "


def last_words(since: str, before: str) -> str:
    """Return what the agent said last; what it said before the last request is marked."""
    return f"{since}{_BEFORE}{before}" if before else since


def said_since(content: Content) -> str:
    """Return what the agent said last and not before the last request."""
    before = last_words("", content.said_before)
    return content.last_words[: len(content.last_words) - len(before)]


def said_at_the_end(content: Content) -> str:
    """Return what the agent said since the last request, or before it if nothing since."""
    return said_since(content).strip() or content.said_before


def steps_besides_tasks(content: Content) -> tuple[Item, ...]:
    """Return the next steps that no task tells: `next_steps` begin with the tasks."""
    tasks = {item.text for item in content.pending}
    return tuple(item for item in content.next_steps if item.text not in tasks)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFacts:
    """Numbers of the session at the moment of saving."""

    message_count: int = 0
    duration_seconds: int = 0
    started_at: int = 0
    files_modified: int = 0
    commands_executed: int = 0
    tools: tuple[ToolRef, ...] = ()
    context_tokens: int = 0
    context_percent: float | None = None
    unread_lines: int = 0  # lines of the transcript that could not be understood
    # What older records did not keep is None.
    prompts: int | None = None  # the user's, those that were taken back included
    failed_calls: int | None = (
        None  # as far as calls are remembered; refused ones are not
    )
    last_turn: int | None = None  # where in the session it was made
    abandoned: tuple[tuple[int, int], ...] = ()  # turns left by rewinds: [first, end)
    spent: Tokens | None = None  # of the whole session, sub-agents included
    spent_exactly: bool = True  # False: some of the session's messages told no cost


@dataclass(frozen=True, slots=True)
class Detail:
    """A detailed observation about one topic. The store gives it its id."""

    topic: str
    text: str
    files: tuple[str, ...] = ()
    ran: tuple[tuple[str, str], ...] = ()  # commands, each with what it came to
    detail_id: int = 0
    evidence: tuple[str, ...] = ()  # transcript lines it was made from
    snippets: tuple[tuple[str, str], ...] = ()  # of code that was written, by file

    @property
    def commands(self) -> tuple[str, ...]:
        """The commands with their results, a line each."""
        return tuple(f"{ran} → {came}" if came else ran for ran, came in self.ran)


Receipt = Mapping[str, tuple[int, int]]  # kind -> (carried, present)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A checkpoint that has not been kept yet."""

    key: str  # chosen with the request: a retry has the same
    session_id: str
    agent: str
    agent_version: str
    type: CheckpointType
    trigger: Trigger = "command"
    created_at: int
    working_directory: str
    hostname: str
    project_id: str
    project_root: str
    project_remote: str | None = None
    workspace: str
    name: str | None = None
    replace_name: bool = False
    content: Content
    facts: SessionFacts = field(default_factory=SessionFacts)
    code: CodeState = field(default_factory=CodeState)
    details: tuple[Detail, ...] = ()
    parent_session: str | None = None
    root_session: str = ""
    forked_at: str | None = (
        None  # of a copy, what it has seen of its parent; "": nothing
    )
    merged_from: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    receipt: Receipt = field(default_factory=dict)
    state_key: str = ""  # digest of the session state: equal means nothing new
    given_title: bool = False  # a person or an agent chose the title
    given_notes: bool = False
    transcript: str = ""
    read_to: Mark = field(
        default_factory=Mark
    )  # how far the transcript was read: later work is new
    extra_notes: Mapping[str, object] = field(default_factory=dict)
    author: str = ""  # who said it, by the name of a token; empty: worked here


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A kept checkpoint: the draft and what the store gave it."""

    draft: Draft
    checkpoint_id: str
    number: int
    sequence: int
    master_summary_id: int
    previous_checkpoint: str | None
    content_hash: str
    # Outside the hash: they change while the record does not.
    name: str | None = None
    latest_checkpoint: bool = True
    next_checkpoint: str | None = None
    foreign: Foreign | None = None  # set on a record that another store made

    @property
    def reference(self) -> str:
        """What names it in its project: `42`, or `42@laptop`."""
        return f"{self.number}@{self.machine}" if self.machine else str(self.number)

    @property
    def label(self) -> str:
        """What it is called in a sentence, with the machine whose number it has."""
        return label(self.number) + (f"@{self.machine}" if self.machine else "")

    @property
    def machine(self) -> str | None:
        """Whose number it has, where that is not this store's."""
        return self.foreign.machine if self.foreign else None

    @property
    def author(self) -> str:
        """Whose work it is, where that is not this user's: nothing in it is their word."""
        return self.machine or self.draft.author

    @property
    def origin(self) -> ForeignSource | None:
        """Where another program has it, if one made it."""
        return self.foreign.origin if self.foreign else None


@dataclass(frozen=True, slots=True)
class PutResult:
    """The answer to a save."""

    outcome: Literal["saved", "repeated", "unchanged"]
    checkpoint: Checkpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """What stays of a removed record: its place in the chain, and no content."""

    checkpoint_id: str
    number: int
    sequence: int
    old_hash: str
    reason: str
    removed_at: int | None = None  # Unix ms; older stores did not keep it


def adds_nothing(draft: Draft, last: Checkpoint | None) -> bool:
    """Say whether `draft` tells nothing that the session's last checkpoint does not.

    Anything given that differs (title, name, notes, tags) makes a record of its own,
    and so does code that changed, by whatever hand.
    """
    if last is None or not draft.state_key:
        return False
    before = last.draft
    if before.state_key != draft.state_key or draft.given_notes:
        return False
    return not (
        (draft.code.tree is not None and draft.code.tree != before.code.tree)
        or (draft.given_title and draft.content.title != before.content.title)
        or (draft.name is not None and draft.name != last.name)
        or not set(draft.tags) <= set(before.tags)
        or draft.merged_from
    )
