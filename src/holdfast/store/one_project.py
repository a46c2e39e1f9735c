"""A store as somebody sees it who may know one project only: every other is not there.

What is not written here cannot be asked for: a role that is new in `port` is refused until
somebody has thought about it. Nothing found elsewhere is told, not even that it is there:
what is asked for by name is looked for in the project, and missed as what never was.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NoReturn, cast

from holdfast.domain.checkpoint import Checkpoint, Draft, PutResult, Tombstone
from holdfast.domain.client import Delivery, HookCost, Switch
from holdfast.domain.code import Project, ProjectIdentity
from holdfast.domain.outline import Outline, Tally
from holdfast.domain.query import Hit, Query, Scope
from holdfast.domain.session import KeptFold, SessionRecord
from holdfast.kernel.errors import AccessRefused
from holdfast.kernel.ids import IdPrefix, Reference, SessionPrefix
from holdfast.kernel.lazy_values import replace
from holdfast.store.lookup_errors import CANDIDATES, ambiguous, not_found, unknown
from holdfast.store.outbox_port import Outbox
from holdfast.store.port import Store

_NOWHERE = ""  # a project that nothing is of


def one_project(store: Store, project_id: str) -> Store:
    """Return a store in which there is nothing but one project."""
    return cast("Store", _OneProject(store, project_id))


class _OneProject:
    def __init__(self, store: Store, project_id: str) -> None:
        self._store = store
        self._project = project_id
        self._all = Scope(project_id=project_id)

    def __getattr__(self, name: str) -> NoReturn:
        raise _refused()

    def put(self, draft: Draft) -> PutResult:
        self._refuse_elsewhere(draft)
        return self._kept(self._store.put(draft))

    def put_unless_off(self, draft: Draft, now_ms: int) -> PutResult | None:
        self._refuse_elsewhere(draft)
        kept = self._store.put_unless_off(draft, now_ms)
        return self._kept(kept) if kept else None

    def get(self, checkpoint_id: str) -> Checkpoint:
        found = self.several([checkpoint_id]).get(checkpoint_id)
        if found is None:  # also one that was removed: nobody knows where it was
            raise unknown(checkpoint_id)
        return found

    def rename(self, checkpoint_id: str, name: str | None) -> None:
        self._store.rename(self.get(checkpoint_id).checkpoint_id, name)

    def consume(self, checkpoint_id: str) -> None:
        self._store.consume(self.get(checkpoint_id).checkpoint_id)

    def remove(
        self, checkpoint_ids: Sequence[str], reason: str, removed_at: int | None = None
    ) -> tuple[Tombstone, ...]:
        return self._store.remove([*self.several(checkpoint_ids)], reason, removed_at)

    def find(self, reference: Reference, scope: Scope) -> Checkpoint:
        """A number or a name is of the project anyway; an id is looked for in it alone."""
        if isinstance(reference, IdPrefix):
            return self._one_of(reference, self._beginning(reference.prefix))
        if isinstance(reference, SessionPrefix):
            return self._one_of(reference, self._newest_of(reference.prefix))
        (found,) = self._shown([self._store.find(reference, self._within(scope))])
        return found

    def list(
        self, scope: Scope, *, session: str | None = None, lineage: str | None = None,
        limit: int = 20, live: bool = False,
    ) -> tuple[Checkpoint, ...]:  # fmt: skip
        within = self._within(scope)
        found = self._store.list(
            within, session=session, lineage=lineage, limit=limit, live=live
        )
        return self._shown(found)

    def count(
        self, scope: Scope, *, session: str | None = None, lineage: str | None = None
    ) -> int:
        return self._store.count(self._within(scope), session=session, lineage=lineage)

    def merged_into(self, session_id: str) -> tuple[Checkpoint, ...]:
        return self._shown(self._store.merged_into(session_id))

    def every(self, scope: Scope) -> Iterator[Checkpoint]:
        for each in self._store.every(self._within(scope)):
            yield from self._shown([each])

    def outlines(
        self, scope: Scope, *, session: str | None = None, lineage: str | None = None
    ) -> Iterator[Outline]:
        within = self._within(scope)
        return self._store.outlines(within, session=session, lineage=lineage)

    def damaged(self, checkpoint_ids: Sequence[str]) -> frozenset[str]:
        asked = set(checkpoint_ids)
        own = (each.checkpoint_id for each in self.outlines(Scope()))
        return self._store.damaged([each for each in own if each in asked])

    def several(self, checkpoint_ids: Sequence[str]) -> Mapping[str, Checkpoint]:
        found = self._store.several(checkpoint_ids)
        return {each.checkpoint_id: each for each in self._shown([*found.values()])}

    def tallies(self, scope: Scope) -> Iterator[Tally]:
        return self._store.tallies(self._within(scope))

    def search(self, query: Query, scope: Scope, limit: int) -> tuple[Hit, ...]:
        hits = self._store.search(query, self._within(scope), limit)
        seen = self._shown([each.checkpoint for each in hits])
        return tuple(
            replace(hit, checkpoint=one) for hit, one in zip(hits, seen, strict=True)
        )

    def session(self, session_id: str) -> SessionRecord | None:
        found = self._store.session(session_id)
        if found is None or found.project_id != self._project:
            return None
        outlines = self._store.outlines(self._all, session=session_id)
        own = {each.checkpoint_id for each in outlines}
        kept = tuple(each for each in found.checkpoints if each in own)
        return replace(found, checkpoints=kept)

    def sessions_like(self, prefix: str) -> tuple[str, ...]:
        found = self._store.sessions_like(prefix)
        return tuple(each for each in found if self._is_own_session(each))

    def note_session(self, record: SessionRecord) -> SessionRecord:
        known = self._store.session(record.session_id)
        places = {record.project_id, known.project_id if known else record.project_id}
        if places != {self._project}:
            raise _refused()
        return self._store.note_session(record)

    def lineage(self, session_id: str) -> tuple[SessionRecord, ...]:
        family = self._store.lineage(session_id)
        return tuple(each for each in family if each.project_id == self._project)

    def sessions(self, scope: Scope, limit: int) -> tuple[SessionRecord, ...]:
        return self._store.sessions(self._within(scope), limit)

    def parents(self) -> Mapping[str, str]:
        own = {each.session_id for each in self.outlines(Scope())}
        found = self._store.parents().items()
        return {each: parent for each, parent in found if {each, parent} <= own}

    def project(self, identity: ProjectIdentity, has_commit: Any = None) -> Project:
        known = self.known_project(identity, has_commit)
        if known is None:
            raise _refused()
        return self._store.project(identity, has_commit)

    def known_project(
        self, identity: ProjectIdentity, has_commit: Any = None
    ) -> Project | None:
        found = self._store.known_project(identity, has_commit)
        return found if found and found.project_id == self._project else None

    def projects(self) -> tuple[Project, ...]:
        found = self._store.projects()
        return tuple(each for each in found if each.project_id == self._project)

    def fold(self, session_id: str, *, late: bool = False) -> KeptFold | None:
        own = self._is_own_session(session_id)
        return self._store.fold(session_id, late=late) if own else None

    def offered(self, session_id: str) -> Delivery | None:
        own = self._is_own_session(session_id)
        return self._store.offered(session_id) if own else None

    def deliveries(self) -> tuple[Delivery, ...]:
        found = self._store.deliveries()
        own = self._own(each.session_id for each in found)
        return tuple(each for each in found if each.session_id in own)

    def hook_costs(self) -> Mapping[str, HookCost]:
        found = self._store.hook_costs()
        own = self._own(found)
        return {session: cost for session, cost in found.items() if session in own}

    def switches(self) -> tuple[Switch, ...]:
        """What is off, so that nothing is kept of it; nobody is told."""
        return self._store.switches()

    @property
    def moment(self) -> str:
        return self._store.moment

    @property
    def machine(self) -> str:
        return self._store.machine

    @property
    def redaction_key(self) -> bytes:
        return self._store.redaction_key

    @property
    def outbox(self) -> Outbox:
        """What a save tells of itself to the targets of whoever runs the server."""
        return cast("Outbox", _OnlyFollowed(self._store))

    def close(self) -> None:
        """Whoever opened the store closes it."""

    def _within(self, scope: Scope) -> Scope:
        """Return a scope inside the project; of another one there is nothing."""
        asked = scope.project_id
        inside = self._project if asked in (None, self._project) else _NOWHERE
        return replace(scope, project_id=inside)

    def _has(self, checkpoint: Checkpoint) -> bool:
        return checkpoint.draft.project_id == self._project

    def _shown(self, found: Sequence[Checkpoint]) -> tuple[Checkpoint, ...]:
        """Return those of the project. A session may have been in another one, too: what
        was kept there before or after is not named. Observations are counted through
        the whole store; their numbers would tell how much is kept elsewhere."""
        own = [each for each in found if self._has(each)]
        beside = {name for each in own for name in _beside(each) if name}
        known = {name for name, each in self._several(beside) if self._has(each)}
        return tuple(
            replace(
                each,
                draft=_numbered_by_itself(each.draft),
                master_summary_id=0,
                previous_checkpoint=_only(each.previous_checkpoint, known),
                next_checkpoint=_only(each.next_checkpoint, known),
            )
            for each in own
        )

    def _kept(self, kept: PutResult) -> PutResult:
        found = self._shown([kept.checkpoint])
        if not found:  # the key is of a checkpoint elsewhere
            raise _refused()
        return replace(kept, checkpoint=found[0])

    def _several(self, ids: set[str]) -> Iterable[tuple[str, Checkpoint]]:
        return self._store.several([*ids]).items() if ids else ()

    def _is_own_session(self, session_id: str) -> bool:
        found = self._store.session(session_id)
        return found is not None and found.project_id == self._project

    def _own(self, sessions: Iterable[str]) -> frozenset[str]:
        return frozenset(filter(self._is_own_session, set(sessions)))

    def _refuse_elsewhere(self, draft: Draft) -> None:
        known = self._store.session(draft.session_id)
        is_anothers = known is not None and known.project_id not in ("", self._project)
        if draft.project_id != self._project or is_anothers:
            raise _refused()

    def _beginning(self, prefix: str) -> Iterator[str]:
        for each in self.outlines(Scope()):
            if each.checkpoint_id.startswith(prefix):
                yield each.checkpoint_id

    def _newest_of(self, prefix: str) -> Iterator[str]:
        newest: dict[str, Outline] = {}
        for each in self.outlines(Scope()):
            if each.session_id.lower().startswith(prefix) and prefix:
                before = newest.setdefault(each.session_id, each)
                newest[each.session_id] = max(before, each, key=_sequence)
        exact = newest.get(prefix)
        return (each.checkpoint_id for each in ([exact] if exact else newest.values()))

    def _one_of(
        self, reference: IdPrefix | SessionPrefix, ids: Iterable[str]
    ) -> Checkpoint:
        found = [*ids]
        if not found:
            raise not_found(reference)
        if len(found) > 1:
            first = self.several([*islice(found, CANDIDATES)])
            raise ambiguous(reference, len(found), [*first.values()])
        return self.get(found[0])


class _OnlyFollowed:
    """An outbox that can be had for the next save, and neither read nor emptied."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> NoReturn:
        raise _refused()

    def follow(self, target: str) -> None:
        self._store.outbox.follow(target)


def _numbered_by_itself(draft: Draft) -> Draft:
    """Return a draft whose details are counted from one, as if there were no others."""
    if not draft.details:
        return draft
    numbered = enumerate(draft.details, 1)
    return replace(
        draft, details=tuple(replace(each, detail_id=n) for n, each in numbered)
    )


def _beside(checkpoint: Checkpoint) -> tuple[str | None, str | None]:
    """Return what was kept of the same session before and after."""
    return checkpoint.previous_checkpoint, checkpoint.next_checkpoint


def _only(name: str | None, known: set[str]) -> str | None:
    return name if name in known else None


def _sequence(outline: Outline) -> int:
    return outline.sequence


def _refused() -> AccessRefused:
    return AccessRefused(
        "your token is for one project, and this belongs to another",
        hint="ask whoever runs this server for a token for every project",
    )
