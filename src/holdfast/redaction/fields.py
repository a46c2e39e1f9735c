"""Secrets that code and configuration give by position: a pair, a wrapper, a default.

`auth=('ada', '…')`, `HTTPBasicAuth('ada', '…')`, `SecretStr('…')`, `variable
"db_password" { default = "…" }`, `-b 'session=…'`.
"""

from collections.abc import Callable, Iterator

from holdfast.kernel.lazy_patterns import pattern
from holdfast.redaction.names import NAME, announced, kind_of
from holdfast.redaction.values import is_jumbled, is_random

Span = tuple[int, int, str]  # start, end, kind
Look = Callable[[str, int], Iterator[Span]]

_PAIR = pattern(
    r"\(\s{0,8}[\"'][^\"'\n]{1,128}[\"'],\s{0,8}[\"']([^\"'\s]{4,128})[\"']"
)
_WRAPPED = pattern(r"\(\s{0,8}[\"']([^\"'\s]{4,512})[\"']")
_DEFAULT = pattern(r"default[ \t]{0,32}=[ \t]{0,32}\"([^\"\s]{4,512})\"")
_VARIABLE = pattern(r"variable[ \t]{1,8}\"([\w\-]{1,64})\"[ \t]{0,8}\{[^{}]{0,400}$")
_FARTHEST = 512
_FARTHEST_NAME = 64
_QUOTE = r"&(?:quot|#34|#39);"
# `?next=%2Fa%3Ftoken%3D…`, `{&quot;token&quot;:&quot;…`, `token\\u003d…`
_ENCODED = pattern(
    rf"(?:%3[Dd]|\\u003[dD]|{_QUOTE}[ ]{{0,4}}:[ ]{{0,4}}{_QUOTE})([^\s%&\"'<>\\]{{4,512}})"
)
_SESSION = pattern(r"=([\w.%+/\-]{20,1024}=?=?)(?![\w(\[])")


def _look_at_pair(text: str, index: int) -> Iterator[Span]:
    """Yield the second text that is passed to what logs in."""
    hit = _PAIR.match(text, index)
    if hit and announced(hit[1], "password", "", "line"):
        yield hit.start(1), hit.end(1), "password"


def _look_at_wrapped(text: str, index: int) -> Iterator[Span]:
    """Yield the literal of pydantic's `SecretStr`."""
    hit = _WRAPPED.match(text, index)
    if hit and announced(hit[1], "secret", "", "quoted"):
        yield hit.start(1), hit.end(1), "secret"


def _look_at_default(text: str, index: int) -> Iterator[Span]:
    """Yield the default of a Terraform variable with a telling name."""
    hit = _DEFAULT.match(text, index)
    variable = _VARIABLE.search(text, max(0, index - _FARTHEST), index)
    kind = kind_of(variable[1]) if hit and variable else None
    if hit and variable and kind and announced(hit[1], kind, variable[1], "quoted"):
        yield hit.start(1), hit.end(1), kind


def _look_at_call(text: str, index: int) -> Iterator[Span]:
    is_wrapped = text.startswith("SecretStr", index)
    look = _look_at_wrapped if is_wrapped else _look_at_pair
    return look(text, text.index("(", index))


def look_at_session(text: str, index: int) -> Iterator[Span]:
    """Yield the value of a cookie that is called `session`, outside of a header."""
    hit = _SESSION.match(text, index)
    if hit and is_jumbled(hit[1]) and is_random(hit[1]):
        yield hit.start(1), hit.end(1), "cookie"


def _look_at_encoded(text: str, index: int) -> Iterator[Span]:
    """Yield the value behind an operator that an address or a page has encoded."""
    hit = _ENCODED.match(text, index)
    before = text[max(0, index - _FARTHEST_NAME) : index]
    name = before[len(before.rstrip(NAME)) :]
    kind = kind_of(name) if hit else None
    if hit and kind and announced(hit[1], kind, name, "literal"):
        yield hit.start(1), hit.end(1), kind


# What must hold at the operator of a cookie.
SESSION = r"(?<=session=)(?<![A-Za-z_]session=)[\w.%+/\-]{20}"
# A character, what must hold where it stands, and who looks there.
SCANS: tuple[tuple[str, str, Look], ...] = (
    ("ogin(", "ogin(", _look_at_call),
    ("uth(", "uth(", _look_at_call),
    ("uth=(", "uth=(", _look_at_call),
    ("redentials(", "redentials(", _look_at_call),
    ("SecretStr(", "SecretStr(", _look_at_call),
    ("%3D", "%3D", _look_at_encoded),
    ("%3d", "%3d", _look_at_encoded),
    (r"\u003d", r"\\u003d", _look_at_encoded),
    ("&quot;", r"&quot;[ ]{0,4}:", _look_at_encoded),
    ("&#3", r"&#3[49];[ ]{0,4}:", _look_at_encoded),
    ("default", r"default(?=[ \t]{0,32}=[ \t]{0,32}\")", _look_at_default),
)
