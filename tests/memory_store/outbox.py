"""The outbox of the store in memory: parcels of each target, made from the chain."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from holdfast.domain.outbox import OutboxState, Parcel, ParcelDone
from holdfast.kernel.lazy_values import replace
from tests.memory_store.records import Records


@dataclass
class _Kept:
    parcel: Parcel
    waits: bool = True
    lease: int = 0
    due_at: int = 0
    error: str = ""

    @property
    def is_untouched(self) -> bool:
        parcel = self.parcel
        return parcel.action == "send" and not (parcel.attempts or self.lease)


@dataclass
class _Target:
    cursor: int
    failures: int = 0
    due_at: int = 0
    error: str = ""
    parcels: dict[str, _Kept] = field(default_factory=dict)

    def waiting(self) -> list[_Kept]:
        own = [kept for kept in self.parcels.values() if kept.waits]
        return sorted(own, key=lambda kept: kept.parcel.position)


class OutboxInMemory:
    """Each method does what the port says of it."""

    def __init__(self, records: Records, guard: AbstractContextManager[bool]) -> None:
        self._records = records
        self._guard = guard
        self._targets: dict[str, _Target] = {}

    def follow(self, target: str, *, everything: bool = False) -> None:
        with self._guard:
            head = len(self._records.since(0))
            known = self._targets.setdefault(target, _Target(head))
            if everything:
                known.cursor = 0

    def claim(
        self,
        target: str,
        *,
        now_ms: int,
        lease_ms: int,
        limit: int,
    ) -> tuple[Parcel, ...]:
        with self._guard:
            known = self._targets.get(target)
            if known is None:
                return ()
            self._gather(known)
            due = [
                kept
                for kept in known.waiting()
                if kept.lease <= now_ms and kept.due_at <= now_ms
            ][:limit]
            for kept in due:
                kept.lease = now_ms + lease_ms
            return tuple(kept.parcel for kept in due)

    def release(self, target: str, *, make_due: bool = False) -> None:
        with self._guard:
            for kept in self._targets[target].waiting():
                if kept.lease:
                    attempts = kept.parcel.attempts + 1
                    kept.parcel = replace(kept.parcel, attempts=attempts)
                kept.lease = 0
                kept.due_at = 0 if make_due else kept.due_at

    def acknowledge(self, target: str, done: Sequence[ParcelDone]) -> None:
        with self._guard:
            known = self._targets[target]
            known.failures, known.due_at, known.error = 0, 0, ""
            for parcel, remote in done:
                kept = known.parcels.get(parcel.checkpoint_id)
                if kept is None:
                    continue
                is_newest = kept.parcel.position == parcel.position
                if parcel.action == "remove":
                    if is_newest:
                        del known.parcels[parcel.checkpoint_id]
                    continue
                now = replace(kept.parcel, remote=remote, attempts=0)
                known.parcels[parcel.checkpoint_id] = _Kept(now, waits=not is_newest)

    def fail(
        self, target: str, parcels: Sequence[Parcel], error: str, due_at: int = 0
    ) -> None:
        with self._guard:
            for parcel in parcels:
                kept = self._targets[target].parcels[parcel.checkpoint_id]
                tried = replace(kept.parcel, attempts=kept.parcel.attempts + 1)
                kept.parcel, kept.lease = tried, 0
                kept.due_at, kept.error = due_at, error

    def pause(self, target: str, error: str, due_at: int) -> None:
        known = self._targets[target]
        known.failures, known.due_at, known.error = known.failures + 1, due_at, error

    def states(self) -> tuple[OutboxState, ...]:
        with self._guard:
            return tuple(self._state(name) for name in sorted(self._targets))

    def remotes(self, checkpoint_ids: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
        found: dict[str, dict[str, str]] = {}
        for target, known in self._targets.items():
            for name in checkpoint_ids:
                kept = known.parcels.get(name)
                if kept is not None and kept.parcel.remote:
                    found.setdefault(name, {})[target] = kept.parcel.remote
        return found

    def _state(self, target: str) -> OutboxState:
        known = self._targets[target]
        self._gather(known)
        waiting = known.waiting()
        errors = [kept.error for kept in waiting if kept.error]
        return OutboxState(
            target=target,
            waiting=len(waiting),
            done=len(known.parcels) - len(waiting),
            refused=len(errors),
            failures=known.failures,
            due_at=known.due_at,
            error=known.error or (errors[-1] if errors else ""),
        )

    def _gather(self, known: _Target) -> None:
        new = self._records.since(known.cursor)
        known.cursor += len(new)
        for entry in new:
            name = entry.checkpoint_id
            kept = known.parcels.get(name)
            if entry.kind == "record":
                if kept is None and self._records.made_here(name):
                    parcel = Parcel(
                        checkpoint_id=name, position=entry.position, action="send"
                    )
                    known.parcels[name] = _Kept(parcel)
            elif kept is not None and kept.parcel.position < entry.position:
                self._change(known, kept, entry.position)

    def _change(self, known: _Target, kept: _Kept, position: int) -> None:
        name = kept.parcel.checkpoint_id
        gone = self._records.removed.get(name)
        if gone is None:
            action = replace(kept.parcel, action="replace", position=position)
        elif kept.waits and kept.is_untouched:
            del known.parcels[name]
            return
        else:
            reason = gone.tombstone.reason
            action = replace(
                kept.parcel, action="remove", position=position, reason=reason
            )
        kept.parcel, kept.waits, kept.due_at = action, True, 0
