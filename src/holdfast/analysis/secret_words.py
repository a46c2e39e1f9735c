"""Secrets that no operator announces: in prose, calls, markup and on command lines.

`the password is …`, `setPassword("…")`, `<token>…</token>`, `aws_secret_access_key …`,
`Bearer …`. Each rule hangs on the rarest letter of a word, and looks a bounded distance
around it.
"""

import re
from collections.abc import Callable, Iterator

from holdfast.analysis.secret_names import NAME, announced, kind_of, value_at
from holdfast.analysis.secret_prose import IS, QUOTE, after_foreign_word, before_name
from holdfast.analysis.secret_values import (
    is_credential,
    is_jumbled,
    is_password,
    is_placeholder,
    is_random,
)
from holdfast.patterns import pattern

Span = tuple[int, int, str]  # start, end, kind
Look = Callable[[str, int], Iterator[Span]]

_ARTICLE = r"(?:[ \t]{1,4}(?:the|our|my|your))?"
_QUALIFIED = (
    r"(?:[ \t]{1,4}\([^()\n]{1,40}\)"
    rf"|[ \t]{{1,4}}(?:for|on|of|in|at|to|from){_ARTICLE}(?:[ \t]{{1,4}}[\w.@/\-]{{1,32}}){{1,3}}?)"
)
_RELATIONS = (
    # in a call: `put("db.password", "…")`, `setPassword("…")`; quotes say it is a literal
    (pattern(r"\\?[\"'`]\)?\s{0,4},\s{0,4}[\"'`]"), "line"),
    (pattern(r"\(\s{0,4}[a-zA-Z]?[\"'`]"), "line"),
    # in markup: `<password>…</password>`
    (pattern(r">(?=[^<>\s]{4,512}</)"), "line"),
    # in prose: `the password is …`, `password for prod: …`, `Password (prod): …`
    (pattern(rf"[\"'`*]{{0,3}}(?:[ \t]{{1,8}}{IS}\b){{1,3}}[ \t]{{0,4}}:?[ \t]{{0,8}}{QUOTE}?"), "line"),
    (pattern(rf"{_QUALIFIED}(?:[ \t]{{0,4}}[:=]|[ \t]{{1,4}}{IS}\b:?)[ \t]{{1,8}}{QUOTE}?"), "said"),
    # in code, where nothing is set: `env.PASSWORD || '…'`
    (pattern(r"[\"'`)\]]{0,3}[ \t]{1,4}(?:\|\||\?\?|or)[ \t]{1,4}[\"'`]"), "line"),
    # in a table: `| password | … |`
    (pattern(rf"[`*]{{0,2}}[ \t]{{0,64}}\|[ \t]{{1,64}}{QUOTE}?"), "cell"),
    # in SQL: `WITH PASSWORD '…'`
    (pattern(r"[ \t]{1,8}'(?=[^\s']{4,256}')"), "quoted"),
    (pattern(r"[ \t]{1,32}\"(?=[^\s\"]{4,256}\")"), "line"),
    # beside it: `aws_secret_access_key …`
    (pattern(rf"[ \t]{{1,32}}{QUOTE}?"), "beside"),
)  # fmt: skip
_IDENTIFIED = pattern(r"Y[ \t]{1,8}(?:PASSWORD[ \t]{1,8})?[\"']([^\"']{4,256})[\"']")
_LOGIN = pattern(
    r"(?:login|machine|user(?:name)?|account)[ :=]|\A[ \t]{0,64}(?:ENV|#define|setenv)[ \t]"
)
_SCHEMED = pattern(r"earer[ \t]{1,4}([A-Za-z0-9._~+/=\-]{20,4096})")
_HEADER = pattern(
    r"uthorization[\"'`]?[ \t,]{1,3}[\"'`](?:[A-Za-z]{3,12}[ \t]{1,4})?"
    r"([A-Za-z0-9._~+/=:\-]{8,4096})(?=[\"'`])"
)
_ENDS = (".", ",", ";", "!", "?", ")")
_CLOSING = frozenset([*_ENDS, "\n", ""])
_SHORTEST_BESIDE = 16
_NEAR = 96
_SAID_BEFORE = 256  # as far back as a value may stand before its name
_LETTERS = pattern(r"[A-Za-z]{1,4}")
_QUOTED_KEY = pattern(r"[\"'`]([A-Za-z0-9+/=_\-.]{24,255})(?=[\"'`])")
_ATTRIBUTE = pattern(
    r"(?i:name|key|id|header)[\"']?\s{0,4}[=:]\s{0,4}[\"']?([\w.\-]{1,64})[\"']?[\s,;\"']{0,16}$"
)
_ATTRIBUTE_VALUE = pattern(r"alue[\"']?\s{0,4}[=:]\s{0,4}([\"'])?")


