"""Text files that people write, too: changed under a lock, whole, and through no link.

For the handoff, the memory files and the client's memory directory. The lock is the
directory itself, so none is left lying about; an editor knows no lock, so a file that
changed under our hands is read and rewritten again.
"""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from holdfast.kernel.directories import directory_below
from holdfast.kernel.errors import OUT_OF_REACH, FileOutOfReach, FileRefused
from holdfast.kernel.files import (
    put_in_place,
    read_with_status,
    remove_quietly,
    write_beside,
)
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass
from holdfast.kernel.locks import directory_held

MOST_BYTES = 64_000_000
HALF_WRITTEN = ".holdfast-tmp"  # how a file beside it ends that a crash left half
PATIENCE = 20.0  # seconds; a change takes milliseconds
SHARED = 0o666  # of new files: as the umask has it
PRIVATE = 0o600  # or their owner's only
_MOST_TRIES = 5
_WHY = {
    errno.ELOOP: "it is a symbolic link",
    errno.ENOTDIR: "a part of the way is a symbolic link, or no directory",
}

Rewrite = Callable[[str | None], str | None]


class FileContent(NamedTuple):
    """A file's bytes, and by what it is known again."""

    data: bytes
    sign: tuple[int, int, int]  # which file it was, how long, changed when
    mode: int

    @property
    def text(self) -> str:
        return self.data.decode("utf-8", "surrogateescape")


class Seen(NamedTuple):
    """A file in a directory."""

    name: str
    changed_at: int  # Unix milliseconds
    size: int


@dataclass(frozen=True, slots=True)
class Changed:
    """A file before and after; equal where nothing was changed."""

    path: str
    before: str | None
    after: str

    @property
    def is_new(self) -> bool:
        return self.before is None and bool(self.after)

    @property
    def is_changed(self) -> bool:
        return (self.before or "") != self.after


class SharedDirectory:
    """Files below one real directory."""

    def __init__(
        self, root: str, *, patience: float = PATIENCE, mode: int = SHARED
    ) -> None:
        """`mode` is that of new files; those that are there keep theirs."""
        self._root = root
        self._patience = patience
        self._mode = mode

    def read(self, path: str) -> str | None:
        """Return a file's text, or None where there is none."""
        *parts, name = path.split("/")
        try:
            with directory_below(self._root, parts) as within:
                found = read_shared(name, within)
        except FileNotFoundError:
            return None
        except OSError as problem:
            raise _refused(path, "read", problem) from problem
        return found.text if found else None

    def change(self, path: str, rewrite: Rewrite) -> Changed:
        """Put what `rewrite` makes of the text in its place, whole or not at all.

        `rewrite` gets None where there is no file, and gives None to leave it alone.
        """
        *parts, name = path.split("/")
        try:
            if self._would_make_nothing(parts, rewrite):
                return Changed(path, None, "")
            with (
                self._made(parts) as within,
                directory_held(within, self._patience),
            ):
                before, after = _change(name, within, rewrite, self._mode)
                again = read_shared(name, within)
        except OSError as problem:
            raise _refused(path, "written", problem) from problem
        if (again.text if again else "") != after:
            raise FileRefused(
                f"`{path}` does not hold what was written to it",
                hint="check the disk, then try again",
            )
        return Changed(path, before, after)

    def exists(self, path: str) -> bool:
        """Say whether a path is a file or directory."""
        *parts, name = path.strip("/").split("/")
        try:
            with directory_below(self._root, parts) as within:
                seen = os.stat(name, dir_fd=within, follow_symlinks=False)
        except OSError as problem:
            _raise_if_out_of_reach(path, problem)
            return False
        except ValueError:
            return False
        return not stat.S_ISLNK(seen.st_mode)

    def files_in(self, directory: str) -> tuple[Seen, ...]:
        """Return the regular files of a directory by name; none where there is none."""
        try:
            with directory_below(self._root, directory.split("/")) as within:
                return tuple(_seen(within))
        except OSError as problem:
            _raise_if_out_of_reach(directory, problem)
            return ()

    def _made(self, parts: list[str]) -> AbstractContextManager[int]:
        # Who may read a file of such a mode may enter its directory.
        entered = self._mode | (self._mode & 0o444) >> 2
        return directory_below(self._root, parts, make=entered)

    def _would_make_nothing(self, parts: list[str], rewrite: Rewrite) -> bool:
        """No directory is made for a file that will not be."""
        try:
            with directory_below(self._root, parts):
                return False
        except FileNotFoundError:
            return rewrite(None) is None


def read_shared(name: str, within: int) -> FileContent | None:
    """Return a file's bytes, or None where there is none.

    Raises:
        OSError: it is a link, no regular file, unreadable, or absurdly large.
    """
    try:
        data, seen = read_with_status(name, within, limit=MOST_BYTES)
    except FileNotFoundError:
        return None
    return FileContent(data, _sign(seen), stat.S_IMODE(seen.st_mode))


def _change(
    name: str, within: int, rewrite: Rewrite, mode: int
) -> tuple[str | None, str]:
    """Rewrite a file and return its text before and after; the caller holds the lock.

    Raises:
        OSError: nothing was put in place, and no half file stays behind.
    """
    for _ in range(_MOST_TRIES):
        found = read_shared(name, within)
        before = found.text if found else None
        wanted = rewrite(before)
        data = None if wanted is None else wanted.encode("utf-8", "surrogateescape")
        if data is None or (found and data == found.data):
            return before, before or ""
        if _put(name, within, data, found, mode):
            return before, data.decode("utf-8", "surrogateescape")
    raise OSError(errno.EBUSY, "somebody else keeps changing it", name)


def _put(
    name: str, within: int, data: bytes, expected: FileContent | None, mode: int
) -> bool:
    """Replace a file, unless it is not what was expected any more."""
    half = f".{name}{HALF_WRITTEN}"
    kept = expected.mode if expected else mode
    write_beside(half, data, within, mode=kept, exact=expected is not None)
    if _sign_of(name, within) != (expected.sign if expected else None):
        remove_quietly(half, within)
        return False
    put_in_place(half, name, within)
    return True


def _sign_of(name: str, within: int) -> tuple[int, int, int] | None:
    try:
        return _sign(os.stat(name, dir_fd=within, follow_symlinks=False))
    except FileNotFoundError:
        return None


def _sign(seen: os.stat_result) -> tuple[int, int, int]:
    return seen.st_ino, seen.st_size, seen.st_mtime_ns


def _seen(within: int) -> Iterator[Seen]:
    with os.scandir(within) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.is_file(follow_symlinks=False):
                seen = entry.stat(follow_symlinks=False)
                yield Seen(entry.name, seen.st_mtime_ns // 1_000_000, seen.st_size)


def _raise_if_out_of_reach(path: str, problem: OSError) -> None:
    """What the machine cannot get at now may be there: it must not pass for absent."""
    if problem.errno in OUT_OF_REACH:
        raise _refused(path, "read", problem) from problem


def _refused(path: str, done: str, problem: OSError) -> FileRefused:
    why = _WHY.get(problem.errno or 0) or problem.strerror or str(problem)
    kind = FileOutOfReach if problem.errno in OUT_OF_REACH else FileRefused
    return kind(
        f"`{path}` cannot be {done}: {why}",
        hint="holdfast changes only plain files in plain directories; put one there",
    )
