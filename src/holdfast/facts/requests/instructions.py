"""Which of the user's sentences hold beyond the request they stood in.

Whole sentences, verbatim: rules, corrections and priorities, until the user takes them
back. A question or a plain request is none. Only what the user typed is looked at, so no tool can give one.
"""

from collections.abc import Iterator, Sequence

from holdfast.domain.checkpoint import Item
from holdfast.domain.session import Turn
from holdfast.domain.text import extent
from holdfast.facts.requests.requests import is_request, words_of
from holdfast.facts.requests.rule_cues import (
    ASKED,
    CODE,
    DESCRIBES,
    QUOTED,
    REPORTED,
    UNLESS_DESCRIBED,
    holds_anywhere,
)
from holdfast.facts.requests.rule_likeness import without_likeness
from holdfast.facts.requests.taking_back import points_back, taken_back
from holdfast.language.prose import is_question, sentences

_SHORTEST, _LONGEST = 6, 400  # letters, characters of a sentence that can be a rule
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


def is_rule(sentence: str) -> bool:
    """Say whether a sentence holds beyond the moment it was said in."""
    if extent(sentence) < _SHORTEST or len(sentence) > _LONGEST:
        return False
    is_heading = sentence.endswith((":", "："))
    if is_heading or CODE.match(sentence) or is_question(sentence):
        return False
    said = without_likeness(QUOTED.sub("“”", sentence))
    if ASKED.search(said) or REPORTED.search(said):
        return False
    if holds_anywhere(said):
        return True
    return bool(UNLESS_DESCRIBED.search(said)) and not DESCRIBES.match(said)


def _rules(words: str) -> Iterator[str]:
    for sentence in sentences(words):
        if is_rule(sentence) and not points_back(sentence):
            yield sentence
