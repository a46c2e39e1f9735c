"""What secrets look like, and the marks that each of them hangs on.

A mark is a rare character (the separator in a token's prefix, or `:` and `=` after a
name) or a few letters. What must hold where it stands asks only whether a long enough run
follows and the right prefix precedes. Rules run at hits, and look a bounded distance back
and ahead, so that no text can make them slow.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.redaction import blocks, commands, fields, names, prose, words
from holdfast.redaction.blocks import ENCODED
from holdfast.redaction.formats import (
    CAPITAL,
    CAPITAL_STARTS,
    DASH,
    DOT,
    INSIDE,
    LITERAL,
    SMALL,
    STOPS,
    UNDERSCORE,
    Rule,
)
from holdfast.redaction.values import is_key, is_placeholder, is_token

Span = tuple[int, int, str]  # start, end, kind
Look = Callable[[str, int], Iterable[Span]]

# A token starts here: after no letter or digit, or after an escape (`\n`, `%3D`).
_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtf])|(?<=%[0-9A-F][0-9A-F]))"
_RUN = 16  # how much follows the separator of every prefixed token, at least
_ONE_RUN = ("[A-Za-z0-9]{", "[a-z0-9]{", "[a-f0-9]{", "[A-Z0-9]{", "[A-Fa-f0-9]{")
_FEWEST_DIFFERENT = 5  # a body of fewer different characters is `xxxx`, not a token
_WORD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
_MOST_JWT_HEADER = 1_024
_JWT = pattern(r"eyJ[\w\-]{8,1024}\.eyJ[\w\-]{8,8192}(?:\.[\w\-]{0,4096}){0,3}")
_DISCORD = pattern(r"[MNO][\w\-]{23,27}\.[\w\-]{6}\.[\w\-]{27,80}")
_DISCORD_HEAD = 30
_DISCORD_MIDDLE = 8
_TELEGRAM = pattern(r"[0-9]{8,10}:[\w\-]{35}(?![\w\-])")
_TELEGRAM_ID = 11
# A password may hold anything but a space, once what follows its `@` is a host.
_USERINFO = pattern(
    r"//[^\s/@:\"'<>]{0,64}:(?![0-9]{1,5}(?:[/?#,;)\]]))([^\s\"'<>`]{1,200}?)"
    r"@(?=[\w.\-\[%]{1,255}(?:[:/?#,;)\]}\"'`<>\\\s]|\Z))"
)
_MOST_USERINFO = 300  # to the `@` of either
_GHOST = pattern(r"[0-9a-f]{24}:[0-9a-f]{64}(?![0-9A-Za-z])")
_GHOST_ID = 24
_HEXADECIMAL = "0123456789abcdef"
_PREFIX = pattern(
    r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9]{1,15}(?:[_\-][A-Za-z0-9]{1,12}){0,3}[_\-]$"
)
_MOST_PREFIX = 48
_LONG_BODY = pattern(r"(?!eyJ)[A-Za-z0-9]{32,255}(?![A-Za-z0-9+/])")
_BEFORE_OPTION = (" ", "\t", '"', "'")
_BEFORE_EQUALS = ("from-literal", "X-Amz-Signature", "session")
# A token where a user's name stands: `https://…@host`, `https://…:x-oauth-basic@host`.
_LONE_USER = pattern(
    r"//([^\s/@:\"'<>?#]{20,255})(?::(?:x-oauth-basic)?)?@(?=[\w.\-\[%]{1,255})"
)
_WEBHOOK = pattern(
    r"\.com/(?:services|workflows|triggers|api(?:/v[0-9]{1,2})?/webhooks)"
    r"/([\w\-/]{20,255})"
)
_WEBHOOK_HOSTS = (
    ("hooks.slack", "slack"),
    ("hooks.slack-gov", "slack"),
    ("discord", "discord"),
    ("discordapp", "discord"),
)


def _look_at_literal(kind: str, whole: str) -> Look:
    expression = pattern(whole, re.ASCII)

    def look(text: str, index: int) -> Iterator[Span]:
        hit = expression.match(text, index)
        if hit:
            yield hit.start(1), hit.end(1), kind

    return look


def _inside(text: str, index: int) -> Iterator[Span]:
    """Yield the token that has its character at `index` somewhere inside."""
    for kind, before, more, whole in _insides(text[index]):
        start = index - len(before)
        if start < more or not text.endswith(before, 0, index):
            continue
        hit = whole.match(text, start - more)
        if hit and len(set(hit[1])) > _FEWEST_DIFFERENT:
            yield hit.start(1), hit.end(1), kind


@cache
def _insides(letter: str) -> list[tuple[str, str, int, re.Pattern[str]]]:
    return [
        (kind, before, more, pattern(whole, re.ASCII))
        for kind, before, more, whole in INSIDE[letter]
    ]


def scans() -> Iterator[tuple[str, str, Look]]:
    """Yield a mark, what must hold where it stands, and who looks there."""
    word = r"[A-Za-z0-9_\-]"
    dash = (
        rf"-(?:{word}{{{_RUN}}}(?<=[A-Za-z]-.{{{_RUN}}})(?:(?<=-[A-Za-z0-9]{{{_RUN}}})"
        rf"|{_after(rule for rule in DASH if not _is_one_run(rule[2]))})|----BEGIN "
        r"|-(?:[a-z]{2,12}-)?(?:pass|token|secret|key|auth|api|access|private|user)"
        r"|[pPNawkuU](?<=[ \t\"']-.)(?=[ \t=\"'\\,]{0,12}[^\s\"']{4}|ass)"
        rf"|Lines: |S(?<=sudo -S)|(?<=htpasswd -)|{STOPS['-']})"
    )
    dot = (
        rf"\.(?:{word}{{{_RUN}}}(?:{_after(DOT)}|(?<=\.eyJ.{{{_RUN - 3}}})"
        rf"|(?<=\.{word}{{6}}\..{{{_RUN}}}))|com/(?:services|workflows|triggers|api)/"
        rf"|{STOPS['.']})"
    )
    colon = (
        rf":(?://[^\s/@:\"'<>]{{0,255}}[:@]|{word}{{35}}(?<=[0-9]{{8}}:.{{35}})"
        rf"|(?<=[0-9a-f]{{8}}:)[0-9a-f]{{64}}|(?:5432|\*):|{names.scan(':')})"
    )
    yield "-", dash, _look_at_dash
    yield "_", rf"_(?:[A-Za-z0-9+/]{{{_RUN}}}|{STOPS['_']})", _look_at_underscore
    yield ".", dot, _look_at_dot
    yield "A", CAPITAL_STARTS, _look_at_capital
    yield "dapi", r"dapi[0-9a-f]{32}", _look_at_small
    yield ":", colon, _look_at_colon
    equals = (
        rf"=(?:(?<=from-literal=)|{STOPS['=']}|{fields.SESSION}"
        rf"|{names.scan('=')})"
    )
    yield "=", equals, _look_at_equals
    yield "~", f"~(?:{STOPS['~']})", _inside
    yield "Z", f"Z(?:{STOPS['Z']})", _inside
    yield "K", f"K(?:{STOPS['K']})", _inside
    yield "@", r"@(?:tcp|unix)\(|@(?<=[\w$#]@)", commands.look_at_host
    yield ENCODED, ENCODED, blocks.encoded_key
    for kind, mark, whole in LITERAL:
        yield mark, mark, _look_at_literal(kind, whole)
    yield from words.SCANS
    yield from prose.SCANS
    yield from commands.SCANS
    yield from fields.SCANS


def _after(rules: Iterable[Rule]) -> str:
    """Return what holds only if a prefix can stand before the run just read.

    Two letters before the separator tell most; those that say less are read whole.
    """
    by_form: dict[tuple[int, str], dict[str, str]] = {}
    for _, prefix, body in rules:
        parts = _parts(prefix)
        first, *others = parts[-3:]
        is_whole = any("[" in part for part in parts[-3:])
        end = prefix if is_whole else "".join(others)
        width = len(parts) if is_whole else len(others) + 1
        run = "[A-Za-z0-9]" if _is_one_run(body) else "."
        ends = by_form.setdefault((width, run), {})
        # what ends alike is one alternative: each costs a start time to compile
        ends[end] = "" if is_whole else ends.get(end, "") + first.replace("-", r"\-")
    return "|".join(
        f"(?<=(?:{_any_of(ends)}){run}{{{_RUN}}})" for (_, run), ends in by_form.items()
    )


def _any_of(ends: dict[str, str]) -> str:
    return "|".join(f"[{first}]{end}" if first else end for end, first in ends.items())


def _is_one_run(body: str) -> bool:
    """Say whether a body begins with a run that has no separator in it."""
    form = body.partition(")")[2] if body.startswith("(?=") else body
    alphabet = next((each for each in _ONE_RUN if form.startswith(each)), form)
    fewest = form[len(alphabet) :].partition("}")[0].partition(",")[0]
    return int(fewest or 0) >= _RUN


class _Token(NamedTuple):
    """A rule made ready: the first characters of its prefix, its width, its whole."""

    kind: str
    first: str
    width: int
    whole: re.Pattern[str]  # compiled when something begins like it


class _Tokens(dict[str, tuple[_Token, ...]]):
    """The rules of a table by the letter before the last one of their prefix."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self._rules = rules

    def __missing__(self, end: str) -> tuple[_Token, ...]:
        if not end.isascii():
            return self[""]  # no prefix has such a letter
        self[end] = tuple(
            _token(rule)
            for rule in self._rules
            if len(parts := _parts(rule[1])) == 1 or _takes(parts[-2], end)
        )
        return self[end]


