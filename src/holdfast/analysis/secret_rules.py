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

from holdfast.analysis import secret_blocks, secret_names
from holdfast.analysis.secret_values import is_placeholder
from holdfast.tuples import NamedTuple

Span = tuple[int, int, str]  # start, end, kind
Look = Callable[[str, int], Iterable[Span]]
Scan = tuple[str, Callable[..., re.Match[str] | None], Look]
Rule = tuple[str, str, str]  # kind, prefix of fixed width, body

# Written from the formats their issuers publish: prefix, alphabet, shortest length.
_UNDERSCORE: tuple[Rule, ...] = (
    ("github", r"gh[pousr]_", r"\w{20,255}"),
    ("github", r"github_pat_", r"\w{22,255}"),
    ("stripe", r"[rs]k_live_", r"[A-Za-z0-9]{16,255}"),
    ("stripe", r"[rs]k_test_", r"[A-Za-z0-9]{16,255}"),
    ("stripe", r"whsec_", r"[A-Za-z0-9+/=]{24,255}"),
    ("npm", r"npm_", r"[A-Za-z0-9]{30,255}"),
    ("huggingface", r"hf_", r"[A-Za-z0-9]{30,255}"),
    ("digitalocean", r"do[opr]_v1_", r"[a-f0-9]{40,255}"),
    ("shopify", r"shp[acps][ast]_", r"[A-Fa-f0-9]{32,64}"),
    ("linear", r"lin_api_", r"[A-Za-z0-9]{32,255}"),
    ("linear", r"lin_oauth_", r"[A-Za-z0-9]{32,255}"),
    ("notion", r"ntn_", r"[A-Za-z0-9]{40,255}"),
    ("notion", r"secret_", r"(?=[A-Za-z]{0,40}[0-9])[A-Za-z0-9]{40,255}"),
    ("groq", r"gsk_", r"[A-Za-z0-9]{40,255}"),
    ("supabase", r"sbp_", r"[a-f0-9]{40,255}"),
    ("grafana", r"glsa_", r"[A-Za-z0-9]{32}_[a-f0-9]{8}"),
    ("rubygems", r"rubygems_", r"[a-f0-9]{48,255}"),
)
_DASH: tuple[Rule, ...] = (
    ("anthropic", r"sk-", r"ant-[\w\-]{20,255}"),
    ("openai", r"sk-", r"(?:proj|svcacct|admin|service|None|or-v1)-[\w\-]{20,255}"),
    ("openai", r"sk-", r"(?=[A-Za-z]{0,60}[0-9])[A-Za-z0-9]{20,255}"),
    ("gitlab", r"gl[pci][atbm]t-", r"[\w\-.]{20,255}"),
    ("gitlab", r"gl[dfr]t-", r"[\w\-.]{20,255}"),
    ("slack", r"xox[a-z]-", r"(?=[a-z\-]{0,20}[0-9])[A-Za-z0-9\-]{16,255}"),
    ("slack", r"xapp-", r"[0-9]-[A-Za-z0-9\-]{16,255}"),
    ("google", r"GOCSPX-", r"[\w\-]{20,255}"),
    ("pypi", r"pypi-", r"(?=[a-z\-]{0,60}[A-Z0-9])[\w\-]{32,512}"),
    ("square", r"sq0[a-z][a-z][a-z]-", r"[\w\-]{22,255}"),
    ("mailgun", r"key-", r"(?=[a-z]{0,31}[0-9])[a-z0-9]{32}(?![A-Za-z0-9])"),
    ("age", r"AGE-SECRET-KEY-", r"1[A-Z0-9]{40,80}"),
    ("xai", r"xai-", r"[A-Za-z0-9]{40,255}"),
    ("perplexity", r"pplx-", r"[A-Za-z0-9]{32,255}"),
    ("nvidia", r"nvapi-", r"[\w\-]{40,255}"),
)
_DOT: tuple[Rule, ...] = (
    ("google", r"ya29\.", r"[\w\-]{20,2048}"),
    ("sendgrid", r"SG\.", r"[\w\-]{16,32}\.[\w\-]{32,64}"),
    ("vault", r"hv[bsr]\.", r"[\w\-]{24,512}"),
    ("doppler", r"dp\.[a-z][a-z]\.", r"[A-Za-z0-9]{40,44}"),
    ("doppler", r"dp\.st\.[a-z][a-z0-9][a-z0-9]\.", r"[A-Za-z0-9]{40,44}"),
)
_CAPITAL: tuple[Rule, ...] = (
    ("aws-key-id", r"A", r"(?:KI|SI|BI|CC)A[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("google", r"A", r"Iza[\w\-]{35}(?![A-Za-z0-9])"),
    ("square", r"EA", r"AA[\w\-]{50,255}"),
    ("twilio", r"A", r"C[0-9a-f]{32}(?![A-Za-z0-9])"),
)
_SMALL: tuple[Rule, ...] = (
    ("databricks", r"d", r"api[0-9a-f]{32}(?:-[0-9])?(?![A-Za-z0-9])"),
)
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
_USERINFO = r"//[^\s/@:]{0,64}:([^\s/?#\"'<>()\[\],]{1,200})@"
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
    for mark, search, look in _scans or _compile_scans():
        if mark in text:
            hit = search(text)
            while hit:
                here = list(look(text, hit.start()))
                found += here
                hit = search(text, max([hit.start() + 1, *(s[1] for s in here)]))
    return found


_scans: list[Scan] = []


def _compile_scans() -> list[Scan]:
    """Compile the scans at first need; at import every process would pay for them."""
    word = r"[A-Za-z0-9_\-]"
    dash = (
        rf"-(?:{word}{{{_RUN}}}(?<=[A-Za-z]-.{{{_RUN}}})(?:{_after(_DASH)})|----BEGIN "
        r"|-(?:[a-z]{2,12}-)?(?:pass|token|secret|key|auth|api|access|private|user)"
        r"|u [^\s:]{1,64}:)"
    )
    dot = (
        rf"\.(?:{word}{{{_RUN}}}(?:{_after(_DOT)}|(?<=\.eyJ.{{{_RUN - 3}}})"
        rf"|(?<=\.{word}{{6}}\..{{{_RUN}}}))|com/(?:services|workflows|triggers|api)/)"
    )
    colon = (
        rf":(?:{_USERINFO}|{word}{{35}}(?<=[0-9]{{8}}:.{{35}})"
        rf"|{secret_names.scan(':')})"
    )
    for mark, pattern, look in (
        ("-", dash, _look_at_dash),
        (
            "_",
            rf"_[A-Za-z0-9+/]{{{_RUN}}}(?:{_after(_UNDERSCORE)})",
            _look_at_underscore,
        ),
        (".", dot, _look_at_dot),
        ("A", r"A(?:KIA|SIA|BIA|CCA|Iza|C[0-9a-f]{32}|AA)", _look_at_capital),
        ("d", r"dapi[0-9a-f]{32}", _look_at_small),
        (":", colon, _look_at_colon),
        ("=", f"=(?:{secret_names.scan('=')})", secret_names.look),
    ):
        _scans.append((mark, re.compile(pattern).search, look))
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
    pattern: re.Pattern[str]


@cache
def _tokens(rules: tuple[Rule, ...]) -> tuple[_Token, ...]:
    return tuple(
        _Token(
            kind,
            prefix[1 : prefix.index("]")] if prefix[0] == "[" else prefix[0],
            len(re.sub(r"\[[^\]]*\]|\\.", "x", prefix)),
            re.compile(f"{_START}{prefix}({body})", re.ASCII),
        )
        for kind, prefix, body in rules
    )


def _prefixed(rules: tuple[Rule, ...], text: str, index: int) -> Iterator[Span]:
    """Yield the token of the first rule whose prefix ends at `index`."""
    for kind, first, width, pattern in _tokens(rules):
        start = index + 1 - width
        if start >= 0 and text[start] in first:
            hit = pattern.match(text, start)
            if hit and len(set(hit[1])) >= _FEWEST_DIFFERENT:
                yield start, hit.end(), kind
                return


def _look_at_underscore(text: str, index: int) -> Iterator[Span]:
    return _prefixed(_UNDERSCORE, text, index)


def _look_at_dash(text: str, index: int) -> Iterator[Span]:
    if text.startswith("-----BEGIN ", index):
        yield from secret_blocks.private_key(text, index)
    elif text.startswith(("--", "-u "), index):
        yield from secret_names.look_at_flag(text, index)
    else:
        yield from _prefixed(_DASH, text, index)


def _look_at_dot(text: str, index: int) -> Iterator[Span]:
    yield from _prefixed(_DOT, text, index)
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
    return _prefixed(_CAPITAL, text, index)


def _look_at_small(text: str, index: int) -> Iterator[Span]:
    return _prefixed(_SMALL, text, index)


def _look_at_colon(text: str, index: int) -> Iterator[Span]:
    if text.startswith("//", index + 1):
        hit = re.compile(_USERINFO).match(text, index + 1)
        if hit and not is_placeholder(hit[1]):
            yield hit.start(1), hit.end(1), "url-password"
        return
    digits = text[max(0, index - _TELEGRAM_ID) : index]
    start = index - len(digits) + len(digits.rstrip("0123456789"))
    if hit := re.compile(_TELEGRAM).match(text, start):
        yield start, hit.end(), "telegram"
    else:
        yield from secret_names.look(text, index)
