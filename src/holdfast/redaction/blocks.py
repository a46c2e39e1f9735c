"""Secrets that are blocks of text: private keys, and what a user marked as private."""

from binascii import a2b_base64
from collections.abc import Iterator

from holdfast.kernel.lazy_patterns import pattern
from holdfast.redaction import Span

_BEGIN = "-----BEGIN "
_END = "-----END "
_MOST_BLOCK = 32_768  # longer than an armoured 16-kbit key
_HEADER = pattern(r"-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_FOOTER = pattern(r"-----END [A-Z0-9 ]{0,64}-----")
# One line of a key: indented, quoted, escaped or numbered as its carrier shows it.
_KEY_LINE = pattern(
    r"(?:[\s\"',>|]|\\[nrt]|[0-9]{1,6}[\t:→]){0,16}"
    r"(?:[A-Za-z0-9+/=]{16,1024}|(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash): [^\r\n\\]{0,120})"
)
_LAST_LINE = pattern(r"(?:\s|\\[nr]){1,4}[A-Za-z0-9+/=]{1,15}(?=\s|\\|[\"']|\Z)")
_KEY_BODY = pattern(r"[A-Za-z0-9+/=]{16}")
# `-----BEGIN ` in base64, as a variable or a Kubernetes secret holds a key.
ENCODED = "LS0tLS1CRUdJTi"
BLOCKS = (_BEGIN, ENCODED, "-Lines: ")  # what keys of many lines begin with
_ENCODED_BODY = pattern(
    r"(?:[A-Za-z0-9+/]{16,1024}(?:\\[nr]|[\r\n]){0,2}[ \t]{0,16}){1,512}={0,2}"
)
_ENCODED_HEADER = 64
_PUTTY_BODY = pattern(
    r"-Lines: [0-9]{1,3}(?:\\[nr]|\s){1,4}"
    r"([A-Za-z0-9+/=]{1,128}(?:(?:\\[nr]|\s){1,4}[A-Za-z0-9+/=]{16,128}){0,64}"
    r"(?:(?:\\[nr]|\s){1,4}[A-Za-z0-9+/=]{1,15}(?=\s|\\|\Z))?)"
)
PRIVATE = "private"
_PRIVATE_TAG = pattern(r"(?i)<[ \t]{0,8}(/?)[ \t]{0,8}private[ \t]{0,8}>")


def encoded_key(text: str, index: int) -> Iterator[Span]:
    """Yield the private key in base64 that begins at `index`."""
    if b"PRIVATE KEY" in _decoded(text[index : index + _ENCODED_HEADER]):
        body = _ENCODED_BODY.match(text, index)
        yield index, body.end() if body else index, "private-key"


def putty_key(text: str, index: int) -> Iterator[Span]:
    """Yield the lines of a key in PuTTY's own format; `-Lines: ` is at `index`."""
    if text.endswith("Private", 0, index):
        body = _PUTTY_BODY.match(text, index)
        if body:
            yield body.start(1), body.end(1), "private-key"


def _decoded(text: str) -> bytes:
    try:
        return a2b_base64(text[: len(text) // 4 * 4])
    except ValueError:
        return b""


def private_key(text: str, index: int) -> Iterator[Span]:
    """Yield the key block that begins at `index`, even if its end was cut off.

    A header alone, as code and prose mention it, is no key.
    """
    header = _HEADER.match(text, index)
    if header is None:
        return
    start = header.end()
    limit = text.find(_BEGIN, start, start + _MOST_BLOCK)
    end = text.find(_END, start, limit if limit >= 0 else start + _MOST_BLOCK)
    if end >= 0:
        footer = _FOOTER.match(text, end)
        if _KEY_BODY.search(text, start, end):
            yield index, footer.end() if footer else end, "private-key"
        return
    stop = _cut_key_end(text, start)
    if _KEY_BODY.search(text, start, stop):
        yield index, stop, "private-key"


def private_spans(text: str) -> Iterator[Span]:
    """Yield what stands between matching `<private>` tags, the tags included.

    What is not closed is private to the end of the text if it begins a line, else to
    the end of its line: some systems print the tag in place of a value.
    """
    opened: list[int] = []
    for tag in _PRIVATE_TAG.finditer(text):
        if not tag[1]:
            opened.append(tag.start())
        elif opened:
            yield opened.pop(), tag.end(), PRIVATE
    reached = 0
    for start in opened:
        if start < reached:
            continue
        begins_line = not text[text.rfind("\n", 0, start) + 1 : start].strip()
        end = -1 if begins_line else text.find("\n", start)
        reached = len(text) if end < 0 else end
        yield start, reached, PRIVATE


def block_around(text: str, place: int) -> Span | None:
    """Return the block that a place is inside of; where a key's end was cut off it goes to
    the end of the text."""
    blocks = [*_key_around(text, place)]
    if "<" in text:
        blocks += (one for one in private_spans(text) if one[0] < place < one[1])
    if not blocks:
        return None
    return min(one[0] for one in blocks), max(one[1] for one in blocks), blocks[0][2]


def _key_around(text: str, place: int) -> Iterator[Span]:
    past = place + len(_BEGIN) - 1
    begin = text.rfind(_BEGIN, max(0, place - _MOST_BLOCK), past)
    if begin < 0:
        return
    end = text.find(_END, begin)
    if end < 0 or end >= place:
        yield begin, end if end >= 0 else len(text), "private-key"


def _cut_key_end(text: str, start: int) -> int:
    end = start
    while line := _KEY_LINE.match(text, end):
        end = line.end()
    if end > start and (last := _LAST_LINE.match(text, end)):
        end = last.end()
    return end
