"""Names that say their value is secret, and where that value stands.

`password = …`, `"apiKey": "…"`, `TOKEN=…`, `Authorization: …`, cookies and
connection strings: in code, configuration, JSON, shells and prose. Whether what stands
there is a secret or a type, a variable, a placeholder is for `values` to say.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from holdfast.kernel.lazy_patterns import pattern
from holdfast.redaction import Span, seed_phrases
from holdfast.redaction.foreign_words import ENDS
from holdfast.redaction.values import (
    REPLACEMENT,
    Place,
    is_credential,
    is_encoded_pair,
    is_key,
    is_password,
    is_placeholder,
    is_random,
    is_secret,
    is_word,
    squashed,
    without_replacements,
)

_BETWEEN = r"[ \t\"'`*\\\]?]"  # what may stand between a name and its operator
_STRIPPED = "*` \t\"'\\]?"
_AROUND_WORD = "*`\"'([|>#-"
_FARTHEST_NAME = 160
# `char password[32] = …`; the answer that a prompt takes for none: `Key [None]: …`
_IN_BRACKETS = pattern(r"\[(?:[0-9]{0,6}|None|\*{4,20}[\w/+]{0,4})\]\Z")
# The last letters of every name below: each of three, and all three together.
_LAST_ONE = "[dtnyhlsegkcDTNYHLSEGKC]"
_MAYBE_LAST_THREE = f"[ospkruianegOSPKRUIANEG][rwsetaloidRWSETALOID]{_LAST_ONE}"
_LAST_THREE = (
    "ord|psk|nic|eed|gin|eds|[pP]at|[spP]wd|[snS]id|ase|kie|ret|uth|ken|[kK]ey|ial|a[ls]s|ion|[sS]ig"
    "|ORD|PSK|NIC|EED|PAT|[SP]WD|SID|ASE|KIE|RET|UTH|KE[NY]|IAL|A[LS]S|ION|SIG"
)
_MOST_NAME = 64
_MOST_NAMES = 512
_MOST_WORDS = 2  # before the last one of a name: `Secret Access Key`
NAME = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-."
_KINDS = (
    ("password", ("password", "passwd", "passphrase", "pwd", "psk")),
    ("secret", ("secret", "secretkey", "secretkeybase", "secretaccesskey")),
    ("token", ("token",)),
    (
        "api-key",
        (
            "apikey", "accesskey", "accountkey", "adminkey", "appkey", "applicationkey", "authkey",
            "clientkey", "consumerkey", "decryptionkey", "deploykey", "encryptionkey",
            "licencekey", "licensekey", "masterkey", "privatekey", "recoverykey",
            "serverkey", "servicekey", "sharedkey", "signingkey", "storagekey",
            "subscriptionkey", "unsealkey", "webhookkey",
        ),
    ),
    ("credential", ("auth", "credential", "credentials")),
    ("authorization", ("authorization",)),
    ("cookie", ("cookie",)),
    ("twilio", ("sid",)),
)  # fmt: skip
NAMED_KINDS = frozenset(kind for kind, _ in _KINDS)
_KIND_BY_END = {end: kind for kind, ends in _KINDS for end in ends}
_KIND_BY_END.update(ENDS)
_ENDS = tuple(_KIND_BY_END)
_SESSION_COOKIES = ("sessionid", "PHPSESSID", "JSESSIONID", "connect.sid")

# From the operator to the value: `= "`, `: str = b'`, `=> \"`, `:** `.
_TO_VALUE = pattern(
    r"[:=]{1,3}>?\*{0,2}[ \t]{0,64}(?:[A-Za-z&][\w.|\[\]&<>']{0,40} = )?"
    r"(?:[bBfFrRuU@$]{1,2}(?=[\"']))?(\\{0,3}(?:\"\"\"|'''|[\"'`]))?"
    r"(?:(?i:bearer|basic) {1,16})?"
)
_HASHED = pattern(r"\{(?:S?SHA[0-9]{0,3}|S?MD5|CRYPT|PBKDF2)\}")  # in a directory
_SCHEME = pattern(r"(?i:bearer|basic) {1,16}")
_MOST_VALUE = 1_024
_WIDE_ENDS = "、。，；！？）】」』》”’"  # what ends a word where no space does
_BARE = pattern(rf"[^\s\"'`,;&<>|{_WIDE_ENDS}]{{1,1024}}")
_BARE_IN_ENV = pattern(rf"[^\s\"'`;&<>|{_WIDE_ENDS}]{{1,1024}}")
_CLOSING = {
    '"': '"', "'": "'", "`": "`", "「": "」", "『": "』", "“": "”", "‘": "’", "«": "»",
}  # fmt: skip
_CLOSERS = ")]}>.:!?*\\"
_SCHEME_AND_VALUE = pattern(
    r"[:=]{1,2}>?[ \t]{0,64}[\"'`\\]{0,4}(?:[A-Za-z][A-Za-z0-9\-]{2,19}[ \t]{1,64})?"
    rf"(?:{REPLACEMENT}){{0,4}}"
    r"([A-Za-z0-9._~+/=:\-]{6,4096})(?![A-Za-z0-9._~+/=:\-(\[])"
)
_COOKIES = pattern(
    r"[:=]{1,2}>?[ \t]{0,64}[\"'`\\]{0,4}([\w.\-]{1,64}=([^\s;\"'`\\]{4,4096}))"
)
_MORE_COOKIES = pattern(r"(?:;[ \t]{0,64}[^\s;\"'`\\]{1,1024}){0,64}")
_TWILIO = pattern(r"(?:AC|SK)[0-9a-f]{32}")
# Names too common to judge by anything but the form of what they name.
_SHAPES = {
    "signature": pattern(r"[A-Za-z0-9%+/=_\-]{24,255}"),
    "twilio": _TWILIO,
    "session": pattern(r"[^\s]{16,1024}"),
    "pat": pattern(r"[A-Za-z0-9_\-]{32,255}"),
    "key": pattern(r"(?![0-9a-f]{1,255}\Z|[a-z\-_]{1,255}\Z)[A-Za-z0-9+/=_\-]{20,255}"),
    "query-key": pattern(r"[A-Za-z0-9]{20,255}"),
}
# Whoever asks an address with `?key=` shows a key, be it digits of a digest throughout.
_IN_QUERY = pattern(r"(?:[\w/}.]\?|=[^\s&]{0,60}&(?:amp;)?)key\Z")
# What ends in `key` and names no secret.
_KIND_OF_BARE = {
    "sig": "signature",
    "key": "bare-key",
    "pass": "bare-pass",
    "pw": "bare-pass",
    "pat": "pat",
}
_OTHER_KEYS = pattern(
    r"(?i)(?:public|cache|primary|foreign|sort|partition|object|row|index|hash|state|idempotency|group|dedup\w{0,16}|unique|map|lookup|host|answer|s3|file|route|query|react|sub|item|config|i18n|translation)[_\- ]?key"
)
# `dbPass`, `SMTP_PASS`; but neither `bypass` nor the count of a test run
_SHORT_NAME = pattern(
    r"[_\-.](?:pass|PASS|pw|PW|pat|PAT|key|KEY)$|(?<=[a-z])(?:Pass|Pw|Pat|Key)$"
    r"|^(?!BY|COM|ENCOM|SUR|TRES)[A-Z]{2,12}PASS$"
)
_KIND_OF_SHORT = {"ass": "password", "pw": "password", "pat": "pat", "key": "key"}
_ATTRIBUTE = pattern(r":[a-z][\w.\-]{0,40}=[\"']")
# `token:label:144` and `http://token:8080/…`: a name among others, not of a value
_JOINED = pattern(
    r":(?:[a-z]{1,24}:[a-z0-9\-]{1,12}|[0-9]{2,5}/[\w/@.\-]{0,64})(?![\w:+/=\-.@])"
)
_HEADERS = ("authorization", "cookie")
_LOGIN_PAIR = pattern(
    r"[ \t*]{0,8}[\"'`]?[^\s/:\"'`]{1,64}[ \t]{0,2}[/:][ \t]{0,2}(?!/)([^\s\"'`]{8,64})"
)
_AFTER_PAIR = ".,;:!?)"
_MOST_LINE = 512
_SHORTEST_SAID = 16
_ASSIGNS = pattern(r"[A-Za-z_][\w.\-]{0,64}[=:]")  # a name of its own, not a value
_NEXT_LINE = pattern(
    r"(?:[>|][+\-]?)?[ \t]{0,16}(?:\r?\n[ \t]{0,32}){1,3}(?:```\w{0,16}[ \t]{0,8}\r?\n[ \t]{0,32})?"
    r"[\"'`*]{0,2}([^\s\"'`]{4,1024}?)[\"'`*]{0,2}[ \t]{0,16}(?=[\r\n]|\Z)"
)
_PROMPTS = (":", "$", "#", "{", "[", "(", ",")


def operator_scan(operator: str) -> str:
    """Return what must hold at an operator, just read, if such a name may precede it."""

    def letters(form: str, gap: int) -> str:
        return f"(?<=(?:{form}){_BETWEEN}{{{gap}}}{operator})"

    def name(gap: int) -> str:
        return letters(_MAYBE_LAST_THREE, gap) + letters(_LAST_THREE, gap)

    return (
        f"(?<=(?:{_LAST_ONE}|{_BETWEEN}){operator})"
        rf"(?:(?<=[0-9\[]\] {operator})|{name(0)}|(?<={_BETWEEN}{operator})"
        f"(?:{name(1)}|(?<={_BETWEEN}{{2}}{operator})"
        f"(?:{letters(_MAYBE_LAST_THREE, 2)}|(?<={_BETWEEN}{{3}}{operator}))))"
    )


def look_at_operator(text: str, index: int) -> Iterable[Span]:
    """Return the secret behind the operator at `index`, if a name before it says so."""
    before = _before(text, index)
    name = before[len(before.rstrip(NAME)) :]
    in_path = text[index] == ":" and _is_in_path(
        before, name, text[index + 1 : index + 2]
    )
    # `${PASSWORD:?message}` says what is missing
    is_message = text.startswith((":?", ":+"), index) and before.endswith(f"{{{name}")
    # `v-model="password" :key="…"` goes on with the next attribute
    is_next = text[index - 1 : index] == " " and _ATTRIBUTE.match(text, index)
    kind = None if in_path or is_message or is_next else kind_of(name)
    if kind == "bare-key" and before.endswith(f" {name}"):
        name, kind = name_of_words(before)
    if kind is None:
        return _beside_names(text, index, before)
    if kind == "bare-key" and _IN_QUERY.search(before):
        kind = "query-key"
    if kind == "token" and _JOINED.match(text, index):
        return ()
    if kind == "authorization":
        return _authorization(text, index)
    if kind == "cookie":
        return _cookies(text, index, whole=not name.lower().startswith("set"))
    return _assigned(text, index, name, kind)


def _is_in_path(before: str, name: str, after: str) -> bool:
    """Say whether a colon only joins: `AWS::IAM::AccessKey:`, `arn:…:secret:`, our own
    replacements, the ciphers of `!aNULL:!PSK:!RC4`."""
    is_cipher = name.endswith("PSK") and after not in ("", " ", "\t", '"', "'")
    return is_cipher or before.endswith(f":{name}")


def _beside_names(text: str, index: int, before: str) -> Iterable[Span]:
    """Return what stands behind a name of which most values are no secret."""
    end = before[-4:].lower()
    if end in ("ogin", "reds"):
        return look_at_pair(text, index + 1)
    is_named = end in seed_phrases.ENDS and seed_phrases.is_named(before)
    return seed_phrases.phrase_behind(text, index) if is_named else ()


def _before(text: str, index: int) -> str:
    """Return what stands before an operator, up to the end of a name."""
    before = text[max(0, index - _FARTHEST_NAME) : index].rstrip(" \t")
    if before.endswith("]"):
        before = _IN_BRACKETS.sub("", before).rstrip(" \t")
    return before.rstrip(_STRIPPED)[-_MOST_NAME:]


def name_of_words(before: str) -> tuple[str, str | None]:
    """Return a name of several words, and its kind: `AWS Secret Access Key`."""
    words = before.rpartition("\n")[2].split()[-1 - _MOST_WORDS :]
    name = " ".join(word.strip(_AROUND_WORD) for word in words)
    if _OTHER_KEYS.search(name):
        return name, None
    kind = kind_of(name) or "bare-key"
    return name, "said-key" if kind == "api-key" else kind


def named(name: str, value: str) -> Iterator[Span]:
    """Yield the secrets in a whole value that has a name, as in a JSON object."""
    kind = kind_of(name)
    if kind in _HEADERS:
        shift = len(name) + 2
        for start, end, found in look_at_operator(f"{name}: {value}", len(name)):
            yield start - shift, end - shift, found
    elif seed_phrases.is_named(name):
        yield from seed_phrases.phrase_behind(value, 0)
    elif kind:
        scheme = _SCHEME.match(value)
        start = scheme.end() if scheme else 0
        if announced(value[start:], kind, name, "quoted"):
            yield start, len(value), precise_kind(kind, name, value)


@lru_cache(_MOST_NAMES)  # a text says few names, and each of them often
def kind_of(name: str) -> str | None:
    """Return which kind of secret a name announces."""
    if name in _SESSION_COOKIES:
        return "session"
    flat = squashed(name)
    if flat.endswith(_ENDS):
        return next(k for end, k in _KIND_BY_END.items() if flat.endswith(end))
    short = _SHORT_NAME.search(name)
    if short is None:
        return _KIND_OF_BARE.get(flat)
    kind = _KIND_OF_SHORT[short[0].lower().lstrip("_-.")[-3:]]
    return None if kind == "key" and _OTHER_KEYS.search(name) else kind


def _assigned(text: str, index: int, name: str, kind: str) -> Iterator[Span]:
    opening = _TO_VALUE.match(text, index)
    if opening is None:
        return
    bare = _BARE_IN_ENV if name.isupper() and text[index] == "=" else _BARE
    hashed = _HASHED.match(text, opening.end())
    begin = hashed.end() if hashed else opening.end()
    start, end = value_behind(text, begin, opening[1], bare)
    if start == end or text[start] in ">|":
        yield from _on_the_next_line(text, start, name, kind)
        return
    value = text[start:end]
    place = "quoted" if opening[1] else _place(text, index, end)
    if announced(value, kind, name, place):
        yield start, end, precise_kind(kind, name, value)
    elif kind == "credential":
        yield from look_at_pair(text, start)


def look_at_pair(text: str, start: int) -> Iterator[Span]:
    """Yield the password of `login with ada / …`; the user's name is at `start`."""
    hit = _LOGIN_PAIR.match(text, start)
    value = hit[1].rstrip(_AFTER_PAIR) if hit else ""
    if hit and is_password(value):
        yield hit.start(1), hit.start(1) + len(value), "password"


