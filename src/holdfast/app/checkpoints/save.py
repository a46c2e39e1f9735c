"""Make a checkpoint of a session.

    transcript → events → state → content ─┐
    worktree → tree, held by a ref ────────┴► draft ──put──► checkpoint

The put is the commit point. Killed before it, nothing is visible; after it, nothing is
missing; a tree that no record names is let go by `prune`. A store that cannot take the draft leaves it in the spool, and the next save
drains it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from holdfast.app.checkpoints.code_of_session import OVER, code_of, is_long_over
from holdfast.app.checkpoints.drafting import (
    SaveRequest,
    Surroundings,
    draft_of,
    redacted,
    with_plan_step,
)
from holdfast.app.checkpoints.kept_where import directory_of, notice_of, worked_in
from holdfast.app.checkpoints.passing_on import forked_at, merged_here, take_up
from holdfast.app.checkpoints.session import SessionReading, keep_session, read_session
from holdfast.app.checkpoints.which_session import link
from holdfast.domain.query import Scope
from holdfast.domain.session import Said, SessionState
from holdfast.facts.requests.goal import is_small_talk
from holdfast.kernel.errors import STORE_TROUBLE, HoldfastError, NameTaken, StoreBusy
from holdfast.kernel.lazy_values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.app.ports import Ports
    from holdfast.domain.checkpoint import Checkpoint, Draft, PutResult
    from holdfast.domain.code import CodeState
    from holdfast.store.port import Checkpoints, Finding, Store

# Saves that nobody asked for.
_BY_ITSELF = frozenset(["threshold", "compact", "clear", "exit", "headless", "rescue"])
# Lines that were there but could not be read; a type we do not know is not damage.
_DAMAGED = ("not-json", "not-object", "too-deep", "clipped")

# Whole parts of a transcript that are not there: how many, and what that means.
MISSING_PARTS = {
    "file-gone": "the session that this one continues is gone: what was said there is missing",
    "file-cut": "a compressed transcript ends early: the rest is missing",
}

_NOTHING = "nothing was asked or done in this session yet"

Status = Literal["WORKING", "PARTIAL", "BROKEN"]


@dataclass(frozen=True, slots=True)
class Saved:
    outcome: Literal["saved", "repeated", "unchanged"]
    status: Status
    checkpoint: Checkpoint
    gaps: tuple[str, ...] = ()
    drained: tuple[Checkpoint, ...] = ()  # what waited and went in first
    notice: str = ""  # nothing is missing, but it may not be what was expected


@dataclass(frozen=True, slots=True)
class Spooled:
    """The store could not take it; it waits, durably, and nothing was lost."""

    key: str
    reason: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class NothingToSave:
    reason: str


SaveResult = Saved | Spooled | NothingToSave


def save(request: SaveRequest, ports: Ports) -> SaveResult:
    """Make the checkpoint, or say truthfully why there is none.

    Raises:
        SaveFailed: the transcript cannot be read, or the record would not be valid.
        NameTaken: the name belongs to another checkpoint.
        ProjectForeign: the session is of another project than the only one allowed.
        HoldfastError: the store failed and the spool did, too.
    """
    try:
        store = ports.open_store()
        drained, unfiled = drain(ports, store)
        if request.parent_session:
            link(request.session_id, request.parent_session, ports, store)
        remembered = _read(request, ports, store)
    except STORE_TROUBLE as trouble:
        return _save_without_store(request, ports, trouble)
    if _is_empty(remembered.state, request):
        return NothingToSave(_NOTHING)
    draft = _drafted(request, remembered, ports, store)
    try:
        kept, missing = _kept(_placed(draft, ports, store), ports, store)
    except STORE_TROUBLE as trouble:
        return _spooled(draft, ports, trouble)
    if kept is None:
        return NothingToSave("holdfast was turned off meanwhile")
    keep_session(request.session_id, remembered, store)
    ports.spool.prepare()
    if kept.outcome == "saved" or drained:
        ports.start_sync()
    is_over = is_long_over(request, remembered.state, draft.created_at)
    gaps = (*_gaps(remembered, draft.code, is_over=is_over), *missing, *unfiled)
    told = (
        notice_of(request, remembered.state, ports),
        f"code not saved: {OVER}" if is_over else "",
    )
    notice = "; ".join(filter(None, told))
    return replace(_read_back(kept, gaps, store, drained), notice=notice)


def _read(request: SaveRequest, ports: Ports, store: Store) -> SessionReading:
    """Return the session; one that went on with what it was told in short, with what
    that left open."""
    session, where = request.session_id, request.transcript
    remembered = read_session(session, where, ports.transcripts, store)
    if take_up(session, remembered.state, ports, store):
        remembered = read_session(session, where, ports.transcripts, store)
    return remembered


def _kept(
    draft: Draft, ports: Ports, store: Store
) -> tuple[PutResult | None, tuple[str, ...]]:
    """Put a draft, with its file if it has a name; say what is missing.

    What nobody asked for is not put where it was turned off meanwhile: None.
    """
    for target in ports.targets:
        store.outbox.follow(target)
    if draft.trigger in _BY_ITSELF:
        return store.put_unless_off(draft, ports.clock.now_ms()), ()
    return (
        ports.put_named(draft, ports, store) if draft.name else (store.put(draft), ())
    )


def drain(ports: Ports, store: Store) -> tuple[tuple[Checkpoint, ...], tuple[str, ...]]:
    """Put what waits in the spool, oldest first; return what it became, and what is
    missing.

    The one way out of the spool: redacted by the rules of today, and nothing that nobody
    asked for where the user turned it off.

    Raises:
        StoreBusy, StoreNewer, StoreDamaged, StoreNotFound: some of it still waits. What
            comes now must wait behind it, or the older one would be the latest.
    """
    aside = ports.spool.set_aside()
    went, missing, refused = _drained(ports, store)
    unread = ports.spool.set_aside() - aside - len(refused)
    if unread > 0:
        told = f"waiting saves that could not be read: {unread}, see `holdfast doctor`"
        missing = (*missing, told)
    return went, (*refused, *missing)


def _drained(
    ports: Ports, store: Store
) -> tuple[tuple[Checkpoint, ...], tuple[str, ...], tuple[str, ...]]:
    went: list[Checkpoint] = []
    missing, refused, trouble = list[str](), list[str](), list[HoldfastError]()

    def put(draft: Draft) -> None:
        try:
            waiting = redacted(draft, ports.redactor)
            kept, lacking = _put_waiting(waiting, ports, store)
            missing.extend(lacking)
            went.extend([kept] if kept else [])
        except STORE_TROUBLE as problem:
            trouble.append(problem)
            raise
        except HoldfastError as problem:
            refused.append(f"a waiting save was set aside: {problem.message}")
            raise

    try:
        ports.spool.drain(put)
    except OSError as problem:
        raise _still_waiting(problem.strerror or str(problem)) from problem
    if trouble:
        first = trouble[0]
        told = "; ".join((first.message, *refused, *missing))
        raise type(first)(told, hint=first.hint) from first
    if ports.spool.waiting():
        raise _still_waiting("another process may be storing them")
    return tuple(went), tuple(missing), tuple(refused)


def _still_waiting(reason: str) -> StoreBusy:
    return StoreBusy(
        f"earlier saves are still waiting and must go first: {reason}",
        hint="try again; if that does not help, run `holdfast doctor`",
    )


def _put_waiting(
    draft: Draft, ports: Ports, store: Store
) -> tuple[Checkpoint | None, tuple[str, ...]]:
    """Put what waited as if it had not; a name taken since must not keep it waiting."""
    placed = _placed(draft, ports, store)
    if _is_forgotten(draft.session_id, store):
        return None, ()
    if last := _last_of(draft.session_id, store):
        from holdfast.facts.statements.kept_notes import with_earlier_notes  # noqa: PLC0415  # for what waited

        noted = with_earlier_notes(placed.content, last, is_given=draft.given_notes)
        placed = replace(placed, content=noted)
    try:
        kept, missing = _kept(placed, ports, store)
    except NameTaken as taken:
        unnamed = store.put(replace(placed, name=None))
        lost = f"the name of a waiting save: {taken.message}"
        return unnamed.checkpoint, (lost,)
    if kept is None:
        off = "a waiting automatic save was dropped: holdfast is off there"
        return None, (off,)
    return kept.checkpoint, missing


def _is_forgotten(session_id: str, store: Store) -> bool:
    """Say whether a session was forgotten: it is off, and nothing but links is known."""
    known = store.session(session_id)
    if known is None or known.workspace or known.checkpoints:
        return False
    return any((s.kind, s.value) == ("session", session_id) for s in store.switches())


def _save_without_store(
    request: SaveRequest, ports: Ports, trouble: HoldfastError
) -> SaveResult:
    remembered = read_session(
        request.session_id, request.transcript, ports.transcripts, None
    )
    if _is_empty(remembered.state, request):
        return NothingToSave(_NOTHING)
    return _spooled(_drafted(request, remembered, ports, None), ports, trouble)


def _spooled(draft: Draft, ports: Ports, trouble: HoldfastError) -> Spooled:
    try:
        ports.spool.add(draft, trouble.message)
    except OSError:
        raise trouble from None
    return Spooled(draft.key, trouble.message, trouble.hint)


def _is_empty(state: SessionState, request: SaveRequest) -> bool:
    """A session in which nothing was asked or done is not worth a record (C11)."""
    if request.notes or request.title or request.name:
        return False
    return is_nothing(state)


def is_nothing(state: SessionState) -> bool:
    """Say whether nothing was asked or done in a session, nor is anything carried on."""
    if state.message_count() == 0 and next(state.live_calls(), None) is None:
        return True
    # What the session before left open is carried on by a record of this one.
    return not state.inherited and is_small_talk(state.live_turns())


def _drafted(
    request: SaveRequest,
    remembered: SessionReading,
    ports: Ports,
    store: Store | None,
) -> Draft:
    directory = directory_of(request, remembered.state, ports)
    if request.only_in:
        from holdfast.app.checkpoints.whose_session import refuse_foreign  # noqa: PLC0415  # no hook needs it

        places = {directory, worked_in(remembered.state, ports) or directory}
        refuse_foreign(request.session_id, places, request.only_in, ports, store)
    around = Surroundings(
        agent=ports.transcripts.agent,
        hostname=ports.hostname,
        now_ms=ports.clock.now_ms(),
        code=code_of(directory, request, remembered.state, ports),
        identity=ports.code.identity(directory),
        read_to=remembered.kept.cursor.main,
        before=_last_of(request.session_id, store) if store else None,
        merged=merged_here(request.session_id, remembered.state, store)
        if store
        else (),
    )
    state = _with_last_words(remembered.state, request.last_message)
    return with_plan_step(draft_of(request, state, around, ports.redactor), ports)


def _last_of(session_id: str, store: Finding) -> Checkpoint | None:
    return next(iter(store.list(Scope(), session=session_id, limit=1)), None)


def _with_last_words(state: SessionState, text: str) -> SessionState:
    """A hook may run before the agent's last line is written; it brings the words."""
    if not text or not state.turns:
        return state
    last = state.turns[-1]
    if last.said and last.said[-1].text.strip()[:200] == text.strip()[:200]:
        return state
    said = Said("", max(last.ended_at, last.at) + 1, text)
    return replace(
        state, turns=(*state.turns[:-1], replace(last, said=(*last.said, said)))
    )


