"""The journal: each entry of the chain once more, a line of a file beside the database.

    journal/000000000001.log    the entries from position 1 on, about a megabyte of them

It is a witness: what a flipped bit, a torn log or a lost file takes from the database, a
repair finds here, and proves it by the chain. A line of a record that was removed has no
text any more, one of a record that was rewritten has the new one.
"""

import os
from binascii import crc32
from collections.abc import Iterator, Mapping, Sequence
from errno import ELOOP

from holdfast.kernel.directories import open_directory
from holdfast.kernel.files import (
    flush,
    open_ours,
    open_to_read,
    read_file,
    replace_file,
    write_all,
)
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.store.chain import EntryKind

FOLDER = "journal"
_ENDING = ".log"
_NAME = pattern(r"\d{12}\.log")
_SEGMENT_BYTES = 1_000_000
_FIELDS = 7  # before the checksum
_KINDS: Mapping[str, EntryKind] = {"record": "record", "tombstone": "tombstone"}
_MOST_DIGITS = 18
_TAIL_BYTES = 128  # at least the last three fields of a line


class JournalEntry(NamedTuple):
    """What a line says; `text` is None where the record was removed."""

    position: int
    kind: EntryKind
    checkpoint_id: str
    name: str | None
    text: str | None
    hash: str


def encode(entry: JournalEntry) -> bytes:
    """Return the line of an entry. Canonical JSON has neither tabs nor line breaks."""
    name = entry.name or ""
    fields = (
        str(entry.position),
        entry.kind,
        entry.checkpoint_id,
        "" if "\t" in name or "\n" in name else name,
        entry.text or "",
        str(entry.position),
        entry.hash,
    )
    line = "\t".join(fields).encode()
    return b"%b\t%08x\n" % (line, crc32(line))


def decode(line: bytes) -> JournalEntry | None:
    """Return what a line without its end says, or None if it was cut or changed."""
    told, _, checksum = line.rpartition(b"\t")
    if checksum != b"%08x" % crc32(told):
        return None
    fields = told.decode("utf-8", "replace").split("\t")
    position = _position(fields[0].encode())
    if len(fields) != _FIELDS or position is None or fields[1] not in _KINDS:
        return None
    _, kind, checkpoint_id, name, text, _, digest = fields
    return JournalEntry(
        position, _KINDS[kind], checkpoint_id, name or None, text or None, digest
    )


class Journal:
    """The lines in a data directory. Who writes holds the store's lock."""

    def __init__(self, home: str) -> None:
        self.path = f"{home}/{FOLDER}"

    def last(self) -> tuple[int, str] | None:
        """Return position and hash of the last line, or None if it does not say."""
        names = self._names()
        if not names:
            return 0, ""
        descriptor = open_to_read(f"{self.path}/{names[-1]}")
        try:
            size = os.fstat(descriptor).st_size
            tail = os.pread(descriptor, _TAIL_BYTES, max(0, size - _TAIL_BYTES))
        finally:
            os.close(descriptor)
        fields = tail.split(b"\t")
        if not tail.endswith(b"\n") or len(fields) <= len(("hash", "checksum")):
            return None
        position, digest = _position(fields[-3]), fields[-2]
        return (
            None if position is None else (position, digest.decode("ascii", "replace"))
        )

    def last_readable(self) -> tuple[int, str] | None:
        """Return the same of the last line of the last file that can be read."""
        lines = self._lines(self._names()[-1:])
        found = [entry for entry in map(decode, lines) if entry is not None]
        return (found[-1].position, found[-1].hash) if found else None

    def append(self, entries: Sequence[JournalEntry]) -> None:
        """Add lines at the end; without waiting for the disk, for `flush` does.

        Raises:
            OSError: none was added.
        """
        if os.path.islink(self.path):
            raise OSError(ELOOP, "a link is not written through", self.path)
        os.close(open_directory(self.path, create=True))
        names = self._names()
        descriptor = open_ours(
            self._file_for(entries[0].position, names), os.O_RDWR | os.O_CREAT
        )
        try:
            size = os.fstat(descriptor).st_size
            torn = size and os.pread(descriptor, 1, size - 1) != b"\n"
            os.lseek(descriptor, size, os.SEEK_SET)
            try:
                lines = b"".join(map(encode, entries))
                write_all(descriptor, b"\n" + lines if torn else lines)
            except OSError:
                os.ftruncate(descriptor, size)
                raise
        finally:
            os.close(descriptor)

    def change(self, entries: Mapping[int, JournalEntry]) -> None:
        """Put other lines in the place of those at their positions. A line that cannot
        be read proves nothing and may hold what is to go: it goes, too.

        Raises:
            OSError: not all were.
        """
        names = self._names()
        for name in {_holding(position, names) for position in entries} - {""}:
            lines = list(self._lines([name]))
            new = [_changed(line, entries) for line in lines if decode(line)]
            if new != lines:
                data = b"".join(line + b"\n" for line in new)
                replace_file(f"{self.path}/{name}", data)

    def flush(self) -> None:
        """Make the newest lines survive a power cut.

        Raises:
            OSError: they may not.
        """
        names = self._names()
        if names:
            flush(f"{self.path}/{names[-1]}")
            flush(self.path)

    def entries(self) -> Iterator[JournalEntry | None]:
        """Yield every line in order; None for one that cannot be read."""
        return map(decode, self._lines(self._names()))

    def begin_anew(self, aside: str) -> None:
        """Move all of it to a folder that is not there yet.

        Raises:
            OSError: it stays.
        """
        if self._names():
            os.rename(self.path, aside)

    def is_empty(self) -> bool:
        return not self._names()

    def _names(self) -> list[str]:
        try:
            return sorted(filter(_NAME.fullmatch, os.listdir(self.path)))
        except OSError:
            return []

    def _file_for(self, position: int, names: Sequence[str]) -> str:
        if names:
            newest = f"{self.path}/{names[-1]}"
            if os.stat(newest).st_size < _SEGMENT_BYTES:
                return newest
            flush(newest)
        return f"{self.path}/{position:012d}{_ENDING}"

    def _lines(self, names: Sequence[str]) -> Iterator[bytes]:
        for name in names:
            try:
                data = read_file(f"{self.path}/{name}")
            except OSError:  # no file any more, or none that can be read
                yield b""
                continue
            yield from data.removesuffix(b"\n").split(b"\n") if data else ()


def _holding(position: int, names: Sequence[str]) -> str:
    """Return the file that has a position: each is named by its first one."""
    before = [name for name in names if int(name.removesuffix(_ENDING)) <= position]
    return before[-1] if before else ""


def _changed(line: bytes, entries: Mapping[int, JournalEntry]) -> bytes:
    position = _position(line.partition(b"\t")[0])
    new = None if position is None else entries.get(position)
    return encode(new).removesuffix(b"\n") if new else line


def _position(told: bytes) -> int | None:
    """Return a number that the store can have, or None."""
    return int(told) if told.isdigit() and len(told) <= _MOST_DIGITS else None
