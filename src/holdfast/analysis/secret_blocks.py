"""Secrets that are blocks of text: private keys, and what a user marked as private."""

import re
from collections.abc import Iterator

Span = tuple[int, int, str]  # start, end, kind

_BEGIN = "-----BEGIN "
_END = "-----END "
_MOST_BLOCK = 32_768  # longer than an armoured 16-kbit key
_HEADER = r"-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_FOOTER = r"-----END [A-Z0-9 ]{0,64}-----"
# One line of a key: indented, quoted, escaped or numbered as its carrier shows it.
_KEY_LINE = (
    r"(?:[\s\"',>|]|\\[nrt]|[0-9]{1,6}[\t:→]){0,16}"
    r"(?:[A-Za-z0-9+/=]{16,1024}|(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash): [^\r\n\\]{0,120})"
)
_LAST_LINE = r"(?:\s|\\[nr]){1,4}[A-Za-z0-9+/=]{1,15}(?=\s|\\|[\"']|\Z)"
_KEY_BODY = r"[A-Za-z0-9+/=]{16}"
PRIVATE = "private"
_PRIVATE_TAG = r"<(/?)private>"


def private_key(text: str, index: int) -> Iterator[Span]:
    """Yield the key block that begins at `index`, even if its end was cut off.

    A header alone, as code and prose mention it, is no key.
    """
    header = re.compile(_HEADER).match(text, index)
    if header is None:
        return
    start = header.end()
    limit = text.find(_BEGIN, start, start + _MOST_BLOCK)
    end = text.find(_END, start, limit if limit >= 0 else start + _MOST_BLOCK)
    if end >= 0:
        footer = re.compile(_FOOTER).match(text, end)
        if re.compile(_KEY_BODY).search(text, start, end):
            yield index, footer.end() if footer else end, "private-key"
        return
    stop = _cut_key_end(text, start)
    if re.compile(_KEY_BODY).search(text, start, stop):
        yield index, stop, "private-key"


def private_spans(text: str) -> Iterator[Span]:
    """Yield what stands between matching `<private>` tags, the tags included."""
    opened: list[int] = []
    for tag in re.compile(_PRIVATE_TAG).finditer(text):
        if not tag[1]:
            opened.append(tag.start())
        elif opened:
            yield opened.pop(), tag.end(), PRIVATE


def _cut_key_end(text: str, start: int) -> int:
    end = start
    while line := re.compile(_KEY_LINE).match(text, end):
        end = line.end()
    if end > start and (last := re.compile(_LAST_LINE).match(text, end)):
        end = last.end()
    return end
