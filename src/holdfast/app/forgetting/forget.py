"""Forget: decide what is removed, write that down, then remove it everywhere.

    order on disk → spool → records, sessions → code → marks, files, logs → no byte left

Killed anywhere, the next `forget` or `doctor --repair` finishes the order. What goes is
planned first: which records, sessions, trees and files, and what others inherited.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from holdfast.app.checkpoints.save import drain
from holdfast.app.forgetting.inherited import forget_inherited, inherits, text_digest
from holdfast.app.forgetting.merges import has_others, is_made_of
from holdfast.app.notes.named_files import (
    AGENT as FILE_AGENT,
    Naming,
    is_known,
    owner_of,
    reindex,
    text_in,
)
from holdfast.app.ports import Ports
from holdfast.data_directory.port import Orders, TextHolder, UnreadableHolder
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.client import Switch
from holdfast.domain.forgetting import FileOf, Order
from holdfast.domain.query import Scope
from holdfast.domain.record import draft_record
from holdfast.domain.text import beginning, visible
from holdfast.kernel.errors import (
    CheckpointNotFound,
    HoldfastError,
    ReferenceAmbiguous,
    SaveFailed,
    SnapshotLost,
    UsageWrong,
)
from holdfast.kernel.ids import Reference, SessionPrefix
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.project_notes.named_file import file_name
from holdfast.store.port import Checkpoints, Finding, Store

REASON = "forgotten"

_EVERY = 1_000_000
_SHOWN = 5

# Fields whose words are ours, not anybody's.
_OURS = frozenset(
    [
        *("format", "version", "type", "agent", "source", "change", "trigger"),
        *("work_type", "domain", "read_to", "session_state", "receipt"),
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetRequest:
    """Exactly one of these is given."""

    reference: Reference | None = None
    match: str | None = None
    project: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetPlan:
    """What would go."""

    order: Order
    doomed: tuple[Checkpoint, ...] = ()  # those that can be read
    carriers: tuple[Checkpoint, ...] = ()  # others that inherited statements of them
    same_session: int = 0  # others of their sessions, which say much of the same


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetMeans:
    """What forgetting works with beside the usual ports."""

    orders: Orders
    shelves: Sequence[TextHolder]
    aside: UnreadableHolder
    budget: int  # of a brief, for the receipts of later records


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    checkpoint_ids: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()  # what had to stay, and why


def forget(
    plan: ForgetPlan, ports: Ports, means: ForgetMeans, match: str | None = None
) -> Forgotten:
    """Let go of what a plan names; say what is set aside that has the text `match`.

    Raises:
        SaveFailed: the order cannot be written; nothing was touched.
        StoreBusy, SnapshotLost, OSError: not everything is gone; forgetting again
            finishes.
    """
    try:
        means.orders.add(plan.order)
    except OSError as problem:
        raise SaveFailed(
            f"the order to forget cannot be written: {problem.strerror}",
            hint="nothing was touched; check the data directory's free space and"
            " permissions, then try again",
        ) from None
    done = _carried_out(plan.order, ports, means)
    saying = means.aside.saying(match) if match else ()
    return replace(done, kept=tuple(dict.fromkeys((*done.kept, *saying))))


def finish(ports: Ports, means: ForgetMeans) -> Forgotten:
    """Carry out what an earlier call did not finish."""
    done = [_carried_out(order, ports, means) for order in means.orders.waiting()]
    return Forgotten(
        checkpoint_ids=tuple(i for each in done for i in each.checkpoint_ids),
        kept=tuple(why for each in done for why in each.kept),
    )


def _carried_out(order: Order, ports: Ports, means: ForgetMeans) -> Forgotten:
    store = ports.open_store()
    kept: list[str] = []
    # First whatever could bring a record back, then the records.
    for session_id in order.sessions:
        store.switch_off(Switch("session", session_id, None))
    for shelf in means.shelves:
        kept += shelf.forget(order)
    written, order = order, _with_late_ones(order, store)
    store.remove(order.checkpoint_ids, REASON, order.at)
    kept += forget_inherited(order, ports, store, means.budget)
    store.drop_folds((*order.sessions, *order.kin))
    store.blank_sessions(order.sessions)
    if order.project_id:
        store.blank_project(order.project_id)
    kept += _files_gone(order.files, ports)
    trouble = _code_gone(order, store, ports)
    store.wipe()
    if trouble:
        raise trouble
    means.orders.done(written)
    return Forgotten(checkpoint_ids=order.checkpoint_ids, kept=tuple(kept))


def _with_late_ones(order: Order, store: Checkpoints) -> Order:
    """Return the order with what its sessions saved before they were switched off."""
    late = [row for row in store.retention_rows() if row.session_id in order.sessions]
    return replace(
        order,
        checkpoint_ids=tuple(
            dict.fromkeys((*order.checkpoint_ids, *(row.checkpoint_id for row in late)))
        ),
        trees=tuple(dict.fromkeys((*order.trees, *(r.tree for r in late if r.tree)))),
    )


def _code_gone(order: Order, store: Checkpoints, ports: Ports) -> SnapshotLost | None:
    """Let the trees go that no other record names; what waits may name one, too."""
    if not order.trees:
        return None
    needed = {row.tree for row in store.retention_rows()}
    try:
        ports.snapshots.let_go(set(order.trees) - needed, order.workspaces)
    except SnapshotLost as trouble:
        return trouble
    return None


def _files_gone(files: Iterable[FileOf], ports: Ports) -> list[str]:
    kept = []
    for file in files:
        try:
            kept += _file_gone(file, ports)
        except (HoldfastError, OSError) as trouble:
            kept.append(f"`{visible(file_name(file.name))}`: {trouble}")
    return kept


def _file_gone(file: FileOf, ports: Ports) -> list[str]:
    """Remove a named checkpoint's file and its bullet; an edited one is a person's."""
    memory = ports.memory_of(file.workspace)
    name = file_name(file.name)
    if memory is None or memory.read(name) is None:
        return []
    if not memory.remove(name, lambda text: text_digest(text) == file.digest):
        path = f"{memory.directory}/{name}"
        return [f"`{path}` was edited by hand: remove it yourself"]
    reindex(memory)
    return []


@dataclass(frozen=True, slots=True)
class _Named:
    """What was asked for, before anything that follows from it."""

    ids: frozenset[str] = frozenset()
    sessions: tuple[str, ...] = ()
    project_id: str = ""


def plan_forget(wanted: ForgetRequest, scope: Scope, ports: Ports) -> ForgetPlan:
    """Return what forgetting something would take away. Changes nothing but the spool.

    Raises:
        CheckpointNotFound, ReferenceAmbiguous, UsageWrong
        StoreBusy: what waits does not go in, so it cannot be said what would go.
    """
    store = ports.open_store()
    drain(ports, store)  # what waits is to be seen, too
    named = _named(wanted, scope, store)
    ids, doomed, carriers = set(named.ids), list[Checkpoint](), list[Checkpoint]()
    touched: set[str] = set()  # ids of carriers
    for checkpoint in store.every(Scope()):  # oldest first: copies come after
        draft = checkpoint.draft
        is_copy = draft.agent == FILE_AGENT and ids.intersection(draft.merged_from)
        is_meant = wanted.match is not None and says(checkpoint, wanted.match)
        is_empty = is_made_of(draft, ids) and not has_others(draft, ids, store)
        if checkpoint.checkpoint_id in ids or is_copy or is_meant or is_empty:
            ids.add(checkpoint.checkpoint_id)
            doomed.append(checkpoint)
        elif inherits(draft.content, ids) or is_made_of(draft, ids | touched):
            carriers.append(checkpoint)
            touched.add(checkpoint.checkpoint_id)
    sessions = {checkpoint.draft.session_id for checkpoint in doomed}
    rows = store.retention_rows()
    return ForgetPlan(
        order=replace(
            _order(named, ids, doomed, ports, store),
            carriers=tuple(c.checkpoint_id for c in carriers),  # oldest first
            carriers_files=tuple(_files(carriers, ports, store)),
        ),
        doomed=tuple(doomed),
        carriers=tuple(carriers),
        same_session=sum(
            row.session_id in sessions and row.checkpoint_id not in ids for row in rows
        ),
    )


def _named(wanted: ForgetRequest, scope: Scope, store: Store) -> _Named:
    if wanted.project:
        return _project(scope, store)
    if wanted.match is not None:
        if not wanted.match.strip():
            raise UsageWrong("`--match` needs some text", hint="give words to look for")
        return _Named()
    if isinstance(wanted.reference, SessionPrefix):
        return _sessions(wanted.reference.prefix, store)
    if wanted.reference is None:
        raise UsageWrong(
            "it was not said what to forget",
            hint="give a checkpoint, `session:ID`, `--match TEXT` or `--project`",
        )
    found = store.find(wanted.reference, scope)
    return _Named(frozenset((found.checkpoint_id,)))


def _project(scope: Scope, store: Store) -> _Named:
    project_id = scope.project_id or ""
    if not project_id:
        raise CheckpointNotFound(
            "the store knows no project here", hint="see `holdfast list --all`"
        )
    sessions = store.sessions(Scope(project_id=project_id), _EVERY)
    known = {record.session_id for record in sessions}
    here = {c.checkpoint_id for c in store.every(Scope(project_id=project_id))}
    rows = store.retention_rows()
    ids = here | {row.checkpoint_id for row in rows if row.session_id in known}
    return _Named(frozenset(ids), tuple(sorted(known)), project_id)


def _sessions(prefix: str, store: Store) -> _Named:
    exact = store.session(prefix)
    listed = store.list(Scope(), session=prefix, limit=_EVERY)
    found = {checkpoint.draft.session_id for checkpoint in listed}
    if exact is not None:
        found = {exact.session_id}
    if not found:
        raise CheckpointNotFound(
            f"no session `{beginning(prefix, 64)}` is known",
            hint="see `holdfast list --all`",
        )
    if len(found) > 1:
        shown = ", ".join(f"`{each}`" for each in sorted(found)[:_SHOWN])
        raise ReferenceAmbiguous(
            f"`session:{beginning(prefix, 64)}` is ambiguous: {len(found)} sessions start with it",
            hint=f"use one of: {shown}",
        )
    ids = (r.checkpoint_id for r in store.retention_rows() if r.session_id in found)
    return _Named(frozenset(ids), tuple(found))


def _order(
    named: _Named, ids: set[str], doomed: list[Checkpoint], ports: Ports, store: Store
) -> Order:
    sessions = {*named.sessions, *(c.draft.session_id for c in doomed)}
    kin = {r.session_id for each in sessions for r in store.lineage(each)}
    return Order(
        at=ports.clock.now_ms(),
        checkpoint_ids=tuple(sorted(ids)),
        keys=tuple(sorted(c.draft.key for c in doomed if c.draft.key)),
        sessions=named.sessions,
        kin=tuple(sorted(kin | sessions | set(store.told_of(sorted(ids))))),
        project_id=named.project_id,
        trees=tuple(sorted({c.draft.code.tree for c in doomed if c.draft.code.tree})),
        workspaces=tuple(sorted({c.draft.workspace for c in doomed})),
        files=tuple(_files(doomed, ports, store)),
        foreign=tuple(sorted(c.checkpoint_id for c in doomed if c.machine)),
    )


def _files(
    doomed: Iterable[Checkpoint], ports: Ports, store: Finding
) -> Iterator[FileOf]:
    """Yield the file of each that has a name, and what it says if we wrote it."""
    for checkpoint in doomed:
        draft, name = checkpoint.draft, checkpoint.name
        owner = owner_of(name, draft.project_id, store) if name else None
        if name is None or owner is None or owner != checkpoint:
            continue
        try:
            memory = ports.memory_of(draft.workspace)
            text = text_in(memory, name) if memory else None
        except (HoldfastError, OSError):
            continue
        if memory is not None and text is not None:
            naming = Naming(name, draft.workspace, memory, owner)
            is_ours = is_known(naming, text, ports)
            yield FileOf(draft.workspace, name, text_digest(text) if is_ours else "")


def says(checkpoint: Checkpoint, text: str) -> bool:
    """Say whether a record has some text in what it tells, whatever the case.

    Words of our own, such as who said something, are in every record and tell nothing.
    """
    wanted = text.casefold()
    told = (*_texts(draft_record(checkpoint.draft)), checkpoint.name or "")
    return any(wanted in each.casefold() for each in told)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            if key not in _OURS:
                yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)
