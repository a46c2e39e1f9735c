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

from holdfast.kernel.digests import sha256
from holdfast.kernel.directories import open_directory
from holdfast.kernel.errors import OUT_OF_REACH, STORE_TROUBLE, HoldfastError
from holdfast.kernel.files import (
    HALF,
    open_ours,
    read_file,
    remove_quietly,
    replace_file,
    write_all,
    write_beside,
)
from holdfast.kernel.locks import Lock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from holdfast.domain.checkpoint import Draft
    from holdfast.domain.forgetting import Order

ENTRY = ".json"
SET_ASIDE = ".bad"
RESERVE = "reserve"
RESERVE_BYTES = 1024 * 1024  # room for a dozen large saves
_SLACK = 16 * 1024  # what a file system takes besides the bytes
_ADDING = "adding.lock"
_DRAINING = "draining.lock"
_PATIENCE = 10.0
_TURN = 2.0  # seconds for a process that drains already
_ORDER_DIGITS = 12
_READS = 3  # that must fail before a disk is not asked again
_NO_ENTRY = (ValueError, TypeError, LookupError, AttributeError, RecursionError)


class DirectorySpool:
    """Does what `port.Spool` says. Nothing is made before it is needed."""

    def __init__(self, path: str) -> None:
        self._home, self._name = os.path.split(os.path.abspath(path))

    def prepare(self) -> None:
        """Set the reserve aside while there is room; without room, go without."""
        try:
            with (
                self._directory(create=True) as directory,
                Lock(_ADDING, directory, patience=0).held(),
            ):
                _remove_halves(directory)
                _set_reserve(directory)
        except OSError:
            return  # no room, or somebody is at it

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

    def try_writing(self) -> bool:
        """Say whether a draft could wait here now, by trying."""
        half = f".{os.getpid()}{HALF}"
        try:
            with self._directory(create=True) as directory:
                write_beside(half, b"", directory, durable=False)
                remove_quietly(half, directory)
        except OSError:
            return False
        return True

    def waiting(self) -> int:
        """Return how many drafts wait."""
        try:
            with self._directory(create=False) as directory:
                return len(_entries(directory))
        except OSError:
            return 0

    def set_aside(self) -> int:
        """Return how many entries could not be read and were put aside."""
        try:
            with self._directory(create=False) as directory:
                return sum(name.endswith(SET_ASIDE) for name in os.listdir(directory))
        except OSError:
            return 0

    def give_up_unreadable(self) -> int:
        """Set aside what the disk does not give back, so that the rest can go in."""
        try:
            with (
                self._directory(create=False) as directory,
                Lock(_DRAINING, directory, _TURN).held(),
            ):
                lost = [n for n in _entries(directory) if _is_lost(n, directory)]
                for name in lost:
                    _set_aside(name, directory)
                os.fsync(directory)
                return len(lost)
        except (FileNotFoundError, TimeoutError):
            return 0  # as for `drain`

    def drain(self, put: Callable[[Draft], object]) -> int:
        """Put each waiting draft in the order they came, then forget it."""
        try:
            with self._directory(create=False) as directory:
                if not _entries(directory):
                    return 0
                with Lock(_DRAINING, directory, _TURN).held():
                    went = _drain(directory, put)
                    if not _entries(directory):
                        _set_reserve(directory)
                    return went
        except (FileNotFoundError, TimeoutError):
            return 0  # nothing ever waited, or another process is at it

    def forget(self, order: Order) -> tuple[str, ...]:
        """Drop what waits of the sessions and saves that an order names.

        An entry that makes no sense goes, too, if it names one of them; what the disk
        does not give back stays, and is told.
        """
        kept: list[str] = []
        try:
            with (
                self._directory(create=False) as directory,
                Lock(_DRAINING, directory, _PATIENCE).held(),
            ):
                for name in sorted(os.listdir(directory)):
                    try:
                        if _waits_for(name, directory, order):
                            os.unlink(name, dir_fd=directory)
                    except OSError as problem:
                        path = f"{self._home}/{self._name}/{name}"
                        kept.append(f"`{path}`: {problem.strerror}")
                os.fsync(directory)
        except FileNotFoundError:
            return ()
        except (OSError, TimeoutError) as problem:
            return (*kept, f"what waits in the spool: {problem}")
        return tuple(kept)

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


