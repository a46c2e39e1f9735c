"""Which languages a text may be in, by its letters, and cues in all of them.

A language is loaded when a text shows its script. Latin letters without accents are all
that five of them need, and a text says too little to tell those apart, so these are
looked for together, in one expression.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache

from holdfast.kernel.lazy_patterns import compiled, guarded
from holdfast.language.language import Cue, Language

_HAN = "\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
LATIN = ("en", "fr", "de", "es", "pt")
# The others, and the letters of which a text in one of them has some.
BY_LETTERS = {
    "vi": "\u00c0-\u024f\u1e00-\u1eff",
    "ru": "\u0400-\u04ff",
    "th": "\u0e00-\u0e7f",
    "ko": "\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3",
    "ja": f"\u3040-\u30ff{_HAN}",
    "zh": _HAN,
}
CUES = re.VERBOSE | re.IGNORECASE
Spoken = Callable[[Callable[[Language], str]], str]  # of all languages that are meant


@cache
def language(code: str) -> Language:
    """Return a language by its code: `fr`."""
    if code not in LATIN and code not in BY_LETTERS:  # no text names a module to load
        raise KeyError(code)
    module = __import__(f"holdfast.language.{code}", fromlist=["LANGUAGE"])
    found: Language = module.LANGUAGE
    return found


@cache
def latin() -> tuple[Language, ...]:
    """Return the languages that any text may be in."""
    return tuple(map(language, LATIN))


def latin_letters() -> tuple[Language, ...]:
    """Return the languages whose words may be written, or typed, without accents."""
    return (*latin(), language("vi"))


def every() -> tuple[Language, ...]:
    """Return all languages."""
    return (*latin(), *map(language, BY_LETTERS))


@lru_cache(maxsize=512)  # several passes ask for the same sentence
def others_in(text: str) -> tuple[str, ...]:
    """Return the codes of the languages whose script a text shows beside Latin letters."""
    # Most of what is not ASCII is a dash, a quotation mark or a tick.
    if text.isascii() or not _letters(*BY_LETTERS).search(text):
        return ()
    return tuple(code for code in BY_LETTERS if _letters(code).search(text))


def languages_of(text: str) -> tuple[Language, ...]:
    """Return the languages that a text may be in."""
    return (*latin(), *map(language, others_in(text)))


@cache
def _letters(*codes: str) -> re.Pattern[str]:
    return compiled(f"[{''.join(BY_LETTERS[code] for code in codes)}]")


def _alternatives(expressions: Iterable[str]) -> str:
    return "\n|".join(filter(None, expressions))  # a comment may end one of them


class Template:
    """An expression in which words of several languages may stand beside each other."""

    def __init__(self, build: Callable[[Spoken], str], flags: int = CUES) -> None:
        self._build = build
        self._flags = flags
        self._compiled: dict[tuple[str, ...], re.Pattern[str]] = {}

    def for_text(self, text: str) -> re.Pattern[str]:
        """Return the expression with the languages that a text may be in."""
        codes = others_in(text)
        if codes not in self._compiled:
            spoken = languages_of(text)

            def words(field: Callable[[Language], str]) -> str:
                return _alternatives(map(field, spoken))

            self._compiled[codes] = compiled(self._build(words), self._flags)
        return self._compiled[codes]


class Cues:
    """One kind of cue in every language, as if it were one expression.

    `common` is looked for, too, whatever the language. Where `is_apart`, what is in one
    language is taken out before another one is asked.
    """

    def __init__(
        self,
        field: Callable[[Language], str],
        *,
        common: str = "",
        flags: int = CUES,
        is_apart: bool = False,
    ) -> None:
        self._field = field
        self._always = LATIN if is_apart else ("",)
        self._common = common
        self._flags = flags
        self._compiled: dict[tuple[str, ...], tuple[re.Pattern[str], ...]] = {}

    def search(self, text: str) -> re.Match[str] | None:
        """Return where a cue stands in a text."""
        for expression in self._expressions(text):
            if found := expression.search(text):
                return found
        return None

    def match(self, text: str) -> re.Match[str] | None:
        """Return the cue that a text begins with."""
        for expression in self._expressions(text):
            if found := expression.match(text):
                return found
        return None

    def sub(self, instead: str, text: str, count: int = 0) -> str:
        """Return a text with something instead of its cues."""
        for expression in self._expressions(text):
            text = expression.sub(instead, text, count)
        return text

    def _expressions(self, text: str) -> tuple[re.Pattern[str], ...]:
        codes = () if text.isascii() else others_in(text)
        try:
            return self._compiled[codes]
        except KeyError:
            each = map(self._expression, (*self._always, *codes))
            found = self._compiled[codes] = tuple(filter(None, each))
            return found

    @cache  # noqa: B019  # there is one of each kind of cue, for good
    def _expression(self, code: str) -> re.Pattern[str] | None:
        spoken = (language(code),) if code else latin()
        sources = [*map(self._field, spoken), "" if code else self._common]
        told = _alternatives(sources)
        return guarded(told, self._flags) if told else None


class GuardedCues(Cues):
    """Cues that are looked for only where one of their words occurs.

    Most messages have none of them, and finding that out is fifty times cheaper.
    """

    def __init__(self, *fields: Callable[[Language], Cue]) -> None:
        super().__init__(
            lambda spoken: _alternatives(of(spoken).expression for of in fields)
        )
        self._fields = fields
        self._words: dict[str, tuple[str, ...]] = {}

    def may_be_in(self, text: str) -> bool:
        """Say whether a text has one of the words, which is cheap to know."""
        lowered = text.lower()
        codes = ("ascii",) if text.isascii() else ("", *others_in(text))
        for code in codes:
            for word in self._words_of(code):  # any() costs twice
                if word in lowered:
                    return True
        return False

    def is_in(self, text: str) -> bool:
        return self.may_be_in(text) and self.search(text) is not None

    def _words_of(self, code: str) -> tuple[str, ...]:
        if code not in self._words:
            spoken = latin() if code in ("", "ascii") else (language(code),)
            words = (
                w for each in spoken for of in self._fields for w in of(each).words
            )
            kept = {w for w in words if code != "ascii" or w.isascii()}
            # What holds another word need not be looked for itself.
            few = (w for w in sorted(kept) if not any(o in w for o in kept - {w}))
            self._words[code] = tuple(few)
        return self._words[code]