def _on_the_next_line(text: str, end: int, name: str, kind: str) -> Iterator[Span]:
    """Yield what stands alone on the line under a name, in a fence or a folded text."""
    hit = _NEXT_LINE.match(text, end)
    if hit is None or hit[1].endswith(_PROMPTS) or _ASSIGNS.match(hit[1]):
        return
    if announced(hit[1], kind, name, "line"):
        yield hit.start(1), hit.end(1), precise_kind(kind, name, hit[1])


def announced(value: str, kind: str, name: str, place: Place) -> bool:
    """Say whether a value is what its name announces."""
    value = without_replacements(value)
    if is_word(value, place):
        return False
    if shape := _SHAPES.get(kind):
        return shape.fullmatch(value) is not None and is_random(value)
    if kind in ("bare-pass", "bare-key", "said-key"):
        return _is_told_by_form(value, kind, name, place)
    is_pair = kind == "credential" and is_encoded_pair(value)
    return is_pair or is_secret(value, kind, name, place)


def _is_told_by_form(value: str, kind: str, name: str, place: Place) -> bool:
    """Say whether a value is a secret behind a name that says little."""
    if kind == "bare-key":
        return is_key(value)
    if kind == "said-key":  # in prose, where short words are many
        is_long = len(value) >= _SHORTEST_SAID
        return is_long and is_secret(value, "api-key", name, place)
    is_likely = place == "quoted" or is_password(value)
    return is_likely and is_secret(value, "password", "", "line")


