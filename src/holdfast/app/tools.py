"""What the verbs work with: ports, the clock and a few facts about this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from holdfast.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.clock import Clock
    from holdfast.domain.checkpoint import Draft, Kept
    from holdfast.domain.snapshot import Limits
    from holdfast.ports.client_memory import ClientMemory
    from holdfast.ports.code import Code
    from holdfast.ports.ground import Ground
    from holdfast.ports.snapshots import Snapshots
    from holdfast.ports.spool import Spool
    from holdfast.ports.store import Store
    from holdfast.ports.transcripts import Transcripts


class Redacts(Protocol):
    """The chokepoint every text passes before it is written."""

    def text(self, text: str) -> str: ...

    def tree(self, value: Any) -> Any: ...


def _no_client(_workspace: str) -> ClientMemory | None:
    return None


def _only_put(
    draft: Draft, _tools: Tools, store: Store
) -> tuple[Kept, tuple[str, ...]]:
    return store.put(draft), ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """One set per command; `open_store` is called only by verbs that need the store."""

    open_store: Callable[[], Store]
    transcripts: Transcripts
    code: Code
    snapshots: Snapshots
    limits: Limits  # of one snapshot
    ground: Ground
    spool: Spool
    redactor: Redacts
    clock: Clock
    hostname: str
    memory_of: Callable[[str], ClientMemory | None] = _no_client  # by its worktree
    # Keeps a draft that has a name; what a nameless save need not import comes with it.
    put_named: Callable[[Draft, Tools, Store], tuple[Kept, tuple[str, ...]]] = _only_put
