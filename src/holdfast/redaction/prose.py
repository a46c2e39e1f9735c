"""Passwords in what people write to each other: `S is the password`, `Senha: …`.

English where the value stands before its name or beside a login, and the word for a
password in other languages, in any case.
"""

from collections.abc import Iterator

from holdfast.domain.text import odd_characters
from holdfast.kernel.lazy_patterns import pattern
from holdfast.redaction import Look, Span
from holdfast.redaction.by_name import (
    announced,
    look_at_operator,
    precise_kind,
    value_at,
)
from holdfast.redaction.foreign_words import GLUED, KEYS, OF_API, PASSWORDS, VERBS
from holdfast.redaction.tables import below
from holdfast.redaction.values import is_key, is_password

IS = rf"(?:{VERBS})"
QUOTE = r"[\"'`「『“”‘’«]"
_LONGEST_WORD = 16
_BLANK = r"[ \t\u00a0\u202f]"  # a French colon has one before it
# Scripts whose words have no blank between them.
_UNSPACED = r"\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3"
_LINK = rf"(?:{IS}(?=[ \t])|{GLUED})"
# What the password is of: `für den Server`, told by what follows it.
_OF_WHAT = (
    rf"(?:(?:{_BLANK}{{1,4}}[^\W\d][\w.'’/\-]{{0,32}}){{1,5}}?|[{_UNSPACED}]{{1,24}}?)"
    rf"(?={_BLANK}{{0,4}}(?:[:：=＝—–]|{_BLANK}{_LINK}|(?<=[{_UNSPACED}])(?:{GLUED})))"
)
_FOREIGN_RELATION = pattern(
    rf"(?:[^\W\d_{_UNSPACED}]{{1,4}}(?=[\s:：]))?[\"'`*]{{0,3}}({_OF_WHAT})?{_BLANK}{{0,4}}({_LINK})?"
    rf"{_BLANK}{{0,4}}([:：=＝]|[—–→](?={_BLANK}))?\*{{0,2}}{_BLANK}{{0,4}}{QUOTE}?"
)
_GLUED_ON = pattern(rf"[!-~]{{4,256}}(?=[{_UNSPACED}])")  # `…이에요`
_COUNTED = pattern(rf"[0-9]{{1,3}}(?:[~〜-][0-9]{{1,3}})?[{_UNSPACED}]")  # `10文字以上`
_NO_PASSWORD = pattern(r"[0-9]{1,64}\Z|v?[0-9]{1,4}[.\-/][0-9]")
_SAID_OF = pattern(r"([^\s\"'`]{8,128})[\"'`]?[ \t]{1,4}$")
_AFTER_PW = pattern(
    rf"(?=[ \t]{{1,4}}(?:is|was)\b)[ \t]{{1,4}}{IS}[ \t:]{{1,4}}{QUOTE}?"
)
_WORD = pattern(r"(?:enha|ENHA|E PASSE|eslo|mdp|lave)")
_TO_OPERATOR = pattern(r"[ \t\"'\\\]]{0,32}")
_NEAR = 140
_SHORTEST_SAID = 8


def foreign(text: str, begin: int, end: int) -> Iterator[Span]:
    """Yield what follows the word for a password in other languages than English.

    It may begin from `begin` on, and before `end`.
    """
    odd = odd_characters(text[begin : end + _LONGEST_WORD])
    for kind, words in (("password", PASSWORDS), ("api-key", KEYS)):
        for letter, word in words:
            last = end + len(word) - 1
            at = text.find(word, begin, last) if letter in odd else -1
            while at >= 0:
                at += len(word)
                yield from after_foreign_word(text, at, kind)
                at = text.find(word, at, last)


def after_foreign_word(text: str, end: int, kind: str = "password") -> Iterator[Span]:
    """Yield the password or key behind the word for it that ends at `end`."""
    if found := tuple(below(text, end)):
        yield from found
        return
    opening = _FOREIGN_RELATION.match(text, end)
    if opening is None or opening.end() == end:
        return
    start, stop = value_at(text, opening.end(), opening[0][-1:])
    if glued := _GLUED_ON.match(text, start, stop):
        stop = glued.end()
    value = text[start:stop]
    if _COUNTED.match(value):
        return
    if opening[1] and _NO_PASSWORD.match(value):
        return
    if announced(value, kind, "", "line"):
        yield start, stop, precise_kind(kind, "", value)


def before_verb(text: str, end: int, kind: str) -> Iterator[Span]:
    """Yield what is said to be a secret before `end`: `use … as the password`."""
    words = text[max(0, end - _NEAR) : end].rsplit(maxsplit=1)
    if not words or len(words[-1]) < _SHORTEST_SAID:
        return
    hit = _SAID_OF.search(text, max(0, end - _NEAR), end)
    if hit and (is_password(hit[1]) or is_key(hit[1])):
        yield hit.start(1), hit.end(1), kind


def _look_at_word(text: str, index: int) -> Iterator[Span]:
    letters = _WORD.match(text, index)
    yield from after_foreign_word(text, letters.end() if letters else index)


def _look_at_api(text: str, index: int) -> Iterator[Span]:
    """Yield the key that a word of another language and `API` name: `chave da API: …`."""
    words = text[max(0, index - _NEAR) : index].rpartition("\n")[2].lower().split()
    if not OF_API.isdisjoint(word.strip("*`\"'-") for word in words[-4:]):
        yield from after_foreign_word(text, index + 1, "said-key")


def look_at_pw(text: str, end: int) -> Iterator[Span]:
    """Yield what `pw` names: `pw: …`, `DB_PW=…`, `the pw is …`."""
    gap = _TO_OPERATOR.match(text, end)
    operator = gap.end() if gap else end
    if text[operator : operator + 1] in (":", "="):
        yield from look_at_operator(text, operator)
    elif opening := _AFTER_PW.match(text, end):
        start, stop = value_at(text, opening.end(), opening[0][-1:])
        if is_password(text[start:stop]):
            yield start, stop, "password"


_WORD_THEN = r"(?![A-Za-z])"
# A character, what must hold where it stands, and who looks there.
SCANS: tuple[tuple[str, str, Look], ...] = (
    ("enha", rf"enha(?<=[sS]enha)(?<![A-Za-z].enha){_WORD_THEN}", _look_at_word),
    ("ENHA", rf"ENHA(?<=SENHA){_WORD_THEN}", _look_at_word),
    ("E PASSE", rf"E PASSE(?<=OT DE PASSE){_WORD_THEN}", _look_at_word),
    ("eslo", rf"eslo(?<=[hgHG]eslo)(?<![A-Za-z].eslo){_WORD_THEN}", _look_at_word),
    ("mdp", rf"mdp(?<![A-Za-z]mdp){_WORD_THEN}", _look_at_word),
    (
        "lave",
        r"lave(?<=[cC]lave)(?<![A-Za-z].lave)(?=[ \t]{0,4}(?:[:=]|es[ \t]))",
        _look_at_word,
    ),
    (
        "I",
        r"I(?<=['’ ]API)(?=[\"'`*]{0,3}[ \t]{0,4}(?:[:=]|es |est |ist ))",
        _look_at_api,
    ),
)
