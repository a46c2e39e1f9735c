"""What secrets look like, and where in a text one can be.

Speed is what shapes this file: it sees every kept string. Each rule hangs on one rare
character (the separator in a token's prefix, or `:` and `=` after a name). One scan per
character asks only whether a long enough run follows and the right prefix precedes; a
text without a hit costs a few memory scans. Rules run at hits, and look a bounded
distance back and ahead, so that no text can make them slow.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from holdfast.analysis import (
    secret_blocks,
    secret_commands,
    secret_fields,
    secret_names,
    secret_prose,
    secret_words,
)
from holdfast.analysis.secret_blocks import ENCODED
from holdfast.analysis.secret_formats import (
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
from holdfast.analysis.secret_values import is_key, is_placeholder, is_token
from holdfast.tuples import NamedTuple

Span = tuple[int, int, str]  # start, end, kind
Look = Callable[[str, int], Iterable[Span]]
Search = Callable[..., re.Match[str] | None]

# A token starts here: after no letter or digit, or after an escape (`\n`, `%3D`).
_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtf])|(?<=%[0-9A-F][0-9A-F]))"
_RUN = 16  # how much follows the separator of every prefixed token, at least
_FEWEST_DIFFERENT = 5  # a body of fewer different characters is `xxxx`, not a token
_WORD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
_MOST_JWT_HEADER = 1_024
_JWT = r"eyJ[\w\-]{8,1024}\.eyJ[\w\-]{8,8192}(?:\.[\w\-]{0,4096}){0,3}"
_DISCORD = r"[MNO][\w\-]{23,27}\.[\w\-]{6}\.[\w\-]{27,80}"
_DISCORD_HEAD = 30
_DISCORD_MIDDLE = 8
_TELEGRAM = r"[0-9]{8,10}:[\w\-]{35}(?![\w\-])"
_TELEGRAM_ID = 11
# A password may hold anything but a space, once what follows its `@` is a host.
_USERINFO = (
    r"//[^\s/@:\"'<>]{0,64}:(?![0-9]{1,5}(?:[/?#,;)\]]))([^\s\"'<>`]{1,200}?)"
    r"@(?=[\w.\-\[%]{1,255}(?:[:/?#,;)\]}\"'`<>\\\s]|\Z))"
)
_GHOST = r"[0-9a-f]{24}:[0-9a-f]{64}(?![0-9A-Za-z])"
_GHOST_ID = 24
_LONG_RUN = 32  # a body this long behind any prefix can only be a key
_PREFIX = (
    r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9]{1,15}(?:[_\-][A-Za-z0-9]{1,12}){0,3}[_\-]$"
)
_MOST_PREFIX = 48
_BEFORE_OPTION = (" ", "\t", '"', "'")
# A token where a user's name stands: `https://…@host`, `https://…:x-oauth-basic@host`.
_LONE_USER = (
    r"//([^\s/@:\"'<>?#]{20,255})(?::(?:x-oauth-basic)?)?@(?=[\w.\-\[%]{1,255})"
)
_WEBHOOK = (
    r"\.com/(?:services|workflows|triggers|api(?:/v[0-9]{1,2})?/webhooks)"
    r"/([\w\-/]{20,255})"
)
_WEBHOOK_HOSTS = (
    ("hooks.slack", "slack"),
    ("hooks.slack-gov", "slack"),
    ("discord", "discord"),
    ("discordapp", "discord"),
)


def spans(text: str) -> list[Span]:
    """Return where secrets stand in a text; spans may overlap."""
    found: list[Span] = []
    for scan in _scans or _make_scans():
        if scan.mark in text:
            search, look = scan.search or scan.compiled(), scan.look
            hit = search(text)
            while hit:
                begin = hit.start()
                reached = begin + 1
                for span in look(text, begin):
                    found.append(span)
                    reached = max(reached, span[1])
                hit = search(text, reached)
    if not text.isascii():
        found += secret_prose.foreign(text)
    return found


def _look_at_literal(kind: str, pattern: str) -> Look:
    def look(text: str, index: int) -> Iterator[Span]:
        hit = re.compile(pattern, re.ASCII).match(text, index)
        if hit:
            yield hit.start(1), hit.end(1), kind

    return look


def _inside(text: str, index: int) -> Iterator[Span]:
    """Yield the token that has its character at `index` somewhere inside."""
    for kind, before, more, pattern in INSIDE[text[index]]:
        start = index - len(before)
        if start < more or not text.startswith(before, start):
            continue
        hit = re.compile(pattern, re.ASCII).match(text, start - more)
        if hit and len(set(hit[1])) > _FEWEST_DIFFERENT:
            yield hit.start(1), hit.end(1), kind


class _Scan:
    """What to look for once its mark is in a text; compiled then, for many never are."""

    __slots__ = ("look", "mark", "pattern", "search")

    def __init__(self, mark: str, pattern: str, look: Look) -> None:
        self.mark = mark
        self.pattern = pattern
        self.look = look
        self.search: Search | None = None

    def compiled(self) -> Search:
        self.search = re.compile(self.pattern).search
        return self.search


_scans: list[_Scan] = []


def _make_scans() -> list[_Scan]:
    """Put the scans together at first need; at import every process would pay for it."""
    word = r"[A-Za-z0-9_\-]"
    dash = (
        rf"-(?:{word}{{{_RUN}}}(?<=[A-Za-z]-.{{{_RUN}}})(?:{_after(DASH)}"
        rf"|(?<=-[A-Za-z0-9]{{{_RUN}}})[A-Za-z0-9]{{{_LONG_RUN - _RUN}}})|----BEGIN "
        r"|-(?:[a-z]{2,12}-)?(?:pass|token|secret|key|auth|api|access|private|user)"
        rf"|[pPNawkuU](?<=[ \t\"']-.)|Lines: |{STOPS['-']})"
    )
    dot = (
        rf"\.(?:{word}{{{_RUN}}}(?:{_after(DOT)}|(?<=\.eyJ.{{{_RUN - 3}}})"
        rf"|(?<=\.{word}{{6}}\..{{{_RUN}}}))|com/(?:services|workflows|triggers|api)/"
        rf"|{STOPS['.']})"
    )
    colon = (
        rf":(?:{_USERINFO}|{_LONE_USER}|{word}{{35}}(?<=[0-9]{{8}}:.{{35}})"
        rf"|(?<=[0-9a-f]{{8}}:)[0-9a-f]{{64}}|(?:5432|\*):|{secret_names.scan(':')})"
    )
    underscore = rf"_(?:[A-Za-z0-9+/]{{{_RUN}}}|{STOPS['_']})"
    for mark, pattern, look in (
        ("-", dash, _look_at_dash),
        (
            "_",
            underscore,
            _look_at_underscore,
        ),
        (".", dot, _look_at_dot),
        ("A", CAPITAL_STARTS, _look_at_capital),
        ("d", r"dapi[0-9a-f]{32}", _look_at_small),
        (":", colon, _look_at_colon),
        ("=", f"=(?:{secret_names.scan('=')})", secret_names.look),
        ("~", f"~(?:{STOPS['~']})", _inside),
        ("K", f"K(?:{STOPS['K']})", _inside),
        ("@", r"@(?:tcp|unix)\(|@(?<=[\w$#]@)", secret_commands.look_at_host),
        (ENCODED, ENCODED, secret_blocks.encoded_key),
        *((mark, mark, _look_at_literal(k, whole)) for k, mark, whole in LITERAL),
        *secret_words.SCANS,
        *secret_prose.SCANS,
        *secret_commands.SCANS,
        *secret_fields.SCANS,
    ):
        _scans.append(_Scan(mark, pattern, look))
    return _scans


def _after(rules: tuple[Rule, ...]) -> str:
    """Return what holds only if a rule's prefix stands before the run just read."""
    prefixes = dict.fromkeys(prefix for _, prefix, _ in rules)
    return "|".join(f"(?<={prefix}.{{{_RUN}}})" for prefix in prefixes)