def _takes(part: str, char: str) -> bool:
    """Say whether a letter or a set of a prefix is this character; no `re` for that."""
    if "\\w" in part or "\\d" in part:
        return re.fullmatch(part, char) is not None
    if not part.startswith("["):
        return part[-1] == char
    letters = part[1:-1].replace("\\", "")
    ranges = zip(letters, letters[1:], letters[2:], strict=False)
    spans = [(low, high) for low, dash, high in ranges if dash == "-"]
    return bool(char) and (
        char in letters or any(low <= char <= high for low, high in spans)
    )


def _token(rule: Rule) -> _Token:
    kind, prefix, body = rule
    return _Token(
        kind,
        prefix[1 : prefix.index("]")] if prefix[0] == "[" else prefix[0],
        len(_parts(prefix)),
        pattern(f"{_START}{prefix}({body})", re.ASCII),
    )


def _parts(prefix: str) -> list[str]:
    """Return the sets and letters of a prefix, one per character it matches."""
    found = re.findall(r"(\[[^\]]*\]|\\.|.)(?:\{([0-9]+)\})?", prefix)
    return [part for part, times in found for _ in range(int(times or 1))]


_OF_UNDERSCORE, _OF_DASH, _OF_DOT = map(_Tokens, (UNDERSCORE, DASH, DOT))
_OF_CAPITAL, _OF_SMALL = map(_Tokens, (CAPITAL, SMALL))


