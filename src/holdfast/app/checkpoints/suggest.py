"""Which earlier checkpoints matter to the session as it is now. Read only."""

from collections.abc import Iterator

from holdfast.app.checkpoints.locate import Located
from holdfast.app.checkpoints.remember import remember
from holdfast.app.ports import Ports
from holdfast.domain.checkpoint import Checkpoint, Content
from holdfast.domain.query import Filter, Query, Scope
from holdfast.facts.content import content_of
from holdfast.kernel.lazy_values import dataclass
from holdfast.search import overlap
from holdfast.search.suggesting import MOST, Past, Work, advise
from holdfast.store.ports.store import Store

_FILES, _ERRORS, _NAMES, _WORDS = 8, 3, 12, 24  # that are looked for
_OF_EACH = 12  # checkpoints looked at for each
_BACKGROUND = 30  # the newest, to know what is common here


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
    found: Located, scope: Scope, ports: Ports, *, limit: int = MOST
) -> tuple[Suggestion, ...]:
    """Return what matters to a session now, never its own; nothing is an answer, too.

    Raises:
        SaveFailed: the transcript is missing or unreadable.
    """
    store = ports.open_store()
    state = remember(found.session_id, found.transcript, ports.transcripts, store).state
    known = frozenset(item.origin for item in state.inherited)
    now = AtWork(found.session_id, content_of(state), known)
    return matters(now, store, scope.in_project(), limit)


def matters(
    now: AtWork, store: Store, scope: Scope, limit: int = MOST
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
    for path in overlap.changed_files(content)[:_FILES]:
        yield Query(files=(path,), without=(own,))
    for line in list(overlap.errors_open(content).values())[:_ERRORS]:
        yield Query(words=tuple(line.split()), without=(own,))
    names = overlap.names(content, _NAMES).values()
    words = dict.fromkeys(overlap.wanted_words(content).values())
    asked = (*names, *list(words)[:_WORDS])
    if asked:
        yield Query(words=asked, without=(own,))


def _suggestions(
    content: Content,
    candidates: dict[str, Checkpoint],
    background: tuple[Past, ...],
    limit: int,
) -> tuple[Suggestion, ...]:
    now = Work(
        files=overlap.changed_files(content),
        errors=overlap.errors_open(content),
        names=overlap.names(content, _NAMES),
        words=overlap.wanted_words(content),
    )
    newest_first = sorted(candidates.values(), key=lambda c: -c.number)
    past = tuple(_past(checkpoint) for checkpoint in newest_first)
    return tuple(
        Suggestion(candidates[advice.checkpoint_id], advice.strength, advice.why)
        for advice in advise(now, past, background, limit)
    )


def _background(store: Store, scope: Scope, own: str) -> tuple[Past, ...]:
    newest = store.list(scope, limit=_BACKGROUND)
    return tuple(_past(c) for c in newest if c.draft.session_id != own)


def _past(checkpoint: Checkpoint) -> Past:
    content = checkpoint.draft.content
    work = Work(
        files=overlap.changed_files(content),
        errors=overlap.errors_met(content),
        names=overlap.names(content, len(content.names)),
        words=overlap.told_words(content),
    )
    return Past(checkpoint.checkpoint_id, checkpoint.draft.session_id, work)
