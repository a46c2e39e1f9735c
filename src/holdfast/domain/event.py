"""What happened in a session, as read from someone else's transcript.

One line of a transcript becomes zero or more events. Text in an event has passed the
redaction chokepoint and is clipped; `chars` says how long it was. Unknown is a value.

An agent's adapter gives each call a `Role`: nothing else knows a tool's name but to show
and count it.

Named tuples, because one or two are made for every line, and a frozen dataclass costs
more to make.
"""

from typing import Literal

from holdfast.kernel.lazy_tuples import NamedTuple

# What a tool is for, whatever its agent calls it.
Role = Literal[
    "read",  # a file
    "list",  # a directory
    "search",  # files, or text in them
    "web",
    "consult",  # anything else that only looks
    "edit",  # a part of a file
    "write",  # a whole file
    "run",  # a command
    "run_output",  # what a command in the background printed since
    "task_output",  # what came of other work in the background
    "stop",  # ends work in the background
    "todo_list",  # the task list, replaced whole
    "todo",  # one task of it, added or changed
    "ask",  # the user, with choices
    "plan",  # a plan is put to the user
    "plan_mode",  # planning begins
    "agent",  # a sub-agent
    "skill",
    "server",  # a tool that somebody's server brings
    "other",
]

# Of these the next session looks for itself.
LOOKING: frozenset[Role] = frozenset(["read", "list", "search", "web", "consult"])
EDITING: frozenset[Role] = frozenset(["edit", "write"])
SHELL: frozenset[Role] = frozenset(["run", "run_output"])

# What refuses these is in the client's own words from the first letter on: what others
# wrote comes back from them, if at all, behind words of the client.
CLIENTS_OWN: frozenset[Role] = EDITING | {
    "read",
    "list",
    "search",
    "plan_mode",
    "plan",
    "todo_list",
    "todo",
}

# A command is for the agent, unless it only steers the client, or clears its context.
Via = Literal["typed", "command", "steering", "clearing", "shell"]
Outcome = Literal["pending", "ok", "failed", "interrupted"]

# Whose file a call is about: the project's, or one that the client keeps for itself.
Own = Literal["", "note", "plan"]

# Why a call came to nothing, where that says nothing about the work: the user would not
# have it, the agent used the tool in a wrong way, or the client would not run it to its
# end.
Cause = Literal["", "refused", "slip", "stopped"]
# What the client says of work in the background that a call asked about.
WorkSeen = Literal["", "running", "ended"]
TodoStatus = Literal["pending", "in_progress", "completed", "deleted"]


class Origin(NamedTuple):
    """Where an event came from; the events of one line share it."""

    uuid: str
    parent: str | None
    at: int  # Unix ms, 0 if the line does not say
    agent: str = ""  # id of the sub-agent, empty in the main conversation


class Todo(NamedTuple):
    """One entry of the agent's task list. `todo_id` is empty where lists are replaced."""

    todo_id: str
    text: str
    status: TodoStatus


class UserSaid(NamedTuple):
    """The user's own words: typed, a slash command, or a `!` shell line."""

    origin: Origin
    text: str
    chars: int
    via: Via = "typed"
    midway: bool = False  # typed while the agent worked, and heard in mid-turn


class ContextAdded(NamedTuple):
    """Text that stands where a user's would, but that no user typed.

    Skill bodies, hook feedback, reminders, command output, IDE blocks, long pastes.
    """

    origin: Origin
    kind: str
    text: str = ""


class AgentSaid(NamedTuple):
    origin: Origin
    message_id: str
    text: str
    chars: int


class Tokens(NamedTuple):
    """What the model's service counted, as the transcript tells it."""

    fresh: int = 0  # read without a cache
    written: int = 0  # into the cache
    cached: int = 0  # read from the cache
    out: int = 0
    cost: int = 0  # millionths of a dollar; 0: the transcript does not say


