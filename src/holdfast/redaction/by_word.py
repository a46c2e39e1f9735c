"""Secrets that no operator announces: in prose, calls, markup and on command lines.

`the password is …`, `setPassword("…")`, `<token>…</token>`, `aws_secret_access_key …`,
`Bearer …`. Each rule hangs on the rarest letter of a word, and looks a bounded distance
around it.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from holdfast.kernel.lazy_patterns import pattern
from holdfast.redaction import Look, Span
from holdfast.redaction.by_name import (
    NAME,
    announced,
    kind_of,
    look_at_pair,
    name_of_words,
    precise_kind,
    value_at,
)
from holdfast.redaction.by_position import look_at_pipe, look_at_taken, look_at_vpn
from holdfast.redaction.manifests import key_in_json, kubernetes_secret
from holdfast.redaction.prose import (
    IS,
    QUOTE,
    after_foreign_word,
    before_verb,
    look_at_pw,
)
from holdfast.redaction.tables import below
from holdfast.redaction.values import (
    is_credential,
    is_jumbled,
    is_key,
    is_password,
    is_placeholder,
    is_random,
)

_ARTICLE = r"(?:[ \t]{1,4}(?:the|our|my|your))?"
_QUALIFIED = (
    r"(?:[ \t]{1,4}\([^()\n]{1,40}\)"
    rf"|[ \t]{{1,4}}(?:for|on|of|in|at|to|from){_ARTICLE}(?:[ \t]{{1,4}}[\w.@/\-]{{1,32}}){{1,3}}?)"
)
# How a value can stand behind its name: what that begins with, all of it, and how sure.
_RELATIONS = (
    # in a call: `put("db.password", "…")`, `setPassword("…")`; quotes say it is a literal
    ((",",), pattern(r"\\?[\"'`]\)?\s{0,4},\s{0,4}[\"'`]"), "line"),
    (("(",), pattern(r"\(\s{0,4}[a-zA-Z]?[\"'`]"), "line"),
    # in markup: `<password>…</password>`
    # or `<string name="api_key">…</string>`
    ((">",), pattern(r"\\?[\"']?>(?=[^<>\s]{4,512}</)"), "line"),
    # in prose: `the password is …`, `password for prod: …`, `Password (prod): …`
    (tuple(IS[3:-1].split("|")), pattern(rf"[\"'`*]{{0,3}}(?:[ \t]{{1,8}}{IS}\b){{1,3}}[ \t]{{0,4}}:?[ \t]{{0,8}}{QUOTE}?"), "line"),
    (("(", "for", "on", "of", "in", "at", "to", "from"), pattern(rf"{_QUALIFIED}(?:[ \t]{{0,4}}[:=]|[ \t]{{1,4}}{IS}\b:?)[ \t]{{1,8}}{QUOTE}?"), "said"),
    # in code, where nothing is set: `env.PASSWORD || '…'`
    (("||", "??", "or"), pattern(r"[\"'`)\]]{0,3}[ \t]{1,4}(?:\|\||\?\?|or)[ \t]{1,4}[\"'`]"), "line"),
    # in a table: `| password | … |`
    (("|",), pattern(rf"[`*]{{0,2}}[ \t]{{0,64}}\|[ \t]{{1,64}}{QUOTE}?"), "cell"),
    # behind a sign or a tag, where it can be nothing else
    (("–", "—", "→", "⇒", "->", ">>"), pattern(rf"[ \t]{{0,4}}(?:[–—→⇒]|->|>>)[ \t]{{0,4}}{QUOTE}?"), "near"),
    ((",", ";", "!", "?"), pattern(rf"[,;!?][ \t]{{1,4}}{QUOTE}?"), "near"),
    (("<",), pattern(rf"</\w{{1,10}}>\s{{0,8}}(?:<\w{{1,10}}>)?{QUOTE}?"), "near"),
    # in SQL: `WITH PASSWORD '…'`
    ("", pattern(r"[ \t]{1,8}'(?=[^\s']{4,256}')"), "quoted"),
    ("", pattern(r"[ \t]{1,32}\"(?=[^\s\"]{4,256}\")"), "line"),
    # beside it: `aws_secret_access_key …`
    # of a router, behind how it is written: `password 7 …`
    (("0 ", "5 ", "7 ", "8 ", "9 "), pattern(r"[ \t]{1,4}[05789][ \t]{1,4}"), "beside"),
    ("", pattern(rf"[ \t]{{1,32}}{QUOTE}?"), "beside"),
    # behind a bracket, or on the next line, where it can be nothing else
    ("", pattern(rf"[)\]*]{{1,3}}[ \t]{{1,4}}{QUOTE}?"), "near"),
    ("", pattern(rf"[ \t]{{0,4}}\r?\n[ \t]{{0,16}}{QUOTE}?"), "below"),
)  # fmt: skip
_BEFORE_RELATION = " \t\r\n\v\f\xa0\"'`*)]\\"
_MOST_BEFORE_RELATION = 80
_LOGIN = pattern(
    r"(?:login|machine|user(?:name)?|account)[ :=]|\A[ \t]{0,64}(?:ENV|#define|setenv)[ \t]"
)
_SCHEMED = pattern(r"earer[ \t]{1,4}([A-Za-z0-9._~+/=\-]{20,4096})")
_MOST_SIGNS = 128
_SHORTEST_BESIDE = 16
_PLAIN_KEY = pattern(r"[A-Za-z0-9+/_\-.~]{16,512}={0,2}")
_TOLD = (
    "api-key",
    "said-key",
    "secret",
    "password",
    "token",
)  # a kind that is told by its name
_NEAR = 96
_LETTERS = pattern(r"[A-Za-z]{1,4}")
# A field that says what it holds: no name elsewhere on its line is meant by that.
_OTHER_FIELD = pattern(
    r"(?i:integrity|cursor|digest|checksum|hash|etag|sha[0-9]{0,3}|resolved|commit|revision)[\"']?[ \t]{0,4}[:=][ \t]{0,4}\Z"
)
_NEAREST = 32
_QUOTED_KEY = pattern(r"[A-Za-z0-9+/=_\-.]{24,255}(?=[\"'`])")
# What ends a name, before anything but the end of a sentence or a bracket.
_NAMES = r"(?:assw(?:or)?d|oken|[kK]ey|cret|ASSW(?:OR)?D|OKEN|KEY|CRET)"
_NAME_NEARBY = pattern(rf"{_NAMES}(?=[ \t\"'`(>\\*\r\n]|\Z)")
_LONGEST_END = 7  # of those
_SPOKEN_OF = pattern(
    r"[ \t]{1,4}(?:the|my|our|your|a|an)[ \t]{1,4}(?:[\w\-]{1,24}[ \t]{1,4}){0,2}?"
    rf"([A-Za-z0-9_\-.]{{0,93}}?{_NAMES})(?=[ \t\"'`(>\\*\r\n.,;!?)]|\Z)"
)


def _look_at_name(text: str, index: int) -> Iterable[Span]:
    """Return the secret that follows the name whose last letters begin at `index`."""
    letters = _LETTERS.match(text, index)
    end = letters.end() if letters else index
    name, kind = _name_before(text, end)
    if kind is None:
        return ()
    if found := tuple(below(text, end)):
        return found
    ahead = text[end : end + _MOST_BEFORE_RELATION].lstrip(_BEFORE_RELATION)
    for first, relation, place in _relations(ahead[:1]):
        opening = ahead.startswith(first) and relation.match(text, end)
        if opening:
            return _value_after(text, opening, (kind, name, place))
    return ()


@lru_cache(_MOST_SIGNS)
def _relations(sign: str) -> list[tuple[str | tuple[str, ...], re.Pattern[str], str]]:
    """Return the relations that can begin with a sign."""
    return [
        each
        for each in _RELATIONS
        if not each[0] or any(first.startswith(sign) for first in each[0])
    ]


def _name_before(text: str, end: int) -> tuple[str, str | None]:
    """Return the name that ends here, and the kind of secret it announces."""
    before = text[max(0, end - _NEAR) : end]
    name = before[len(before.rstrip(NAME)) :]
    kind = kind_of(name)
    if kind in (None, "bare-key"):
        name, kind = _with_words_before(before, name, kind)
    return name, None if kind in ("authorization", "cookie") else kind


def _look_at_quoted(text: str, index: int) -> Iterator[Span]:
    """Yield a quoted key that a name is on the same line with: `"…"  # api key`.

    Names are everywhere in code, such keys are not: so the key looks for its name.
    """
    yield from key_in_json(text, index)
    start = index + 1
    hit = _QUOTED_KEY.match(text, start)
    value = hit[0] if hit else ""
    if not (is_jumbled(value) and is_random(value)) or is_placeholder(value):
        return
    if _OTHER_FIELD.search(text, max(0, index - _NEAREST), index):
        return
    end = start + len(value)
    first, last = end - _NEAR + 1, index + _NEAR  # where a name may end
    begin = max(0, first - _LONGEST_END)
    begin = max(begin, text.rfind("\n", begin, start) + 1)
    newline = text.find("\n", end, last)
    last = newline if newline >= 0 else last
    for name in _NAME_NEARBY.finditer(text, begin, last + 1):
        if first <= name.end() <= last:
            words, kind = _name_before(text, name.end())
            if kind:
                yield start, end, precise_kind(kind, words, value)


def _look_at_spoken_of(text: str, index: int) -> Iterator[Span]:
    """Yield what is said to be a secret: `use … as the password`."""
    hit = _SPOKEN_OF.match(text, index + 1)
    if hit:
        _, kind = _name_before(text, hit.end())
        if kind:
            yield from before_verb(text, index - 1, kind)


def _with_words_before(
    before: str, name: str, kind: str | None
) -> tuple[str, str | None]:
    """Return `an api key` for the `key` of it, and its kind."""
    if before.endswith(f" {name}"):
        words, found = name_of_words(before)
        if found != "bare-key":
            return words, found
    return name, kind


def _value_after(
    text: str, opening: re.Match[str], told: tuple[str, str, str]
) -> Iterable[Span]:
    kind, name, place = told
    quote = opening[0][-1:]
    start, end = value_at(text, opening.end(), quote)
    value = text[start:end]
    if place != "quoted" and value.isalpha():
        return ()
    if place == "below" and kind in _TOLD and _is_line(text, value, end):
        place = "cell"
    if place in ("cell", "said", "near", "below") and not _is_said(value, kind, place):
        return ()
    if not announced(value, kind, name, "quoted" if place == "quoted" else "line"):
        return ()
    if place == "beside":
        is_told = kind == "password" or "\t" in opening[0]
        is_sure = _stands_out(value) or (is_told and is_password(value))
        if not is_sure and not _is_after_login(text, opening.start()):
            return ()
    return ((start, end, precise_kind(kind, name, value)),)


def _is_said(value: str, kind: str, place: str) -> bool:
    """Say whether a value some words or a line away from its name belongs to it."""
    if place == "said" and kind == "password":
        return re.match(r"v?[0-9]{1,4}[.\-/][0-9]", value) is None
    if is_password(value):
        return True
    if place in ("near", "below"):
        return is_key(value)
    return bool(value) and _stands_out(value)


def _is_line(text: str, value: str, end: int) -> bool:
    """Say whether a value has no other signs than a key, and its line nothing else."""
    is_last = not text[end : end + 1].strip("\r\n\"'`")
    return is_last and _PLAIN_KEY.fullmatch(value) is not None


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


def _look_at_w(text: str, index: int) -> Iterable[Span]:
    """Return what `password`, `Passwort`, `pw` and `login with` announce."""
    following = text[index + 1 : index + 4]
    if following in ("ort", "ORT"):
        return after_foreign_word(text, index + 4)
    if following == "oor":
        return after_foreign_word(text, index + len("woord"))
    if following == "ith":
        return look_at_pair(text, index + len("with "))
    if following[:1] in ("o", "O", "d", "D"):
        return _look_at_name(text, index)
    return look_at_pw(text, index + 1)


def _look_at_k(text: str, index: int) -> Iterable[Span]:
    """Return what a `token` or a `key` names, or a word of another language."""
    word = _OTHER_WORD.match(text, index)
    return after_foreign_word(text, word.end()) if word else _look_at_name(text, index)


def _look_at_cret(text: str, index: int) -> Iterator[Span]:
    if text.startswith("kind", index - len("kind: Se")) or text.endswith(
        '"Se', 0, index
    ):
        yield from kubernetes_secret(text, index)
    yield from _look_at_name(text, index)
    if text.startswith("secret create ", index - 2):
        yield from look_at_pipe(text, index - 2)
    elif text.startswith("secret set ", index - 2):
        yield from look_at_taken(text, index + len("cret set "))


def _look_at_pass(text: str, index: int) -> Iterator[Span]:
    """Yield what follows `pass`, behind a command, a user's name, in French."""
    end = index + len("pass ")
    if text.startswith("passwd", index):
        yield from look_at_pipe(text, index - len("ch"))
    elif text.startswith("pass>", index):
        yield from look_at_vpn(text, index)
    elif text.startswith("passe", index):
        yield from after_foreign_word(text, end)
    elif text.startswith("passord", index):
        yield from after_foreign_word(text, index + len("passord"))
    elif text[index - 1 : index].islower():
        yield from look_at_taken(text, end)
    else:
        yield from _after_login(text, index)


