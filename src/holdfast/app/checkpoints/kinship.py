"""Which checkpoints belong together: those that a command names, and where they parted."""

from holdfast.app.checkpoints.find import find
from holdfast.app.ports import Ports
from holdfast.branches.ancestors import Ancestor, common_ancestor, is_ancestor
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.query import Scope
from holdfast.domain.session import SessionRecord
from holdfast.kernel.errors import CheckpointNotFound, HoldfastError
from holdfast.kernel.ids import Reference
from holdfast.kernel.lazy_values import dataclass
from holdfast.store.port import Store


class KnownKin:
    """The family as a store knows it, each record read once (`branches.ancestors.Kin`)."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._sessions: dict[str, SessionRecord | None] = {}
        self._checkpoints: dict[str, Checkpoint | None] = {}
        self._merges: dict[str, tuple[Checkpoint, ...]] = {}

    def session(self, session_id: str) -> SessionRecord | None:
        if session_id not in self._sessions:
            self._sessions[session_id] = self._store.session(session_id)
        return self._sessions[session_id]

    def checkpoint(self, checkpoint_id: str) -> Checkpoint | None:
        """Return one that is there and whole."""
        if checkpoint_id not in self._checkpoints:
            self._checkpoints[checkpoint_id] = self._got(checkpoint_id)
        return self._checkpoints[checkpoint_id]

    def _got(self, checkpoint_id: str) -> Checkpoint | None:
        try:
            return self._store.get(checkpoint_id)
        except HoldfastError:
            return None

    def merged_into(self, session_id: str) -> tuple[Checkpoint, ...]:
        if session_id not in self._merges:
            self._merges[session_id] = self._store.merged_into(session_id)
        return self._merges[session_id]

    def know(self, *checkpoints: Checkpoint) -> None:
        """Take what was read already."""
        self._checkpoints |= {one.checkpoint_id: one for one in checkpoints}


@dataclass(frozen=True, slots=True)
class Parting:
    """Checkpoints none of which goes on from another, and where they parted."""

    checkpoints: tuple[Checkpoint, ...]  # in the order given
    ancestor: Ancestor = Ancestor()

    @property
    def are_siblings(self) -> bool:
        """Say whether they came from one, whether that is still there or not."""
        return len(self.checkpoints) > 1 and bool(self.ancestor.session_id)


def parting_of(checkpoints: tuple[Checkpoint, ...], store: Store) -> Parting:
    """Return those of the checkpoints that no other goes on from, and their ancestor."""
    kin = KnownKin(store)
    kin.know(*checkpoints)
    different = tuple({one.checkpoint_id: one for one in checkpoints}.values())
    tips = tuple(
        one
        for one in different
        if not any(
            other is not one and is_ancestor(one, other, kin) for other in different
        )
    )
    if len(tips) < 2:  # noqa: PLR2004  # one that all others led to
        return Parting(tips or different[-1:])  # none: damaged data goes in a circle
    return Parting(tips, common_ancestor(tips, kin))


def home_of(checkpoint: Checkpoint, store: Store) -> Checkpoint:
    """Return where a branch would be brought home: the newest checkpoint of its own
    session, if that went on without it, else of the session it came from.

    Raises:
        CheckpointNotFound: it came from none that is known.
    """
    kin = KnownKin(store)
    kin.know(checkpoint)
    session: str | None = checkpoint.draft.session_id
    seen: set[str] = set()
    while session and session not in seen:
        seen.add(session)
        newest = next(iter(store.list(Scope(), session=session, limit=1)), None)
        if newest and not is_ancestor(newest, checkpoint, kin):
            return newest
        record = kin.session(session)
        session = record.parent_session if record else None
    raise CheckpointNotFound(
        f"`{checkpoint.number}` belongs to no session that is known here",
        hint="name the checkpoint to merge into first: `holdfast merge HOME FORK`",
    )


def named_checkpoints(
    references: tuple[Reference, ...], scope: Scope, ports: Ports
) -> tuple[Checkpoint, ...]:
    """Return the checkpoints that references name, in order.

    Raises:
        CheckpointNotFound, ReferenceAmbiguous, StoreDamaged
    """
    store = ports.open_store()
    return tuple(find(store, reference, scope) for reference in references)
