"""Passwords in what people write to each other: `S is the password`, `Senha: …`.

English where the value stands before its name or beside a login, and the word for a
password in other languages, in any case.
"""

from collections.abc import Iterator

from holdfast.domain.text import odd_characters
from holdfast.kernel.lazy_patterns import pattern
from holdfast.redaction import Look, Span
from holdfast.redaction.by_name import announced, look_at_operator, value_at
from holdfast.redaction.values import is_key, is_password

IS = (
    r"(?:is|was|are|to|as|es|est|ist|är|er|é|è|jest|to|это|était|will be|should be|set to"
    r"|changed to|now|है)"
)
QUOTE = r"[\"'`「『“”‘’«]"
# The same word in other languages, but for a first letter that may be a capital, and a
# letter of it that a text in another script has not.
_FOREIGN = (
    ("ñ", "ontraseña"), ("Ñ", "ONTRASEÑA"), ("ö", "ösenord"), ("Ö", "ÖSENORD"),
    ("ł", "asło"), ("Ł", "ASŁO"), ("ь", "ароль"), ("Ь", "АРОЛЬ"), ("パ", "パスワード"),
    ("密", "密码"), ("密", "密碼"), ("令", "口令"), ("밀", "비밀번호"), ("암", "암호"),
    ("ผ", "รหัสผ่าน"), ("ك", "كلمة المرور"), ("ş", "şifre"), ("Ş", "Şifre"),
    ("ς", "ωδικός"), ("ס", "סיסמה"), ("स", "पासवर्ड"), ("ậ", "ật khẩu"), ("ó", "elszó"),
    ("暗", "暗証番号"),
)  # fmt: skip
# The same for a key or a token, which is told by more than a digit in it.
_FOREIGN_KEYS = (
    ("钥", "密钥"), ("鑰", "密鑰"), ("牌", "令牌"), ("キ", "APIキー"), ("ー", "トークン"),
    ("к", "токен"), ("ю", "ключ API"), ("é", "lé API"), ("ü", "API-Schlüssel"), ("토", "토큰"),
)  # fmt: skip
_LONGEST_WORD = 16
_BLANK = r"[ \t\u00a0\u202f]"  # a French colon has one before it
_FOREIGN_RELATION = pattern(
    rf"(?:{_BLANK}{{1,4}}\w{{1,4}}{_BLANK}{{1,4}}[\w.\-]{{1,32}}(?={_BLANK}{{0,4}}:))?"
    rf"{_BLANK}{{0,4}}(?:{IS}(?=[ \t])|は|が|を|是|为|為|은|는|이|가|คือ|هي)?{_BLANK}{{0,4}}"
    rf"[:：=＝]?{_BLANK}{{0,4}}{QUOTE}?"
)
_SAID_OF = pattern(r"([^\s\"'`]{8,128})[\"'`]?[ \t]{1,4}$")
_LOGIN_PAIR = pattern(r"[\"'`]?[^\s/\"'`]{1,64}[ \t]{0,2}/[ \t]{0,2}([^\s\"'`]{8,64})")
_AFTER_PW = pattern(
    rf"(?=[ \t]{{1,4}}(?:is|was)\b)[ \t]{{1,4}}{IS}[ \t:]{{1,4}}{QUOTE}?"
)
_WORD = pattern(r"[ A-Za-z]{1,8}(?<=e|d|a|E|D|A)")
_TO_OPERATOR = pattern(r"[ \t\"'\\\]]{0,32}")
_NEAR = 140
_SHORTEST_SAID = 8
_ENDS = ".,;:!?)"


def foreign(text: str, begin: int, end: int) -> Iterator[Span]:
    """Yield what follows the word for a password in other languages than English.

    It may begin from `begin` on, and before `end`.
    """
    odd = odd_characters(text[begin : end + _LONGEST_WORD])
    for kind, words in (("password", _FOREIGN), ("api-key", _FOREIGN_KEYS)):
        for letter, word in words:
            last = end + len(word) - 1
            at = text.find(word, begin, last) if letter in odd else -1
            while at >= 0:
                at += len(word)
                yield from after_foreign_word(text, at, kind)
                at = text.find(word, at, last)


def after_foreign_word(text: str, end: int, kind: str = "password") -> Iterator[Span]:
    """Yield the password or key behind the word for it that ends at `end`."""
    opening = _FOREIGN_RELATION.match(text, end)
    if opening is None or opening.end() == end:
        return
    start, stop = value_at(text, opening.end(), opening[0][-1:])
    if announced(text[start:stop], kind, "", "line"):
        yield start, stop, kind


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


def look_at_pair(text: str, start: int) -> Iterator[Span]:
    """Yield the password of `login with ada / …`; the user's name is at `start`."""
    hit = _LOGIN_PAIR.match(text, start)
    value = hit[1].rstrip(_ENDS) if hit else ""
    if hit and is_password(value):
        yield hit.start(1), hit.start(1) + len(value), "password"


_WORD_THEN = r"(?![A-Za-z])"
# A character, what must hold where it stands, and who looks there.
SCANS: tuple[tuple[str, str, Look], ...] = (
    ("enha", rf"enha(?<=[sS]enha)(?<![A-Za-z].enha){_WORD_THEN}", _look_at_word),
    ("ENHA", rf"ENHA(?<=SENHA){_WORD_THEN}", _look_at_word),
    ("E PASSE", rf"E PASSE(?<=OT DE PASSE){_WORD_THEN}", _look_at_word),
)
