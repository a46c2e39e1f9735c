"""What the verbs work with: ports, the clock, facts about this machine, and who calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from holdfast.kernel.lazy_values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.agents.port import ClientMemory, Transcripts
    from holdfast.data_directory.port import Spool
    from holdfast.domain.checkpoint import Checkpoint, Draft, PutResult
    from holdfast.domain.code import SnapshotBounds
    from holdfast.domain.query import Scope
    from holdfast.kernel.clock import Clock
    from holdfast.snapshot.port import Code, Ground, Snapshots
    from holdfast.store.port import Store


class Redacts(Protocol):
    """The chokepoint every text passes before it is written."""

    def text(self, text: str) -> str: ...

    def tree(self, value: Any) -> Any: ...


def _nobody_to_tell() -> None:
    return None


def _is_own(checkpoint: Checkpoint) -> bool:
    return not checkpoint.author


def _no_client(_workspace: str) -> ClientMemory | None:
    return None


def _only_put(
    draft: Draft, _ports: Ports, store: Store
) -> tuple[PutResult, tuple[str, ...]]:
    return store.put(draft), ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """One set per command; `open_store` is called only by verbs that need the store."""

    open_store: Callable[[], Store]
    transcripts: Transcripts
    code: Code
    snapshots: Snapshots
    limits: SnapshotBounds  # of one snapshot
    ground: Ground
    spool: Spool
    redactor: Redacts
    clock: Clock
    hostname: str
    memory_of: Callable[[str], ClientMemory | None] = _no_client  # by its worktree
    # What the agent that reads calls a tool of another: which one, and the tool.
    tool_word: Callable[[str, str], str] | None = None
    agent: str = ""  # who reads, where that is known
    targets: tuple[str, ...] = ()  # who else gets what is kept
    start_sync: Callable[[], None] = (
        _nobody_to_tell  # in a process that nobody waits for
    )
    # Whether a brief may be told as one: the user's own, or one that they agreed to.
    is_approved: Callable[[Checkpoint], bool] = _is_own
    # Keeps a draft that has a name; what a nameless save need not import comes with it.
    put_named: Callable[[Draft, Ports, Store], tuple[PutResult, tuple[str, ...]]] = (
        _only_put
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who wants something done to the code, and where."""

    directory: str
    scope: Scope
    key: str
    session_id: str | None = None  # the session this process belongs to, if any
    budget: int = 1000
