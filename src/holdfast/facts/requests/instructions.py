"""Which of the user's sentences hold beyond the request they stood in.

Whole sentences, verbatim: rules, corrections and priorities, until the user takes them
back. A question or a plain request is none. Only what the user typed is looked at, so no tool can give one.
"""

from collections.abc import Iterator, Sequence

from holdfast.domain.checkpoint import Item
from holdfast.domain.session import Turn
from holdfast.facts.requests.requests import is_request, words_of
from holdfast.facts.requests.rules import is_rule
from holdfast.facts.requests.taking_back import points_back, taken_back
from holdfast.language.prose import sentences

_MOST = 60


def instructions_of(turns: Sequence[Turn]) -> tuple[Item, ...]:
    """Return the user's rules, corrections and priorities, oldest first, each once."""
    found: dict[str, Item] = {}
    last: set[str] = set()  # what the request before this one laid down
    for turn in turns:
        if not is_request(turn):
            continue
        words = words_of(turn)
        ended = taken_back(words, found, last)
        for gone in ended.rules:
            del found[gone]
        last = set()
        for sentence in _rules(words):
            if sentence in ended.said:
                continue
            key = " ".join(sentence.lower().split())
            found.setdefault(key, Item(sentence, "user", (turn.uuid,), sentence[:300]))
            last.add(key)
        for oldest in list(found)[
            :-_MOST
        ]:  # each rule is asked by each prompt after it
            del found[oldest]
    return tuple(found.values())


def _rules(words: str) -> Iterator[str]:
    for sentence in sentences(words):
        if is_rule(sentence) and not points_back(sentence):
            yield sentence
