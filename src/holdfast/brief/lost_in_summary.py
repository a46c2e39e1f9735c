"""What a compaction's summary does not say any more: the rest of the content. Pure."""

from collections.abc import Iterable

from holdfast.domain.checkpoint import Content, Item
from holdfast.kernel.lazy_values import replace
from holdfast.language.content_words import content_words, folded

_MOST_OF = 0.8  # share of an item's words that a summary must have to carry it


def lost(content: Content, summary: str) -> Content:
    """Return the content without what the summary still carries."""
    told = folded(summary)
    words = content_words(summary)

    def missing(items: Iterable[Item]) -> tuple[Item, ...]:
        return tuple(item for item in items if not _carries(told, words, item.text))

    return replace(
        content,
        summary="",
        requests=missing(content.requests),
        instructions=missing(content.instructions),
        decisions=missing(content.decisions),
        errors=missing(content.errors),
        dead_ends=missing(content.dead_ends),
        commands=tuple(
            one for one in content.commands if folded(one.command) not in told
        ),
        files=tuple(one for one in content.files if not _names(told, one.path)),
    )


def _carries(told: str, words: frozenset[str], text: str) -> bool:
    if folded(text) in told:
        return True
    own = content_words(text)
    return bool(own) and len(own & words) >= _MOST_OF * len(own)


def _names(told: str, path: str) -> bool:
    return folded(path.rpartition("/")[2]) in told
