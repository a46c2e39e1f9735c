"""Rows for people: a quiet table on a terminal, aligned plain text when piped."""

from collections.abc import Sequence

from holdfast.domain.text import visible
from holdfast.surfaces.cli.output import Output
from holdfast.values import dataclass


@dataclass(frozen=True, slots=True)
class Column:
    style: str = ""
    right: bool = False
    stretch: bool = False  # takes what width is left, and is cut if there is none


def print_rows(
    output: Output, columns: Sequence[Column], rows: Sequence[Sequence[str]]
) -> None:
    clean = [[visible(cell).replace("\n", " ") for cell in row] for row in rows]
    if output.is_terminal:
        _print_table(output, columns, clean)
        return
    widths = [
        max((_cells(r[i]) for r in clean), default=0) for i in range(len(columns))
    ]
    for row in clean:
        cells = (
            _padded(cell, width, right=column.right)
            for cell, width, column in zip(row, widths, columns, strict=True)
        )
        output.print("  ".join(cells).rstrip())


def _print_table(
    output: Output, columns: Sequence[Column], rows: Sequence[Sequence[str]]
) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(
            style=column.style,
            justify="right" if column.right else "left",
            no_wrap=True,
            overflow="ellipsis",
            ratio=1 if column.stretch else None,
        )
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console(file=output.stdout, highlight=False).print(table)


def _cells(text: str) -> int:
    """Return how many terminal cells a text takes; wide scripts take two each."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _padded(text: str, width: int, *, right: bool) -> str:
    space = " " * (width - _cells(text))
    return space + text if right else text + space