def _waits_for(name: str, directory: int, order: Order) -> bool:
    if ENTRY not in name:
        return False
    draft = _decoded(name, directory)
    if draft is not None:
        return draft.key in order.keys or draft.session_id in order.sessions
    data = read_file(name, directory)
    return any(
        json.dumps(told)[1:-1].encode() in data
        for told in (*order.keys, *order.sessions)
    )


def _is_lost(name: str, directory: int) -> bool:
    """Say whether the disk fails on an entry, and not for a moment only.

    The other reasons of `OUT_OF_REACH` are the machine's, and would take every entry.
    """
    for _ in range(_READS):
        try:
            read_file(name, directory)
        except OSError as problem:
            if problem.errno == errno.EIO:
                continue
        return False
    return True


def _drain(directory: int, put: Callable[[Draft], object]) -> int:
    went = 0
    for name in _entries(directory):
        draft = _decoded(name, directory)
        if draft is None:
            _set_aside(name, directory)
            continue
        try:
            put(draft)
        except (*STORE_TROUBLE, OSError):
            break
        except HoldfastError:  # it will not get better, and others wait behind it
            _set_aside(name, directory)
            continue
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
    """Return the draft of an entry, or None if it is no entry or was changed.

    Raises:
        OSError: the machine could not get at it now; that is no fault of the entry.
    """
    from holdfast.domain.record import draft_from  # noqa: PLC0415  # rarely needed

    try:
        raw = json.loads(read_file(name, directory))
        if raw["checksum"] != _checksum(raw["entry"]):
            return None
        return draft_from(json.loads(raw["entry"])["draft"])
    except OSError as problem:
        if problem.errno in OUT_OF_REACH:
            raise
        return None
    except _NO_ENTRY:
        return None


def _checksum(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _set_aside(name: str, directory: int) -> None:
    os.rename(name, name + SET_ASIDE, src_dir_fd=directory, dst_dir_fd=directory)


def _write_or_spend_reserve(name: str, data: bytes, directory: int) -> None:
    """Write an entry, giving back as much of the reserve as it takes, at last all of it."""
    for room in (0, len(data) + _SLACK, RESERVE_BYTES):
        try:
            if room:
                _give_back(room, directory)
            replace_file(name, data, directory)
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT) or room == RESERVE_BYTES:
                raise
        else:
            return


def _give_back(room: int, directory: int) -> None:
    """Make the reserve smaller; what is left is for the saves after this one."""
    try:
        descriptor = open_ours(RESERVE, os.O_WRONLY, directory)
    except OSError:
        return
    try:
        left = os.fstat(descriptor).st_size - room
        if left > 0:
            os.ftruncate(descriptor, left)
        else:
            remove_quietly(RESERVE, directory)
    finally:
        os.close(descriptor)


def _set_reserve(directory: int) -> None:
    """Take room on the disk that `add` can give back when there is none."""
    try:
        descriptor = open_ours(RESERVE, os.O_WRONLY | os.O_CREAT, directory)
    except OSError:
        return
    before = os.fstat(descriptor).st_size
    try:
        if before < RESERVE_BYTES:
            os.lseek(descriptor, before, os.SEEK_SET)
            # zeros may take no room
            write_all(descriptor, os.urandom(RESERVE_BYTES - before))
    except OSError:
        os.ftruncate(descriptor, before)  # the rest is somebody's last room
    finally:
        os.close(descriptor)


def _remove_halves(directory: int) -> None:
    """What a crash left half-written was never acknowledged."""
    for name in os.listdir(directory):
        if name.startswith(".") and name.endswith(HALF):
            remove_quietly(name, directory)
