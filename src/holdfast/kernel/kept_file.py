"""A file of values by their keys, each read and parsed when it is asked for.

    form · seal · size of the table · table: where each value lies, and its seal · values

A process needs a few hundred of a thousand values, and reading them all costs a hook 6 ms of
CPU where the expressions of every language are kept. Nothing is parsed before its seal fits
its bytes: that of the table is made with whose file it is, too, and those of the values stand
in the table.
"""

import marshal
import os
from collections.abc import Hashable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from holdfast.kernel.digests import blake2b
from holdfast.kernel.files import open_to_read

_FORM = b"holdfast compiled 4\n"
_SEAL = 32  # bytes
_SIZE = 4  # bytes of a number
_SHORT_SEAL = 16  # bytes, of one value
_BEGINS = len(_FORM) + _SEAL + _SIZE
_MOST_OCTETS = 4_000_000  # every expression in every language takes 1.9
# What a file that is not ours could make of any of this.
UNUSABLE = (
    TypeError,
    ValueError,
    EOFError,
    ArithmeticError,
    RuntimeError,
    LookupError,
)


class KeptFile:
    """What a file holds for its owner; one that is damaged, foreign or not there holds
    nothing."""

    _close = staticmethod(os.close)  # there is no `os` when the interpreter ends

    def __init__(self, path: str, owner: bytes) -> None:
        self._descriptor = -1
        self._begin = 0  # of the values
        self._table: dict[Hashable, tuple[int, int, bytes]] = {}
        with suppress(OSError, ValueError):  # or a name that no file can have
            self._descriptor = open_to_read(path)
            self._table = self._read_table(owner)

    def __del__(self) -> None:
        if self._descriptor >= 0:
            self._close(self._descriptor)

    def value(self, key: Hashable) -> object:
        """Return what is kept by a key; None if there is nothing that can be used."""
        try:
            place, size, seal = self._table[key]
            told = os.pread(self._descriptor, size, self._begin + place)
            is_whole = _short_seal(told) == seal
            return marshal.loads(told) if is_whole else None  # noqa: S302  # sealed: as it was written here
        except (OSError, *UNUSABLE):
            return None

    def values(self) -> Iterator[tuple[Hashable, object]]:
        """Yield every key with what is kept by it."""
        for key in self._table:
            value = self.value(key)
            if value is not None:
                yield key, value

    def _read_table(self, owner: bytes) -> dict[Hashable, tuple[int, int, bytes]]:
        begin = os.pread(self._descriptor, _BEGINS, 0)
        size = int.from_bytes(begin[-_SIZE:], "big")
        if not begin.startswith(_FORM) or size > _MOST_OCTETS:
            return {}
        told = os.pread(self._descriptor, size, _BEGINS)
        if begin[len(_FORM) : -_SIZE] != _seal(owner, told):
            return {}
        self._begin = _BEGINS + size
        table = marshal.loads(told)  # noqa: S302  # the same
        return table if isinstance(table, dict) else {}


def file_of(values: Mapping[Any, Any], owner: bytes) -> bytes:
    """Return the file that holds values for its owner; nothing if that is too much."""
    told = {key: marshal.dumps(value) for key, value in values.items()}
    table: dict[Hashable, tuple[int, int, bytes]] = {}
    place = 0
    for key, value in told.items():
        table[key] = (place, len(value), _short_seal(value))
        place += len(value)
    whole = sealed(marshal.dumps(table), owner) + b"".join(told.values())
    return whole if len(whole) <= _MOST_OCTETS else b""


def sealed(table: bytes, owner: bytes) -> bytes:
    """Return how a file with this table begins."""
    size = len(table).to_bytes(_SIZE, "big")
    return _FORM + _seal(owner, table) + size + table


def _seal(owner: bytes, table: bytes) -> bytes:
    seal = blake2b(owner, digest_size=_SEAL)
    seal.update(table)
    return seal.digest()


def _short_seal(value: bytes) -> bytes:
    return blake2b(value, digest_size=_SHORT_SEAL).digest()
