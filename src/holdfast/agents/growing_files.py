"""Bytes: whole lines of a growing file from an offset on, and marks to know it by.

Memory stays flat: one block at a time is held, and of a line above the cap its beginning.
"""

import os
import stat
from collections.abc import Iterator
from zlib import crc32

from holdfast.domain.session import Mark
from holdfast.domain.text import visible
from holdfast.kernel.errors import SaveFailed
from holdfast.kernel.lazy_tuples import NamedTuple

MOST_LINE = 8 * 1024 * 1024
_BUFFER = 256 * 1024
_MARKED = 4_096
# Opening must neither wait for a FIFO's writer nor make a terminal ours.
_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY


class Oversized(NamedTuple):
    """The beginning of a line that is longer than the cap."""

    beginning: bytes
    dropped: int


def open_file(path: str, missing: str = "check the path") -> int:
    """Return a descriptor to read a transcript with; `missing` is the hint if there is
    none.

    Raises:
        SaveFailed: it is missing, unreadable, or no regular file.
    """
    shown = visible(path)
    try:
        kind = os.stat(path).st_mode
        if not stat.S_ISREG(kind):
            what = "a directory" if stat.S_ISDIR(kind) else "not a regular file"
            raise SaveFailed(
                f"transcript `{shown}` is {what}", hint="pass the `.jsonl` file itself"
            )
        return os.open(path, _READ)
    except FileNotFoundError:
        raise SaveFailed(
            f"transcript `{shown}` does not exist",
            hint=missing,
        ) from None
    except (OSError, ValueError) as problem:
        raise unreadable(path, problem) from problem


def unreadable(path: str, problem: OSError | ValueError) -> SaveFailed:
    """Return the outcome for a transcript that is there and cannot be read."""
    why = problem.strerror if isinstance(problem, OSError) else str(problem)
    return SaveFailed(
        f"transcript `{visible(path)}` cannot be read: {why}",
        hint="run as the user whose session it is, or check the file's permissions",
    )


def mark_at(descriptor: int, offset: int) -> Mark:
    """Return the mark of having read a file up to `offset`."""
    if offset <= 0:
        return Mark()
    size = min(_MARKED, offset)
    head = os.pread(descriptor, size, 0)
    tail = os.pread(descriptor, size, offset - size)
    return Mark(offset, format(crc32(head), "08x"), format(crc32(tail), "08x"))


def continues(descriptor: int, mark: Mark) -> bool:
    """Say whether a file still begins with what was read up to `mark`."""
    if os.fstat(descriptor).st_size < mark.offset:
        return False
    return mark_at(descriptor, mark.offset) == mark or mark.offset <= 0


class Tail:
    """What a file holds from an offset on.

    Iterate `lines` once. Then `offset` is where the last whole line ends, `rest` what
    follows it, and `half_written` how long that is.
    """

    def __init__(self, descriptor: int, offset: int, end: int | None = None) -> None:
        self.offset = offset
        self.rest = b""
        self.half_written = 0
        self._descriptor = descriptor
        self._end = end

    def lines(self) -> Iterator[memoryview | Oversized]:
        """Yield each whole line, without its newline.

        A line is a view into a buffer that the next one may overwrite: cutting the
        buffer into lines of their own costs as much as reading it.
        """
        buffer, view = _moved(bytearray(), memoryview(b""))
        held = 0
        while got := self._read_into(view[held:], self.offset + held):
            start, end = 0, held + got
            while (newline := buffer.find(b"\n", start, end)) >= 0:
                yield view[start:newline]
                start = newline + 1
            self.offset += start
            held = end - start
            if held > MOST_LINE:
                oversized = self._oversized(bytes(view[:MOST_LINE]))
                buffer, view = _moved(buffer, memoryview(b""))
                held = 0
                if oversized is None:
                    return
                yield oversized
            else:
                buffer, view = _moved(buffer, view[start:end])
        self.rest = bytes(view[:held])
        self.half_written = held

    def _oversized(self, kept: bytes) -> Oversized | None:
        """Return the line at `offset`, or None if it has no end yet."""
        position = self.offset + MOST_LINE
        block = bytearray(_BUFFER)
        while got := self._read_into(memoryview(block), position):
            newline = block.find(b"\n", 0, got)
            if newline >= 0:
                end = position + newline
                dropped = end - self.offset - MOST_LINE
                self.offset = end + 1
                return Oversized(kept, dropped)
            position += got
        self.half_written = position - self.offset
        return None

    def _read_into(self, view: memoryview, position: int) -> int:
        if self._end is not None:
            view = view[: max(0, self._end - position)]
        return os.preadv(self._descriptor, [view], position) if view else 0


def _moved(buffer: bytearray, begun: memoryview) -> tuple[bytearray, memoryview]:
    """Return a buffer that begins with the beginning of a line and has room for more."""
    size = _BUFFER if len(begun) < _BUFFER else MOST_LINE + 1
    roomy = buffer if len(buffer) == size else bytearray(size)
    view = memoryview(roomy)
    view[: len(begun)] = begun
    return roomy, view
