"""How much of a prompt says what is wanted: what is left of it without nods and grammar.

"yes, go on" leaves nothing, "the parser" little, "rewrite the parser" enough. A language
brings its words; how they are counted is the same in all of them.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache

from holdfast.kernel.lazy_patterns import compiled, pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.language.languages import Cues, language, latin_letters, others_in

_LONGEST_CHORE = 14  # words
_LONGEST_ADDITION = 8
_LONGEST_REMARK = 12  # words
_LONGEST_STOP = 60  # characters
_LONGEST_ANSWER = 6  # who says more to a question says what is to be done
_SHORTEST_WORD = 2
_ENOUGH_WORDS = 2
# Signs of scripts without spaces, without nods; two kana say as much as one other sign.
_ENOUGH_SIGNS, _SOME_SIGNS, _FEW_SIGNS = 5, 3, 2
_SIGNS_OF_ADDITION = 12
_WORD = pattern(r"[^\W\d_][\w'-]*")
_UNSPACED = pattern("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
# Vowels and tones above and below a Thai letter are part of it.
_SIGN = pattern(
    "[\u0e01-\u0e30\u0e32-\u0e33\u0e40-\u0e46\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]"
)
_KANA = pattern("[\u3040-\u30ff]")
# A link, an address or an absolute path alone names something and asks for nothing.
_PLACE = pattern(
    r"https?://\S+|(?:^|(?<=\s))(?:[A-Za-z]:[\\/]|~?/)\S+|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}(?::[\w./~-]{1,200})?"
)
_PARTS_OF_PLACE = pattern(r"@|.[/\\.]")
_SHELL_LINE = pattern(r"[\w./~-]+(?: --?\w[\w-]*)+")
_ADDS = Cues(lambda spoken: spoken.requests.adds)
_REMARKS = Cues(lambda spoken: spoken.requests.remarks)
_STOPS = Cues(lambda spoken: spoken.requests.stops)
_REDOES = Cues(lambda spoken: spoken.requests.redoes)
_SIGNED = ("th", "ko", "ja", "zh")


class Left(NamedTuple):
    """What is left of a prompt: words, at least, and signs of scripts without spaces."""

    words: int = 0
    signs: int = 0

    @property
    def is_enough(self) -> bool:
        """Whether it says what is wanted to somebody who knows nothing before it."""
        if self.words >= _ENOUGH_WORDS or self.signs >= _ENOUGH_SIGNS:
            return True
        return bool(self.words) and self.signs >= _SOME_SIGNS

    @property
    def is_something(self) -> bool:
        return bool(self.words) or self.signs >= _FEW_SIGNS


def left_of(prompt: str) -> Left:
    """Return what a prompt says beside nods, politeness and grammar."""
    if _SHELL_LINE.fullmatch(prompt.strip()):
        return Left()
    text = _without_places(prompt)
    words = _words(text)
    codes = _spaced(text)
    sure = len(words - _empty_in_any(codes))  # most prompts are settled by this
    if sure < _ENOUGH_WORDS:
        sure = min(len(words - _empty(code)) for code in codes)
    return Left(sure, _signs(text))


def names_place(prompt: str) -> bool:
    """Say whether a prompt names a link, a repository or an absolute path, and not only
    somebody's mail; of one word that may be a command, too: `/review`."""
    places = (found[0] for found in _PLACE.finditer(prompt))
    return any(_PARTS_OF_PLACE.search(p) for p in places if "@" not in p or ":" in p)


def is_chore(prompt: str) -> bool:
    """Say whether a prompt asks for nothing but what follows any work: "commit this"."""
    text = _without_places(prompt)
    spoken = _WORD.findall(_spaced_part(text))
    if len(spoken) > _LONGEST_CHORE or any(sign.isdigit() for sign in text):
        return False
    words = _words(text)
    for code in _spaced(text):
        chores, around = _chores(code)
        if words & chores and words <= around:
            return _signs(text, "chores", "beside_chores") < _FEW_SIGNS
    if words - _empty("en"):
        return False
    has_one = _signs(text, "chores") < _signs(text)
    return has_one and _signs(text, "chores", "beside_chores") < _FEW_SIGNS


