"""Find the rows that a damaged tree hides: by the shape of what lies in the pages.

Only what is proved is taken: a record by the chain, a row beside it by its seal. An
entry of the chain is taken as it is: mending decides over those.
"""

from collections.abc import Mapping, Sequence

from holdfast.store.sqlite.repair.pages import Cell, cells
from holdfast.store.sqlite.schema.seals import SEALED, seal

Values = dict[str, object]
_OF_THE_CHAIN = ("chain", "tombstone", "rewrite")
_OLDER_BY_ONE = ("tombstone",)  # rows from before its last column was added
_RECORD = "checkpoint"


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
