"""Output and questions on a terminal: rows, a question, progress.

Rows are a quiet table on a terminal and aligned plain text when piped; where nobody
sits, nothing is asked and nothing spins.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.bootstrap.agents import is_inside_a_client
from holdfast.data_directory.processes import programs_above
from holdfast.domain import terminal_width
from holdfast.domain.text import unmarked, visible
from holdfast.kernel.lazy_values import dataclass
from holdfast.surfaces.cli.output import Output, columns as columns_of_terminal

if TYPE_CHECKING:
    from threading import Lock

    from rich.status import Status

_MARK_STYLES = {"✓": "green", "!": "yellow", "✗": "red"}
_GAP = "  "
_NARROWEST = 12  # cells of the column that is cut
_LEAST = 6  # of another, below which it says nothing
PATIENCE = 1.0  # seconds: below that, a spinner is only a flicker


@dataclass(frozen=True, slots=True)
class Column:
    style: str = ""
    right: bool = False
    stretch: bool = False  # takes what width is left, and is cut if there is none
    folds: bool = False  # the last one: goes on below itself where it is too wide


def print_rows(
    output: Output, columns: Sequence[Column], rows: Sequence[Sequence[str]]
) -> None:
    clean = [
        [unmarked(visible(cell)).replace("\n", " ") for cell in row] for row in rows
    ]
    if columns[-1].folds and output.stdout.isatty():
        clean = list(_folded(clean, _widths(clean, len(columns) - 1)))
    widths = _widths(clean, len(columns))
    if output.stdout.isatty():
        widths = _fitted(widths, columns)
        shown = [place for place, width in enumerate(widths) if width]
        clean = [[row[place] for place in shown] for row in clean]
        columns = [columns[place] for place in shown]
        widths = [widths[place] for place in shown]
    if output.is_terminal:
        _print_table(output, columns, clean, widths)
        return
    for row in clean:
        output.print(_GAP.join(_padded(row, widths, columns)).rstrip())


def _widths(rows: Sequence[Sequence[str]], count: int) -> list[int]:
    """Return how wide each of the first columns is."""
    return [
        max((terminal_width.width(row[place]) for row in rows), default=0)
        for place in range(count)
    ]


def _folded(
    rows: Sequence[Sequence[str]], before: Sequence[int]
) -> Iterator[list[str]]:
    """Yield rows whose last cell fits beside the others, given the width of those."""
    taken = sum(before) + len(_GAP) * len(before)
    room = max(_NARROWEST, columns_of_terminal() - taken)
    for *cells, last in rows:
        first, *more = terminal_width.folded(last, room, keeps_spans=True).split("\n")
        yield [*cells, first]
        for part in more:
            yield [*[""] * len(before), part]


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
            Text(cell, style=_MARK_STYLES.get(cell.strip(), column.style))
            for cell, column in zip(_padded(row, widths, columns), columns, strict=True)
        )
        line.rstrip()
        console.print(line, soft_wrap=True)


def _fitted(widths: Sequence[int], columns: Sequence[Column]) -> list[int]:
    """Return the widths with the column that stretches cut to what is left; where that
    is too little, what stands last gives way first, and 0 is a column that is gone."""
    room = columns_of_terminal()
    fitted = _stretched(widths, columns, room)
    if not any(column.stretch for column in columns):
        return fitted
    for place in range(len(columns) - 1, 0, -1):
        too_much = _whole(fitted) - room
        if too_much <= 0:
            break
        if not columns[place].stretch:
            left = fitted[place] - too_much
            fitted[place] = left if left >= _LEAST else 0
    whole = [
        width if column.stretch else fitted[place]
        for place, (width, column) in enumerate(zip(widths, columns, strict=True))
    ]
    return _stretched(whole, columns, room)


def _stretched(
    widths: Sequence[int], columns: Sequence[Column], room: int
) -> list[int]:
    too_much = max(0, _whole(widths) - room)
    return [
        max(min(width, _NARROWEST), width - too_much) if column.stretch else width
        for width, column in zip(widths, columns, strict=True)
    ]


def _whole(widths: Sequence[int]) -> int:
    """Return how wide a row is."""
    shown = [width for width in widths if width]
    return sum(shown) + len(_GAP) * (len(shown) - 1)


def _padded(
    row: Sequence[str], widths: Sequence[int], columns: Sequence[Column]
) -> list[str]:
    shown = []
    for cell, width, column in zip(row, widths, columns, strict=True):
        fitting = terminal_width.cut(cell, width)
        space = " " * (width - terminal_width.width(fitting))
        shown.append(space + fitting if column.right else fitting + space)
    return shown


def can_ask(output: Output) -> bool:
    return not output.json and sys.stdin.isatty() and output.stderr.isatty()


def is_read_by_a_person(environ: Mapping[str, str], output: Output) -> bool:
    """Say whether what is printed is read by somebody, as far as can be seen: at a
    terminal, and not by an agent whose client is above."""
    if output.json or not output.stdout.isatty():
        return False
    return not is_inside_a_client(environ, programs_above(os.getppid()))


def ask(question: str, output: Output) -> str | None:
    """Return the answer to a question, or None if there is nobody to ask."""
    if not can_ask(output):
        return None
    output.talk(visible(question))
    output.stderr.flush()
    answer = sys.stdin.readline()
    return answer.strip() if answer else None


@contextmanager
def spinner(output: Output, doing: str, after: float = PATIENCE) -> Iterator[None]:
    """Show what is being done once it takes longer than `after` seconds."""
    if output.json or output.quiet or not output.stderr.isatty():
        yield
        return
    import threading

    shown = _Spinner(output, doing, threading.Lock())
    timer = threading.Timer(after, shown.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        shown.stop()


class _Spinner:
    """Started by a timer and stopped by the command, in either order."""

    def __init__(self, output: Output, doing: str, lock: "Lock") -> None:
        self._output = output
        self._doing = doing
        self._lock = lock
        self._status: Status | None = None
        self._is_over = False

    def start(self) -> None:
        from rich.console import Console

        with self._lock:
            if not self._is_over:
                console = Console(file=self._output.stderr)
                self._status = console.status(f"{self._doing} …")
                self._status.start()

    def stop(self) -> None:
        with self._lock:
            self._is_over = True
            if self._status is not None:
                self._status.stop()
