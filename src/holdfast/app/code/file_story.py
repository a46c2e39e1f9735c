"""All that is known about a file, in order: snapshots, agents' changes, its present text.

Checkpoints are in the order of their numbers, a session's steps in the order of its
transcript, and a checkpoint stands among the steps of its session where it had read to.
Between sessions the clock decides; where it is wrong, texts do not fit, and what does not
fit is told as unknown.
"""

from __future__ import annotations

import os
from heapq import merge
from typing import TYPE_CHECKING

from holdfast.app.code.file_names import names_of
from holdfast.app.code.project_past import all_steps, unread_spans
from holdfast.domain.code import NOT_LISTED
from holdfast.domain.file_history import UNENDED, AgentStep
from holdfast.facts.blame.shell_effects import effects_of, is_formatter, only_looks
from holdfast.facts.blame.tracing import Meanwhile, Moment, Tracer
from holdfast.kernel.errors import SnapshotLost
from holdfast.kernel.lazy_tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from holdfast.app.code.project_past import ProjectPast
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.domain.code import CodeState
    from holdfast.facts.blame.shell_effects import ShellEffect

# A snapshot is taken a little after the moment it is told by: what an agent did since may
# be in it.
_TAKING_MS = 60_000
_FOR_EVER = 1 << 62


class _Entry(NamedTuple):
    """One thing that is known, at its place in the order of all."""

    at: int
    order: tuple[int, int]  # among entries of one moment: of which row, the how manyth
    step: AgentStep | None
    checkpoint: Checkpoint | None


def trace(past: ProjectPast, path: str, content: bytes, now_ms: int) -> Tracer:
    """Follow a file of this worktree from the first that is known of it to now."""
    names = names_of(past, path)
    entries = list(_entries(past))
    objects = _objects(past, names)
    tracer = Tracer(_meanwhile(past, entries))
    teller = _Teller(past, tracer, names, objects)
    for entry in entries:
        teller.tell(entry)
    text = content.decode("utf-8", "surrogateescape")
    last = entries[-1].at if entries else 0
    tracer.saw(f"{past.root}/{path}", text, Moment(max(now_ms, last)))
    return tracer


def _entries(past: ProjectPast) -> Iterator[_Entry]:
    """Yield everything in order: each session is a row, and rows are merged by time."""
    rows: dict[str, list[AgentStep]] = {session: [] for session in past.steps}
    for step in all_steps(past):
        rows[step.session_id] = rows.get(step.session_id, [])
        rows[step.session_id].append(step)
    moments = _moments(past.checkpoints)
    by_session: dict[str, list[Checkpoint]] = {}
    for checkpoint in past.checkpoints:
        by_session.setdefault(checkpoint.draft.session_id, []).append(checkpoint)
    sessions = dict.fromkeys((*rows, *by_session))
    yield from merge(
        *(
            list(_row(n, rows.get(one, []), by_session.get(one, []), moments))
            for n, one in enumerate(sessions)
        )
    )


def _moments(checkpoints: Iterable[Checkpoint]) -> dict[str, int]:
    """Return a moment for each checkpoint; numbers order them, whatever the clock did."""
    found, last = {}, 0
    for checkpoint in checkpoints:
        last = max(last, checkpoint.draft.created_at)
        found[checkpoint.checkpoint_id] = last
    return found


def _row(
    number: int,
    steps: Sequence[AgentStep],
    checkpoints: Sequence[Checkpoint],
    moments: dict[str, int],
) -> Iterator[_Entry]:
    """Yield what is known of one session in order, each at a moment not before the last."""
    waiting = list(checkpoints)
    last = place = 0

    def entry(at: int, step: AgentStep | None, one: Checkpoint | None) -> _Entry:
        nonlocal last, place
        last, place = max(last, at), place + 1
        return _Entry(last, (number, place), step, one)

    for step in steps:
        while waiting and _is_before(waiting[0], step, moments):
            yield entry(moments[waiting[0].checkpoint_id], None, waiting.pop(0))
        at = step.begun if step.ended == UNENDED else step.ended
        yield entry(at, step, None)
    for checkpoint in waiting:
        yield entry(moments[checkpoint.checkpoint_id], None, checkpoint)


def _is_before(
    checkpoint: Checkpoint, step: AgentStep, moments: dict[str, int]
) -> bool:
    """Say whether a checkpoint of a session was made before a step of it ended."""
    read_to = checkpoint.draft.read_to.offset
    if read_to and step.offset >= 0:
        return read_to <= step.offset
    return moments[checkpoint.checkpoint_id] < step.ended


