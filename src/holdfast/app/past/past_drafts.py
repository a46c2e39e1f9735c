"""From a transcript that lies there to the drafts of its natural boundaries.

A session is cut where it was compacted, cleared or left alone for long, and at its end.
What each draft says is what was known there: its time is that of the last line before,
and the code as it lies there today is no part of it. Work and result are JSON, because
reading is done by processes of their own.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from holdfast.agents.port import Transcripts
from holdfast.app.checkpoints.drafting import SaveRequest, Surroundings, draft_of
from holdfast.app.checkpoints.save import MISSING_PARTS, is_nothing
from holdfast.app.ports import Redacts
from holdfast.domain.checkpoint import HEADLESS_TAG, Draft
from holdfast.domain.code import CodeState, ProjectIdentity
from holdfast.domain.event import Compacted, Event, Origin, UserSaid
from holdfast.domain.record import draft_from, draft_record
from holdfast.domain.session import Mark, SessionState
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass
from holdfast.session.fold import fold
from holdfast.session.state_codec import decode, encode_head

BoundaryKind = Literal["compact", "clear", "pause", "end"]
LONG_PAUSE = 6 * 3_600_000  # ms: a night, or another day


class Boundary(NamedTuple):
    """A session as it stood where it was cut."""

    kind: BoundaryKind
    state: SessionState


@dataclass(frozen=True, slots=True, kw_only=True)
class PastWork:
    """One transcript to make drafts of."""

    start: SessionState  # whose session, and what it went on with
    transcript: str
    identity: ProjectIdentity
    after: int  # Unix ms: what was there then is kept already
    hostname: str
    budget: int
    is_headless: bool = False
    unknown_time: int = 0  # where no line has one


@dataclass(frozen=True, slots=True, kw_only=True)
class PastDrafts:
    """What became of one transcript."""

    drafts: tuple[Draft, ...] = ()
    upto: int = 0  # Unix ms: the time of its last line
    problem: str = ""  # why it could not be read
    missing: tuple[str, ...] = ()  # what of it is not there any more


def past_drafts(
    work: PastWork, transcripts: Transcripts, redactor: Redacts
) -> PastDrafts:
    """Return the drafts of what is not kept yet, oldest first.

    Raises:
        SaveFailed: the transcript is missing or unreadable.
    """
    reading = transcripts.read(work.transcript)
    drafts: list[Draft] = []
    upto = 0
    missing: tuple[str, ...] = ()
    for boundary in boundaries(work.start, reading):
        missing = _missing_in(boundary.state)
        at = boundary.state.ended_at or work.unknown_time
        if at > max(work.after, upto) and not is_nothing(boundary.state):
            is_end = boundary.kind == "end"
            read_to = reading.cursor.main if is_end else Mark()
            drafts.append(_drafted(boundary, work, at, read_to, redactor))
        upto = max(at, upto)
    return PastDrafts(drafts=tuple(drafts), upto=upto, missing=missing)


def _missing_in(state: SessionState) -> tuple[str, ...]:
    kinds = (kind for kind, _ in state.counts.unrecognised)
    return tuple(MISSING_PARTS[kind] for kind in kinds if kind in MISSING_PARTS)


def _drafted(
    boundary: Boundary, work: PastWork, at: int, read_to: Mark, redactor: Redacts
) -> Draft:
    state = boundary.state
    request = SaveRequest(
        session_id=work.start.session_id,
        transcript=work.transcript,
        directory=work.identity.workspace,
        key=f"backfill-{work.start.session_id}-{at}",
        type="before-clear" if boundary.kind == "clear" else "auto",
        trigger="backfill",
        tags=(HEADLESS_TAG,) if work.is_headless else (),
        budget=work.budget,
    )
    around = Surroundings(
        agent=work.start.agent,
        hostname=work.hostname,
        now_ms=at,
        code=CodeState(branch=state.branch or None),
        identity=work.identity,
        read_to=read_to,
    )
    return draft_of(request, state, around, redactor)


def boundaries(start: SessionState, events: Iterable[Event]) -> Iterator[Boundary]:
    """Yield the session at each place where it is cut, and at its end.

    What follows a cut is folded on: the later ones know what the earlier ones do.
    """
    cutting = _Cutting(events)
    state = start
    while not cutting.is_over:
        state = fold(state, cutting.segment())
        yield Boundary(cutting.kind, state)


class _Cutting:
    """Events up to the next cut, again and again."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.is_over = False
        self.kind: BoundaryKind = "end"
        self._events = iter(events)
        self._held: Event | None = None
        self._last_at = 0

    def segment(self) -> Iterator[Event]:
        if self._held is not None:
            yield self._held
            self._held = None
        for event in self._events:
            if kind := self._cut(event):
                self.kind, self._held = kind, event
                return
            yield event
        self.kind, self.is_over = "end", True

    def _cut(self, event: Event) -> BoundaryKind | None:
        origin = event[0]
        if type(origin) is not Origin or origin.agent:
            return None
        at, before = origin.at, self._last_at
        self._last_at = max(at, before)
        return _kind_of(event, at - before) if before else None


def _kind_of(event: Event, pause: int) -> BoundaryKind | None:
    """Return why a session is cut before an event, if it is."""
    if type(event) is Compacted:
        return "compact"
    if type(event) is not UserSaid:
        return None
    if event.via == "clearing":
        return "clear"
    return "pause" if pause >= LONG_PAUSE else None


def work_json(work: PastWork) -> str:
    identity = work.identity
    return json.dumps(
        {
            "start": encode_head(work.start),
            "transcript": work.transcript,
            "identity": [
                identity.path,
                identity.workspace,
                list(identity.root_commits),
                identity.remote,
                identity.is_git,
            ],
            "after": work.after,
            "hostname": work.hostname,
            "budget": work.budget,
            "is_headless": work.is_headless,
            "unknown_time": work.unknown_time,
        }
    )


def work_from(text: str) -> PastWork:
    raw: dict[str, Any] = json.loads(text)
    path, workspace, commits, remote, is_git = raw.pop("identity")
    identity = ProjectIdentity(
        path=path,
        workspace=workspace,
        root_commits=tuple(commits),
        remote=remote,
        is_git=is_git,
    )
    return PastWork(start=decode(raw.pop("start"), ()), identity=identity, **raw)


def done_json(done: PastDrafts) -> str:
    return json.dumps(
        {
            "drafts": [draft_record(draft) for draft in done.drafts],
            "upto": done.upto,
            "problem": done.problem,
            "missing": done.missing,
        }
    )


def done_from(text: str) -> PastDrafts:
    raw = json.loads(text)
    drafts = tuple(draft_from(record) for record in raw["drafts"])
    return PastDrafts(
        drafts=drafts,
        upto=raw["upto"],
        problem=raw["problem"],
        missing=tuple(raw["missing"]),
    )
