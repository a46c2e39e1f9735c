"""Search: every surface asks here, so all of them give the same hits in one order."""

from datetime import UTC, tzinfo

from holdfast.domain.query import Hit, Query, Scope
from holdfast.kernel.lazy_values import dataclass
from holdfast.search.query import parse
from holdfast.store.ports.store import Store

MOST_HITS = 10  # if nobody says how many


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """What was typed, and what `yesterday` means to the one who typed it."""

    text: str
    now_ms: int
    zone: tzinfo = UTC
    limit: int = MOST_HITS


@dataclass(frozen=True, slots=True)
class Found:
    """The hits, best first, and the query as it was understood."""

    query: Query
    hits: tuple[Hit, ...]
    is_elsewhere: bool = False  # nothing here, something in another project


def search(store: Store, request: SearchRequest, scope: Scope) -> Found:
    """Return what answers a query: no text is an error.

    Whoever names a session, a lineage or a checkpoint by its id means it, wherever it
    is; everything else stays inside `scope`.
    """
    query = parse(request.text, request.now_ms, request.zone)
    is_named = query.session or query.parent or query.lineage or query.checkpoint
    place = Scope() if is_named else scope.in_project()
    hits = store.search(query, place, request.limit)
    is_all = hits or place.project_id is None
    return Found(query, hits, not is_all and bool(store.search(query, Scope(), 1)))