class _Token(NamedTuple):
    """A rule made ready: the first characters of its prefix, its width, its whole."""

    kind: str
    first: str
    width: int
    pattern: str  # compiled when something begins like it


@cache
def _tokens_ending(rules: tuple[Rule, ...], end: str) -> tuple[_Token, ...]:
    """Return the rules whose prefix can have `end` before its last character."""
    return tuple(
        token
        for token, (_, prefix, _) in zip(_tokens(rules), rules, strict=True)
        if len(parts := _parts(prefix)) == 1 or _takes(parts[-2], end)
    )


@cache
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


@cache
def _tokens(rules: tuple[Rule, ...]) -> tuple[_Token, ...]:
    return tuple(
        _Token(
            kind,
            prefix[1 : prefix.index("]")] if prefix[0] == "[" else prefix[0],
            len(_parts(prefix)),
            f"{_START}{prefix}({body})",
        )
        for kind, prefix, body in rules
    )


def _parts(prefix: str) -> list[str]:
    """Return the sets and letters of a prefix, one per character it matches."""
    found = re.findall(r"(\[[^\]]*\]|\\.|.)(?:\{([0-9]+)\})?", prefix)
    return [part for part, times in found for _ in range(int(times or 1))]


def _prefixed(rules: tuple[Rule, ...], text: str, index: int) -> Iterator[Span]:
    """Yield the token of the first rule whose prefix ends at `index`."""
    for kind, first, width, pattern in _tokens_ending(rules, text[index - 1 : index]):
        start = index + 1 - width
        if start >= 0 and text[start] in first:
            hit = re.compile(pattern, re.ASCII).match(text, start)
            if hit and len(set(hit[1])) >= _FEWEST_DIFFERENT:
                yield start, hit.end(), kind
                return


