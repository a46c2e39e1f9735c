"""Which of the user's sentences hold beyond the request they stood in, and until when.

Whole sentences, verbatim: rules, corrections and priorities, until the user takes them
back. A question or a plain request is none. Only what the user typed is looked at, so
no tool can give one.

Two strengths: what says so anywhere in a sentence, and what says so only where the
sentence does not begin as a description ("it always fails", "ça ne marche toujours pas").
Words that only sound like a rule (an answer, a guess, a report, a comfort) are left out
of it first; what else it says still counts: "no, it still fails, but don't touch it".

"Forget that", without a name, takes back what was said just before; with one, it must
name most of the rule. Whatever is in doubt stays.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, takewhile, zip_longest

from holdfast.domain.checkpoint import Item
from holdfast.domain.fact import RequestRole
from holdfast.domain.session import Turn
from holdfast.domain.text import extent, one_line
from holdfast.facts.requests.requests import is_request, said_in
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.language.languages import Cues, Spoken, Template, languages_of
from holdfast.language.quotations import without_quotes
from holdfast.language.sentences import (
    FEWEST_WORDS,
    FORBIDS,
    UNSPACED,
    covers,
    is_bullet,
    is_question,
    plain,
    sentences,
    without_code,
    words_in,
)

_LONG_REQUEST = 1_000  # letters
_SHORTEST, _LONGEST = 6, 400  # letters, characters of a sentence that can be a rule
_ANYWHERE = Cues(lambda spoken: f"{spoken.rules.cues}\n|{spoken.rules.shapes}")
_UNLESS_DESCRIBED = Cues(lambda spoken: spoken.rules.weak_cues)
_LIKENESS = Cues(lambda spoken: spoken.rules.likeness)
_PASSING = Cues(lambda spoken: spoken.rules.passing)
_LASTING_CHOICE = Cues(lambda spoken: spoken.rules.shapes)
_GENERAL = Cues(lambda spoken: spoken.rules.general)
_ASKED = Cues(lambda spoken: spoken.questions.asked)
_REPORTED = Cues(lambda spoken: spoken.rules.reported)

_CODE = pattern(
    r"^\s*(?://|at |go: |[⏺⎿❯✓✗]|v \* |File \"|\d+:|import |const |def |func |[+-]{2,}|[$❯>|{}<])"
)

_MOST = 60  # each rule is asked by each prompt after it
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


class TakenBack(NamedTuple):
    """What a prompt ends, and the sentences of it that do, which are no rules."""

    rules: frozenset[str]
    said: frozenset[str]


class Revocation(NamedTuple):
    """A sentence in which the user takes something back."""

    sign: str  # the words that say so
    is_weak: bool  # "no longer" also confirms what was forbidden before
    words: frozenset[str]


def _described(words: Spoken) -> str:
    nods = words(lambda spoken: spoken.rules.nods)
    return rf"^(?:(?:{nods})[,\s]+)*(?:{words(lambda spoken: spoken.rules.describes)})"


# How a sentence begins that tells of something: a subject, or what something always does.
_DESCRIBES = Template(_described)


def _pointing_back(words: Spoken) -> str:
    before = words(lambda spoken: spoken.retractions.before_that)
    behind = words(lambda spoken: spoken.retractions.behind_that)
    return rf"""^(?:(?:ok|okay|no|oh|hm+|{before})[,\s]+)*(?:
        {words(lambda spoken: spoken.retractions.forget_that)}
    )(?:{behind}){{0,3}}\s*(?:[,.!;:。，！]|[-–—]\s|$)"""


_POINTS_BACK = Template(_pointing_back)


@lru_cache(maxsize=4096)  # every checkpoint of a session asks
def is_rule(sentence: str) -> bool:
    """Say whether a sentence holds beyond the moment it was said in."""
    if extent(sentence) < _SHORTEST or len(sentence) > _LONGEST:
        return False
    is_heading = sentence.endswith((":", "：")) or sentence[0] + sentence[-1] == "【】"
    if is_heading or _CODE.match(sentence) or is_question(sentence):
        return False
    said = _LIKENESS.sub("“”", without_quotes(sentence))
    if _ASKED.search(said) or _REPORTED.search(said):
        return False
    if holds_anywhere(said):
        return True
    is_weak = _UNLESS_DESCRIBED.search(said) is not None
    return is_weak and not _DESCRIBES.for_text(said).match(said)


@lru_cache(maxsize=1024)  # each rule is asked by each request after it
def outlasts_its_request(sentence: str) -> bool:
    """Say whether a rule holds when the request that it stood in is over: it forbids,
    limits or says for how long, or it speaks of every case. What only must be so, is
    preferred or corrects something belongs to that request."""
    said = without_quotes(sentence)
    if _GENERAL.search(said) or _LASTING_CHOICE.search(said):
        return True
    return is_rule(_PASSING.sub(" ", sentence).strip())


@lru_cache(maxsize=1024)  # several passes ask
def holds_anywhere(sentence: str) -> bool:
    """Say whether a sentence holds from now on, wherever in it that is said."""
    return _ANYWHERE.search(sentence) is not None


def instructions_of(
    turns: Sequence[Turn], roles: Sequence[RequestRole] = ()
) -> tuple[Item, ...]:
    """Return the user's rules, corrections and priorities, oldest first, each once.

    `roles` says what each request is to the work: one that asks for something else ends
    what only the request before it needed.
    """
    found: dict[str, Item] = {}
    last: set[str] = set()  # what the request before this one laid down
    for turn, role in zip_longest(filter(is_request, turns), roles):
        words = said_in(turn)
        ended = taken_back(words, found, last)
        over = _ended_with_its_request(found) if role == "request" else ()
        for gone in ended.rules.union(over):
            del found[gone]
        last = set()
        for sentence in _rules(words):
            if sentence in ended.said:
                continue
            key = " ".join(sentence.lower().split())
            found.setdefault(key, Item(sentence, "user", (turn.uuid,), sentence[:300]))
            last.add(key)
        for oldest in list(found)[:-_MOST]:
            del found[oldest]
    return tuple(found.values())


def _ended_with_its_request(rules: Mapping[str, Item]) -> list[str]:
    return [key for key, r in rules.items() if not outlasts_its_request(r.text)]


def points_back(sentence: str) -> bool:
    """Say whether a sentence takes back what was said just before, without naming it."""
    return _POINTS_BACK.for_text(sentence).match(sentence) is not None


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
        ended: set[str] = set()
        if rules:  # as in few sessions, and then not from the beginning
            ended.update(_by_name(sentence, rules), _allowed(sentence, rules))
            gone.update(_forbidden(sentence, rules))
            if points_back(sentence):
                ended.update(key for key in last if key in rules)
        is_of_rules = _NAMES_A_RULE.search(sentence) is not None
        if ended or (is_of_rules and _ONLY_TAKES_BACK.search(sentence)):
            said.add(sentence)
        gone |= ended
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


def _rules(words: str) -> Iterator[str]:
    """Yield the rules in a prompt. What must be so in a long one is what it asks for:
    there only what lasts beyond it is a rule."""
    is_long = extent(words) > _LONG_REQUEST
    for sentence in chain(sentences(words), _listed(words)):
        holds = is_rule(sentence) and not points_back(sentence)
        if holds and (not is_long or outlasts_its_request(sentence)):
            yield sentence


def _listed(words: str) -> Iterator[str]:
    """Yield the rules that are put as the head of a list, each with its entries; none
    where an entry is a rule itself."""
    lines = without_code(words)
    for place, line in enumerate(lines):
        head = plain(line)
        if is_bullet(line) or not head.endswith((":", "：")) or not is_rule(head[:-1]):
            continue
        entries = [plain(entry) for entry in takewhile(is_bullet, lines[place + 1 :])]
        if entries and not any(map(is_rule, entries)):
            yield one_line(f"{head} {'; '.join(entries)}", _LONGEST)


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


@lru_cache(maxsize=512)  # each rule is asked by each prompt after it
def _about(key: str) -> frozenset[str]:
    """Return what a rule is about: its words without those that make it one."""
    about = words_in(_ONLY_RULES.sub(" ", key))
    return about if len(about) >= FEWEST_WORDS else words_in(key)


def _fillers(sentence: str) -> frozenset[str]:
    """Return words that say that something is taken back, and not what."""
    spoken = languages_of(sentence)
    return frozenset(word for each in spoken for word in each.retractions.filler)
