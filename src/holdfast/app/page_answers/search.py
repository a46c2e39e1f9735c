"""What the page of search shows: hits in the order of every other surface, each with where
its passage says what was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.page_answers import shown
from holdfast.domain.text import visible
from holdfast.search.highlights import spans
from holdfast.search.query import misread

if TYPE_CHECKING:
    from holdfast.app.checkpoints.search import SearchResult
    from holdfast.app.page_answers import Json
    from holdfast.domain.query import Hit, Query

_MOST_TEXT = 600  # characters of a passage: more than fits beside the timeline


def search_page_answer(found: SearchResult, own_project: str) -> Json:
    """Hits, best first, and what of the question was not understood as it was meant."""
    return {
        "type": "search",
        "hits": [_hit(hit, found.query, own_project) for hit in found.hits],
        "misread": [visible(word) for word in misread(found.query)],
        "is_elsewhere": found.is_elsewhere,
    }


def _hit(hit: Hit, query: Query, own_project: str) -> Json:
    checkpoint = hit.checkpoint
    draft = checkpoint.draft
    # Marks count characters, so they are looked for in the text that is sent.
    text = visible(hit.passage.text)[:_MOST_TEXT] if hit.passage else ""
    title = visible(draft.content.title)
    is_own = draft.project_id == own_project
    told = {
        "id": checkpoint.checkpoint_id,
        "number": checkpoint.reference,
        "at": draft.created_at,
        "session": draft.session_id,
        "branch": draft.code.branch,
        "agent": draft.agent,
        "project": "" if is_own else draft.project_root,
        "kind": hit.passage.kind if hit.passage else "",
    }
    return shown(told) | {
        "title": title,
        "title_marks": [*spans(title, query)],
        "text": text,
        "marks": [*spans(text, query)],
    }
