"""Orders to forget: a directory, one file each, written before anything goes."""

import json
import os
from collections.abc import Mapping
from typing import Any

from holdfast.data_directory.requests import ENTRY, drop_entry, entries
from holdfast.domain.forgetting import FileOf, Order
from holdfast.kernel.digests import sha256
from holdfast.kernel.directories import open_directory
from holdfast.kernel.files import read_file, replace_file
from holdfast.kernel.lazy_values import field_names
from holdfast.kernel.locks import Lock

_LOCK = "adding.lock"
_PATIENCE = 10.0
_FILES = ("files", "carriers_files")
_UNREADABLE = (OSError, ValueError, TypeError, AttributeError)


class DirectoryOrders:
    """Does what `port.Orders` says. Nothing is made before it is needed."""

    def __init__(self, path: str) -> None:
        self._path = os.path.abspath(path)

    def add(self, order: Order) -> None:
        data = _encoded(order)
        directory = open_directory(self._path, create=True)
        try:
            with Lock(_LOCK, directory, _PATIENCE).held():
                replace_file(_name(data), data, directory)
        finally:
            os.close(directory)

    def waiting(self) -> tuple[Order, ...]:
        found = entries(self._path, _read)
        return tuple(order for order in found if order is not None)

    def done(self, order: Order) -> None:
        drop_entry(self._path, _name(_encoded(order)), durably=True)


def _encoded(order: Order) -> bytes:
    told = {name: getattr(order, name) for name in field_names(Order)}
    return json.dumps(told, sort_keys=True).encode("ascii")


def _name(data: bytes) -> str:
    return f"{sha256(data).hexdigest()[:24]}{ENTRY}"


def _read(name: str, directory: int) -> Order | None:
    try:
        return _decoded(json.loads(read_file(name, directory)))
    except _UNREADABLE:
        return None


def _decoded(raw: Mapping[str, Any]) -> Order:
    lists = {k: tuple(v) for k, v in raw.items() if isinstance(v, list)}
    files = {
        name: tuple(FileOf(*each) for each in raw.get(name, ())) for name in _FILES
    }
    return Order(**{**raw, **lists, **files})
