"""Bring what was kept to a mirror: claim, send, acknowledge, until nothing waits.

    outbox ──claim──► parcels ──► records, redacted by the rules of today ──► the mirror
       ▲                                                                        │
       └──────────── acknowledged with its ids, refused, or paused ◄────────────┘

Whoever calls holds the lock of the target. What a mirror answers changes nothing but the
outbox; killed at any moment, the next call goes on, and what arrived twice is there once.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from holdfast.app.checkpoints.drafting import redacted
from holdfast.domain.outbox import OutboxState, ParcelDone, pause_after
from holdfast.domain.record import record
from holdfast.kernel.errors import CheckpointNotFound, MirrorDown, StoreDamaged
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.mirrors.port import MirrorEntry
from holdfast.reports.observations import mirrored_texts
from holdfast.store.retention import REASON as RETENTION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from holdfast.app.ports import Ports
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.domain.outbox import Parcel
    from holdfast.domain.record_content import Json
    from holdfast.mirrors.port import Mirror
    from holdfast.store.port import Store

_LEASE_MS = 600_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Synced:
    """What came of a sync with one target."""

    target: str
    sent: int = 0
    waiting: int = 0
    problem: str = ""  # why something waits
    hint: str = ""


def mirror_to(
    target: str,
    open_mirror: Callable[[], Mirror],
    ports: Ports,
    *,
    everything: bool = False,
    only_due: bool = False,
) -> Synced:
    """Bring what waits to a mirror; `everything` also what was kept before it was set up.

    With `only_due` nobody is asked who is paused, nor sent what is not due yet.
    """
    store = ports.open_store()
    outbox = store.outbox
    outbox.follow(target, everything=everything)
    outbox.release(target, make_due=not only_due)
    before = state_of(target, store)
    if before.waiting == 0 or (only_due and before.due_at > ports.clock.now_ms()):
        return Synced(target=target, waiting=before.waiting, problem=before.error)
    run = _Run(target, ports, store)
    down: MirrorDown | None = None
    try:
        run.until_empty(open_mirror())
    except MirrorDown as trouble:
        down = trouble
        pause = pause_after(before.failures + 1)
        outbox.pause(target, trouble.message, ports.clock.now_ms() + pause)
    run.give_back()
    after = state_of(target, store)
    return Synced(
        target=target,
        sent=run.sent,
        waiting=after.waiting,
        problem=down.message if down else after.error,
        hint=down.hint if down else "",
    )


def state_of(target: str, store: Store) -> OutboxState:
    """Return how things stand with a target; one that nobody follows has nothing."""
    known = (state for state in store.outbox.states() if state.target == target)
    return next(known, OutboxState(target=target))


def mirrored(
    checkpoint_ids: Sequence[str], store: Store
) -> Mapping[str, Mapping[str, Any]]:
    """Return what each mirror calls each of these, as the values it was told in."""
    found = store.outbox.remotes(checkpoint_ids)
    return {
        checkpoint_id: {target: _value(remote) for target, remote in remotes.items()}
        for checkpoint_id, remotes in found.items()
    }


def mirrored_record(checkpoint: Checkpoint, store: Store) -> Json:
    """Return the record of a checkpoint, and what mirrors call it."""
    whole = record(checkpoint)
    known = mirrored([checkpoint.checkpoint_id], store)
    mirrors = known.get(checkpoint.checkpoint_id, {})
    return {**whole, "observations": {**whole["observations"], "mirrors": mirrors}}


def observation_numbers(remotes: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the numbers that claude-mem gave the observations of a record, in order."""
    told = remotes.get("claude-mem")
    numbers = told.get("observations") if isinstance(told, dict) else None
    return tuple(n for n in numbers or () if type(n) is int)


class _Run:
    """One run over what waits for a target."""

    def __init__(self, target: str, ports: Ports, store: Store) -> None:
        self.sent = 0
        self._target = target
        self._ports = ports
        self._store = store
        self._open: dict[str, Parcel] = {}  # claimed, and not settled yet
        self._refused: dict[str, str] = {}

    def until_empty(self, mirror: Mirror) -> None:
        """Send batch after batch. What is refused is not claimed again in this run."""
        while parcels := self._claimed(mirror.most_at_once):
            self._open |= {parcel.checkpoint_id: parcel for parcel in parcels}
            entries = tuple(self._entries(parcels))
            if not entries:
                continue
            done, refused = mirror.deliver(entries)
            self._settle(done)
            self.sent += len(done)
            self._refused |= refused

    def give_back(self) -> None:
        """Let what was refused wait by itself, and what was not reached be claimed anew."""
        now = self._ports.clock.now_ms()
        for checkpoint_id, parcel in self._open.items():
            why = self._refused.get(checkpoint_id, "")
            due = now + pause_after(parcel.attempts + 1) if why else 0
            self._store.outbox.fail(self._target, [parcel], why, due)

    def _claimed(self, limit: int) -> tuple[Parcel, ...]:
        return self._store.outbox.claim(
            self._target,
            now_ms=self._ports.clock.now_ms(),
            lease_ms=_LEASE_MS,
            limit=limit,
        )

    def _settle(self, done: Sequence[ParcelDone]) -> None:
        self._store.outbox.acknowledge(self._target, done)
        for parcel, _ in done:
            self._open.pop(parcel.checkpoint_id, None)

    def _entries(self, parcels: Sequence[Parcel]) -> Iterator[MirrorEntry]:
        """Yield what has to be sent; settle what has not."""
        for parcel in parcels:
            if parcel.action == "remove":
                if (
                    parcel.reason == RETENTION
                ):  # how long it remembers is its own affair
                    self._settle([ParcelDone(parcel)])
                else:
                    yield MirrorEntry(parcel=parcel)
                continue
            checkpoint = self._record(parcel)
            if checkpoint is None:
                continue
            if checkpoint.foreign or checkpoint.draft.trigger == "import":
                self._settle([ParcelDone(parcel)])  # whoever made it has it
                continue
            yield self._entry(parcel, checkpoint)

    def _record(self, parcel: Parcel) -> Checkpoint | None:
        try:
            return self._store.get(parcel.checkpoint_id)
        except CheckpointNotFound:
            return None  # removed a moment ago: the next claim says so
        except StoreDamaged:
            self._refused[parcel.checkpoint_id] = "its record here is damaged"
            return None

    def _entry(self, parcel: Parcel, checkpoint: Checkpoint) -> MirrorEntry:
        clean = replace(
            checkpoint, draft=redacted(checkpoint.draft, self._ports.redactor)
        )
        before = checkpoint.previous_checkpoint or ""
        remotes = self._store.outbox.remotes([before]).get(before, {})
        return MirrorEntry(
            parcel=parcel,
            checkpoint=clean,
            texts=mirrored_texts(clean),
            previous=remotes.get(self._target, ""),
        )


def _value(remote: str) -> Any:
    try:
        return json.loads(remote)
    except ValueError:
        return remote
