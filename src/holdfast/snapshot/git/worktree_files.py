"""Reaching files below a root by open directories, so that no symlink is followed.

A path is walked part by part; whoever swaps a directory for a link meanwhile is not
followed, either.
"""

import os
import stat
from collections.abc import Iterator, Set as AbstractSet
from contextlib import AbstractContextManager

from holdfast.domain.code import SYMLINK, TreeEntry
from holdfast.domain.restore import FoundOnDisk
from holdfast.kernel.directories import InTheWay, directory_below, open_directory
from holdfast.kernel.files import open_to_read
from holdfast.snapshot.git.files import blob_id, blob_id_of

_AS_THE_UMASK_HAS_IT = 0o777
_CHUNK = 1 << 20


def directory(
    root: str, path: str, *, make: bool = False
) -> AbstractContextManager[int]:
    """Lend a descriptor of `root/path`, reached without following a link.

    Raises:
        InTheWay: a part of it is no directory.
        OSError: it is missing, or cannot be opened or made.
    """
    parts = path.split("/") if path else ()
    return directory_below(root, parts, make=_AS_THE_UMASK_HAS_IT if make else None)


def split(path: str) -> tuple[str, str]:
    """Return the directory and the name of a path."""
    above, _, name = path.rpartition("/")
    return above, name


def above_all(path: str) -> Iterator[str]:
    """Yield every directory above a path, the nearest first; not the root."""
    above, _ = split(path)
    while above:
        yield above
        above, _ = split(above)


def found_at(root: str, path: str) -> FoundOnDisk | None:
    """Return what lies at a path, or None."""
    above, name = split(path)
    try:
        with directory(root, above) as within:
            state = os.stat(name, dir_fd=within, follow_symlinks=False)
            if stat.S_ISDIR(state.st_mode):
                inside = tuple(sorted(_files_below(within, name, path)))
                return FoundOnDisk(kind="directory", inside=inside)
    except InTheWay as blocked:
        return FoundOnDisk(kind="behind", blocker=blocked.blocker)
    except FileNotFoundError:
        return None
    identity = (state.st_dev, state.st_ino)
    if stat.S_ISREG(state.st_mode):
        return FoundOnDisk(kind="file", identity=identity)
    is_link = stat.S_ISLNK(state.st_mode)
    return FoundOnDisk(kind="symlink" if is_link else "other", identity=identity)


def mode_at(root: str, path: str) -> int | None:
    """Return what kind of thing lies at a path, with its permissions; None: nothing."""
    above, name = split(path)
    try:
        with directory(root, above) as within:
            return os.stat(name, dir_fd=within, follow_symlinks=False).st_mode
    except OSError:
        return None


def is_as(entry: TreeEntry, within: int, name: str) -> bool:
    """Say whether a file still holds what an entry says.

    Only kind and content are compared: where a file system knows no executable bit,
    what git says of it is not on disk.
    """
    try:
        state = os.stat(name, dir_fd=within, follow_symlinks=False)
    except FileNotFoundError:
        return False
    if stat.S_ISLNK(state.st_mode):
        if entry.mode != SYMLINK:
            return False
        target = os.fsencode(os.readlink(name, dir_fd=within))
        return blob_id(target, like=entry.object_id) == entry.object_id
    if entry.mode == SYMLINK or not stat.S_ISREG(state.st_mode):
        return False
    descriptor = open_to_read(name, within)
    try:
        pieces = iter(lambda: os.read(descriptor, _CHUNK), b"")
        size = os.fstat(descriptor).st_size
        return blob_id_of(pieces, size, entry.object_id) == entry.object_id
    finally:
        os.close(descriptor)


def remove_empty(within: int, name: str) -> None:
    """Remove a directory that holds nothing but empty directories.

    Raises:
        OSError: it holds something; whatever was empty below it may be gone.
    """
    here = open_directory(name, create=False, within=within)
    try:
        for child in os.listdir(here):
            remove_empty(here, child)
    finally:
        os.close(here)
    os.rmdir(name, dir_fd=within)


def remove_emptied(root: str, path: str, keep: AbstractSet[str]) -> None:
    """Remove the directories above a removed path, up to the first that is not empty
    or is to be kept."""
    above, _ = split(path)
    while above and above not in keep:
        outer, name = split(above)
        try:
            with directory(root, outer) as within:
                os.rmdir(name, dir_fd=within)
        except OSError:
            return
        above = outer


def _files_below(within: int, name: str, path: str) -> Iterator[str]:
    here = open_directory(name, create=False, within=within)
    try:
        with os.scandir(here) as listed:
            children = [(c.name, c.is_dir(follow_symlinks=False)) for c in listed]
        for child, is_directory in children:
            inner = f"{path}/{child}"
            if is_directory:
                yield from _files_below(here, child, inner)
            else:
                yield inner
    finally:
        os.close(here)
