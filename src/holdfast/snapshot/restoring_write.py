"""Doing a restore's steps: each file is its old or its new self, whenever we die."""

import os
import stat
from collections.abc import Iterable, Set as AbstractSet
from contextlib import suppress

from holdfast.domain.restore import Remove, Respell, Step, Write
from holdfast.domain.snapshot import EXECUTABLE, SYMLINK
from holdfast.snapshot.restoring_walk import (
    above_all,
    directory,
    is_as,
    remove_emptied,
    remove_empty,
    split,
)

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_OLD = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_ANY_READ, _ANY_RUN, _BITS = 0o444, 0o111, 0o7777


class Changed(OSError):
    """A file is no longer what the present snapshot says."""


class Writer:
    """Writes below one root. `durable` makes each file survive a power cut.

    Directories in `keep` stay where a removal leaves them empty.
    """

    def __init__(
        self,
        root: str,
        token: str,
        *,
        durable: bool = True,
        keep: AbstractSet[str] = frozenset(),
    ) -> None:
        self._root = root
        self._half = half_name(token)
        self._durable = durable
        self._keep = keep
        self._touched: set[str] = set()

    def do(self, step: Step, content: bytes) -> None:
        """Do one step; `content` is what a `Write` writes.

        Raises:
            OSError: it was not done.
        """
        above, name = split(step.path)
        match step:
            case Write():
                with directory(self._root, above, make=True) as within:
                    self._write(step, content, within, name)
            case Remove():
                with directory(self._root, above) as within:
                    _expect(step, within, name)
                    os.unlink(name, dir_fd=within)
                remove_emptied(self._root, step.path, self._keep)
            case Respell():
                _, old = split(step.entry.path)
                with directory(self._root, above) as within:
                    os.rename(old, name, src_dir_fd=within, dst_dir_fd=within)
        self._touched.update(("", *above_all(step.path)))  # it may have been made

    def finish(self) -> None:
        """Make the names of what was written survive a power cut."""
        if not self._durable:
            return
        for path in self._touched:
            with suppress(OSError), directory(self._root, path) as within:
                os.fsync(within)

    def _write(self, step: Write, content: bytes, within: int, name: str) -> None:
        _expect(step, within, name)
        if step.entry.mode == SYMLINK:
            self._link(step, content, within, name)
        elif _only_mode_differs(step):
            _change_mode(within, name, _permissions(step, within, name))
        else:
            self._file(step, content, within, name)

    def _link(self, step: Write, content: bytes, within: int, name: str) -> None:
        target = os.fsdecode(content)
        if step.before is None:
            os.symlink(target, name, dir_fd=within)
            return
        _remove_half(self._half, within)
        os.symlink(target, self._half, dir_fd=within)
        os.rename(self._half, name, src_dir_fd=within, dst_dir_fd=within)

    def _file(self, step: Write, content: bytes, within: int, name: str) -> None:
        _remove_half(self._half, within)
        known = _known_permissions(step, within, name)
        mode = 0o777 if step.entry.mode == EXECUTABLE else 0o666
        descriptor = os.open(
            self._half, _NEW, mode if known is None else 0o600, dir_fd=within
        )
        try:
            _write_all(descriptor, content)
            if known is not None:
                os.fchmod(descriptor, known)
            if self._durable:
                os.fsync(descriptor)
        except OSError:
            _remove_half(self._half, within)
            raise
        finally:
            os.close(descriptor)
        _put(self._half, name, within, replaces=step.before is not None)


def half_name(token: str) -> str:
    """Return the name of the one file that is being written."""
    return f".holdfast-{token}"


def remove_halves(root: str, token: str, paths: Iterable[str]) -> None:
    """Remove what a killed restore was writing, wherever it was."""
    for above in {split(path)[0] for path in paths}:
        with suppress(OSError), directory(root, above) as within:
            _remove_half(half_name(token), within)


def _expect(step: Write | Remove, within: int, name: str) -> None:
    """Refuse to replace anything but what the present snapshot holds."""
    before = step.before if isinstance(step, Write) else step.entry
    if before is not None:
        if not is_as(before, within, name):
            raise Changed(0, "it changed while the restore ran")
        return
    try:
        state = os.stat(name, dir_fd=within, follow_symlinks=False)
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(state.st_mode):
        raise Changed(0, "it appeared while the restore ran")
    remove_empty(within, name)


def _only_mode_differs(step: Write) -> bool:
    before = step.before
    return (
        before is not None
        and before.mode != SYMLINK
        and before.object_id == step.entry.object_id
    )


def _change_mode(within: int, name: str, permissions: int) -> None:
    descriptor = os.open(name, _OLD, dir_fd=within)
    try:
        os.fchmod(descriptor, permissions)
    finally:
        os.close(descriptor)


def _known_permissions(step: Write, within: int, name: str) -> int | None:
    """Return a file's permissions to be; None: the umask decides, as for any new file."""
    is_new = step.before is None or step.before.mode == SYMLINK
    if is_new and step.permissions is None:
        return None
    return _permissions(step, within, name)


def _permissions(step: Write, within: int, name: str) -> int:
    """Return the permissions known, or those it has with git's executable bit applied."""
    if step.permissions is not None:
        return step.permissions & _BITS
    now = os.stat(name, dir_fd=within, follow_symlinks=False).st_mode & 0o777
    if step.entry.mode == EXECUTABLE:
        return now | (now & _ANY_READ) >> 2
    return now & ~_ANY_RUN


def _put(half: str, name: str, within: int, *, replaces: bool) -> None:
    """Give the written file its name; where nothing lay, whatever came since stays."""
    if not replaces:
        try:
            os.link(half, name, src_dir_fd=within, dst_dir_fd=within)
        except FileExistsError:
            _remove_half(half, within)
            raise Changed(0, "it appeared while the restore ran") from None
        except OSError:  # a file system without hard links
            os.rename(half, name, src_dir_fd=within, dst_dir_fd=within)
            return
        os.unlink(half, dir_fd=within)
        return
    os.rename(half, name, src_dir_fd=within, dst_dir_fd=within)


def _write_all(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _remove_half(half: str, within: int) -> None:
    with suppress(FileNotFoundError):
        os.unlink(half, dir_fd=within)
