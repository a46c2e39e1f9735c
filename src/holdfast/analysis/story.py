"""What the agent told on the way, so that the next one knows how it went."""

from collections.abc import Iterator, Sequence

from holdfast.analysis.prose import excerpt, is_question
from holdfast.analysis.speech import (
    says_nothing,
    telling_sentences,
    without_opening,
)
from holdfast.analysis.statements import NUMBER
from holdfast.domain.checkpoint import Item
from holdfast.domain.session import Said, Turn
from holdfast.domain.text import extent

_MOST = 60  # sentences
_MOST_EACH = 4  # of one message
_SHORTEST, _LONGEST = 30, 300  # characters of a sentence that tells something alone
_FEW_WORDS = 5


def story_of(turns: Sequence[Turn]) -> tuple[Item, ...]:
    """Return what was told, the newest message first, each sentence once."""
    found: dict[str, Item] = {}
    newest = (said for turn in reversed(turns) for said in reversed(turn.said))
    for said in newest:
        for sentence in _told_in(said):
            found.setdefault(
                NUMBER.sub("#", sentence.lower()),  # a figure may be corrected since
                Item(sentence, "agent", (said.uuid,), excerpt(sentence)),
            )
        if len(found) >= _MOST:
            break
    return tuple(found.values())[:_MOST]


def _told_in(said: Said) -> Iterator[str]:
    spoken = [
        sentence
        for sentence in map(without_opening, telling_sentences(said.text))
        if _SHORTEST <= extent(sentence) <= _LONGEST
        and not is_question(sentence)
        and not says_nothing(sentence)
        and (len(sentence.split()) >= _FEW_WORDS or not sentence.isascii())
    ]
    yield from spoken[:_MOST_EACH]
