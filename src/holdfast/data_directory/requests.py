"""Requests of ended sessions: a directory, one file each, written before the work.

Nothing is made before it is needed. Orders are kept the same way.
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, TypeVar

from holdfast.domain.client import EndRequest
from holdfast.kernel.digests import sha256
from holdfast.kernel.directories import open_directory
from holdfast.kernel.files import read_beginning, remove_quietly, replace_unlocked
from holdfast.kernel.lazy_values import field_names
from holdfast.kernel.locks import Lock

if TYPE_CHECKING:
    from holdfast.domain.forgetting import Order


_LOCK = "work.lock"
_MOST_BYTES = 64 * 1024
_UNREADABLE = (OSError, ValueError, TypeError)

ENTRY = ".json"
_T = TypeVar("_T")


class DirectoryRequests:
    """Does what `port.Requests` says. Nothing is made before it is needed."""

    def __init__(self, path: str) -> None:
        self._path = os.path.abspath(path)

    def add(self, request: EndRequest) -> None:
        told = {name: getattr(request, name) for name in field_names(EndRequest)}
        data = json.dumps(told).encode("ascii")
        directory = self._open(create=True)
        try:
            replace_unlocked(_name(request), data, directory)
        finally:
            os.close(directory)

    def waiting(self) -> tuple[EndRequest, ...]:
        found = entries(self._path, _read)
        return tuple(request for request in found if request is not None)

    def unreadable(self) -> int:
        """Return how many files there are that say nothing."""
        return entries(self._path, _read).count(None)

    def done(self, request: EndRequest) -> None:
        drop_entry(self._path, _name(request), durably=False)

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
                directory = self._open(create=True)
                stack.callback(os.close, directory)
                stack.enter_context(Lock(_LOCK, directory, patience).held())
            except (TimeoutError, OSError):
                yield False
                return
            yield True

    def _open(self, *, create: bool) -> int:
        return open_directory(self._path, create=create)


def entries(path: str, read: Callable[[str, int], _T]) -> list[_T]:
    """Return what `read` makes of each entry, in the order of their names."""
    try:
        directory = open_directory(path, create=False)
    except OSError:
        return []
    try:
        names = sorted(n for n in os.listdir(directory) if n.endswith(ENTRY))
        return [read(name, directory) for name in names]
    finally:
        os.close(directory)


def drop_entry(path: str, name: str, *, durably: bool) -> None:
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


def _name(request: EndRequest) -> str:
    digest = sha256(request.key.encode("utf-8", "backslashreplace")).hexdigest()[:24]
    return f"{digest}{ENTRY}"


def _read(name: str, directory: int) -> EndRequest | None:
    try:
        return EndRequest(**json.loads(read_beginning(name, _MOST_BYTES, directory)))
    except _UNREADABLE:
        return None
