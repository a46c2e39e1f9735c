"""The spool: a directory where saves wait, one file each, until the store takes them.

A file is whole or not there: written under another name, synced, renamed, and the
directory synced. A reserve is set aside for the day the disk is full.
"""

from __future__ import annotations

import errno
import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.digests import sha256
from holdfast.errors import HoldfastError
from holdfast.storage.files import (
    HALF,
    open_directory,
    open_private,
    read_private,
    remove_quietly,
    write_all,
    write_durably,
)
from holdfast.storage.lock import Lock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from holdfast.domain.checkpoint import Draft

ENTRY = ".json"
SET_ASIDE = ".bad"
RESERVE = "reserve"
RESERVE_BYTES = 1024 * 1024  # room for a dozen large saves
_ADDING = "adding.lock"
_DRAINING = "draining.lock"
_PATIENCE = 10.0
_ORDER_DIGITS = 12
_UNREADABLE = (
    OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError,
)  # fmt: skip


class DirectorySpool:
    """Does what `ports.spool.Spool` says. Nothing is made before it is needed."""

    def __init__(self, path: str) -> None:
        self._home, self._name = os.path.split(os.path.abspath(path))

    def prepare(self) -> None:
        """Set the reserve aside while there is room; without room, go without."""
        try:
            with self._directory(create=True) as directory:
                _set_reserve(directory)
        except OSError:
            return

    def add(self, draft: Draft, reason: str) -> None:
        """Keep a draft durably until the store takes it."""
        digest = sha256(draft.key.encode("utf-8", "backslashreplace")).hexdigest()[:16]
        data = _encoded(draft, reason)
        with (
            self._directory(create=True) as directory,
            Lock(_ADDING, directory, _PATIENCE).held(),
        ):
            _remove_halves(directory)
            known = _entries(directory)
            if any(name.endswith(f"-{digest}{ENTRY}") for name in known):
                return
            last = int(known[-1].partition("-")[0]) if known else 0
            name = f"{last + 1:0{_ORDER_DIGITS}d}-{digest}{ENTRY}"
            _write_or_spend_reserve(name, data, directory)

    def waiting(self) -> int:
        """Return how many drafts wait."""
        try:
            with self._directory(create=False) as directory:
                return len(_entries(directory))
        except OSError:
            return 0

    def drain(self, put: Callable[[Draft], object]) -> int:
        """Put each waiting draft in the order they came, then forget it."""
        try:
            with (
                self._directory(create=False) as directory,
                Lock(_DRAINING, directory, patience=0).held(),
            ):
                went = _drain(directory, put)
                if not _entries(directory):
                    _set_reserve(directory)
                return went
        except (FileNotFoundError, TimeoutError):
            return 0  # nothing ever waited, or another process is at it

    @contextmanager
    def _directory(self, *, create: bool) -> Iterator[int]:
        home = open_directory(self._home, create=create)
        try:
            directory = open_directory(self._name, create=create, within=home)
        finally:
            os.close(home)
        try:
            yield directory
        finally:
            os.close(directory)


def _drain(directory: int, put: Callable[[Draft], object]) -> int:
    went = 0
    for name in _entries(directory):
        draft = _decoded(name, directory)
        if draft is None:
            _set_aside(name, directory)
            continue
        try:
            put(draft)
        except (HoldfastError, OSError):
            break
        os.unlink(name, dir_fd=directory)
        went += 1
    return went


def _entries(directory: int) -> list[str]:
    """Return the names of what waits, in the order it came."""
    return sorted(
        name
        for name in os.listdir(directory)
        if name.endswith(ENTRY) and name.partition("-")[0].isdecimal()
    )


def _encoded(draft: Draft, reason: str) -> bytes:
    # ASCII, so that text which is no valid Unicode waits unchanged, too.
    from holdfast.domain.record import draft_record  # noqa: PLC0415  # rarely needed

    kept = json.dumps({"draft": draft_record(draft), "reason": reason}, sort_keys=True)
    return json.dumps({"checksum": _checksum(kept), "entry": kept}).encode()


def _decoded(name: str, directory: int) -> Draft | None:
    """Return the draft of an entry, or None if it cannot be read or was changed."""
    from holdfast.domain.record import draft_from  # noqa: PLC0415  # rarely needed

    try:
        raw = json.loads(read_private(name, directory))
        if raw["checksum"] != _checksum(raw["entry"]):
            return None
        return draft_from(json.loads(raw["entry"])["draft"])
    except _UNREADABLE:
        return None


def _checksum(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _set_aside(name: str, directory: int) -> None:
    os.rename(name, name + SET_ASIDE, src_dir_fd=directory, dst_dir_fd=directory)


def _write_or_spend_reserve(name: str, data: bytes, directory: int) -> None:
    try:
        write_durably(name, data, directory)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        remove_quietly(RESERVE, directory)
        write_durably(name, data, directory)


def _set_reserve(directory: int) -> None:
    """Take room on the disk that `add` can give back when there is none."""
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        descriptor = open_private(RESERVE, flags, directory)
    except OSError:
        return
    try:
        write_all(descriptor, os.urandom(RESERVE_BYTES))  # zeros may take no room
    except OSError:
        remove_quietly(RESERVE, directory)
    finally:
        os.close(descriptor)


def _remove_halves(directory: int) -> None:
    """What a crash left half-written was never acknowledged."""
    for name in os.listdir(directory):
        if name.startswith(".") and name.endswith(HALF):
            remove_quietly(name, directory)