def _after_login(text: str, index: int) -> Iterator[Span]:
    """Yield what follows `pass` where a user was named before it."""
    if _is_after_login(text, index):
        start, stop = value_at(text, index + len("pass "), "")
        if announced(text[start:stop], "password", "", "line"):
            yield start, stop, "password"


def _is_after_login(text: str, index: int) -> bool:
    """Say whether the line up to `index` names a user, or a setting."""
    before, _, near = text[max(0, index - _NEAR) : index].rpartition("\n")
    if not near.strip():  # `password` begins its line: its user may have one, too
        near = before.rpartition("\n")[2].lstrip()
        return near.startswith(("login ", "machine ", "user "))
    return _LOGIN.search(near) is not None


# What each of the relations begins with.
_THEN = r"(?=[ \t*]|\(\s{0,4}[a-zA-Z]?[\"'`]|>[^<>\s]{4}|\\?[\"'`][\s,)\]*\"'`|>])"
_NEARBY = r"(?=[,;]|[!?)\]][ \t]|[)\]*]|\r?\n|</|->|[–—→⇒])"
# A column, perhaps, or a value on the next line: that has something long, or several
# cells. Code is full of lines that end in `token`.
_HEADS = r"(?=[,;]\S|\r?\n(?:[ \t]{0,16}\S{8}|[^\n]{0,255}[,;\t|│])|</|\Z)"
_MAYBE_THEN = r"(?=[ \t*(>\\\"'`])"  # shorter, where names are rare
_KEY_THEN = r"(?=[A-Za-z+/=_\-.]{0,254}[0-9])[A-Za-z0-9+/=_\-.]{24}"
_WITH_W = (
    rf"w(?:(?:ord(?<=assword)|d(?<=asswd))(?:{_THEN}|{_NEARBY})|ort(?<=asswort|ennwort)|oord(?<=achtwoord)"
    r"|(?<=pw)(?<![A-Za-z]..)|ith (?<=[lL]ogin with |[oO]g in with ))"
)
_IN_CAPITALS = (
    rf"W(?:(?:ORD(?<=ASSWORD)|D(?<=ASSWD))(?:{_MAYBE_THEN}|{_NEARBY})"
    r"|ORT(?<=ASSWORT|ENNWORT)|(?<=PW)(?<![A-Za-z]..))"
)
_FOREIGN_K = r"ata sandi|odeord(?<![A-Za-z]kodeord)|ode(?<=gangskode)|hau(?<=[mM]at khau)|a(?<=ozinka)"
_OTHER_WORD = pattern(r"[kK](?:ata sandi(?:nya|mu|ku)?|odeord|ode|hau|a)")
_FOUR_LETTERS = (
    r"pass(?: (?:(?<![a-z]pass )|(?<=requirepass )|(?<=storepass )|(?<=keypass ))"
    r"|e(?<=ot de passe|lavra-passe)(?![A-Za-z])|ord(?![A-Za-z])|wd(?<=chpasswd)|>(?<=<auth-user-pass>))"
)
_WITH_S = r"s[ \t](?<=[ \t][ai]s.)[ \t]{0,3}(?:the|my|our|your|an?)[ \t]"
# A character, what must hold where it stands, and who looks there.
SCANS: tuple[tuple[str, str, Look], ...] = (
    ('"', f'"{_KEY_THEN}', _look_at_quoted),
    ("'", f"'{_KEY_THEN}", _look_at_quoted),
    ("`", f"`{_KEY_THEN}", _look_at_quoted),
    ("w", _WITH_W, _look_at_w),
    ("W", _IN_CAPITALS, _look_at_w),
    ("k", rf"k(?:(?:en(?<=oken)|ey)(?:{_THEN}|{_HEADS})|{_FOREIGN_K})", _look_at_k),
    (
        "K",
        rf"K(?:(?:EN(?<=OKEN)|EY|ey)(?:{_MAYBE_THEN}|{_HEADS})|{_FOREIGN_K})",
        _look_at_k,
    ),
    ("cret", rf"cret(?:{_MAYBE_THEN}|{_HEADS}|(?=\r?\n))", _look_at_cret),
    ("CRET", rf"CRET(?:{_MAYBE_THEN}|{_HEADS})", _look_at_name),
    ("s", _WITH_S, _look_at_spoken_of),
    ("earer ", r"earer ", _look_at_scheme),
    ("pass", _FOUR_LETTERS, _look_at_pass),
)
