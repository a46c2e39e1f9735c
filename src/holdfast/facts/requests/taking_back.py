"""Which of the user's rules a prompt takes back, of this session and of earlier ones.

Said without a name ("forget that"), it means what was said just before. Said with one,
it must name most of the rule. Whatever is in doubt stays.
"""

from collections.abc import Collection, Iterator

from holdfast.facts.requests.rules import holds_anywhere
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.language.languages import Cues, Spoken, Template, languages_of
from holdfast.language.prose import is_question, sentences
from holdfast.language.words import (
    FEWEST_WORDS,
    FORBIDS,
    UNSPACED,
    covers,
    words_in,
)


def _pointing_back(words: Spoken) -> str:
    before = words(lambda spoken: spoken.retractions.before_that)
    behind = words(lambda spoken: spoken.retractions.behind_that)
    return rf"""^(?:(?:ok|okay|no|oh|hm+|{before})[,\s]+)*(?:
        {words(lambda spoken: spoken.retractions.forget_that)}
    )(?:{behind}){{0,3}}\s*(?:[,.!;:。，！]|[-–—]\s|$)"""


_POINTS_BACK = Template(_pointing_back)
_NAMES_A_RULE = Cues(lambda spoken: spoken.retractions.rule_nouns)
_TAKES_BACK = Cues(
    lambda spoken: "\n|".join(
        filter(None, (spoken.retractions.forget, spoken.retractions.lapsed))
    )
)
_ENDS = Cues(lambda spoken: spoken.retractions.no_more)
_SENTENCE_END = pattern(r"[.!;](?=\s|$)|[。！；\n]|(?<=[?？])")
_BESIDES, _BESIDES_IN_PAIRS = 5, 15  # words, or pairs of characters
_ALLOWS = Cues(lambda spoken: spoken.retractions.allows)
# What makes a rule of a sentence is not what the rule is about.
_ONLY_RULES = Cues(lambda spoken: spoken.rules.marks)
# What takes back and cannot be meant as a rule itself.
_ONLY_TAKES_BACK = Cues(lambda spoken: spoken.retractions.only_takes_back)


def points_back(sentence: str) -> bool:
    """Say whether a sentence takes back what was said just before, without naming it."""
    return _POINTS_BACK.for_text(sentence).match(sentence) is not None


class TakenBack(NamedTuple):
    """What a prompt ends, and the sentences of it that do, which are no rules."""

    rules: frozenset[str]
    said: frozenset[str]


class Revocation(NamedTuple):
    """A sentence in which the user takes something back."""

    sign: str  # the words that say so
    is_weak: bool  # "no longer" also confirms what was forbidden before
    words: frozenset[str]


def taken_back(
    words: str, rules: Collection[str], last: Collection[str] = ()
) -> TakenBack:
    """Return which rules a prompt takes back, by their folded text.

    `last` are those that the prompt before it laid down.
    """
    gone: set[str] = set()
    said: set[str] = set()
    for sentence in sentences(words):
        if is_question(sentence):
            continue
        ended = {*_by_name(sentence, rules), *_allowed(sentence, rules)}
        if points_back(sentence):
            ended.update(key for key in last if key in rules)
        is_of_rules = _NAMES_A_RULE.search(sentence) is not None
        if ended or (is_of_rules and _ONLY_TAKES_BACK.search(sentence)):
            said.add(sentence)
        gone.update(ended, _forbidden(sentence, rules))
    return TakenBack(frozenset(gone), frozenset(said))


def revocations(prompt: str) -> Iterator[Revocation]:
    """Yield the sentences of a prompt, folded to one case, that take something back."""
    for sentence in _SENTENCE_END.split(prompt):
        bare = sentence.strip()
        if not bare or bare[-1] in "?？":
            continue
        if found := _TAKES_BACK.search(bare):
            sign = found[found.lastindex or 0]
            yield Revocation(sign, is_weak=False, words=words_in(bare))
        elif found := _ENDS.search(bare):
            yield Revocation(found[0], is_weak=True, words=words_in(bare))


def _by_name(sentence: str, rules: Collection[str]) -> Iterator[str]:
    speaks_of_rules = _NAMES_A_RULE.search(sentence) is not None
    for revocation in revocations(sentence.casefold()):
        named = revocation.words - _fillers(sentence)
        for key in rules:
            weak = revocation.is_weak and FORBIDS.search(key)
            is_meant = covers(revocation.words, _about(key)) or (
                speaks_of_rules and bool(named) and named <= words_in(key)
            )
            if is_meant and not weak and revocation.sign not in key:
                yield key


def _allowed(sentence: str, rules: Collection[str]) -> Iterator[str]:
    """Yield what a sentence allows that was forbidden."""
    if _ALLOWS.search(sentence) and not _forbids(sentence):
        yield from (k for k in _spoken_of(sentence, rules) if FORBIDS.search(k))


def _forbidden(sentence: str, rules: Collection[str]) -> Iterator[str]:
    """Yield what a sentence forbids that was wanted: it is a rule in its place."""
    if _forbids(sentence):
        yield from (k for k in _spoken_of(sentence, rules) if not FORBIDS.search(k))


def _forbids(sentence: str) -> bool:
    return bool(FORBIDS.search(sentence.casefold())) and holds_anywhere(sentence)


def _spoken_of(sentence: str, rules: Collection[str]) -> Iterator[str]:
    folded = " ".join(sentence.casefold().split())
    spoken = words_in(folded)
    besides = _BESIDES if max(folded) < UNSPACED else _BESIDES_IN_PAIRS
    for key in rules:
        # Who speaks of much else does not speak of this rule.
        is_short = len(spoken) <= len(words_in(key)) + besides
        if is_short and key not in folded and covers(spoken, _about(key)):
            yield key


def _about(key: str) -> frozenset[str]:
    """Return what a rule is about: its words without those that make it one."""
    about = words_in(_ONLY_RULES.sub(" ", key))
    return about if len(about) >= FEWEST_WORDS else words_in(key)


def _fillers(sentence: str) -> frozenset[str]:
    """Return words that say that something is taken back, and not what."""
    spoken = languages_of(sentence)
    return frozenset(word for each in spoken for word in each.retractions.filler)
