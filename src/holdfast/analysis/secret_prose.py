"""Passwords in what people write to each other: `S is the password`, `Senha: …`.

English where the value stands before its name or beside a login, and the word for a
password in other languages, in any case.
"""

from collections.abc import Callable, Iterator

from holdfast.analysis.secret_names import announced, look, value_at
from holdfast.analysis.secret_values import is_key, is_password
from holdfast.patterns import pattern

Span = tuple[int, int, str]  # start, end, kind
Look = Callable[[str, int], Iterator[Span]]

IS = (
    r"(?:is|was|are|to|as|es|est|ist|är|er|é|è|jest|to|это|était|will be|should be|set to"
    r"|changed to|now|है)"
)
QUOTE = r"[\"'`「『“”‘’«]"
# The same word in other languages, but for a first letter that may be a capital.
_FOREIGN = (
    "ontraseña", "ONTRASEÑA", "ösenord", "ÖSENORD", "asło", "ASŁO", "ароль", "АРОЛЬ",
    "パスワード", "密码", "密碼", "口令", "비밀번호", "암호", "รหัสผ่าน", "كلمة المرور",
)  # fmt: skip
_BLANK = r"[ \t\u00a0\u202f]"  # a French colon has one before it
_FOREIGN_RELATION = pattern(
    rf"(?:{_BLANK}{{1,4}}\w{{1,4}}{_BLANK}{{1,4}}[\w.\-]{{1,32}}(?={_BLANK}{{0,4}}:))?"
    rf"{_BLANK}{{0,4}}(?:{IS}(?=[ \t])|は|が|を|是|为|為|은|는|이|가|คือ|هي)?{_BLANK}{{0,4}}"
    rf"[:：=＝]?{_BLANK}{{0,4}}{QUOTE}?"
)
_BEFORE_NAME = pattern(
    r"([^\s\"'`]{8,128})[\"'`]?[ \t]{1,4}(?:as|is)[ \t]{1,4}"
    r"(?:the|my|our|your|a|an)[ \t]{1,4}(?:[\w\-]{1,24}[ \t]{1,4}){0,2}$"
)
_LOGIN_PAIR = pattern(r"[\"'`]?[^\s/\"'`]{1,64}[ \t]{0,2}/[ \t]{0,2}([^\s\"'`]{8,64})")
_AFTER_PW = pattern(rf"[ \t]{{1,4}}{IS}[ \t:]{{1,4}}{QUOTE}?")
_TO_OPERATOR = pattern(r"[ \t\"'\\\]]{0,32}")
_NEAR = 256
_ENDS = ".,;:!?)"


def foreign(text: str) -> Iterator[Span]:
    """Yield what follows the word for a password in other languages than English."""
    for word in _FOREIGN:
        at = text.find(word)
        while at >= 0:
            at += len(word)
            yield from after_foreign_word(text, at)
            at = text.find(word, at)


def after_foreign_word(text: str, end: int) -> Iterator[Span]:
    """Yield the password behind the word for it that ends at `end`."""
    opening = _FOREIGN_RELATION.match(text, end)
    if opening is None or opening.end() == end:
        return
    start, stop = value_at(text, opening.end(), opening[0][-1:])
    if announced(text[start:stop], "password", "", "line"):
        yield start, stop, "password"


def before_name(text: str, start: int, kind: str) -> Iterator[Span]:
    """Yield what the name at `start` is said of: `use … as the password`."""
    begin = max(0, start - _NEAR)
    near = text[begin:start]
    if not near.endswith((" ", "\t")) or (" as " not in near and " is " not in near):
        return
    hit = _BEFORE_NAME.search(text, begin, start)
    if hit and (is_password(hit[1]) or is_key(hit[1])):
        yield hit.start(1), hit.end(1), kind


def _look_at_word(text: str, index: int) -> Iterator[Span]:
    letters = pattern(r"[ A-Za-z]{1,8}(?<=e|d|a|E|D|A)").match(text, index)
    yield from after_foreign_word(text, letters.end() if letters else index)


def _look_at_pw(text: str, index: int) -> Iterator[Span]:
    """Yield what `pw` names: `pw: …`, `DB_PW=…`, `the pw is …`."""
    gap = _TO_OPERATOR.match(text, index + 2)
    operator = gap.end() if gap else index + 2
    if text[operator : operator + 1] in (":", "="):
        yield from look(text, operator)
    elif opening := _AFTER_PW.match(text, index + 2):
        start, stop = value_at(text, opening.end(), opening[0][-1:])
        if is_password(text[start:stop]):
            yield start, stop, "password"


def _look_at_pair(text: str, index: int) -> Iterator[Span]:
    """Yield the password of `login with ada / …`."""
    hit = _LOGIN_PAIR.match(text, text.find(" ", text.find(" ", index) + 1) + 1)
    value = hit[1].rstrip(_ENDS) if hit else ""
    if hit and is_password(value):
        yield hit.start(1), hit.start(1) + len(value), "password"


_PW_THEN = r"(?=[ \t\"'\\\]]{0,32}[:=]|[ \t]{1,4}(?:is|was)\b)"
_WORD_THEN = r"(?![A-Za-z])"
# A character, what must hold where it stands, and who looks there.
SCANS: tuple[tuple[str, str, Look], ...] = (
    ("enha", rf"enha(?<=[sS]enha)(?<![A-Za-z].enha){_WORD_THEN}", _look_at_word),
    ("SENHA", rf"ENHA(?<=SENHA){_WORD_THEN}", _look_at_word),
    ("de passe", rf"e passe(?<=ot de passe){_WORD_THEN}", _look_at_word),
    ("DE PASSE", rf"E PASSE(?<=OT DE PASSE){_WORD_THEN}", _look_at_word),
    ("pw", rf"pw(?<![A-Za-z]pw){_PW_THEN}", _look_at_pw),
    ("PW", rf"PW(?<![A-Za-z]PW){_PW_THEN}", _look_at_pw),
    ("in with ", r"in with (?<=[lL]ogin with |[oO]g in with )", _look_at_pair),
)
