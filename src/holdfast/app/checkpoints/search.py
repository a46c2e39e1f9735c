"""Search by words, and by the work at hand: which checkpoints answer, which ones matter.

Every surface asks here, so all of them give the same hits in one order. Read only.
"""

from collections.abc import Iterator
from datetime import UTC, tzinfo

from holdfast.app.checkpoints.session import read_session
from holdfast.app.checkpoints.which_session import LocatedSession
from holdfast.app.ports import Ports
from holdfast.domain.checkpoint import Checkpoint, Content
from holdfast.domain.query import Filter, Hit, Query, Scope
from holdfast.facts.content import content_of
from holdfast.kernel.lazy_values import dataclass
from holdfast.search import suggesting
from holdfast.search.query import parse
from holdfast.search.suggesting import MOST, Past, WorkProfile, advise
from holdfast.store.port import Finding

MOST_HITS = 10  # if nobody says how many

_FILES, _ERRORS, _NAMES, _WORDS = 8, 3, 12, 24  # that are looked for
_LOOKED_AT = 4  # files
_OF_EACH = 12  # checkpoints looked at for each
_BACKGROUND = 30  # the newest, to know what is common here


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """What was typed, and what `yesterday` means to the one who typed it."""

    text: str
    now_ms: int
    zone: tzinfo = UTC
    limit: int = MOST_HITS


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits, best first, and the query as it was understood."""

    query: Query
    hits: tuple[Hit, ...]
    is_elsewhere: bool = False  # nothing here, something in another project


def search(store: Finding, request: SearchRequest, scope: Scope) -> SearchResult:
    """Return what answers a query: no text is an error.

    Whoever names a session, a lineage or a checkpoint by its id means it, wherever it
    is; everything else stays inside `scope`.
    """
    query = parse(request.text, request.now_ms, request.zone)
    is_named = query.session or query.parent or query.lineage or query.checkpoint
    place = Scope() if is_named else scope.in_project()
    hits = store.search(query, place, request.limit)
    is_all = hits or place.project_id is None
    return SearchResult(
        query, hits, not is_all and bool(store.search(query, Scope(), 1))
    )


@dataclass(frozen=True, slots=True)
class AtWork:
    """A session as it is now."""

    session_id: str
    content: Content
    known: frozenset[str] = frozenset()  # checkpoints it began from


@dataclass(frozen=True, slots=True)
class Suggestion:
    checkpoint: Checkpoint
    strength: float
    why: tuple[str, ...]


def suggest(
    found: LocatedSession, scope: Scope, ports: Ports, *, limit: int = MOST
) -> tuple[Suggestion, ...]:
    """Return what matters to a session now, never its own; nothing is an answer, too.

    Raises:
        SaveFailed: the transcript is missing or unreadable.
    """
    store = ports.open_store()
    state = read_session(
        found.session_id, found.transcript, ports.transcripts, store
    ).state
    known = frozenset(item.origin for item in state.inherited)
    now = AtWork(found.session_id, content_of(state), known)
    return matters(now, store, scope.in_project(), limit)


def matters(
    now: AtWork, store: Finding, scope: Scope, limit: int = MOST
) -> tuple[Suggestion, ...]:
    """Return the checkpoints within `scope` that matter to the work at hand."""
    own = Filter("session", now.session_id)
    candidates = {
        checkpoint.checkpoint_id: checkpoint
        for query in _queries(now.content, own)
        for hit in store.search(query, scope, _OF_EACH)
        if (checkpoint := hit.checkpoint).checkpoint_id not in now.known
    }
    background = _background(store, scope, now.session_id)
    return _suggestions(now.content, candidates, background, limit)


def _queries(content: Content, own: Filter) -> Iterator[Query]:
    """Yield what to look for, each by itself: a file, an error, the words of it all."""
    at_hand = (
        *suggesting.changed_files(content)[:_FILES],
        *suggesting.looked_at(content, _LOOKED_AT),
    )
    for path in at_hand:
        yield Query(files=(path,), without=(own,))
    for line in list(suggesting.errors_open(content).values())[:_ERRORS]:
        yield Query(words=tuple(line.split()), without=(own,))
    names = suggesting.names(content, _NAMES).values()
    words = dict.fromkeys(suggesting.wanted_words(content).values())
    asked = (*names, *list(words)[:_WORDS])
    if asked:
        yield Query(words=asked, without=(own,))


def _suggestions(
    content: Content,
    candidates: dict[str, Checkpoint],
    background: tuple[Past, ...],
    limit: int,
) -> tuple[Suggestion, ...]:
    now = WorkProfile(
        files=suggesting.changed_files(content),
        looked_at=suggesting.looked_at(content, _LOOKED_AT),
        errors=suggesting.errors_open(content),
        names=suggesting.names(content, _NAMES),
        words=suggesting.wanted_words(content),
    )
    newest_first = sorted(candidates.values(), key=lambda c: -c.number)
    past = tuple(_past(checkpoint) for checkpoint in newest_first)
    return tuple(
        Suggestion(candidates[advice.checkpoint_id], advice.strength, advice.why)
        for advice in advise(now, past, background, limit)
    )


def _background(store: Finding, scope: Scope, own: str) -> tuple[Past, ...]:
    newest = store.list(scope, limit=_BACKGROUND)
    return tuple(_past(c) for c in newest if c.draft.session_id != own)


def _past(checkpoint: Checkpoint) -> Past:
    content = checkpoint.draft.content
    work = WorkProfile(
        files=suggesting.changed_files(content),
        errors=suggesting.errors_met(content),
        names=suggesting.names(content, len(content.names)),
        words=suggesting.told_words(content),
    )
    return Past(checkpoint.checkpoint_id, checkpoint.draft.session_id, work)