def _look_at_name(text: str, index: int) -> Iterator[Span]:
    """Yield the secret that follows the name whose last letters begin at `index`."""
    letters = _LETTERS.match(text, index)
    end = letters.end() if letters else index
    if _is_bare(text, end):
        return
    if text.endswith(("wort", "WORT"), 0, end):
        yield from after_foreign_word(text, end)
        return
    before = text[max(0, end - _NEAR) : end]
    name = before[len(before.rstrip(NAME)) :]
    kind = kind_of(name) or kind_of(_with_word_before(before, name))
    if kind is None or kind in ("authorization", "cookie"):
        return
    yield from before_name(text, end - len(name), kind)
    if text[end : end + 1] in _ENDS:
        return
    for relation, place in _RELATIONS:
        opening = relation.match(text, end)
        if opening:
            yield from _value_after(text, opening, (kind, name, place))
            break
    yield from _quoted_nearby(text, end, kind)


def _is_bare(text: str, end: int) -> bool:
    """Say whether a name that ends here is only spoken of: code is full of them."""
    after = text[end : end + 1]
    if after not in _CLOSING:
        return False
    said = text[max(0, end - _SAID_BEFORE) : end]
    if " is " in said or " as " in said:
        return False
    near = text[max(0, end - _NEAR) : end]
    line = near[near.rfind("\n") + 1 :]
    return after in _ENDS or not ('"' in line or "'" in line or "`" in line)


def _quoted_nearby(text: str, end: int, kind: str) -> Iterator[Span]:
    """Yield a quoted key on the same line as a name: `Client("…")  # api key`."""
    begin = max(0, end - _NEAR)
    begin = max(begin, text.rfind("\n", begin, end) + 1)
    newline = text.find("\n", end, end + _NEAR)
    stop = newline if newline >= 0 else end + _NEAR
    for hit in _QUOTED_KEY.finditer(text, begin, stop):
        value = hit[1]
        if is_jumbled(value) and is_random(value) and not is_placeholder(value):
            yield hit.start(1), hit.end(1), kind


def _with_word_before(before: str, name: str) -> str:
    """Return `api key` for the `key` of `an api key`."""
    words = before[: len(before) - len(name)].rsplit(maxsplit=1)
    return f"{words[-1]} {name}" if words else name


def _value_after(
    text: str, opening: re.Match[str], told: tuple[str, str, str]
) -> Iterator[Span]:
    kind, name, place = told
    quote = opening[0][-1:]
    start, end = value_at(text, opening.end(), quote)
    value = text[start:end]
    if place in ("cell", "said") and not _is_said(value, kind, place):
        return
    if place == "beside":
        near = text[max(0, opening.start() - _NEAR) : opening.start()]
        known = _LOGIN.search(near.rpartition("\n")[2])
        is_column = "\t" in opening[0] and is_password(value)
        if not known and not is_column and not _stands_out(value):
            return
        place = "line"
    if announced(value, kind, name, "quoted" if place == "quoted" else "line"):
        yield start, end, kind


def _is_said(value: str, kind: str, place: str) -> bool:
    """Say whether a value some words or a line away from its name belongs to it."""
    if place == "said" and kind == "password":
        return re.match(r"v?[0-9]{1,4}[.\-/][0-9]", value) is None
    return is_password(value) or (bool(value) and _stands_out(value))


