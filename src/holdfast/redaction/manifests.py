"""Documents that say of themselves that they hold secrets, whatever their fields are called.

A Kubernetes `Secret` (its `data` in base64, its `stringData` as it is; YAML, JSON, one of a
list) and a private key in JSON (`kty` and its `d`).
"""

from collections.abc import Iterator
from typing import Any

from holdfast.kernel.lazy_patterns import pattern
from holdfast.redaction import Span
from holdfast.redaction.values import is_placeholder

KUBERNETES = "kubernetes"
_OF_SECRET = "\0secret"  # noqa: S105  # what no field is called
_OBJECTS = ("data", "stringData")
_MOST_BRACES = 256
_FARTHEST = 16_384  # from its kind to the end of its data, either way
_SHORTEST = 4
_MOST_INDENT = 128
_KIND = pattern(
    r"(?<![\w\"\\])kind:[ \t]{1,8}[\"']?Secret(?!\w)"
    r"|\"kind\\{0,3}\"\s{0,4}:\s{0,4}\\{0,3}\"Secret(?=\\{0,3}\")"
)
_BEFORE_NAME = 24  # from the beginning of that to its last letters
_DATA = ("data:", "stringData:")
_FIELD = pattern(r"[\"']?[\w.\-/]{1,128}[\"']?:(?=\s|\Z)")
_MEMBER = pattern(r"[ \t]{0,64}[\"']?[\w.\-]{1,128}[\"']?:(?:\s|\Z)(.{0,9000})")
_DATA_OBJECT = pattern(
    r"\\{0,3}\"(?:data|stringData)\\{0,3}\"[ \t]{0,4}:\s{0,64}\{"
    r"((?:[^{}\\\"]|\\{0,3}\"){0,4}[^{}]{0,8192})"
)
_PAIR = pattern(
    r"\\{0,3}\"[\w.\-]{1,128}\\{0,3}\"\s{0,16}:\s{0,16}\\{0,3}\"([^\"\\\s]{4,8192})"
)
_NUMBER = pattern(r"[ ]{0,8}[0-9]{1,6}[→\t]")
_JWK_FIELDS = ("d", "k", "p", "q", "dp", "dq", "qi")
_JWK_FIELD = pattern(r"\"(?:d|k|p|q|dp|dq|qi)\\?\"\s{0,4}:\s{0,4}\\?\Z")
_JWK_VALUE = pattern(r"[A-Za-z0-9_\-]{24,1400}(?=\\?\")")
_WIDEST_FIELD = 20
_FARTHEST_JWK = 2_048


def kubernetes_secret(text: str, index: int) -> Iterator[Span]:
    """Yield the data of the manifest whose kind ends in the letters at `index`."""
    kind = _KIND.search(text, max(0, index - _BEFORE_NAME), index + len("cret") + 4)
    if kind is None:
        return
    if kind[0].startswith('"'):
        yield from _in_json(text, kind.start())
    else:
        yield from _in_yaml(text, kind.start(), kind.end())


def key_in_json(text: str, index: int) -> Iterator[Span]:
    """Yield the private part of a key in JSON; its quote is at `index`."""
    if not _JWK_FIELD.search(text, max(0, index - _WIDEST_FIELD), index):
        return
    hit = _JWK_VALUE.match(text, index + 1)
    around = text[max(0, index - _FARTHEST_JWK) : index + _FARTHEST_JWK]
    if hit and '"kty' in around:
        yield index + 1, hit.end(), "private-key"


def name_in(source: dict[Any, Any], key: str, name: str) -> str:
    """Return the name of a field of an object that has the name `name` itself."""
    if name == _OF_SECRET or (source.get("kind") == "Secret" and key in _OBJECTS):
        return _OF_SECRET
    return "private key" if "kty" in source and key in _JWK_FIELDS else key


def _in_json(text: str, index: int) -> Iterator[Span]:
    begin, end = _object(text, index)
    for data in _DATA_OBJECT.finditer(text, begin, end):
        for pair in _PAIR.finditer(text, data.start(1), data.end(1)):
            if not is_placeholder(pair[1]):
                yield pair.start(1), pair.end(1), KUBERNETES


def _object(text: str, index: int) -> tuple[int, int]:
    """Return where the object that `index` is in begins and ends."""
    begin = end = index
    least, most = max(0, index - _FARTHEST), index + _FARTHEST
    depth = braces = 0
    while depth >= 0 and braces < _MOST_BRACES:
        opened, closed = text.rfind("{", least, begin), text.rfind("}", least, begin)
        begin = max(opened, closed)
        depth += 1 if closed > opened else -1
        braces += 1
        if begin < 0:
            return least, most
    depth = braces = 0
    while depth >= 0 and braces < _MOST_BRACES:
        opened, closed = text.find("{", end + 1, most), text.find("}", end + 1, most)
        end = min(each for each in (opened, closed, most) if each >= 0)
        depth += 1 if end == opened else -1
        braces += 1
    return begin, end


def _in_yaml(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the values below `data:`, before and behind its kind, in its document."""
    here = text.rfind("\n", max(0, start - _MOST_INDENT), start) + 1
    if text[_content(text, here) : start].strip(" -"):
        return
    indent = start - _content(text, here)
    in_data = False
    for begin, line in (
        *reversed(list(_lines_before(text, here, indent))),
        *_lines_behind(text, end, indent),
    ):
        if _depth(line) <= indent and line.strip():
            in_data = line.strip(" -\r") in _DATA
        elif in_data:
            yield from _value(line, begin)


def _lines_before(text: str, here: int, indent: int) -> Iterator[tuple[int, str]]:
    """Yield the lines of a document before the one at `here`, the nearest first."""
    least = max(0, here - _FARTHEST)
    while here > least:
        stop = here - 1
        here = text.rfind("\n", least, stop) + 1
        begin = _content(text, here)
        line = text[begin:stop]
        if not _belongs(line, indent):
            return
        yield begin, line
        if _is_item(line, indent):
            return


def _lines_behind(text: str, end: int, indent: int) -> Iterator[tuple[int, str]]:
    """Yield the lines of a document behind the one that `end` is in."""
    most = min(len(text), end + _FARTHEST)
    here = text.find("\n", end, most) + 1
    while 0 < here < most:
        stop = text.find("\n", here)
        stop = stop if stop >= 0 else len(text)
        begin = _content(text, here)
        line = text[begin:stop]
        if not _belongs(line, indent) or _is_item(line, indent):
            return
        yield begin, line
        here = stop + 1


def _content(text: str, line: int) -> int:
    """Return where a line begins, behind the number that a tool put before it."""
    number = _NUMBER.match(text, line)
    return number.end() if number else line


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" -"))


def _belongs(line: str, indent: int) -> bool:
    """Say whether a line is of the document whose fields stand at `indent`."""
    depth = _depth(line)
    if line.startswith("---"):
        return False
    if depth > indent or not line.strip():
        return True
    field = _FIELD.match(line, depth)
    return depth == indent and field is not None and field[0] != "kind:"


def _is_item(line: str, indent: int) -> bool:
    """Say whether a line begins a document that is one of a list."""
    return _depth(line) == indent and line.lstrip(" ").startswith("- ")


def _value(line: str, begin: int) -> Iterator[Span]:
    """Yield the value of a field, or what stands on a line of its own below one."""
    member = _MEMBER.match(line)
    value = (member[1] if member else line).strip("\r\"' \t")
    if len(value) >= _SHORTEST and value[0] != "#" and not is_placeholder(value):
        begin += line.rfind(value)
        yield begin, begin + len(value), KUBERNETES
