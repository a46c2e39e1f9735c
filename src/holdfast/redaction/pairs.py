"""The secret that an issuer gives out beside an id: neither has a name where both are pasted.

`AKIA… …`, the line of a console's CSV, two lines of a chat: whatever stands between. The
id has a form that nothing else has; what has the form of its secret near it is one.
"""

import re
from collections.abc import Iterator

from holdfast.kernel.lazy_patterns import pattern
from holdfast.redaction import Look, Span
from holdfast.redaction.values import is_mixed

# By the kind of an id: the form of its secret, and the kind that it is shown as.
_SECRETS = {
    "aws-key-id": (
        pattern(r"(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=_\-.])"),
        "aws-secret",
    ),
    "alibaba": (
        pattern(r"(?<![A-Za-z0-9/+_\-.])[A-Za-z0-9]{30}(?![A-Za-z0-9/+=_\-.])"),
        "alibaba",
    ),
    "tencent": (
        pattern(r"(?<![A-Za-z0-9/+_\-.])[A-Za-z0-9]{32}(?![A-Za-z0-9/+=_\-.])"),
        "tencent",
    ),
}
_BEFORE, _BEHIND = (
    160,
    256,
)  # how far from its id: a date, a state, a user's name between
# An id that was taken out before its secret was known by it.
_TAKEN_OUT = pattern(r"aws-key-id:[0-9a-f]{4}\]")


def beside_id(text: str, span: Span) -> Iterator[Span]:
    """Yield the secrets that stand near an id."""
    start, end, kind = span
    form, shown = _SECRETS.get(kind, (None, ""))
    if form is not None:
        yield from _near(text, start, end, form, shown)


def _look_at_taken_out(text: str, index: int) -> Iterator[Span]:
    hit = _TAKEN_OUT.match(text, index)
    if hit:
        yield from beside_id(text, (index, hit.end(), "aws-key-id"))


def _near(
    text: str, start: int, end: int, form: re.Pattern[str], kind: str
) -> Iterator[Span]:
    for begin, stop in ((max(0, start - _BEFORE), start), (end, end + _BEHIND)):
        for hit in form.finditer(text, begin, stop + 1):  # sees what follows it
            if hit.end() <= stop and is_mixed(hit[0]):
                yield hit.start(), hit.end(), kind


# A mark, what must hold where it stands, and who looks there.
SCANS: tuple[tuple[str, str, Look], ...] = (
    ("aws-key-id:", "aws-key-id:", _look_at_taken_out),
)
