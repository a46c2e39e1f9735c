"""Lines of a growing file, and marks to know it by."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import given, settings, strategies as st

from holdfast.agents import growing_files
from holdfast.agents.growing_files import Oversized, Tail, continues, mark_at
from holdfast.domain.session import Mark


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Buffers of a few bytes, so that every way through them is taken."""
    monkeypatch.setattr(growing_files, "_BUFFER", 8)
    monkeypatch.setattr(growing_files, "MOST_LINE", 20)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    path = tmp_path_factory.mktemp("files") / "lines"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
    yield descriptor
    os.close(descriptor)


def _fill(descriptor: int, content: bytes) -> int:
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, content, 0)
    return descriptor


def _read(
    descriptor: int, offset: int = 0
) -> tuple[list[bytes | tuple[bytes, int]], Tail]:
    tail = Tail(descriptor, offset)
    found: list[bytes | tuple[bytes, int]] = [
        (line.beginning, line.dropped) if isinstance(line, Oversized) else bytes(line)
        for line in tail.lines()
    ]
    return found, tail


@pytest.mark.usefixtures("small")
@settings(deadline=None)
@given(lines=st.lists(st.binary(max_size=50).map(lambda b: b.replace(b"\n", b"")), max_size=12), rest=st.binary(max_size=50).map(lambda b: b.replace(b"\n", b"")))  # fmt: skip
def test_every_line_comes_out_as_it_went_in(
    scratch: int, lines: list[bytes], rest: bytes
) -> None:
    """Whatever the buffer cuts, and however long the line."""
    content = b"".join(line + b"\n" for line in lines)
    descriptor = _fill(scratch, content + rest)

    found, tail = _read(descriptor)

    assert found == [
        line if len(line) <= 20 else (line[:20], len(line) - 20) for line in lines
    ]
    assert tail.offset == len(content)
    assert tail.half_written == len(rest)
    assert tail.rest == (rest if len(rest) <= 20 else b"")


@pytest.mark.usefixtures("small")
@settings(deadline=None)
@given(data=st.data(), content=st.text(alphabet="ab\n", max_size=80).map(str.encode))
def test_reading_on_from_an_offset_reads_the_rest(
    scratch: int, data: st.DataObject, content: bytes
) -> None:
    """A pass continues where the last whole line ended."""
    cut = data.draw(st.integers(0, len(content)))
    first, tail = _read(_fill(scratch, content[:cut]))

    second, _ = _read(_fill(scratch, content), tail.offset)

    assert first + second == _read(scratch)[0]


def test_a_file_that_grew_is_the_same_file(scratch: int) -> None:
    """Appending is what clients do."""
    mark = mark_at(_fill(scratch, b"a" * 9_000), 9_000)

    assert continues(_fill(scratch, b"a" * 20_000), mark)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"a" * 8_999, id="shorter"),
        pytest.param(b"b" + b"a" * 19_999, id="another beginning"),
        pytest.param(b"a" * 8_999 + b"b" * 11_000, id="another end"),
        pytest.param(b"", id="empty"),
    ],
)
def test_a_file_that_was_replaced_is_not(scratch: int, content: bytes) -> None:
    """Reading on in another file would make nonsense of both."""
    mark = mark_at(_fill(scratch, b"a" * 9_000), 9_000)

    assert not continues(_fill(scratch, content), mark)


def test_any_file_continues_from_the_beginning(scratch: int) -> None:
    """Nothing was read yet, so nothing can have changed."""
    assert continues(_fill(scratch, b""), Mark())
    assert mark_at(scratch, 0) == Mark()


def test_a_mark_of_a_short_file_reaches_no_further_than_what_was_read(
    scratch: int,
) -> None:
    """What follows the mark may change: it is the half-written line."""
    mark = mark_at(_fill(scratch, b"line\nhal"), 5)

    assert continues(_fill(scratch, b"line\nhalf a line\n"), mark)