def _prefixed(tokens: _Tokens, text: str, index: int) -> Iterator[Span]:
    """Yield the token of the first rule whose prefix ends at `index`."""
    for kind, first, width, whole in tokens[text[index - 1 : index]]:
        start = index + 1 - width
        if start >= 0 and text[start] in first:
            hit = whole.match(text, start)
            if hit and len(set(hit[1])) >= _FEWEST_DIFFERENT:
                yield start, hit.end(), kind
                return


def _look_at_underscore(text: str, index: int) -> Iterable[Span]:
    found = [*_prefixed(_OF_UNDERSCORE, text, index), *_inside(text, index)]
    return found or _unlisted(text, index)


def _unlisted(text: str, index: int) -> Iterator[Span]:
    """Yield what has the form of a token whose issuer is not listed: `acme_live_…`."""
    body = _LONG_BODY.match(text, index + 1)
    if body is None:
        return
    begin = max(0, index + 1 - _MOST_PREFIX)
    prefix = _PREFIX.search(text[begin : index + 1])
    if prefix and is_token(prefix[0], body[0]):
        yield begin + prefix.start(), body.end(), "token"


def _look_at_dash(text: str, index: int) -> Iterable[Span]:
    if text.startswith("-----BEGIN ", index):
        return blocks.private_key(text, index)
    if text.startswith("--", index):
        return names.look_at_flag(text, index)
    if text.startswith("-Lines: ", index):
        return blocks.putty_key(text, index)
    if text[index - 1 : index] in _BEFORE_OPTION:
        return commands.look_at_option(text, index)
    found = [*_prefixed(_OF_DASH, text, index), *_inside(text, index)]
    return found or _unlisted(text, index)


