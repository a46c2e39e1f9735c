"""What the agent told on the way, so that the next one knows how it went."""

from collections.abc import Iterator, Sequence

from holdfast.analysis.prose import (
    but_for_figures,
    excerpt,
    is_bullet,
    is_question,
    is_title,
)
from holdfast.analysis.speech import (
    says_nothing,
    telling_sentences,
    without_opening,
)
from holdfast.domain.checkpoint import Item
from holdfast.domain.session import Said, Turn
from holdfast.domain.text import extent
from holdfast.patterns import pattern

_MOST = 60  # sentences
_MOST_EACH = 4  # of one message
_SHORTEST, _LONGEST = 30, 300  # characters of a sentence that tells something alone
_FEW_WORDS = 5
_LONG_ENTRY = 60  # characters of an entry of a list
_ENDS = pattern(r"[.!?。！？][\"'”’)*`]*\s*$")


def story_of(turns: Sequence[Turn]) -> tuple[Item, ...]:
    """Return what was told, the newest message first, each sentence once."""
    found: dict[str, Item] = {}
    newest = (said for turn in reversed(turns) for said in reversed(turn.said))
    for said in newest:
        for sentence in _told_in(said):
            found.setdefault(
                but_for_figures(sentence),  # the newest of them is told
                Item(sentence, "agent", (said.uuid,), excerpt(sentence)),
            )
        if len(found) >= _MOST:
            break
    return tuple(found.values())[:_MOST]


def _in_sentences(said: Said) -> str:
    """Return a message without its headings, and without entries of lists that are a few
    words and no sentence: alone they tell nothing."""
    return "\n".join(
        line
        for line in said.text.split("\n")
        if not is_title(line)
        and (not is_bullet(line) or _ENDS.search(line) or extent(line) >= _LONG_ENTRY)
    )


def _told_in(said: Said) -> Iterator[str]:
    spoken = [
        sentence
        for sentence in map(without_opening, telling_sentences(_in_sentences(said)))
        if _SHORTEST <= extent(sentence) <= _LONGEST
        and not is_question(sentence)
        and not says_nothing(sentence)
        and (len(sentence.split()) >= _FEW_WORDS or not sentence.isascii())
    ]
    yield from spoken[:_MOST_EACH]
