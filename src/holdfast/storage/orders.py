"""Orders to forget: a directory, one file each, written before anything goes."""

import json
import os
from collections.abc import Mapping
from typing import Any

from holdfast.digests import sha256
from holdfast.domain.forgetting import FileOf, Order
from holdfast.replacing import remove_quietly, replace_file
from holdfast.storage.files import open_directory, read_private
from holdfast.storage.lock import Lock
from holdfast.values import field_names

_ENTRY = ".json"
_LOCK = "adding.lock"
_PATIENCE = 10.0
_UNREADABLE = (OSError, ValueError, TypeError, AttributeError)


class DirectoryOrders:
    """Does what `ports.forgetting.Orders` says. Nothing is made before it is needed."""

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
        try:
            directory = open_directory(self._path, create=False)
        except OSError:
            return ()
        try:
            names = sorted(n for n in os.listdir(directory) if n.endswith(_ENTRY))
            found = [_read(name, directory) for name in names]
        finally:
            os.close(directory)
        return tuple(order for order in found if order is not None)

    def done(self, order: Order) -> None:
        try:
            directory = open_directory(self._path, create=False)
        except OSError:
            return
        try:
            remove_quietly(_name(_encoded(order)), directory)
            os.fsync(directory)
        finally:
            os.close(directory)


def _encoded(order: Order) -> bytes:
    told = {name: getattr(order, name) for name in field_names(Order)}
    return json.dumps(told, sort_keys=True).encode("ascii")


def _name(data: bytes) -> str:
    return f"{sha256(data).hexdigest()[:24]}{_ENTRY}"


def _read(name: str, directory: int) -> Order | None:
    try:
        return _decoded(json.loads(read_private(name, directory)))
    except _UNREADABLE:
        return None


def _decoded(raw: Mapping[str, Any]) -> Order:
    lists = {k: tuple(v) for k, v in raw.items() if isinstance(v, list)}
    files = tuple(FileOf(*each) for each in raw.get("files", ()))
    return Order(**{**raw, **lists, "files": files})
