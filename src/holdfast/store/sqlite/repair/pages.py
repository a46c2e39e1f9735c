"""Read rows out of the pages of a database file, without the engine and its trees.

Where a root or an inner page is damaged, the engine finds no row below it; the leaves
are still there, and each cell of a leaf says what is in it. Pure: bytes in, values out.
What is read proves nothing: whoever takes a row has to have it proved.
"""

import struct
from collections.abc import Iterator

from holdfast.kernel.lazy_tuples import NamedTuple

PAGE_BYTES = 4096
_FILE_HEADER = 100
_LEAF_HEADER, _INNER_HEADER = 8, 12
_INNER_INDEX, _LEAF_INDEX = 0x02, 0x0A
_LINK = 4  # bytes of a page number
_MOST_COLUMNS = 40
_MOST_CELLS = 2_000  # what fits into a page
_SMALLEST_LOCAL = (PAGE_BYTES - 12) * 32 // 255 - 23
_LARGEST_IN_TABLE = PAGE_BYTES - 35
_LARGEST_IN_INDEX = (PAGE_BYTES - 12) * 64 // 255 - 23
_WIDTHS = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)  # of each serial type below 12
_FLOAT, _ZERO, _ONE, _RESERVED, _TEXT = 7, 8, 9, (10, 11), 13


class Cell(NamedTuple):
    """One row as it lies in a page; `number` is None where a row has none of its own.

    Text is bytes, as blobs are: one that is no text any more must not hide its row.
    """

    number: int | None
    values: tuple[object, ...]


def cells(data: bytes) -> Iterator[Cell]:
    """Yield whatever reads as a row, page by page, of tables and of indexes."""
    for start in range(0, len(data) - PAGE_BYTES + 1, PAGE_BYTES):
        head = start + (_FILE_HEADER if start == 0 else 0)
        kind = data[head]
        if kind in (_INNER_INDEX, _LEAF_INDEX):
            yield from _index_cells(data, start, head, is_leaf=kind == _LEAF_INDEX)
        elif kind:  # a leaf whose own kind is damaged is read as well
            yield from _table_cells(data, start, head)


def _table_cells(data: bytes, start: int, head: int) -> Iterator[Cell]:
    for at in _pointed(data, start, head + _LEAF_HEADER):
        try:
            size, after = _varint(data, at)
            number, after = _varint(data, after)
            payload = _payload(data, after, size, _LARGEST_IN_TABLE)
            yield Cell(_signed(number), _values(payload))
        except (ValueError, IndexError, struct.error):
            continue


def _index_cells(
    data: bytes, start: int, head: int, *, is_leaf: bool
) -> Iterator[Cell]:
    below = 0 if is_leaf else _LINK
    for at in _pointed(
        data, start, head + (_LEAF_HEADER if is_leaf else _INNER_HEADER)
    ):
        try:
            size, after = _varint(data, at + below)
            payload = _payload(data, after, size, _LARGEST_IN_INDEX)
            yield Cell(None, _values(payload))
        except (ValueError, IndexError, struct.error):
            continue


def _pointed(data: bytes, start: int, first: int) -> Iterator[int]:
    """Yield where cells are; how many there are may be what is damaged."""
    for place in range(first, min(first + 2 * _MOST_CELLS, start + PAGE_BYTES - 1), 2):
        offset = int.from_bytes(data[place : place + 2], "big")
        if offset == 0:
            return
        if place - start < offset < PAGE_BYTES:
            yield start + offset


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return an unsigned number of up to nine bytes, and where it ends."""
    value = 0
    for place in range(at, at + 8):
        value = value << 7 | data[place] & 0x7F
        if data[place] < 0x80:  # noqa: PLR2004  # the mark of a last byte
            return value, place + 1
    return value << 8 | data[at + 8], at + 9


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def _payload(data: bytes, at: int, size: int, largest: int) -> bytes:
    """Return what a cell holds, with what flowed over into pages of its own.

    Raises:
        ValueError: it leads nowhere.
    """
    if size > len(data):
        raise ValueError(size)
    if size <= largest:
        return data[at : at + size]
    local = _SMALLEST_LOCAL + (size - _SMALLEST_LOCAL) % (PAGE_BYTES - _LINK)
    local = local if local <= largest else _SMALLEST_LOCAL
    parts, left = [data[at : at + local]], size - local
    following = int.from_bytes(data[at + local : at + local + _LINK], "big")
    while left > 0:
        page = (following - 1) * PAGE_BYTES
        if not 0 < page <= len(data) - PAGE_BYTES:
            raise ValueError(following)
        taken = min(left, PAGE_BYTES - _LINK)
        parts.append(data[page + _LINK : page + _LINK + taken])
        left -= taken
        following = int.from_bytes(data[page : page + _LINK], "big")
    return b"".join(parts)


def _values(payload: bytes) -> tuple[object, ...]:
    """Return the columns of a record.

    Raises:
        ValueError, IndexError, struct.error: it is none.
    """
    end, at = _varint(payload, 0)
    place, found = end, list[object]()
    while at < end:
        kind, at = _varint(payload, at)
        width = (kind - 12) // 2 if kind > _RESERVED[-1] else _WIDTHS[kind]
        part = payload[place : place + width]
        if len(part) != width or len(found) == _MOST_COLUMNS:
            raise ValueError(kind)
        found.append(_value(kind, part))
        place += width
    if at != end or place != len(payload):
        raise ValueError(end)
    return tuple(found)


def _value(kind: int, part: bytes) -> object:
    if kind == 0:
        return None
    if kind in (_ZERO, _ONE):
        return kind - _ZERO
    if kind == _FLOAT:
        return struct.unpack(">d", part)[0]
    return part if kind >= _TEXT - 1 else int.from_bytes(part, "big", signed=True)
