"""Collect what the store and the transcripts know about a project, for `blame`.

A transcript is read when a name is looked for that it says; of the others it is known only
when their sessions were at work.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.domain.foreign import is_elsewhere
from holdfast.kernel.errors import SaveFailed
from holdfast.kernel.lazy_values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.app.ports import Ports
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.domain.file_history import AgentStep
    from holdfast.domain.query import Scope
    from holdfast.domain.session import SessionRecord

_MOST_SESSIONS = 10_000
_FOR_EVER = 1 << 62


@dataclass(slots=True)
class ProjectPast:
    """What the store and the transcripts have on a project, whatever the file."""

    root: str
    checkpoints: tuple[Checkpoint, ...]  # in the order of their numbers
    sessions: tuple[SessionRecord, ...]
    transcripts: dict[str, str]  # by session
    ports: Ports
    damaged: int = 0  # records that say nothing any more
    steps: dict[str, tuple[AgentStep, ...] | None] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)  # that `steps` were looked for by
    unreadable: set[str] = field(default_factory=set)  # trees and objects that are lost

    @property
    def places(self) -> tuple[str, ...]:
        """The worktrees of the project, this one first."""
        others = dict.fromkeys(c.draft.workspace for c in self.checkpoints)
        return tuple(dict.fromkeys((self.root, *others)))

    def read_steps(self, names: set[str]) -> None:
        """Read the transcripts that say one of some names; the others only span time."""
        if names <= self.names:
            return
        self.names |= names
        for session_id, path in self.transcripts.items():
            if self.steps.get(session_id) is not None:
                continue
            try:
                found = self.ports.transcripts.steps(path, self.names)
            except SaveFailed:
                found = None
            self.steps[session_id] = found


def past_of(root: str, scope: Scope, ports: Ports) -> ProjectPast:
    """Return what is known of a project; each transcript is read when it is needed."""
    store = ports.open_store()
    project = scope.in_project()
    own = (one for one in store.every(project) if not one.machine)
    checkpoints = sorted(own, key=lambda one: one.number)
    kept = sum(not one.machine for one in store.outlines(project))
    every = store.sessions(project, _MOST_SESSIONS)
    sessions = tuple(one for one in every if not is_elsewhere(one.session_id))
    return ProjectPast(
        root=root,
        checkpoints=tuple(checkpoints),
        sessions=sessions,
        transcripts=dict(_transcripts(root, sessions, ports)),
        ports=ports,
        damaged=max(0, kept - len(checkpoints)),
    )


def _transcripts(
    root: str, sessions: Sequence[SessionRecord], ports: Ports
) -> Iterator[tuple[str, str]]:
    """Yield each session's transcript: those that began from no other one first, so that
    what a fork copied is told of the session it was copied from."""
    found: dict[str, str] = {}
    for path in reversed(ports.transcripts.begun_in(root)):
        if session_id := ports.transcripts.session_of(path):
            found[session_id] = path
    parents = {record.session_id: record.parent_session for record in sessions}
    for record in sessions:
        if record.agent != ports.transcripts.agent:
            continue  # its steps are not read: a look with other eyes would see none
        path = record.transcript
        if not path or not os.path.isfile(path):
            path = ports.transcripts.find(record.session_id) or ""
        if path:
            found[record.session_id] = path
    yield from sorted(found.items(), key=lambda pair: parents.get(pair[0]) is not None)


def all_steps(past: ProjectPast) -> Iterator[AgentStep]:
    """Yield every step once: a fork's transcript begins with a copy of another's."""
    told: set[tuple[str, str, int]] = set()
    for steps in past.steps.values():
        for step in steps or ():
            same = (step.call_id, step.prompt.uuid, step.begun)
            if same not in told:
                told.add(same)
                yield step


def checkpoint_after(past: ProjectPast, step: AgentStep) -> Checkpoint | None:
    """Return the first checkpoint of a step's session that knows of it."""
    own = [c for c in past.checkpoints if c.draft.session_id == step.session_id]
    for checkpoint in sorted(own, key=lambda one: one.sequence):
        draft = checkpoint.draft
        if step.offset >= 0 and draft.read_to.offset:
            is_in = draft.read_to.offset > step.offset
        else:
            is_in = draft.created_at >= step.begun
        if is_in:
            return checkpoint
    return None


def unread_spans(past: ProjectPast) -> Iterator[tuple[int, int]]:
    """Yield when sessions were at work of which no step is known."""
    known = {record.session_id: record for record in past.sessions}
    for session_id in {*known, *past.transcripts}:
        if past.steps.get(session_id) is not None:
            continue
        record, path = known.get(session_id), past.transcripts.get(session_id)
        last = past.ports.transcripts.last_message_at(path) if path else 0
        if record and not path:
            last = record.ended_at or _last_written(record.transcript)
        yield record.started_at if record else 0, last or _FOR_EVER


def _last_written(transcript: str) -> int:
    """Return when another agent's transcript last changed; nobody knows of one that is
    gone."""
    try:
        return int(os.stat(transcript).st_mtime * 1000)
    except (OSError, ValueError):
        return _FOR_EVER