def _look_at_underscore(text: str, index: int) -> Iterator[Span]:
    found = [*_prefixed(UNDERSCORE, text, index), *_inside(text, index)]
    return iter(found) if found else _unlisted(text, index)


def _unlisted(text: str, index: int) -> Iterator[Span]:
    """Yield what has the form of a token whose issuer is not listed: `acme_live_…`."""
    body = re.compile(r"(?!eyJ)[A-Za-z0-9]{32,255}(?![A-Za-z0-9+/])").match(
        text, index + 1
    )
    if body is None:
        return
    begin = max(0, index + 1 - _MOST_PREFIX)
    prefix = re.search(_PREFIX, text[begin : index + 1])
    if prefix and is_token(prefix[0], body[0]):
        yield begin + prefix.start(), body.end(), "token"


def _look_at_dash(text: str, index: int) -> Iterator[Span]:
    if text.startswith("-----BEGIN ", index):
        yield from secret_blocks.private_key(text, index)
    elif text.startswith("--", index):
        yield from secret_names.look_at_flag(text, index)
    elif text.startswith("-Lines: ", index):
        yield from secret_blocks.putty_key(text, index)
    elif text[index - 1 : index] in _BEFORE_OPTION:
        yield from secret_commands.look_at_option(text, index)
    else:
        found = [*_prefixed(DASH, text, index), *_inside(text, index)]
        yield from found or _unlisted(text, index)


def _look_at_dot(text: str, index: int) -> Iterator[Span]:
    yield from _prefixed(DOT, text, index)
    yield from _inside(text, index)
    yield from _webhook(text, index)
    begin = text.find("eyJ", _run_start(text, index, _MOST_JWT_HEADER), index)
    if begin >= 0 and (hit := re.compile(_JWT).match(text, begin)):
        yield begin, hit.end(), "jwt"
    # A Discord token has three parts, and the hit is at its second separator.
    first = text.rfind(".", max(0, index - _DISCORD_MIDDLE), index)
    begin = _run_start(text, max(first, 0), _DISCORD_HEAD)
    if hit := re.compile(_DISCORD).match(text, begin):
        yield begin, hit.end(), "discord"


def _run_start(text: str, end: int, most: int) -> int:
    """Return where the run of word characters before `end` begins."""
    before = text[max(0, end - most) : end]
    return end - len(before) + len(before.rstrip(_WORD))


def _webhook(text: str, index: int) -> Iterator[Span]:
    """Yield what makes a webhook's address secret: everything after its fixed part."""
    hit = re.compile(_WEBHOOK).match(text, index)
    for host, kind in _WEBHOOK_HOSTS:
        if hit and text.endswith(host, 0, index):
            yield hit.start(1), hit.end(1), kind


def _look_at_capital(text: str, index: int) -> Iterator[Span]:
    yield from _prefixed(CAPITAL, text, index)
    yield from _inside(text, index)


def _look_at_small(text: str, index: int) -> Iterator[Span]:
    return _prefixed(SMALL, text, index)


def _look_at_colon(text: str, index: int) -> Iterator[Span]:
    if text.startswith("//", index + 1):
        user = re.compile(_LONE_USER).match(text, index + 1)
        if user and is_key(user[1]):
            yield user.start(1), user.end(1), "url-password"
            return
        hit = re.compile(_USERINFO).match(text, index + 1)
        if hit and not is_placeholder(hit[1]):
            yield hit.start(1), hit.end(1), "url-password"
        return
    if hit := re.compile(_GHOST).match(text, max(0, index - _GHOST_ID)):
        yield *hit.span(), "ghost"
        return
    digits = text[max(0, index - _TELEGRAM_ID) : index]
    start = index - len(digits) + len(digits.rstrip("0123456789"))
    if hit := re.compile(_TELEGRAM).match(text, start):
        yield start, hit.end(), "telegram"
    else:
        yield from secret_commands.look_at_port(text, index)
        yield from secret_names.look(text, index)
