"""Which transcripts a backfill has read, and how far: one line each in a file of ours.

It saves time and nothing else: what is in the store is known by its keys. A path is kept
as its digest only, so that nothing has to be forgotten here. Lines of another store count
for nothing, and neither does one that was cut off.
"""

import json
import os

from holdfast.kernel.digests import sha256
from holdfast.kernel.directories import make_own_directory
from holdfast.kernel.files import append_to, read_or_none
from holdfast.kernel.lazy_tuples import NamedTuple

NAME = "backfill.jsonl"
_DIGITS = 32


class ReadMark(NamedTuple):
    """How a transcript was when it was read, and the time of its last line then."""

    stamp: str
    upto: int


class ReadTranscripts:
    """The file of a data directory, for the store that is known by `owner`."""

    def __init__(self, home: str, owner: str) -> None:
        self._path = os.path.join(home, NAME)
        self._owner = owner
        self._known: dict[str, ReadMark] | None = None
        self._is_cut = False  # its last line has no end

    def mark(self, path: str) -> ReadMark | None:
        """Return what is known of a transcript."""
        return self._marks().get(_digest(path))

    def note(self, path: str, mark: ReadMark) -> None:
        """Remember that a transcript was read; failing to costs only time."""
        self._marks()[_digest(path)] = mark
        line = json.dumps([self._owner, _digest(path), mark.stamp, mark.upto]) + "\n"
        try:
            make_own_directory(os.path.dirname(self._path))
            append_to(self._path, ("\n" * self._is_cut + line).encode())
            self._is_cut = False
        except OSError:
            return

    def _marks(self) -> dict[str, ReadMark]:
        if self._known is None:
            self._known = {}
            try:
                data = read_or_none(self._path) or b""
            except OSError:
                data = b""
            self._is_cut = bool(data) and not data.endswith(b"\n")
            for line in data.splitlines():
                self._take(line)
        return self._known

    def _take(self, line: bytes) -> None:
        try:
            owner, digest, stamp, upto = json.loads(line)
        except (ValueError, TypeError, RecursionError):
            return
        if owner == self._owner and isinstance(upto, int) and self._known is not None:
            self._known[str(digest)] = ReadMark(str(stamp), upto)


def _digest(path: str) -> str:
    real = os.path.realpath(path)
    return sha256(real.encode("utf-8", "surrogateescape")).hexdigest()[:_DIGITS]
