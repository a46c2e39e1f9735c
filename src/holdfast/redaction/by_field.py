"""Secrets in the fields of what programs read: attributes, headers, SQL, PowerShell.

`name="password" value="…"`, `{"name": "TOKEN", "value": "…"}`, `set Authorization "…"`,
`IDENTIFIED BY '…'`, `ConvertTo-SecureString "…"`.
"""

from collections.abc import Iterator

from holdfast.kernel.lazy_patterns import pattern
from holdfast.redaction import Look, Span
from holdfast.redaction.by_name import NAME, announced, kind_of, value_at
from holdfast.redaction.values import is_credential, is_placeholder

_NEAR = 96
_IDENTIFIED = pattern(r"Y[ \t]{1,8}(?:PASSWORD[ \t]{1,8})?[\"']([^\"'\n]{4,256})[\"']")
_HEADER = pattern(
    r"uthorization[\"'`]?[ \t,]{1,3}[\"'`](?:[A-Za-z]{3,12}[ \t]{1,4})?"
    r"([A-Za-z0-9._~+/=:\-]{8,4096})(?=[\"'`])"
)
_ATTRIBUTE = pattern(
    r"(?i:name|key|id|header)[\"']?\s{0,4}[=:]\s{0,4}[\"']?([\w.\-]{1,64})[\"']?[\s,;\"']{0,16}$"
)
_AFTER_ATTRIBUTE = " \t\r\n\v\f,;\"'"
_LONGEST_ATTRIBUTE = 20  # to the beginning of its value
_ATTRIBUTE_VALUE = pattern(r"alue[\"']?\s{0,4}[=:]\s{0,4}([\"'])?")


def _look_at_identified(text: str, index: int) -> Iterator[Span]:
    """Yield the password of SQL's `IDENTIFIED BY '…'`."""
    hit = _IDENTIFIED.match(text, index)
    if hit and not is_placeholder(hit[1]):
        yield hit.start(1), hit.end(1), "password"


def _look_at_header(text: str, index: int) -> Iterator[Span]:
    """Yield the value of an `Authorization` header that a call or a setting names."""
    hit = _HEADER.match(text, index)
    if hit and is_credential(hit[1]):
        yield hit.start(1), hit.end(1), "authorization"


def _look_at_secure_string(text: str, index: int) -> Iterator[Span]:
    """Yield the literal of PowerShell's `ConvertTo-SecureString`."""
    start, stop = value_at(text, *_quote_after(text, index + len("SecureString")))
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
    rest = before.rstrip(_AFTER_ATTRIBUTE)
    begin = len(rest.rstrip(NAME))
    kind = kind_of(rest[begin:])
    if opening is None or kind is None:
        return
    name = _ATTRIBUTE.search(before, max(0, begin - _LONGEST_ATTRIBUTE))
    if name is None:
        return
    start, stop = value_at(text, opening.end(), opening[1] or "")
    value = text[start:stop]
    if kind == "authorization" and " " in value.strip():
        start += value.rfind(" ") + 1
        value = text[start:stop]
    if announced(value, kind, name[1], "quoted" if opening[1] else "line"):
        yield start, stop, kind


# A character, what must hold where it stands, and who looks there.
SCANS: tuple[tuple[str, str, Look], ...] = (
    ("alue", r"alue(?=[\"']?\s{0,4}[=:])", _look_at_attribute),
    ("uthorization", r"uthorization[\"'`]?[ \t,]{1,3}[\"'`]", _look_at_header),
    ("SecureString", r"SecureString[ \t]{1,4}[\"']", _look_at_secure_string),
    ("Y", r"Y(?<=FIED BY)[ \t]", _look_at_identified),
)
