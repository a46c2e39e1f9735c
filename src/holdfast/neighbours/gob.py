"""Values as Go's `encoding/gob` writes them: structures, maps, lists, texts, numbers. Pure.

A stream tells its types before its value. Only what can stand in a record is read; what a
type has of its own, and a stream that ends in the middle, is no value.
"""

import struct
import zlib
from collections.abc import Callable
from typing import Any

from holdfast.kernel.lazy_values import dataclass

_GZIP = b"\x1f\x8b"
_MOST_BYTES = 8_000_000  # of a stream that was packed
_DEEPEST = 20
_BOOL, _INT, _UINT, _FLOAT, _BYTES, _TEXT = range(1, 7)
_WIRE_TYPE, _COMMON, _FIELD, _FIELDS = 16, 18, 21, 22
_ONE_BYTE = 0x80  # a number below it is its own byte
_LONGEST = 8  # bytes of a number


@dataclass(frozen=True, slots=True)
class _Type:
    """What a stream says of a type: a structure's fields, or what a list or map holds."""

    fields: tuple[tuple[str, int], ...] = ()
    element: int = 0
    key: int = 0
    is_list: bool = False


# How a stream writes its types: known to everybody.
_KNOWN = {
    _WIRE_TYPE: _Type(
        (("array", 17), ("list", 19), ("structure", 20), ("map", 23)),
    ),
    17: _Type((("common", _COMMON), ("element", _INT), ("length", _INT))),
    _COMMON: _Type((("name", _TEXT), ("id", _INT))),
    19: _Type((("common", _COMMON), ("element", _INT))),
    20: _Type((("common", _COMMON), ("fields", _FIELDS))),
    _FIELD: _Type((("name", _TEXT), ("id", _INT))),
    _FIELDS: _Type(element=_FIELD, is_list=True),
    23: _Type((("common", _COMMON), ("key", _INT), ("element", _INT))),
}


def gob_value(data: bytes) -> Any:
    """Return the first value of a stream, packed or not, or None if it has none."""
    try:
        if data.startswith(_GZIP):
            data = zlib.decompressobj(31).decompress(data, _MOST_BYTES)
        return _Stream(data).value()
    except (ValueError, LookupError, zlib.error, struct.error, RecursionError):
        return None


class _Stream:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._types = dict(_KNOWN)
        self._read: dict[int, Callable[[], Any]] = {
            _BOOL: lambda: bool(self._unsigned()),
            _INT: self._signed,
            _UINT: self._unsigned,
            _FLOAT: self._float,
            _BYTES: lambda: self._octets().hex(),
            _TEXT: lambda: self._octets().decode("utf-8", "replace"),
        }

    def value(self) -> Any:
        """Return the value behind the types that come first."""
        while True:
            self._unsigned()  # how long this message is; its parts say it, too
            number = self._signed()
            if number > 0:
                is_structure = bool(self._types[number].fields)
                if not is_structure:
                    self._unsigned()  # as if it were a field
                return self._of(number, 0)
            self._types[-number] = _told(self._of(_WIRE_TYPE, 0))

    def _of(self, number: int, depth: int) -> Any:
        if depth > _DEEPEST:
            raise ValueError(number)
        if number in self._read:
            return self._read[number]()
        kind = self._types[number]
        if kind.is_list:
            return [self._of(kind.element, depth + 1) for _ in range(self._count())]
        if kind.key:
            return {
                str(self._of(kind.key, depth + 1)): self._of(kind.element, depth + 1)
                for _ in range(self._count())
            }
        return self._structure(kind, depth)

    def _structure(self, kind: _Type, depth: int) -> dict[str, Any]:
        found, at = dict[str, Any](), -1
        while step := self._unsigned():
            at += step
            name, number = kind.fields[at]
            found[name] = self._of(number, depth + 1)
        return found

    def _count(self) -> int:
        """Return how many follow; each has at least a byte."""
        many = self._unsigned()
        if many > len(self._data) - self._at:
            raise ValueError(many)
        return many

    def _octets(self) -> bytes:
        size = self._count()
        self._at += size
        return self._data[self._at - size : self._at]

    def _unsigned(self) -> int:
        first = self._data[self._at]
        self._at += 1
        if first < _ONE_BYTE:
            return first
        size = 256 - first
        told = self._data[self._at : self._at + size]
        self._at += size
        if size > _LONGEST or len(told) < size:
            raise ValueError(size)
        return int.from_bytes(told, "big")

    def _signed(self) -> int:
        value = self._unsigned()
        return ~(value >> 1) if value & 1 else value >> 1

    def _float(self) -> float:
        reversed_bytes = self._unsigned().to_bytes(8, "little")
        return float(struct.unpack(">d", reversed_bytes)[0])


def _told(wire: dict[str, Any]) -> _Type:
    """Return a type as a stream told it."""
    if structure := wire.get("structure"):
        fields = structure.get("fields", ())
        return _Type(tuple((each["name"], each["id"]) for each in fields))
    if held := wire.get("map"):
        return _Type(element=held["element"], key=held["key"])
    held = wire.get("list") or wire["array"]
    return _Type(element=held["element"], is_list=True)