def is_addition(prompt: str) -> bool:
    """Say whether a prompt adds a word or two to the one before: "the tests too"; or
    tells something in a sentence of what was named there: "they were added today"."""
    text = prompt.strip()
    words = len(text.split())
    if words <= _LONGEST_REMARK and "?" not in text and _REMARKS.match(text):
        return True
    is_short = words <= _LONGEST_ADDITION and _has_few_signs(text)
    return is_short and bool(_ADDS.search(text))


def is_stop(prompt: str) -> bool:
    """Say whether a prompt only ends what runs: "kill it"."""
    return len(prompt) <= _LONGEST_STOP and _STOPS.match(prompt) is not None


def asks_again(prompt: str) -> bool:
    """Say whether a prompt asks for what was asked before once more: "try again, now
    with the other key"."""
    return _REDOES.match(prompt) is not None


def is_few_words(prompt: str) -> bool:
    """Say whether an answer is so short that it leans on its question."""
    return len(prompt.split()) <= _LONGEST_ANSWER and _has_few_signs(prompt)


def _has_few_signs(text: str) -> bool:
    return text.isascii() or len(_SIGN.findall(text)) <= _SIGNS_OF_ADDITION


def _without_places(prompt: str) -> str:
    has_one = "/" in prompt or "@" in prompt or "\\" in prompt
    return _PLACE.sub(" ", prompt) if has_one else prompt


@lru_cache(maxsize=16)  # a prompt is asked twice, one after the other
def _words(text: str) -> frozenset[str]:
    """Return the words of a text as lists have them, but for scripts without spaces."""
    folded = _plain(_spaced_part(text))
    found = [word.strip("'-") for word in _WORD.findall(folded)]
    return frozenset([word for word in found if len(word) >= _SHORTEST_WORD])


def _spaced_part(text: str) -> str:
    return text if text.isascii() else _UNSPACED.sub(" ", text)


def _plain(text: str) -> str:
    """Return a text without case and accents."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFD", text.casefold().replace("’", "'"))
    bare = "".join(sign for sign in parts if not unicodedata.combining(sign))
    return bare.replace("đ", "d")


def _spaced(text: str) -> tuple[str, ...]:
    """Return the languages with spaces that a text may be in."""
    return _spaced_among(others_in(text))


@cache
def _spaced_among(others: tuple[str, ...]) -> tuple[str, ...]:
    spaced = (code for code in others if code not in _SIGNED)
    return tuple(dict.fromkeys((*(each.code for each in latin_letters()), *spaced)))


@cache
def _empty(code: str) -> frozenset[str]:
    """Return the words of a language, and of English, that say nothing alone."""
    spoken = (language("en"), language(code))
    lists = (
        words
        for each in spoken
        for words in (each.requests.nods, each.words.small, each.words.stop)
    )
    return _plain_words(lists)


@cache
def _empty_in_any(codes: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*map(_empty, codes))


@cache
def _chores(code: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words for chores in a language, and in English; and those with all that
    may stand around them."""
    spoken = [language(each).requests for each in (code, "en")]
    chores = _plain_words(each.chores for each in spoken)
    beside = _plain_words(each.beside_chores for each in spoken)
    return chores, chores | beside | _empty(code)


def _plain_words(lists: Iterable[str]) -> frozenset[str]:
    return frozenset(_plain(word) for words in lists for word in words.split())


def _signs(text: str, *besides: str) -> int:
    """Return how many signs are left without nods, and without what else is named."""
    if text.isascii() or not _UNSPACED.search(text):
        return 0
    codes = tuple(code for code in _SIGNED if code in others_in(text))
    kept = _stretches(codes, ("nods", *besides)).sub("", text)
    return len(_SIGN.findall(kept)) - len(_KANA.findall(kept)) // 2


@cache
def _stretches(codes: tuple[str, ...], names: tuple[str, ...]) -> re.Pattern[str]:
    """Return an expression for the stretches of some lists, the longest first."""
    requests = [language(code).requests for code in codes]
    found = {
        word
        for each in requests
        for name in names
        for word in getattr(each, name).split()
    }
    return compiled("|".join(map(re.escape, sorted(found, key=len, reverse=True))))
