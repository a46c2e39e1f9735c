"""The store in memory: the same promises as SQLite's, kept by plain dictionaries.

It shares what is pure with the other engines and none of their code, so that a contract
test which both pass says something.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from holdfast.domain.checkpoint import (
    Checkpoint,
    Draft,
    PutResult,
    Tombstone,
    adds_nothing,
)
from holdfast.domain.client import is_switched_off
from holdfast.domain.code import Project, ProjectIdentity
from holdfast.domain.foreign import RecordProof
from holdfast.domain.forgetting import Rewrite
from holdfast.domain.outline import Outline, Tally, outline_of, tally_of
from holdfast.domain.query import Filter, FilterKind, HealthResult, Hit, Query, Scope
from holdfast.domain.record import body
from holdfast.domain.session import KeptFold, SessionRecord, SessionState
from holdfast.domain.text import storable
from holdfast.domain.time_order import newest_of
from holdfast.kernel.digests import canonical
from holdfast.kernel.ids import (
    IdPrefix,
    Latest,
    NamePrefix,
    Number,
    Reference,
    SessionPrefix,
)
from holdfast.kernel.lazy_values import replace
from holdfast.search.ranking import ranked
from holdfast.session.state_codec import encode_head, encode_turn
from holdfast.store.index_terms import (
    AskedTerms,
    folded_name,
    passage_at,
    passage_with,
    wanted,
)
from holdfast.store.lookup_errors import (
    CANDIDATES,
    COUNTED,
    ambiguous,
    foreign_proof,
    not_found,
    removed,
    same_record,
    taken_place,
)
from holdfast.store.prepare_draft import cleaned, session_of
from holdfast.store.retention import RetentionRow
from tests.memory_store.forgetting import ForgettingInMemory
from tests.memory_store.matching import Tokens, answers, is_known, passages_of, postings
from tests.memory_store.outbox import OutboxInMemory

_EVERYTHING = 1_000_000


class MemoryStore(ForgettingInMemory):
    """Each method does what `port.Store` says of it."""

    def __init__(self, machine: str = "memory") -> None:
        super().__init__()
        self._machine = machine
        self._key = os.urandom(32)
        self._outbox = OutboxInMemory(self._records, self._guard)

    def put(self, draft: Draft) -> PutResult:
        draft = cleaned(draft)  # always: here it costs nothing that matters
        with self._guard:
            for record in self._records:
                if draft.key and record.checkpoint.draft.key == draft.key:
                    return PutResult("repeated", self._records.seen(record))
            last = self._records.last_of(draft.session_id)
            if last is not None and adds_nothing(draft, last):
                return PutResult("unchanged", last)
            checkpoint = self._records.add(draft, last)
            self._sessions.note(session_of(draft))
            self._projects.meet(draft)
            return PutResult("saved", checkpoint)

    def put_unless_off(self, draft: Draft, now_ms: int) -> PutResult | None:
        with self._guard:
            where = (draft.project_id, draft.session_id)
            is_off = is_switched_off(self.switches(), *where, now_ms)
            return None if is_off else self.put(draft)

    def proof(self, checkpoint_id: str) -> RecordProof:
        with self._guard:
            kept = self.get(checkpoint_id)
            if kept.foreign is not None:
                raise foreign_proof(kept)
            previous, text, digest = self._records.proof(kept)
            return RecordProof(self._machine, previous, text, digest, kept.name)

    def adopt(self, checkpoint: Checkpoint) -> PutResult:
        with self._guard:
            wanted = checkpoint.checkpoint_id
            if wanted in self._records:
                here = same_record(self.get(wanted), checkpoint)
                return PutResult("repeated", self._records.rename(here, checkpoint))
            if self._records.has_place(checkpoint):
                raise taken_place(checkpoint)
            if wanted in self._records.removed:
                raise removed(self._records.removed[wanted].tombstone)
            draft = cleaned(checkpoint.draft)
            kept = self._records.adopt(replace(checkpoint, draft=draft))
            self._sessions.note(session_of(draft))
            self._projects.meet(draft)
            return PutResult("saved", kept)

    def own_tombstones(self) -> Mapping[str, Tombstone]:
        with self._guard:
            gone = [each.tombstone for each in self._records.removed.values()]
            return {each.checkpoint_id: each for each in gone if each.number > 0}

    def get(self, checkpoint_id: str) -> Checkpoint:
        with self._guard:
            gone = self._records.removed.get(storable(checkpoint_id))
            if gone is not None:
                raise removed(gone.tombstone)
            return self._records.seen(self._records.record(checkpoint_id))

    def find(self, reference: Reference, scope: Scope) -> Checkpoint:
        with self._guard:
            here = self._records.newest(scope.in_project())
            if isinstance(reference, Latest):
                here = [own for own in here if own.foreign is None]
                if reference.back >= len(here):
                    raise not_found(reference)
                return here[reference.back]
            found = self._answering(reference, here)
            if not found:
                raise not_found(
                    reference, self._tombstone_of(reference, scope.project_id)
                )
        if len(found) > 1:
            count = min(len(found), COUNTED)
            raise ambiguous(reference, count, found[:CANDIDATES])
        return found[0]

    def list(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        lineage: str | None = None,
        limit: int = 20,
        live: bool = False,
    ) -> tuple[Checkpoint, ...]:
        with self._guard:
            of = self._sessions_of(session, lineage)
            kept = self._records.newest(scope)[::-1]
        if live:
            kept = [c for c in kept if not _is_past(c)]
        newest = newest_of(kept, _made, _is_past)
        found = [c for c in newest if of is None or c.draft.session_id in of]
        return tuple(found[: max(0, limit)])

    def outlines(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        lineage: str | None = None,
    ) -> Iterator[Outline]:
        everything = self.list(
            scope, session=session, lineage=lineage, limit=_EVERYTHING
        )
        return map(outline_of, reversed(everything))

    def damaged(self, checkpoint_ids: Sequence[str]) -> frozenset[str]:
        del checkpoint_ids  # nothing here can change by itself
        return frozenset()

    def several(self, checkpoint_ids: Sequence[str]) -> Mapping[str, Checkpoint]:
        wanted = set(map(storable, checkpoint_ids))
        everything = self.list(Scope(), limit=_EVERYTHING)
        return {c.checkpoint_id: c for c in everything if c.checkpoint_id in wanted}

    def tallies(self, scope: Scope) -> Iterator[Tally]:
        for checkpoint in reversed(self.list(scope, limit=_EVERYTHING)):
            if checkpoint.foreign is None:
                size = len(canonical(body(checkpoint)).encode())
                yield tally_of(checkpoint, size)

    def parents(self) -> Mapping[str, str]:
        with self._guard:
            return self._sessions.parents()

    def count(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        lineage: str | None = None,
    ) -> int:
        found = self.list(scope, session=session, lineage=lineage, limit=_EVERYTHING)
        return len(found)

    def merged_into(self, session_id: str) -> tuple[Checkpoint, ...]:
        newest = self.list(Scope(), session=session_id, limit=1_000_000)
        return tuple(
            one
            for one in reversed(newest)
            if one.draft.trigger == "merge" and one.draft.session_id == session_id
        )

    def search(self, query: Query, scope: Scope, limit: int) -> tuple[Hit, ...]:
        with self._guard:
            everything = [record.tokens for record in self._records]
            asked = wanted(query).widened(partial(is_known, everything))
            if not asked.is_possible or limit <= 0:
                return ()
            found = {
                tokens.position: checkpoint
                for checkpoint in self._passing(query, scope)
                if answers(tokens := self._tokens(checkpoint), asked)
            }
            passing = [self._tokens(checkpoint) for checkpoint in found.values()]
        if not asked.telling or query.sort != "relevance" or query.latest:
            return _listed(query, asked, list(found.values()), limit)
        total = sum(len(rows) for rows in map(passages_of, everything))
        best = ranked(postings(everything, passing, asked), total, limit)
        return tuple(
            Hit(found[at], score, passage_at(found[at].draft, row))
            for at, row, score in best
        )

    def reindex(
        self, progress: Callable[[int, int], None] | None = None, *, anew: bool = False
    ) -> int:
        """There is no index, so nothing is ever missing in it."""
        many = len(tuple(self._records)) if anew else 0
        for done in range(1, many + 1):
            if progress is not None:
                progress(done, many)
        return many

    def remove(
        self,
        checkpoint_ids: Sequence[str],
        reason: str,
        removed_at: int | None = None,
    ) -> tuple[Tombstone, ...]:
        with self._guard:
            ids = dict.fromkeys(storable(wanted_id) for wanted_id in checkpoint_ids)
            for checkpoint_id in ids:
                if checkpoint_id in self._records:
                    gone = self._records.bury(
                        checkpoint_id, storable(reason), removed_at
                    )
                    if self._records.last_of(gone.draft.session_id) is None:
                        self._folds.pop(gone.draft.session_id, None)
            buried = self._records.removed
            return tuple(buried[i].tombstone for i in ids if i in buried)

    def rewrite(
        self, checkpoint_id: str, draft: Draft, reason: str, key: str | None = None
    ) -> Rewrite | None:
        with self._guard:
            before = self.get(checkpoint_id)
            done = self._records.rewrite(
                before.checkpoint_id, cleaned(draft), storable(reason), key
            )
            if done is not None:
                self._folds.pop(before.draft.session_id, None)
            return done

    def drop_unclean_folds(self, is_clean: Callable[[Any], bool]) -> int:
        with self._guard:
            unclean = [
                session_id
                for session_id, fold in self._folds.items()
                if not all(is_clean(part) for part in _parts_of(fold.state))
            ]
            for session_id in unclean:
                del self._folds[session_id]
            return len(unclean)

    def consume(self, checkpoint_id: str) -> None:
        with self._guard:
            record = self._records.record(checkpoint_id)
            record.is_consumed = record.name is not None

    def rename(self, checkpoint_id: str, name: str | None) -> None:
        with self._guard:
            record = self._records.record(checkpoint_id)
            name = None if name is None else storable(name)
            if name == record.name:
                return
            if name is not None:
                project = record.checkpoint.draft.project_id
                self._records.free(project, name, replace_it=False)
            record.name, record.is_consumed = name, False

    def retention_rows(self) -> Iterator[RetentionRow]:
        for record in self._records:
            draft = record.checkpoint.draft
            yield RetentionRow(
                checkpoint_id=record.checkpoint.checkpoint_id,
                session_id=draft.session_id,
                sequence=record.checkpoint.sequence,
                type=draft.type,
                trigger=draft.trigger,
                created_at=draft.created_at,
                named=record.name is not None,
                tree=draft.code.tree,
            )

    def session(self, session_id: str) -> SessionRecord | None:
        with self._guard:
            record = self._sessions.known(session_id)
            return self._with_checkpoints(record) if record else None

    def note_session(self, record: SessionRecord) -> SessionRecord:
        with self._guard:
            return self._with_checkpoints(self._sessions.note(record))

    def lineage(self, session_id: str) -> tuple[SessionRecord, ...]:
        with self._guard:
            kin = self._sessions.family((storable(session_id),))
            return tuple(self._with_checkpoints(record) for record in kin)

    def sessions_like(self, prefix: str) -> tuple[str, ...]:
        with self._guard:
            return tuple(sorted(self._sessions.like(prefix)))

    def sessions(self, scope: Scope, limit: int) -> tuple[SessionRecord, ...]:
        with self._guard:
            newest = self._sessions.newest(scope)[: max(0, limit)]
            return tuple(self._with_checkpoints(record) for record in newest)

    def fold(self, session_id: str, *, late: bool = False) -> KeptFold | None:
        del late  # nothing is read: it is there
        with self._guard:
            return self._folds.get(storable(session_id))

    def keep_fold(self, session_id: str, fold: KeptFold) -> None:
        with self._guard:
            self._folds[storable(session_id)] = fold

    def project(
        self, identity: ProjectIdentity, has_commit: Callable[[str], bool] | None = None
    ) -> Project:
        with self._guard:
            return self._projects.place(identity, has_commit)

    def known_project(
        self, identity: ProjectIdentity, has_commit: Callable[[str], bool] | None = None
    ) -> Project | None:
        with self._guard:
            return self._projects.known(identity, has_commit)

    def projects(self) -> tuple[Project, ...]:
        with self._guard:
            return self._projects.every()

    @property
    def outbox(self) -> OutboxInMemory:
        return self._outbox

    def check(self) -> Iterator[HealthResult]:
        with self._guard:
            walk = self._records.walk()
        told = "; ".join(walk.problems) or "chain whole"
        message = f"{walk.head.records:,} checkpoints, {told}"
        yield HealthResult("chain", "fail" if walk.problems else "ok", message)

    @property
    def moment(self) -> str:
        everything = self.list(Scope(), limit=_EVERYTHING)
        return str([(c.checkpoint_id, c.name, c.content_hash) for c in everything])

    @property
    def machine(self) -> str:
        return self._machine

    @property
    def redaction_key(self) -> bytes:
        return self._key

    def close(self) -> None:
        """Nothing is held."""

    def _answering(
        self,
        reference: Number | IdPrefix | SessionPrefix | NamePrefix,
        here: Sequence[Checkpoint],
    ) -> Sequence[Checkpoint]:
        """Return what a reference names, newest first; an exact match stands alone."""
        everywhere = self._records.newest(Scope())
        match reference:
            case Number(number=number, machine=machine):
                found = [
                    c
                    for c in here
                    if c.number == number and self._has_given(c, machine)
                ]
            case IdPrefix(prefix=prefix):
                alike = [c for c in everywhere if c.checkpoint_id.startswith(prefix)]
                found = [c for c in alike if c.checkpoint_id == prefix] or alike
            case SessionPrefix(prefix=prefix):
                alike_ids = self._sessions.like(prefix)
                newest = [self._records.last_of(session) for session in alike_ids]
                found = [c for c in everywhere if c in newest]
            case _:
                wanted_name = storable(reference.prefix)
                named = [c for c in here if c.name and wanted_name]
                alike = [c for c in named if (c.name or "").startswith(wanted_name)]
                found = [c for c in alike if c.name == wanted_name] or alike
        return found

    def _has_given(self, checkpoint: Checkpoint, machine: str | None) -> bool:
        """Say whether that machine, or this one, gave a checkpoint its number."""
        if checkpoint.machine is None:
            return self._is_own(machine)
        return (machine or "").casefold() == checkpoint.machine.casefold()

    def _is_own(self, machine: str | None) -> bool:
        return machine is None or machine.casefold() == self._machine.casefold()

    def _tombstone_of(
        self, reference: Reference, project: str | None
    ) -> Tombstone | None:
        for gone in self._records.removed.values():
            tombstone = gone.tombstone
            match reference:
                case Number(number=number, machine=machine):
                    is_it = tombstone.number == number and gone.project_id == project
                    is_it = is_it and self._is_own(machine)
                case IdPrefix(prefix=prefix):
                    is_it = tombstone.checkpoint_id == prefix
                case _:
                    is_it = False
            if is_it:
                return tombstone
        return None

    def _sessions_of(self, session: str | None, lineage: str | None) -> set[str] | None:
        own = None if session is None else set(self._sessions.like(session))
        if lineage is None:
            return own
        start = (storable(lineage), *self._sessions.like(lineage))
        kin = {record.session_id for record in self._sessions.family(start)}
        return kin if own is None else own & kin

    def _passing(self, query: Query, scope: Scope) -> Iterator[Checkpoint]:
        """Yield what every filter but facets and words lets pass, newest first."""
        held = tuple(_id_filters(query))
        for checkpoint in self._records.newest(scope):
            moment = checkpoint.draft.created_at
            if (
                (query.after is None or moment >= query.after)
                and (query.before is None or moment < query.before)
                and all(self._holds(checkpoint, each) for each in held)
                and not any(self._holds(checkpoint, each) for each in query.without)
            ):
                yield checkpoint

    def _holds(self, checkpoint: Checkpoint, wanted: Filter) -> bool:
        """Say whether a filter by id or name holds; facets are `strength`'s."""
        kind, value = wanted
        session_id = checkpoint.draft.session_id
        if kind == "parent":
            return _starts(self._parent(session_id), value)
        if kind in ("checkpoint", "name"):
            is_id = kind == "checkpoint"
            own = checkpoint.checkpoint_id if is_id else checkpoint.name
            return _starts(own, value.lower() if is_id else folded_name(value))
        if kind in ("session", "lineage"):
            is_own = kind == "session"
            of = self._sessions_of(value if is_own else None, None if is_own else value)
            return session_id in (of or ())
        return False

    def _parent(self, session_id: str) -> str | None:
        record = self._sessions.known(session_id)
        return record.parent_session if record else None

    def _tokens(self, checkpoint: Checkpoint) -> Tokens:
        return self._records.record(checkpoint.checkpoint_id).tokens

    def _with_checkpoints(self, record: SessionRecord) -> SessionRecord:
        kept = (r.checkpoint for r in self._records)
        own = (c for c in kept if c.draft.session_id == record.session_id)
        return replace(record, checkpoints=tuple(c.checkpoint_id for c in own))