def _objects(
    past: ProjectPast, names: Sequence[str]
) -> dict[tuple[str, str], tuple[str | None, bytes]]:
    """Return what each snapshot has under each name: an object and its content."""
    trees = [c.draft.code.tree for c in past.checkpoints if c.draft.code.tree]
    snapshots = past.ports.snapshots
    at = snapshots.objects_at([(tree, name) for name in names for tree in trees])
    past.unreadable |= set(trees) - {tree for tree, _ in at}
    wanted = list(dict.fromkeys(found for found in at.values() if found))
    texts = dict(_contents(past, wanted))
    return {
        place: (found, texts.get(found, b"") if found else b"")
        for place, found in at.items()
        if found is None or found in texts
    }


def _contents(past: ProjectPast, wanted: list[str]) -> Iterator[tuple[str, bytes]]:
    """Yield what can be read; one object that is lost does not take the others along."""
    while wanted:
        try:
            for object_id, content in past.ports.snapshots.contents(wanted):
                yield object_id, content
                wanted = wanted[1:]
        except SnapshotLost:
            past.unreadable.add(wanted[0])
            wanted = wanted[1:]


def _meanwhile(past: ProjectPast, entries: Sequence[_Entry]) -> Meanwhile:
    spans = [
        (min(entry.step.begun, entry.at), _over(entry))
        for entry in entries
        if entry.step is not None and _may_write(entry.step)
    ]
    spans += unread_spans(past)
    heads = [
        (entry.at, entry.checkpoint.draft.code.head)
        for entry in entries
        if entry.checkpoint and entry.checkpoint.draft.workspace == past.root
    ]
    now: CodeState = past.ports.code.head(past.root)

    def was_at_work(since: int, until: int) -> bool:
        return any(b > since and a < until + _TAKING_MS for a, b in spans)

    def head_moved(since: int, until: int) -> bool:
        before = [head for at, head in heads if at <= since][-1:]
        after = [head for at, head in heads if at >= until][:1] or [now.head]
        return before != after

    return Meanwhile(was_at_work, head_moved)


def _over(entry: _Entry) -> int:
    is_open = entry.step is None or entry.step.ended == UNENDED
    return _FOR_EVER if is_open else entry.at


def _may_write(step: AgentStep) -> bool:
    if step.kind == "run":
        return not only_looks(step.command)
    return step.kind == "other"


class _Teller:
    """Tells a tracer each entry, as far as it is about the paths of one story."""

    def __init__(
        self,
        past: ProjectPast,
        tracer: Tracer,
        names: Sequence[str],
        objects: dict[tuple[str, str], tuple[str | None, bytes]],
    ) -> None:
        self._tracer = tracer
        self._names = names
        self._objects = objects
        self._keys = {f"{place}/{name}" for place in past.places for name in names}
        self._was_kept = {name for (_, name), (found, _) in objects.items() if found}
        self._real: dict[str, str] = {}

    def tell(self, entry: _Entry) -> None:
        if entry.checkpoint is not None:
            self._saw(entry.checkpoint, entry.at)
        elif entry.step is not None:
            self._did(entry.step._replace(ended=entry.at))

    def _saw(self, checkpoint: Checkpoint, at: int) -> None:
        code = checkpoint.draft.code
        for name in self._names:
            found = self._objects.get((code.tree or "", name))
            # A name that no snapshot has may be one that is never kept.
            if found is None or name not in self._was_kept or _is_left_out(name, code):
                continue
            object_id, content = found
            text = content.decode("utf-8", "surrogateescape") if object_id else None
            key = f"{checkpoint.draft.workspace}/{name}"
            self._tracer.saw(key, text, Moment(at))

    def _did(self, step: AgentStep) -> None:
        if step.kind == "run":
            effects = self._own(effects_of(step.command, step.cwd))
            self._tracer.ran(step, effects, formats=is_formatter(step.command))
        elif step.path and (key := self._key(os.path.join(step.cwd, step.path))):
            self._tracer.edited(key, step)

    def _own(self, effects: Iterable[ShellEffect]) -> list[ShellEffect]:
        found = []
        for effect in effects:
            key, source = self._key(effect.path), self._key(effect.source)
            if key:
                found.append(effect._replace(path=key, source=source or effect.source))
            elif source and effect.kind == "moved":
                found.append(effect._replace(kind="removed", path=source, source=""))
        return found

    def _key(self, path: str) -> str:
        """Return the path of this story that a path leads to, if it leads to one."""
        if not path:
            return ""
        path = os.path.normpath(path)
        if path in self._keys:
            return path
        above, name = os.path.split(path)
        if above not in self._real:
            try:
                self._real[above] = os.path.realpath(above)
            except (OSError, ValueError):
                self._real[above] = above
        real = f"{self._real[above]}/{name}"
        return real if real in self._keys else ""


def _is_left_out(name: str, code: CodeState) -> bool:
    return any(
        left.path in (name, ".", NOT_LISTED) or name.startswith(f"{left.path}/")
        for left in code.left_out
    )
