"""Doing a restore's steps: each file is its old or its new self, whenever we die."""

import errno
import os
import stat
from collections.abc import Iterable, Set as AbstractSet
from contextlib import suppress

from holdfast.domain.code import EXECUTABLE, SYMLINK
from holdfast.domain.restore import Remove, Respell, Step, Write
from holdfast.kernel.files import (
    open_to_read,
    put_in_place,
    remove_quietly,
    write_beside,
)
from holdfast.snapshot.git.worktree_files import (
    above_all,
    directory,
    is_as,
    remove_emptied,
    remove_empty,
    split,
)

# How a file system says that it has no hard links.
_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)
_ANY_READ, _ANY_RUN, _BITS = 0o444, 0o111, 0o7777


class ChangedMeanwhile(OSError):
    """A file is no longer what the present snapshot says."""


class FileWriter:
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
        remove_quietly(self._half, within)
        os.symlink(target, self._half, dir_fd=within)
        put_in_place(self._half, name, within, durable=False)

    def _file(self, step: Write, content: bytes, within: int, name: str) -> None:
        known = _known_permissions(step, within, name)
        new = 0o777 if step.entry.mode == EXECUTABLE else 0o666
        write_beside(
            self._half,
            content,
            within,
            mode=new if known is None else known,
            exact=known is not None,
            durable=self._durable,
        )
        _put(self._half, name, within, replaces=step.before is not None)


def half_name(token: str) -> str:
    """Return the name of the one file that is being written."""
    return f".holdfast-{token}"


def remove_halves(root: str, token: str, paths: Iterable[str]) -> None:
    """Remove what a killed restore was writing, wherever it was."""
    for above in {split(path)[0] for path in paths}:
        with suppress(OSError), directory(root, above) as within:
            remove_quietly(half_name(token), within)


def _expect(step: Write | Remove, within: int, name: str) -> None:
    """Refuse to replace anything but what the present snapshot holds."""
    before = step.before if isinstance(step, Write) else step.entry
    if before is not None:
        if not is_as(before, within, name):
            raise ChangedMeanwhile(0, "it changed while the restore ran")
        return
    try:
        state = os.stat(name, dir_fd=within, follow_symlinks=False)
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(state.st_mode):
        raise ChangedMeanwhile(0, "it appeared while the restore ran")
    remove_empty(within, name)


def _only_mode_differs(step: Write) -> bool:
    before = step.before
    return (
        before is not None
        and before.mode != SYMLINK
        and before.object_id == step.entry.object_id
    )


def _change_mode(within: int, name: str, permissions: int) -> None:
    descriptor = open_to_read(name, within)
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
    if replaces or not _linked(half, name, within):
        put_in_place(half, name, within, durable=False)
        return
    os.unlink(half, dir_fd=within)


def _linked(half: str, name: str, within: int) -> bool:
    """Give the file a name that nothing has yet; False: no hard links here, but it is free."""
    try:
        os.link(half, name, src_dir_fd=within, dst_dir_fd=within)
    except OSError as problem:
        is_taken = isinstance(problem, FileExistsError) or _is_there(name, within)
        if is_taken or problem.errno not in _NO_LINKS:
            remove_quietly(half, within)
        if is_taken:
            raise ChangedMeanwhile(0, "it appeared while the restore ran") from None
        if problem.errno not in _NO_LINKS:
            raise
        return False
    return True


def _is_there(name: str, within: int) -> bool:
    try:
        os.stat(name, dir_fd=within, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True
