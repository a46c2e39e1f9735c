"""Secrets below the heading of their column: a CSV, a table of a page or of a database.

The heading says what its column holds, as a name does for its value. It must be one: the
first line of its table, each cell of it a few words; rows below have as many cells.
"""

from collections.abc import Iterator
from functools import lru_cache

from holdfast.kernel.lazy_patterns import pattern
from holdfast.redaction import Span
from holdfast.redaction.by_name import announced, kind_of, precise_kind
from holdfast.redaction.values import is_key, is_password

_SEPARATORS = ",;\t|│"
_FRAMED = "|│"  # what also stands at both ends of a row
_MOST_LINE = 1_024
_MOST_TABLE = 65_536
_MOST_HEADINGS = 64
_WIDEST_GAP = 64  # from a name to what ends its cell
_HEADING = pattern(r"[\"'`*]{0,3}[^\W\d][\w /.\-#]{0,40}[\"'`*]{0,3}\Z")
# As tools show the lines of a file: `     3→…`.
_NUMBER = pattern(r"[ ]{0,8}[0-9]{1,6}[→\t:|][ ]?")
_RULE = pattern(r"[ \t|│+\-:─┼═╪=]{3,1024}\Z")  # between a heading and its rows
_QUOTED = pattern(r"[ \t]{0,4}\"((?:[^\"\n]|\"\"){0,512})\"[ \t]{0,4}")
_AROUND = " \t\r\"'`*"


def below(text: str, end: int) -> Iterator[Span]:
    """Yield what stands below the name that ends at `end`, if that heads a column."""
    begin = text.rfind("\n", max(0, end - _MOST_LINE), end) + 1
    stop = text.find("\n", end, end + _MOST_LINE)
    separator = _separator(text, end)
    if stop < 0 or not separator:
        return
    shift = _numbered(text, begin)
    columns = _columns(text[begin + shift : stop], separator)
    # all columns are read at the first of them
    is_first = columns and end <= begin + shift + columns[0][3]
    if not is_first or _is_row(text, begin, separator, columns[0][0]):
        return
    yield from _cells_below(text, stop + 1, separator, columns)


def _separator(text: str, end: int) -> str:
    """Return what stands between this cell and the next, or the one before."""
    after = text[end : end + _WIDEST_GAP].lstrip(" \"'`*")[:1]
    if after in ("", "\r", "\n"):
        return _last_separator(text, end)
    return after if after in _SEPARATORS else ""


def _last_separator(text: str, end: int) -> str:
    line = text[max(0, end - _MOST_LINE) : end].rpartition("\n")[2]
    place = max(map(line.rfind, _SEPARATORS))
    return line[place] if place >= 0 else ""


def _columns(line: str, separator: str) -> list[tuple[int, int, str, int]]:
    """Return the columns with secrets: how many there are, which, its name, its end."""
    cells = line.rstrip("\r").split(separator)
    count = len(cells)
    if not 1 < count <= _MOST_HEADINGS or not _are_headings(cells, separator):
        return []
    found: list[tuple[int, int, str, int]] = []
    at = 0
    for place, cell in enumerate(cells):
        at += len(cell)
        name = cell.strip(_AROUND)
        if _kind(name):
            found.append((count, place, name, at))
        at += len(separator)
    return found


@lru_cache(_MOST_HEADINGS)
def _kind(name: str) -> str | None:
    kind = kind_of(name)
    return None if kind in ("authorization", "cookie", "twilio") else kind


def _are_headings(cells: list[str], separator: str) -> bool:
    if separator in _FRAMED:
        cells = [cell.strip(" \t") for cell in cells]
        cells = cells[not cells[0] : len(cells) - (not cells[-1])]
    return all(map(_HEADING.match, cells))


def _numbered(text: str, begin: int) -> int:
    """Return how many characters of a line are the number that a tool put before it."""
    number = _NUMBER.match(text, begin)
    return number.end() - begin if number else 0


def _is_row(text: str, begin: int, separator: str, count: int) -> bool:
    """Say whether the line before has as many cells: then this one is no heading."""
    before = text[max(0, begin - _MOST_LINE) : max(0, begin - 1)].rpartition("\n")[2]
    before = before[_numbered(before, 0) :]
    return before.count(separator) + 1 == count and not _RULE.match(before)


def _cells_below(
    text: str, begin: int, separator: str, columns: list[tuple[int, int, str, int]]
) -> Iterator[Span]:
    last = min(len(text), begin + _MOST_TABLE)
    ruled = False
    while begin < last:
        stop = text.find("\n", begin, begin + _MOST_LINE)
        stop = stop if stop >= 0 else min(len(text), begin + _MOST_LINE)
        begin += _numbered(text, begin)
        line = text[begin:stop]
        if _RULE.match(line):
            ruled = True
        else:
            cells = _cells(line, separator)
            if len(cells) != columns[0][0] or (separator in _FRAMED and not ruled):
                return
            first, last_of = cells[columns[0][1]]
            if _kind(line[first:last_of].strip(_AROUND)):
                return  # a heading of its own
            yield from _secrets(line, begin, cells, columns)
        begin = stop + 1


def _cells(line: str, separator: str) -> list[tuple[int, int]]:
    """Return where the cells of a line stand; a separator in quotes is none."""
    found: list[tuple[int, int]] = []
    at = 0
    while at <= len(line) and len(found) <= _MOST_HEADINGS:
        quoted = _QUOTED.match(line, at)
        stop = line.find(separator, quoted.end() if quoted else at)
        stop = stop if stop >= 0 else len(line)
        found.append((at, stop))
        at = stop + 1
    return found


def _secrets(
    line: str,
    begin: int,
    cells: list[tuple[int, int]],
    columns: list[tuple[int, int, str, int]],
) -> Iterator[Span]:
    for _, place, name, _ in columns:
        start, end = cells[place]
        value = line[start:end].strip(_AROUND)
        start = line.find(value, start)
        kind = _kind(name)
        # what heads the first column may as well be the name of one value
        is_sure = place > 0 or is_password(value) or is_key(value)
        if kind and value and is_sure and announced(value, kind, name, "line"):
            start += begin
            yield start, start + len(value), precise_kind(kind, name, value)