class AgentSpent(NamedTuple):
    """What one line of an agent's message says about model and context.

    Each line of a message repeats what the whole message cost so far.
    """

    origin: Origin
    message_id: str
    model: str
    context_tokens: int  # 0 where the line does not say
    spent: Tokens | None = None  # the same in parts; None where the line does not say


class ToolCalled(NamedTuple):
    """A tool call: `target` is the path, command, pattern, question or subject.

    `tool` is what the agent calls it: a label, which means nothing; `role` does.
    """

    origin: Origin
    message_id: str
    call_id: str
    tool: str
    role: Role
    target: str
    detail: str = ""
    before: str = ""  # digest of what an edit replaces, to notice its revert
    after: str = ""  # digest of what it puts there
    todos: tuple[Todo, ...] = ()
    added: int = 0  # lines, as far as an edit itself tells
    removed: int = 0
    background: bool = False
    own: Own = ""
    place: str = ""  # where a command runs, if not where the session began


class ToolReturned(NamedTuple):
    """What came back. `output` is a window: the head and the tail of a long one.

    `choices` are pairs of a question and its answer, if the call asked some; `report`
    is what a sub-agent says, where the client adds words of its own to it.
    """

    origin: Origin
    call_id: str
    outcome: Outcome
    exit_status: int | None = None
    output: str = ""
    chars: int = 0
    added: int = 0
    removed: int = 0
    created: bool = False
    reference: str = ""  # id of a task, sub-agent or background command it started
    is_counted: bool = False  # the answer says how many lines were changed
    cause: Cause = ""
    refusal: str = ""  # what the user typed to refuse the call
    choices: tuple[tuple[str, str], ...] = ()
    report: str | None = None
    work: WorkSeen = ""


class WorkEnded(NamedTuple):
    """Background work is over: told behind the line that says so.

    `interrupted` is said of what was stopped: how that went is not known.
    """

    origin: Origin
    reference: str
    outcome: Outcome
    exit_status: int | None = None
    report: str = ""  # of a sub-agent


class Wrote(NamedTuple):
    """The names in what a call wrote into a file: told of the last calls only."""

    call_id: str
    names: str  # with spaces between them


class Listed(NamedTuple):
    """The files that a search found: told of the last searches only."""

    call_id: str
    paths: str  # with line breaks between them


class Compacted(NamedTuple):
    """A compaction boundary: the conversation above was replaced by a summary."""

    origin: Origin
    trigger: str
    tokens_before: int


class Summarised(NamedTuple):
    """The agent's own summary after a compaction. Not the user's words."""

    origin: Origin
    text: str
    chars: int


class Titled(NamedTuple):
    text: str


class Planned(NamedTuple):
    """A plan file is in use."""

    origin: Origin
    path: str


class Recapped(NamedTuple):
    """The client told what a session came to that was left alone."""

    origin: Origin
    text: str


class Interrupted(NamedTuple):
    """The user stopped the agent in mid-turn."""

    origin: Origin


class RequestFailed(NamedTuple):
    """The model's service answered with an error."""

    origin: Origin
    text: str


class Located(NamedTuple):
    """Where the session runs; repeated only when it changes."""

    session_id: str
    cwd: str
    branch: str
    version: str
    entrypoint: str


class Passed(NamedTuple):
    """A known line that says nothing about the work. It still links the chain."""

    kind: str
    origin: Origin | None = None


class Unrecognised(NamedTuple):
    """A line this version cannot read. Kept and counted, never dropped."""

    kind: str


class Clipped(NamedTuple):
    """A line was longer than the cap; what is past it was not read."""

    dropped_bytes: int


Event = (
    UserSaid
    | ContextAdded
    | AgentSaid
    | AgentSpent
    | ToolCalled
    | ToolReturned
    | WorkEnded
    | Wrote
    | Listed
    | Compacted
    | Summarised
    | Titled
    | Planned
    | Recapped
    | Interrupted
    | RequestFailed
    | Located
    | Passed
    | Unrecognised
    | Clipped
)