def value_at(text: str, start: int, opening: str) -> tuple[int, int]:
    """Return where a value stands that begins at `start`, behind a quote or none."""
    return value_behind(text, start, _CLOSING.get(opening))


def value_behind(
    text: str, start: int, quote: str | None, bare: re.Pattern[str] = _BARE
) -> tuple[int, int]:
    """Return where the value that begins at `start` stands."""
    if not quote:
        hit = bare.match(text, start)
        return start, start + len(hit[0].rstrip(_CLOSERS)) if hit else start
    line = text.find("\n", start, start + _MOST_VALUE)
    most = line if line >= 0 else min(len(text), start + _MOST_VALUE)
    end = text.find(quote, start, most)
    while end > start and text[end - 1] == "\\" and quote[0] != "\\":
        end = text.find(quote, end + 1, most)
    return start, end if end >= 0 else most


def _place(text: str, index: int, end: int) -> Place:
    """Say how likely the bare value before `end` is a literal and not an expression."""
    after = text[end : end + 1]
    equals = text[index] == "="
    if after and after in "([{":
        return "code"
    if (after == "," or (equals and after == ")")) and _is_in_code(text, index):
        return "code"
    tight = not set(text[index - 1 : index + 2]) & set(" \t")
    return "literal" if equals and tight else "line"


