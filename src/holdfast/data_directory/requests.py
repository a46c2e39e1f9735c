"""Work that is requested but not done yet: saves of ended sessions, orders to forget.

A directory each, one file each, written before the work. Nothing is made before it is
needed.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from holdfast.domain.client import EndRequest
from holdfast.kernel.digests import sha256
from holdfast.kernel.directories import open_directory
from holdfast.kernel.files import (
    read_beginning,
    read_file,
    remove_quietly,
    replace_file,
    replace_unlocked,
)
from holdfast.kernel.lazy_values import field_names
from holdfast.kernel.locks import Lock

if TYPE_CHECKING:
    from holdfast.domain.forgetting import Order


_REQUESTS_LOCK = "work.lock"
_MOST_BYTES = 64 * 1024
_ENTRY = ".json"
_T = TypeVar("_T")

_ORDERS_LOCK = "adding.lock"
_PATIENCE = 10.0
_FILES = ("files", "carriers_files")
_UNREADABLE = (OSError, ValueError, TypeError, AttributeError)


class DirectoryRequests:
    """Does what `port.Requests` says. Nothing is made before it is needed."""

    def __init__(self, path: str) -> None:
        self._path = os.path.abspath(path)

    def add(self, request: EndRequest) -> None:
        told = {name: getattr(request, name) for name in field_names(EndRequest)}
        data = json.dumps(told).encode("ascii")
        directory = open_directory(self._path, create=True)
        try:
            replace_unlocked(_request_name(request), data, directory)
        finally:
            os.close(directory)

    def waiting(self) -> tuple[EndRequest, ...]:
        found = _entries(self._path, _read_request)
        return tuple(request for request in found if request is not None)

    def unreadable(self) -> int:
        """Return how many files there are that say nothing."""
        return _entries(self._path, _read_request).count(None)

    def done(self, request: EndRequest) -> None:
        _drop_entry(self._path, _request_name(request), durably=False)

    def forget(self, order: "Order") -> tuple[str, ...]:
        """Drop what was asked for of sessions that are forgotten as a whole."""
        for request in self.waiting():
            if request.session_id in order.sessions:
                self.done(request)
        return ()

    @contextmanager
    def working(self, patience: float) -> Iterator[bool]:
        with ExitStack() as stack:
            try:
                directory = open_directory(self._path, create=True)
                stack.callback(os.close, directory)
                stack.enter_context(Lock(_REQUESTS_LOCK, directory, patience).held())
            except (TimeoutError, OSError):
                yield False
                return
            yield True


class DirectoryOrders:
    """Does what `port.Orders` says. Nothing is made before it is needed."""

    def __init__(self, path: str) -> None:
        self._path = os.path.abspath(path)

    def add(self, order: "Order") -> None:
        data = _encoded_order(order)
        directory = open_directory(self._path, create=True)
        try:
            with Lock(_ORDERS_LOCK, directory, _PATIENCE).held():
                replace_file(_order_name(data), data, directory)
        finally:
            os.close(directory)

    def waiting(self) -> "tuple[Order, ...]":
        found = _entries(self._path, _read_order)
        return tuple(order for order in found if order is not None)

    def done(self, order: "Order") -> None:
        _drop_entry(self._path, _order_name(_encoded_order(order)), durably=True)


def _entries(path: str, read: Callable[[str, int], _T]) -> list[_T]:
    """Return what `read` makes of each entry, in the order of their names."""
    try:
        directory = open_directory(path, create=False)
    except OSError:
        return []
    try:
        names = sorted(n for n in os.listdir(directory) if n.endswith(_ENTRY))
        return [read(name, directory) for name in names]
    finally:
        os.close(directory)


def _drop_entry(path: str, name: str, *, durably: bool) -> None:
    """Remove an entry, if it is there."""
    try:
        directory = open_directory(path, create=False)
    except OSError:
        return
    try:
        remove_quietly(name, directory)
        if durably:
            os.fsync(directory)
    finally:
        os.close(directory)


def _request_name(request: EndRequest) -> str:
    digest = sha256(request.key.encode("utf-8", "backslashreplace")).hexdigest()[:24]
    return f"{digest}{_ENTRY}"


def _read_request(name: str, directory: int) -> EndRequest | None:
    try:
        return EndRequest(**json.loads(read_beginning(name, _MOST_BYTES, directory)))
    except _UNREADABLE:
        return None


def _encoded_order(order: "Order") -> bytes:
    told = {name: getattr(order, name) for name in field_names(type(order))}
    return json.dumps(told, sort_keys=True).encode("ascii")


def _order_name(data: bytes) -> str:
    return f"{sha256(data).hexdigest()[:24]}{_ENTRY}"


def _read_order(name: str, directory: int) -> "Order | None":
    try:
        return _decoded_order(json.loads(read_file(name, directory)))
    except _UNREADABLE:
        return None


def _decoded_order(raw: Mapping[str, Any]) -> "Order":
    from holdfast.domain.forgetting import FileOf, Order  # noqa: PLC0415  # no hook reads one

    lists = {k: tuple(v) for k, v in raw.items() if isinstance(v, list)}
    files = {
        name: tuple(FileOf(*each) for each in raw.get(name, ())) for name in _FILES
    }
    return Order(**{**raw, **lists, **files})
