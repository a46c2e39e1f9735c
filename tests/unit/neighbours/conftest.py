"""Places with made-up files of other programs."""

from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.neighbours.place import SourceFile, SourcePlace
from holdfast.neighbours.reading import read
from holdfast.neighbours.record import NeighbourRecord, Reading
from tests.neighbours import NOON_MS

Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Write files below a directory of their own, and return it."""

    def write(**files: str | bytes) -> Path:
        root = tmp_path / "there"
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return root

    return write


def read_at(path: Path, kind: str | None = None) -> Reading:
    return read(SourcePlace(str(path)), kind)


def only(reading: Reading) -> NeighbourRecord:
    (record,) = reading.records
    return record


def whys(reading: Reading) -> list[str]:
    return [each.why for each in reading.unread]


def a_file(text: str, name: str = "a.md") -> SourceFile:
    return SourceFile(name, f"/there/{name}", text, NOON_MS)
