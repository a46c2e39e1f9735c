"""Tokens by their form: those of `formats`, and some whose form is more than a prefix.

Each is looked for where a character of it stands (the separator in its prefix, or one
inside), a bounded distance back and ahead, so that no text can make it slow.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.redaction import Look, Span
from holdfast.redaction.formats import (
    CAPITAL,
    DASH,
    DOT,
    INSIDE,
    SMALL,
    UNDERSCORE,
    Rule,
)
from holdfast.redaction.values import is_mixed, is_token

# A token starts here: after no letter or digit, or after an escape (`\n`, `%3D`).
_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtf])|(?<=%[0-9A-F][0-9A-F]))"
RUN = 16  # how much follows the separator of every prefixed token, at least
_ONE_RUN = ("[A-Za-z0-9]{", "[a-z0-9]{", "[a-f0-9]{", "[A-Z0-9]{", "[A-Fa-f0-9]{")
_FEWEST_DIFFERENT = 5  # a body of fewer different characters is `xxxx`, not a token
_WORD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
_MOST_JWT_HEADER = 1_024
_JWT = pattern(r"eyJ[\w\-]{8,1024}\.eyJ[\w\-]{8,8192}(?:\.[\w\-]{0,4096}){0,3}")
# Encrypted (its second part is no JSON), or signed by a web framework with the time.
_JWE = pattern(
    r"eyJ[\w\-]{8,1024}\.(?:[\w\-]{0,1024}\.[\w\-]{16,22}\.[\w\-]{16,8192}(?:\.[\w\-]{16,128})?"
    r"|[\w\-]{6}\.[\w\-]{27,128})"
)
_MOST_JWE = 1_150  # to the last part but one
_DISCORD = pattern(r"[MNO][\w\-]{23,27}\.[\w\-]{6}\.[\w\-]{27,80}")
_DISCORD_HEAD = 30
_DISCORD_MIDDLE = 8
_AFTER_BAR = pattern(r"(?:[A-Za-z0-9]{40,64}|[\w\-]{27})(?![\w\-])")
_MOST_ID = 17
_SHORTEST_APP = 13
_HASH = pattern(
    r"\$(?:2[abxy]\$[0-9]{2}\$[A-Za-z0-9./]{53}"
    r"|(?:apr1|[1567y]|gy)\$(?:rounds=[0-9]{1,9}\$)?(?:[A-Za-z0-9./]{1,16}\$){1,2}[A-Za-z0-9./]{22,86}"
    r"|argon2[id]{1,2}\$v=[0-9]{1,3}\$m=[0-9,=tp]{1,40}\$[A-Za-z0-9+/]{8,64}\$[A-Za-z0-9+/]{16,128})"
    r"(?![A-Za-z0-9./])"
)
_TELEGRAM = pattern(r"[0-9]{8,10}:[\w\-]{35}(?![\w\-])")
_TELEGRAM_ID = 11
_GHOST = pattern(r"[0-9a-f]{24}:[0-9a-f]{64}(?![0-9A-Za-z])")
_GHOST_ID = 24
_HEXADECIMAL = "0123456789abcdef"
_PREFIX = pattern(
    r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9]{1,15}(?:[_\-][A-Za-z0-9]{1,12}){0,3}[_\-]$"
)
_MOST_PREFIX = 48
_LONG_BODY = pattern(r"(?!eyJ)[A-Za-z0-9]{32,255}(?![A-Za-z0-9+/])")
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


def literal(kind: str, whole: str) -> Look:
    """Return who finds a token by its first letters."""
    expression = pattern(whole, re.ASCII)

    def look(text: str, index: int) -> Iterator[Span]:
        hit = expression.match(text, index)
        if hit:
            yield hit.start(1), hit.end(1), kind

    return look


def inside(text: str, index: int) -> Iterator[Span]:
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


def prefix_before(rules: Iterable[Rule]) -> str:
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
        run = "[A-Za-z0-9]" if is_one_run(body) else "."
        ends = by_form.setdefault((width, run), {})
        # what ends alike is one alternative: each costs a start time to compile
        ends[end] = "" if is_whole else ends.get(end, "") + first.replace("-", r"\-")
    return "|".join(
        f"(?<=(?:{_any_of(ends)}){run}{{{RUN}}})" for (_, run), ends in by_form.items()
    )


def _any_of(ends: dict[str, str]) -> str:
    return "|".join(f"[{first}]{end}" if first else end for end, first in ends.items())


def is_one_run(body: str) -> bool:
    """Say whether a body begins with a run that has no separator in it."""
    form = body.partition(")")[2] if body.startswith("(?=") else body
    alphabet = next((each for each in _ONE_RUN if form.startswith(each)), form)
    fewest = form[len(alphabet) :].partition("}")[0].partition(",")[0]
    return int(fewest or 0) >= RUN


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


def after_underscore(text: str, index: int) -> Iterable[Span]:
    """Return the token whose prefix ends at `index`, or that has it inside."""
    return _after_separator(_OF_UNDERSCORE, text, index)


def after_dash(text: str, index: int) -> Iterable[Span]:
    """Return the token whose prefix ends at `index`, or that has it inside."""
    return _after_separator(_OF_DASH, text, index)


def _after_separator(tokens: _Tokens, text: str, index: int) -> Iterable[Span]:
    found = [*_prefixed(tokens, text, index), *inside(text, index)]
    return found or _unlisted(text, index)


def after_capital(text: str, index: int) -> Iterator[Span]:
    """Yield the token that begins at `index`, or has it inside."""
    yield from _prefixed(_OF_CAPITAL, text, index)
    yield from inside(text, index)


def after_small(text: str, index: int) -> Iterator[Span]:
    """Yield the token that begins with the small letter at `index`."""
    return _prefixed(_OF_SMALL, text, index)


def around_colon(text: str, index: int) -> tuple[Span, ...]:
    """Return the token of digits, a colon and a key: Ghost's, Telegram's."""
    if text[index - 1 : index] not in _HEXADECIMAL:
        return ()
    if hit := _GHOST.match(text, max(0, index - _GHOST_ID)):
        return ((*hit.span(), "ghost"),)
    digits = text[max(0, index - _TELEGRAM_ID) : index]
    start = index - len(digits) + len(digits.rstrip("0123456789"))
    if hit := _TELEGRAM.match(text, start):
        return ((start, hit.end(), "telegram"),)
    return ()


def _unlisted(text: str, index: int) -> Iterator[Span]:
    """Yield what has the form of a token whose issuer is not listed: `acme_live_…`."""
    body = _LONG_BODY.match(text, index + 1)
    if body is None:
        return
    begin = max(0, index + 1 - _MOST_PREFIX)
    prefix = _PREFIX.search(text[begin : index + 1])
    if prefix and is_token(prefix[0], body[0]):
        yield begin + prefix.start(), body.end(), "token"


def after_dot(text: str, index: int) -> Iterator[Span]:
    """Yield the token that has the dot at `index` behind its prefix or inside."""
    yield from _prefixed(_OF_DOT, text, index)
    yield from inside(text, index)
    yield from _webhook(text, index)
    begin = text.find("eyJ", _run_start(text, index, _MOST_JWT_HEADER), index)
    if begin >= 0 and (hit := _JWT.match(text, begin)):
        yield begin, hit.end(), "jwt"
    elif hit := _before_dot(_JWE, text, index):
        yield hit.start(), hit.end(), "jwt"
    # A Discord token has three parts, and the hit is at its second separator.
    first = text.rfind(".", max(0, index - _DISCORD_MIDDLE), index)
    begin = _run_start(text, max(first, 0), _DISCORD_HEAD)
    if hit := _DISCORD.match(text, begin):
        yield begin, hit.end(), "discord"


def _before_dot(form: re.Pattern[str], text: str, index: int) -> re.Match[str] | None:
    """Return the token with a header in JSON that has the dot at `index` inside."""
    before = text[max(0, index - _MOST_JWE) : index]
    begin = before.rfind("eyJ", len(before.rstrip(f"{_WORD}.")))
    return form.match(text, index - len(before) + begin) if begin >= 0 else None


def after_bar(text: str, index: int) -> Iterator[Span]:
    """Yield the token of an id, a bar and a key: an app's of Facebook, Laravel's."""
    digits = text[max(0, index - _MOST_ID) : index]
    start = index - len(digits) + len(digits.rstrip("0123456789"))
    body = _AFTER_BAR.match(text, index + 1)
    if body and start < index and is_mixed(body[0]):
        is_app = index - start >= _SHORTEST_APP
        yield start, body.end(), "facebook" if is_app else "token"


def after_dollar(text: str, index: int) -> Iterator[Span]:
    """Yield the hash of a password, in the form that says how it was made."""
    hit = _HASH.match(text, index)
    if hit:
        yield index, hit.end(), "password-hash"


# A character, what must hold where it stands, and who looks there.
SCANS: tuple[tuple[str, str, Look], ...] = (
    ("|", r"\|(?<=[0-9]\|)[\w\-]{27}", after_bar),
    ("$", r"\$(?:2[abxy]|apr1|[1567y]|gy|argon2[id]{1,2})\$", after_dollar),
)


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
