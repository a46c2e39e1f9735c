"""Rows for people: a quiet table on a terminal, aligned plain text when piped."""

from collections.abc import Sequence

from holdfast.domain import cells
from holdfast.domain.text import visible
from holdfast.kernel.lazy_values import dataclass
from holdfast.surfaces.cli.output import Output

_GAP = "  "
_NARROWEST = 12  # cells of the column that is cut


@dataclass(frozen=True, slots=True)
class Column:
    style: str = ""
    right: bool = False
    stretch: bool = False  # takes what width is left, and is cut if there is none


def print_rows(
    output: Output, columns: Sequence[Column], rows: Sequence[Sequence[str]]
) -> None:
    clean = [[visible(cell).replace("\n", " ") for cell in row] for row in rows]
    widths = [
        max((cells.width(r[i]) for r in clean), default=0) for i in range(len(columns))
    ]
    if output.is_terminal:
        _print_table(output, columns, clean, _fitted(widths, columns))
        return
    for row in clean:
        output.print(_GAP.join(_padded(row, widths, columns)).rstrip())


def _print_table(
    output: Output,
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    widths: Sequence[int],
) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(file=output.stdout, highlight=False)
    for row in rows:
        line = Text(_GAP).join(
            Text(cell, style=column.style)
            for cell, column in zip(_padded(row, widths, columns), columns, strict=True)
        )
        line.rstrip()
        console.print(line, soft_wrap=True)


def _fitted(widths: Sequence[int], columns: Sequence[Column]) -> list[int]:
    """Return the widths with the column that stretches cut to what is left."""
    from shutil import get_terminal_size

    room = get_terminal_size().columns - len(_GAP) * (len(widths) - 1)
    too_much = max(0, sum(widths) - room)
    return [
        max(min(width, _NARROWEST), width - too_much) if column.stretch else width
        for width, column in zip(widths, columns, strict=True)
    ]


def _padded(
    row: Sequence[str], widths: Sequence[int], columns: Sequence[Column]
) -> list[str]:
    shown = []
    for cell, width, column in zip(row, widths, columns, strict=True):
        fitting = cells.cut(cell, width)
        space = " " * (width - cells.width(fitting))
        shown.append(space + fitting if column.right else fitting + space)
    return shown
