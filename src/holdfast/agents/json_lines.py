"""One pass over files of JSON lines: their bytes, their objects, and what cannot be read.

A file may be compressed (`.zst`). What reads that is imported when such a file is met:
no hook of a running session meets one.
"""

from __future__ import annotations

import errno
import json
import os
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.agents.growing_files import (
    MOST_LINE,
    Oversized,
    Tail,
    continues,
    mark_at,
    open_file,
    unreadable,
)
from holdfast.domain.event import Clipped, Unrecognised
from holdfast.domain.session import Cursor, Mark
from holdfast.kernel.errors import SaveFailed
from holdfast.kernel.files import open_to_read
from holdfast.kernel.lazy_tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from holdfast.agents.past_port import PastFile
    from holdfast.domain.event import Event

    Decode = Callable[[bytes], Any]

COMPRESSED = ".zst"
GONE = "file-gone"  # a file that another one goes on from
CUT = "file-cut"  # a compressed file that ends early or is damaged
_PACKED = 4 * 1024  # bytes at once: they may become a thousand times as many
_MISSING = "check the path"


class LineFile(NamedTuple):
    """A file of a pass, or the part of one; `name` is what its lines are known by."""

    path: str  # empty: it is gone
    name: str = ""
    start: int = 0
    end: int | None = None


class LineReader(Protocol):
    """What makes events of the lines of one session, in their order."""

    def events(self, line: dict[str, Any], line_id: str) -> Sequence[Event]:
        """Return what a line says: at least one event, so that every line is counted."""
        ...


class JsonLinesReading:
    """What is new in a session's files (`TranscriptReading`); the last is the growing one."""

    def __init__(
        self, files: Sequence[LineFile], reader: LineReader, *, restarted: bool
    ) -> None:
        self._files = files
        self._reader = reader
        self._restarted = restarted
        self._cursor = Cursor()
        self._half_written = 0
        self._events = chain.from_iterable(self._sequences())

    @property
    def restarted(self) -> bool:
        return self._restarted

    @property
    def cursor(self) -> Cursor:
        return self._cursor

    @property
    def half_written(self) -> int:
        return self._half_written

    def __iter__(self) -> Iterator[Event]:
        return self._events

    def _sequences(self) -> Iterator[Sequence[Event]]:
        for file in self._files:
            if not file.path:
                yield (Unrecognised(GONE),)
                continue
            descriptor = open_file(file.path, _MISSING)
            try:
                yield from self._read(file, descriptor)
            except OSError as problem:
                raise unreadable(file.path, problem) from problem
            finally:
                os.close(descriptor)

    def _read(self, file: LineFile, descriptor: int) -> Iterator[Sequence[Event]]:
        if is_compressed(file.path):
            if file.start:  # known to be whole: it does not grow
                size = os.fstat(descriptor).st_size
            else:
                lines = _Unpacked(descriptor, file.end)
                yield from self._told(lines.lines(), file, 0)
                if lines.is_cut:
                    yield (Unrecognised(CUT),)
                size = os.fstat(descriptor).st_size
            self._cursor = Cursor(mark_at(descriptor, size))
            return
        tail = Tail(descriptor, file.start, file.end)
        yield from self._told(tail.lines(), file, file.start)
        # Some files lack the final newline; a whole object cannot grow any more.
        if tail.rest and isinstance(decoded(tail.rest), dict):
            yield from self._told(iter((tail.rest,)), file, tail.offset)
            tail.offset += len(tail.rest)
            tail.half_written = 0
        self._cursor = Cursor(mark_at(descriptor, tail.offset))
        self._half_written = tail.half_written

    def _told(
        self,
        lines: Iterator[memoryview | Oversized] | Iterator[bytes],
        file: LineFile,
        offset: int,
    ) -> Iterator[Sequence[Event]]:
        for raw in lines:
            if isinstance(raw, Oversized):
                size = len(raw.beginning) + raw.dropped
                yield (Clipped(size), Unrecognised("oversized"))
            else:
                size = len(raw)
                line = decoded(bytes(raw))
                if isinstance(line, str):
                    yield (Unrecognised(line),) if line else ()
                else:
                    yield self._reader.events(line, f"{file.name}:{offset}")
            offset += size + 1


def decoded(raw: bytes) -> dict[str, Any] | str:
    """Return a line's object, or what is wrong with it; nothing is wrong with a blank."""
    try:
        found = json.loads(raw)
    except RecursionError:
        return "too-deep"
    except ValueError:
        return "not-json" if raw.strip() else ""
    return found if isinstance(found, dict) else "not-object"