def _look_at_equals(text: str, index: int) -> Iterable[Span]:
    if not text.endswith(_BEFORE_EQUALS, 0, index):
        return names.look(text, index)
    return (
        *commands.look_at_taken(text, index + 1),
        *fields.look_at_session(text, index),
        *_inside(text, index),
    )


def _look_at_dot(text: str, index: int) -> Iterator[Span]:
    yield from _prefixed(_OF_DOT, text, index)
    yield from _inside(text, index)
    yield from _webhook(text, index)
    begin = text.find("eyJ", _run_start(text, index, _MOST_JWT_HEADER), index)
    if begin >= 0 and (hit := _JWT.match(text, begin)):
        yield begin, hit.end(), "jwt"
    # A Discord token has three parts, and the hit is at its second separator.
    first = text.rfind(".", max(0, index - _DISCORD_MIDDLE), index)
    begin = _run_start(text, max(first, 0), _DISCORD_HEAD)
    if hit := _DISCORD.match(text, begin):
        yield begin, hit.end(), "discord"


def _run_start(text: str, end: int, most: int) -> int:
    """Return where the run of word characters before `end` begins."""
    before = text[max(0, end - most) : end]
    return end - len(before) + len(before.rstrip(_WORD))


def _webhook(text: str, index: int) -> Iterator[Span]:
    """Yield what makes a webhook's address secret: everything after its fixed part."""
    hit = _WEBHOOK.match(text, index)
    for host, kind in _WEBHOOK_HOSTS:
        if hit and text.endswith(host, 0, index):
            yield hit.start(1), hit.end(1), kind


def _look_at_capital(text: str, index: int) -> Iterator[Span]:
    yield from _prefixed(_OF_CAPITAL, text, index)
    yield from _inside(text, index)
    if text.startswith("AUTH ", index):
        yield from commands.look_at_taken(text, index + len("AUTH "))


def _look_at_small(text: str, index: int) -> Iterator[Span]:
    return _prefixed(_OF_SMALL, text, index)


def _look_at_colon(text: str, index: int) -> Iterable[Span]:
    if text.startswith("//", index + 1):
        return _userinfo(text, index + 1)
    if text[index - 1 : index] in _HEXADECIMAL:
        if hit := _GHOST.match(text, max(0, index - _GHOST_ID)):
            return ((*hit.span(), "ghost"),)
        digits = text[max(0, index - _TELEGRAM_ID) : index]
        start = index - len(digits) + len(digits.rstrip("0123456789"))
        if hit := _TELEGRAM.match(text, start):
            return ((start, hit.end(), "telegram"),)
    named = names.look(text, index)
    if text.startswith((":5432:", ":*:"), index):
        return (*commands.look_at_port(text, index), *named)
    return named


def _userinfo(text: str, index: int) -> Iterator[Span]:
    """Yield the secret in the address whose two slashes stand at `index`."""
    if text.find("@", index, index + _MOST_USERINFO) < 0:
        return
    user = _LONE_USER.match(text, index)
    if user and is_key(user[1]):
        yield user.start(1), user.end(1), "url-password"
        return
    hit = _USERINFO.match(text, index)
    if hit and not is_placeholder(hit[1]):
        yield hit.start(1), hit.end(1), "url-password"