def _is_in_code(text: str, index: int) -> bool:
    """Say whether a comma or bracket after a value goes on with a call or an object.

    In prose it only ends the value: `(password=…)`, `password: …, and then`.
    """
    line = text[max(0, index - _MOST_LINE) : index].rpartition("\n")[2]
    opened: list[int] = []
    for bracket in re.finditer(r"[()\[\]{}]", line):
        if bracket[0] in "([{":
            opened.append(bracket.start())
        elif opened:
            opened.pop()
    if opened and line[opened[-1]] == "{":
        return text[index] == ":"
    if opened:
        return re.match(r"[\w)\]>]", line[: opened[-1]][-1:]) is not None
    return line.startswith(("  ", "\t"))  # an argument on a line of its own


_SHOWN_AS = {
    "session": "cookie", "key": "api-key", "bare-key": "api-key", "said-key": "api-key",
    "query-key": "api-key", "bare-pass": "password", "pat": "token",
}  # fmt: skip


def precise_kind(kind: str, name: str, value: str) -> str:
    """Return the issuer's name where name and value tell it."""
    flat = squashed(name)
    if _TWILIO.fullmatch(value):
        return "twilio"
    if flat.endswith(("accountkey", "sharedaccesskey")) or kind == "signature":
        return "azure"
    if flat.endswith(("secretaccesskey", "awssecretkey", "awssecret")):
        return "aws-secret"
    return _SHOWN_AS.get(kind, kind)


def _authorization(text: str, index: int) -> Iterator[Span]:
    hit = _SCHEME_AND_VALUE.match(text, index)
    if hit and "://" not in hit[1] and is_credential(hit[1]):
        yield hit.start(1), hit.end(1), "authorization"


def _cookies(text: str, index: int, *, whole: bool) -> Iterator[Span]:
    """Yield the value of a `Set-Cookie`, or all of a `Cookie` header."""
    hit = _COOKIES.match(text, index)
    if hit is None or is_placeholder(hit[2]) or not is_credential(hit[2]):
        return
    if whole:
        rest = _MORE_COOKIES.match(text, hit.end())
        yield hit.start(1), rest.end() if rest else hit.end(), "cookie"
    else:
        yield hit.start(2), hit.end(2), "cookie"
