"""Does a prompt say alone, by a few words, that earlier work is meant, or that none is?

Only one that is nothing but such words, with a name or a number and politeness around
them. Whatever says more is judged by the model that reads it. Every short prompt is asked
this before anything else is imported: no expression is compiled here.
"""

from holdfast.language.explicit_words import (
    AGREEING,
    EXPLICIT_WORDS,
    UNSPACED,
    spellings,
)

TYPE_CHECKING = False  # importing it would cost four times what this module does
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    Meant = Literal["going on", "new"]

_MOST_LETTERS = 80
_MOST_WORDS = 12
_SIGNS = " \t.,;:!?…\"'`“”„«»‘’()[]<>。、，！？：；「」~*"
_LABEL = "checkpoint-"
_DIGITS = 5  # as many as a screen shows: 00042


class Asked:
    """What the words of a prompt ask for."""

    def __init__(
        self,
        meant: "Meant",
        reference: str = "",
        *,
        is_sure: bool = False,
        is_alone: bool = False,
    ) -> None:
        self.meant = meant
        self.reference = reference  # empty: what the start found
        self.is_sure = is_sure  # nothing but a checkpoint can be meant by it
        self.is_alone = is_alone  # no word for going on stands beside it

    @property
    def may_be_answer(self) -> bool:
        """A number alone says which checkpoint where one was just offered; later it
        answers something else."""
        return self.is_alone and not self.is_sure and self.reference.isdigit()


class _Spoken:
    """One language, ready to be compared with."""

    def __init__(self, code: str) -> None:
        self.is_unspaced = code in UNSPACED
        gap = "" if self.is_unspaced else " "
        going_on, new, around = EXPLICIT_WORDS[code]
        self.going_on, self.new = _parted(going_on, gap), _parted(new, gap)
        self.agreeing = _parted(AGREEING[code], gap)
        self.around = _parted(around) | _parted(EXPLICIT_WORDS["en"][2])


_SPOKEN: list[_Spoken] = []


def asked_for(prompt: str) -> Asked | None:
    """Return what a prompt asks for by such words alone, or None if it says more."""
    spoken = _spoken_in(prompt)
    found = [*map(_said, spoken), *map(_naming, spoken)]
    return next(filter(None, found), None)


def agrees(prompt: str) -> bool:
    """Say whether a prompt only agrees: "ok", "yes, go ahead"."""
    return any(
        _says(words, spoken, spoken.agreeing)
        for words in _spoken_in(prompt)
        for spoken in _languages()
    )


def _spoken_in(prompt: str) -> list[list[str]]:
    """Return the words of a prompt that is short enough, in each spelling of it."""
    text = prompt.strip()
    if len(text) > _MOST_LETTERS or text.startswith("/") or "\n" in text:
        return []
    spoken = [words for form in spellings(text) if (words := _words(form))]
    return [words for words in spoken if len(words) <= _MOST_WORDS]


def _said(words: "Sequence[str]") -> Asked | None:
    for spoken in _languages():
        if _says(words, spoken, spoken.going_on):
            return Asked("going on")
        if _says(words, spoken, spoken.new):
            return Asked("new")
    return None


def _naming(words: list[str]) -> Asked | None:
    """`continue api-design`, `42を続けて`, or what a screen shows: `00042`."""
    for place, word in enumerate(words):
        rest = [*words[:place], *words[place + 1 :]]
        if any(_says(rest, each, each.going_on) for each in _languages()):
            return Asked("going on", word.lstrip("#"), is_sure=_is_reference(word))
        if _is_label(word) and _is_around(rest):
            return Asked("going on", word, is_sure=True, is_alone=True)
    if len(words) == 1 and _is_reference(words[0]):
        return Asked("going on", words[0].lstrip("#"), is_alone=True)
    return None


def _says(words: "Sequence[str]", spoken: _Spoken, wanted: frozenset[str]) -> bool:
    """Say whether words are one of the phrases and what may stand around it."""
    if spoken.is_unspaced:
        return _is_within("".join(words), wanted, spoken.around)
    if " ".join(word for word in words if word not in spoken.around) in wanted:
        return True
    return any(
        " ".join(words[begin:end]) in wanted
        for begin in range(len(words))
        for end in range(begin + 1, len(words) + 1)
        if spoken.around.issuperset((*words[:begin], *words[end:]))
    )


def _is_within(text: str, wanted: frozenset[str], around: frozenset[str]) -> bool:
    while text and text not in wanted:
        end = max((w for w in around if text.endswith(w)), key=len, default="")
        begin = max((w for w in around if text.startswith(w)), key=len, default="")
        if not end and not begin:
            return False
        text = text[: -len(end)] if end else text[len(begin) :]
    return bool(text)


def _is_around(words: "Sequence[str]") -> bool:
    return any(spoken.around.issuperset(words) for spoken in _languages())


def _is_label(word: str) -> bool:
    number = word.removeprefix(_LABEL)
    return number.isdigit() and (len(number) >= _DIGITS or number != word)


def _is_reference(word: str) -> bool:
    """Say whether a word is a number or has a form that only names have."""
    inner = word.strip("-_#")
    return any(sign.isdigit() for sign in inner) or "-" in inner or "_" in inner


def _languages() -> list[_Spoken]:
    if not _SPOKEN:
        _SPOKEN.extend(map(_Spoken, EXPLICIT_WORDS))
    return _SPOKEN


def _parted(phrases: str, gap: str = " ") -> frozenset[str]:
    return frozenset(gap.join(phrase.split()) for phrase in phrases.split("/"))


def _words(text: str) -> list[str]:
    """Return the words; a name stands apart from a script that has no spaces."""
    parted, before = "", ""
    for sign in text:
        is_edge = before and before.isascii() != sign.isascii()
        if is_edge and not {before, sign} & {"-", "_", " ", "'"}:
            is_latin = (before if sign.isascii() else sign) < "\u0250"
            parted += "" if is_latin else " "
        parted += sign
        before = sign
    return [word for each in parted.split() if (word := each.strip(_SIGNS))]
