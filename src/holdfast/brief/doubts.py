"""How a note is told that the transcript contradicts: as it is, and marked."""

from typing import Any

from holdfast.domain.brief import BriefSubject
from holdfast.domain.checkpoint import Content, Item, marked
from holdfast.domain.kinds import CLAIMS
from holdfast.kernel.lazy_values import replace


def with_doubts(subject: BriefSubject) -> BriefSubject:
    """Return a brief's subject in which doubtful notes say so."""
    content = subject.content
    lists: dict[str, Any] = {
        kind: tuple(_marked(item) for item in getattr(content, kind)) for kind in CLAIMS
    }
    told = replace(content, summary=summary_told(content), **lists)
    return replace(subject, content=told)


def doubt_mark(doubt: str) -> str:
    return f" (doubtful: {doubt})" if doubt else ""


def summary_told(content: Content) -> str:
    """Return the summary; what is wrong with it comes first, where nobody misses it."""
    if not (content.summary and content.summary_doubt):
        return content.summary
    return f"(Doubtful: {content.summary_doubt}.) {content.summary}"


def _marked(item: Item) -> Item:
    return marked(item, doubt_mark(item.doubt)) if item.doubt else item
