"""Find the rows of a damaged file, and what each has to show before it is taken.

Where a damaged tree hides rows, they are found by the shape of what lies in the pages,
without the engine. Only what is proved is taken: a record by the chain, a row beside it by
its seal. An entry of the chain is taken as it is: its repair decides over those.
"""

import json
import struct
from collections.abc import Iterator, Mapping, Sequence

import apsw

from holdfast.domain.record import checkpoint_from
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.store.chain import GENESIS, link
from holdfast.store.sqlite.rows import columns_of
from holdfast.store.sqlite.schema.seals import SEALED, seal

Values = dict[str, object]
_OF_THE_CHAIN = ("chain", "tombstone", "rewrite")
_OLDER_BY_ONE = ("tombstone",)  # rows from before its last column was added
_RECORD = "checkpoint"

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

_HASHES = """
    SELECT entry.hash, before.hash
    FROM chain AS entry LEFT JOIN chain AS before ON before.position = entry.position - 1
    WHERE entry.position = :position
"""
_REWRITTEN = """
    SELECT new_hash, old_hash FROM rewrite
    WHERE record = :position ORDER BY position DESC LIMIT 1
"""
_TOMBSTONE = "SELECT 1 FROM tombstone WHERE checkpoint_id = :checkpoint_id"
_HAS_REWRITES = "SELECT 1 FROM sqlite_schema WHERE name = 'rewrite'"


class Cell(NamedTuple):
    """One row as it lies in a page; `number` is None where a row has none of its own.

    Text is bytes, as blobs are: one that is no text any more must not hide its row.
    """

    number: int | None
    values: tuple[object, ...]


def hidden_rows(
    data: bytes, columns: Mapping[str, Sequence[str]]
) -> Mapping[str, list[Values]]:
    """Return the rows of each table as its columns are, found without the engine."""
    found: dict[str, list[Values]] = {table: [] for table in columns}
    for cell in cells(data):
        for table, names in columns.items():
            row = _row(cell, table, names)
            if row is not None:
                found[table].append(row)
    return found


def cells(data: bytes) -> Iterator[Cell]:
    """Yield whatever reads as a row, page by page, of tables and of indexes."""
    for start in range(0, len(data) - PAGE_BYTES + 1, PAGE_BYTES):
        head = start + (_FILE_HEADER if start == 0 else 0)
        kind = data[head]
        if kind in (_INNER_INDEX, _LEAF_INDEX):
            yield from _index_cells(data, start, head, is_leaf=kind == _LEAF_INDEX)
        elif kind:  # a leaf whose own kind is damaged is read as well
            yield from _table_cells(data, start, head)


def proved_record(row: Values, connection: apsw.Connection) -> Values | None:
    """Return a row of `checkpoint` with the columns its body says, if that is proved.

    The body is what the hash covers: a changed column beside it must not cost it.
    """
    body, position = row.get("body"), {"position": row.get("position")}
    if not isinstance(body, str):
        return None
    questions = [_HASHES]
    if connection.execute(_HAS_REWRITES).fetchall():
        questions.append(_REWRITTEN)
    for question in questions:
        for digest, previous in connection.execute(question, position):
            if link(str(previous or GENESIS), body) == digest:
                return row | _said(body)
    return None


def is_removed(table: str, row: Values, connection: apsw.Connection) -> bool:
    """Say whether a record was removed after the copy was made: it stays removed."""
    name = {"checkpoint_id": row.get("checkpoint_id")}
    return table == "checkpoint" and bool(
        connection.execute(_TOMBSTONE, name).fetchall()
    )


def _row(cell: Cell, table: str, names: Sequence[str]) -> Values | None:
    short = len(names) - len(cell.values)
    if short not in ((0, 1) if table in _OLDER_BY_ONE else (0,)):
        return None
    values = cell.values
    if cell.number is not None:
        if values[0] is not None:  # the row's own number is not kept twice
            return None
        values = (cell.number, *values[1:])
    row = dict(zip(names, (*values, *[None] * short), strict=True))
    if table in (*_OF_THE_CHAIN, _RECORD):
        return row if cell.number is not None else None
    return row if _is_sealed(table, row) else None


def _is_sealed(table: str, row: Values) -> bool:
    try:
        told = [_text(row[name]) for name in SEALED[table]]
    except (UnicodeDecodeError, KeyError):
        return False
    return row.get("seal") == seal(*told)


def _text(value: object) -> object:
    return value.decode() if isinstance(value, bytes) else value


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


def _said(body: str) -> Values:
    kept = checkpoint_from(
        json.loads(body), content_hash="", name=None, next_checkpoint=None
    )
    return dict(columns_of(kept))