def _parts_of(state: SessionState) -> Iterator[Any]:
    """Yield a state's parts as the JSON values another engine keeps."""
    yield json.loads(json.dumps(encode_head(state)))
    for turn in state.turns:
        yield json.loads(json.dumps(encode_turn(turn)))


def _listed(
    query: Query, asked: AskedTerms, newest: Sequence[Checkpoint], limit: int
) -> tuple[Hit, ...]:
    words = (*asked.words, *asked.phrases)
    is_oldest_first = query.sort == "asc" and not query.latest
    told = [*newest_of(newest[::-1], _made, _is_past)]
    found = told[::-1] if is_oldest_first else told
    return tuple(
        Hit(each, 0.0, passage_with(each.draft, words) if words else None)
        for each in found[: 1 if query.latest else limit]
    )


def _id_filters(query: Query) -> Iterator[Filter]:
    kinds: tuple[FilterKind, ...] = (
        "checkpoint",
        "name",
        "parent",
        "session",
        "lineage",
    )
    for kind in kinds:
        value = getattr(query, kind)
        if value is not None:
            yield Filter(kind, value)


def _starts(text: str | None, prefix: str) -> bool:
    return text is not None and text.startswith(storable(prefix))


def _made(checkpoint: Checkpoint) -> int:
    return checkpoint.draft.created_at


def _is_past(checkpoint: Checkpoint) -> bool:
    is_brought = checkpoint.draft.trigger in ("backfill", "import")
    return is_brought or checkpoint.foreign is not None