def is_same(path: str, mark: Mark) -> bool:
    """Say whether a file still begins with what was read of it.

    Raises:
        SaveFailed: it is missing or unreadable.
    """
    descriptor = open_file(path, _MISSING)
    try:
        if is_compressed(path) and mark.offset != os.fstat(descriptor).st_size:
            return mark.offset == 0
        return continues(descriptor, mark)
    except OSError as problem:
        raise unreadable(path, problem) from problem
    finally:
        os.close(descriptor)


def lines_with(
    file: LineFile, signs: Sequence[bytes]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects of lines that contain a sign, with their ids; what cannot be
    read is none."""
    try:
        descriptor = open_file(file.path, _MISSING)
    except SaveFailed:
        return
    try:
        offset = file.start
        for raw in _lines(file, descriptor):
            if isinstance(raw, Oversized):
                offset += len(raw.beginning) + raw.dropped + 1
                continue
            text = bytes(raw)
            found = decoded(text) if any(sign in text for sign in signs) else ""
            if isinstance(found, dict):
                yield f"{file.name}:{offset}", found
            offset += len(text) + 1
    except OSError:
        return
    finally:
        os.close(descriptor)


def _lines(file: LineFile, descriptor: int) -> Iterator[memoryview | Oversized | bytes]:
    if is_compressed(file.path):
        yield from _Unpacked(descriptor, file.end).lines()
        return
    tail = Tail(descriptor, file.start, file.end)
    yield from tail.lines()
    if tail.rest:
        yield tail.rest


def raw_lines(file: PastFile) -> Iterator[bytes]:
    """Yield the lines of a file as they are, however long, newlines included.

    Raises:
        OSError: it cannot be read, or is compressed and ends early.
        SaveFailed: it is compressed, and nothing here unpacks it.
    """
    descriptor = open_to_read(file.path)
    try:
        if is_compressed(file.path):
            yield from _Unpacked(descriptor, file.end).whole_lines()
            return
        left = file.end
        with open(descriptor, "rb", closefd=False) as plain:
            for line in plain:
                yield line if left is None else line[:left]
                left = None if left is None else left - len(line)
                if left is not None and left <= 0:
                    return
    finally:
        os.close(descriptor)


def is_compressed(path: str) -> bool:
    return path.endswith(COMPRESSED)


class _Unpacked:
    """The lines of a compressed file, up to an offset of what it was before."""

    def __init__(self, descriptor: int, end: int | None) -> None:
        self.is_cut = False
        self._descriptor = descriptor
        self._end = end

    def lines(self) -> Iterator[memoryview | Oversized]:
        held, dropped = b"", 0
        for block in self._blocks():
            *whole, rest = (held + block).split(b"\n")
            for raw in whole:
                if dropped:
                    yield Oversized(raw[:MOST_LINE], dropped)
                    dropped = 0
                else:
                    yield memoryview(raw)
            if len(rest) > MOST_LINE:
                dropped += len(rest) - MOST_LINE
                rest = rest[:MOST_LINE]
            held = rest
        if held:
            yield memoryview(held)

    def whole_lines(self) -> Iterator[bytes]:
        """Yield every line with its newline; say so at last if the file ends early."""
        held = list[bytes]()
        for block in self._blocks():
            first, *rest = block.split(b"\n")
            held.append(first)
            for begun in rest:
                yield b"".join((*held, b"\n"))
                held = [begun]
        if self.is_cut:
            raise OSError(errno.EIO, "it is compressed, and cut off or damaged")
        if last := b"".join(held):
            yield last

    def _blocks(self) -> Iterator[bytes]:
        try:
            from zstandard import ZstdDecompressor, ZstdError  # noqa: PLC0415  # for cold files only
        except ImportError:
            raise SaveFailed(
                "a compressed transcript cannot be read: `zstandard` is not installed",
                hint="install holdfast again with its dependencies",
            ) from None
        left, unpack = self._end, ZstdDecompressor().decompressobj()
        position = 0
        while packed := os.pread(self._descriptor, _PACKED, position):
            position += len(packed)
            while packed:
                if unpack.eof:  # a file may be several, one behind the other
                    unpack = ZstdDecompressor().decompressobj()
                try:
                    block = unpack.decompress(packed)
                except ZstdError:
                    self.is_cut = True
                    return
                packed = unpack.unused_data if unpack.eof else b""
                yield block if left is None else block[:left]
                left = None if left is None else left - len(block)
                if left is not None and left <= 0:
                    return
        self.is_cut = not unpack.eof
