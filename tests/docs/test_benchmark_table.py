"""The table of benchmarks names every one of them, and tells only what a note has."""

import re
from pathlib import Path

import pytest

_BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
_ROWS = [
    [cell.strip() for cell in line.strip().strip("|").split(" | ")]
    for line in (_BENCHMARKS / "RESULTS.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| what ")
]
_WHAT, _FIGURE, _GOAL, _FLOOR, _DATE, _COMMAND, _NOTE = range(7)
_MEASURED = sorted(
    path.stem
    for path in _BENCHMARKS.glob("*.py")
    if "\ndef main(" in path.read_text(encoding="utf-8") and path.stem != "__main__"
)


@pytest.mark.parametrize("name", _MEASURED)
def test_every_benchmark_has_a_row(name: str) -> None:
    """A benchmark whose figure nobody finds was run for nothing."""
    told = " ".join(row[_COMMAND] for row in _ROWS)

    assert f"-m benchmarks {name}`" in told or f"benchmarks/{name}.py`" in told


@pytest.mark.parametrize("row", _ROWS, ids=lambda row: row[_WHAT])
def test_every_row_is_whole_and_leads_to_its_note(row: list[str]) -> None:
    """Figure, goal, floor, day, command, and the note that has the run."""
    assert len(row) == 7
    assert all(row)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", row[_DATE])
    (note,) = re.findall(r"\]\((results/(\d{4}-\d\d-\d\d)-[\w-]+\.md)\)", row[_NOTE])
    assert (_BENCHMARKS / note[0]).is_file()
    assert note[1] <= row[_DATE]


@pytest.mark.parametrize("row", _ROWS, ids=lambda row: row[_WHAT])
def test_every_figure_stands_in_its_note_or_in_the_page_on_speed(
    row: list[str],
) -> None:
    """Nobody made a number up on the way."""
    (place,) = re.findall(r"\]\(([^)]+)\)", row[_NOTE])
    pages = (_BENCHMARKS / place, _BENCHMARKS.parent / "docs" / "concepts" / "speed.md")
    told = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    numbers = re.findall(r"\d[\d.,]*\d|\d", row[_FIGURE])

    assert [n for n in numbers if not re.search(rf"(?<![\d.]){re.escape(n)}(?!\d)", told)] == []  # fmt: skip