def _stands_out(value: str) -> bool:
    """Say whether a value beside a name can be nothing but a key."""
    if len(value) < _SHORTEST_BESIDE or "\\" in value or value[0] == "/":
        return False
    has_case = value != value.lower() and value != value.upper()
    digits = sum(character.isdigit() for character in value)
    return is_random(value) and digits > 1 and (has_case or digits > len(value) // 8)


def _look_at_scheme(text: str, index: int) -> Iterator[Span]:
    """Yield what follows `Bearer` wherever it stands."""
    hit = _SCHEMED.match(text, index)
    if hit and is_credential(hit[1]) and is_random(hit[1]):
        yield hit.start(1), hit.end(1), "authorization"


def _look_at_identified(text: str, index: int) -> Iterator[Span]:
    """Yield the password of SQL's `IDENTIFIED BY '…'`."""
    hit = _IDENTIFIED.match(text, index)
    if hit and not is_placeholder(hit[1]):
        yield hit.start(1), hit.end(1), "password"


def _look_at_pass(text: str, index: int) -> Iterator[Span]:
    """Yield what follows `pass` where a user was named before it."""
    near = text[max(0, index - _NEAR) : index].rpartition("\n")[2]
    if _LOGIN.search(near):
        start, stop = value_at(text, index + len("pass "), "")
        if announced(text[start:stop], "password", "", "line"):
            yield start, stop, "password"


def _look_at_header(text: str, index: int) -> Iterator[Span]:
    """Yield the value of an `Authorization` header that a call or a setting names."""
    hit = _HEADER.match(text, index)
    if hit and is_credential(hit[1]):
        yield hit.start(1), hit.end(1), "authorization"


def _look_at_secure_string(text: str, index: int) -> Iterator[Span]:
    """Yield the literal of PowerShell's `ConvertTo-SecureString`."""
    start, stop = value_at(text, *_quote_after(text, index + len("String")))
    if announced(text[start:stop], "password", "", "quoted"):
        yield start, stop, "password"


def _quote_after(text: str, index: int) -> tuple[int, str]:
    while text[index] in " \t":
        index += 1
    return index + 1, text[index]


def _look_at_attribute(text: str, index: int) -> Iterator[Span]:
    """Yield the value whose name stands in an attribute or field before it."""
    opening = _ATTRIBUTE_VALUE.match(text, index)
    before = text[max(0, index - 1 - _NEAR) : max(0, index - 1)]
    name = _ATTRIBUTE.search(before)
    kind = kind_of(name[1]) if name else None
    if opening is None or name is None or kind is None:
        return
    start, stop = value_at(text, opening.end(), opening[1] or "")
    value = text[start:stop]
    if kind == "authorization" and " " in value.strip():
        start += value.rfind(" ") + 1
        value = text[start:stop]
    if announced(value, kind, name[1], "quoted" if opening[1] else "line"):
        yield start, stop, kind


_THEN = r"(?=[ \t\"'`(>\\*\r\n.,;!?)]|\Z)"
# A character, what must hold where it stands, and who looks there.
SCANS: tuple[tuple[str, str, Look], ...] = (
    (
        "w",
        rf"w(?:ord(?<=assword)|d(?<=asswd)){_THEN}|wort(?<=asswort|ennwort)",
        _look_at_name,
    ),
    (
        "W",
        rf"W(?:ORD(?<=ASSWORD)|D(?<=ASSWD)){_THEN}|WORT(?<=ASSWORT|ENNWORT)",
        _look_at_name,
    ),
    ("k", rf"k(?:en(?<=oken)|ey){_THEN}", _look_at_name),
    ("K", rf"K(?:EN(?<=OKEN)|EY|ey){_THEN}", _look_at_name),
    ("cret", rf"cret{_THEN}", _look_at_name),
    ("CRET", rf"CRET{_THEN}", _look_at_name),
    ("alue", r"alue(?=[\"']?\s{0,4}[=:])", _look_at_attribute),
    ("earer ", r"earer ", _look_at_scheme),
    ("pass ", r"pass (?<=[^a-z]pass )", _look_at_pass),
    ("uthorization", r"uthorization[\"'`]?[ \t,]{1,3}[\"'`]", _look_at_header),
    ("S", r"String(?<=SecureString)[ \t]{1,4}[\"']", _look_at_secure_string),
    ("Y", r"Y(?<=FIED BY)[ \t]", _look_at_identified),
)