def _placed(draft: Draft, ports: Ports, store: Store) -> Draft:
    """Return the draft with its project and its place in the lineage.

    A draft from the spool was made without a store and has neither.
    """
    known = store.session(draft.session_id)
    if known is not None:
        draft = replace(
            draft,
            parent_session=known.parent_session,
            root_session=known.root_session or draft.session_id,
            forked_at=forked_at(draft, store) if known.parent_session else None,
        )
    identity = ports.code.identity(draft.workspace)
    project = store.project(identity, _has_commit(ports, identity.workspace))
    return replace(draft, project_id=project.project_id, project_root=project.root)


def _has_commit(ports: Ports, directory: str) -> Callable[[str], bool]:
    return lambda commit: ports.code.has_commit(directory, commit)


def _gaps(
    remembered: SessionReading, code: CodeState, *, is_over: bool
) -> tuple[str, ...]:
    counts = remembered.state.counts
    damaged = sum(n for kind, n in counts.unrecognised if kind in _DAMAGED)
    missing = "code saved, but" if code.tree else "code not saved:"
    # What is not its own is not missing.
    gaps = [f"{missing} {code.reason}"] if code.reason and not is_over else []
    if damaged:
        gaps.append(f"{damaged} lines of the transcript could not be read")
    gaps += [MISSING_PARTS[k] for k, _ in counts.unrecognised if k in MISSING_PARTS]
    if counts.clipped_lines:
        gaps.append(
            f"{counts.clipped_lines} lines were longer than 8 MB;"
            f" {counts.clipped_bytes:,} bytes of them were not read"
        )
    return tuple(gaps)


def _read_back(
    kept: PutResult,
    gaps: tuple[str, ...],
    store: Checkpoints,
    drained: tuple[Checkpoint, ...],
) -> Saved:
    """Say "saved" only after reading the record back from the store."""
    written = kept.checkpoint
    try:
        stored = store.get(written.checkpoint_id)
    except HoldfastError as trouble:
        return Saved(kept.outcome, "BROKEN", written, (trouble.message, *gaps))
    if stored.content_hash != written.content_hash:
        odd = "the record was not stored as it was written"
        return Saved(kept.outcome, "BROKEN", written, (odd, *gaps))
    return Saved(kept.outcome, "PARTIAL" if gaps else "WORKING", stored, gaps, drained)
