"""What hooks keep beside checkpoints: clients, deliveries, switches, costs."""

from typing import Literal

from holdfast.domain.checkpoint import CheckpointType, Trigger
from holdfast.kernel.lazy_values import dataclass

Given = Literal["brief", "short", "card", "lost", "drift", "nothing"]

# What the card waits for: a word that goes on, an answer, or a name.
Wants = Literal["continuing", "answering", "naming"]
SwitchKind = Literal["all", "project", "session"]
# Entry points at which a person sits; a client that names none is an old one.
INTERACTIVE = frozenset(
    ["", "cli", "claude-vscode", "vscode", "jetbrains", "claude-desktop", "local-agent"]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """One process of an agent and the session it is in now, or one window of a process
    that runs several sessions at once.

    A process id is used again sooner or later; with its start time it is one process.
    """

    pid: int
    started: str
    session_id: str
    transcript: str = ""
    workspace: str = ""
    directory: str = ""
    source: str = ""  # how it came into that session: startup, clear, resume …
    headless: bool = False
    seen_at: int = 0

    @property
    def process(self) -> str:
        """Return when its process began, whichever window it is."""
        return process_of(self.started)


def window_of(process: str, session_id: str) -> str:
    """Return what tells a session's window from the others of its process."""
    return f"{process}/{session_id}"


def process_of(started: str) -> str:
    """Return when the process of a window began."""
    return started.partition("/")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """What a session was offered at its start, and what reached its model."""

    session_id: str
    what: Given
    rule: str
    workspace: str = ""
    source: str = ""
    checkpoint_id: str = ""
    boundary: str = ""  # the compaction it is about; empty: the start itself
    tokens: int = 0
    offered_at: int = 0
    delivered: Given | None = None  # set at the prompt, once
    sign: str = (
        ""  # by what a prompt decided: a word, an answer, `new`, that it was late
    )


@dataclass(frozen=True, slots=True)
class Switch:
    """Something that the user turned off: everything, a project or a session."""

    kind: SwitchKind
    value: str = ""
    until: int | None = None  # Unix ms; None: until it is turned on again


@dataclass(frozen=True, slots=True)
class HookCost:
    """What hooks cost a session."""

    events: int = 0
    milliseconds: int = 0  # of CPU
    tokens: int = 0  # given to the model
    octets: int = 0  # read from the transcript

    def __add__(self, other: "HookCost") -> "HookCost":
        return HookCost(
            self.events + other.events,
            self.milliseconds + other.milliseconds,
            self.tokens + other.tokens,
            self.octets + other.octets,
        )


@dataclass(frozen=True, slots=True)
class Pressure:
    """What is remembered of how full a session's context is."""

    crossed: bool = False  # the threshold; falling below arms it again
    nudged_at: int = 0  # message count at the last reminder
    window: int = 0  # as the client's status line said it; 0: it did not


@dataclass(frozen=True, slots=True, kw_only=True)
class EndRequest:
    """A save that was asked for and must not be forgotten. `key` makes it one save."""

    key: str
    session_id: str
    transcript: str
    directory: str
    type: CheckpointType
    trigger: Trigger
    saves: bool = True  # False: only the end itself is to be noted
    pid: int = 0
    started: str = ""
    ends_client: bool = False
    budget: int = 1000
    agent: str = ""  # whose transcript it is, where that was said


def is_switched_off(
    switches: tuple[Switch, ...], project: str, session: str, now_ms: int
) -> bool:
    """Say whether the user turned this off: everything, the project or the session."""
    off = {("all", ""), ("project", project), ("session", session)}
    return any(
        (switch.kind, switch.value) in off
        and (switch.until is None or now_ms < switch.until)
        for switch in switches
    )
