"""Changing a text file that is not ours: under a lock, atomically, through no symlink.

For every room member that writes where people write: the handoff, the memory files, the
client's memory directory. Each directory is opened from the one above it, so no link can
lead elsewhere. The lock is the directory itself, so none is left lying about.
"""

import errno
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from holdfast.kernel import locks
from holdfast.kernel.files import put_in_place, remove_quietly, write_beside
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass

MOST_BYTES = 64_000_000
HALF_WRITTEN = ".holdfast-tmp"  # how a file beside it ends that a crash left half
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# NONBLOCK: opening a pipe that somebody put there must not wait for its writer.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_MOST_TRIES = 5
SHARED = 0o666  # of new files: as the umask has it
PRIVATE = 0o600  # or their owner's only

Rewrite = Callable[[bytes | None], bytes | None]


class Content(NamedTuple):
    data: bytes
    sign: tuple[int, int, int]  # which file it was, how long, changed when
    mode: int


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


@contextmanager
def directory(
    root: str, parts: Sequence[str], *, create: bool = False, mode: int = SHARED
) -> Iterator[int]:
    """Lend a descriptor of a directory below `root`, which must be a real path.

    `mode` is what files may have here; a directory that is made may be entered, too.

    Raises:
        OSError: it is missing, or some part of the way is a link or no directory.
    """
    held = os.open(root, _DIRECTORY)
    try:
        for part in parts:
            below = _entered(part, held, create=create, mode=mode)
            os.close(held)
            held = below
        yield held
    finally:
        os.close(held)


def _entered(part: str, within: int, *, create: bool, mode: int) -> int:
    if part in ("", ".", ".."):
        raise OSError(errno.EINVAL, "not the name of a directory", part)
    if create:
        with suppress(FileExistsError):
            os.mkdir(part, mode | (mode & 0o444) >> 2, dir_fd=within)
    return os.open(part, _DIRECTORY, dir_fd=within)


@contextmanager
def locked(within: int, patience: float) -> Iterator[None]:
    """Hold a directory for the length of a `with`; the kernel frees it if we die.

    Raises:
        TimeoutError: somebody else held it for longer than our patience.
        OSError: this file system has no locks.
    """
    own = os.open(".", _DIRECTORY, dir_fd=within)  # a lock of its own, not the caller's
    with locks.held(own, patience):
        yield


def read(name: str, within: int) -> Content | None:
    """Return a file's bytes, or None where there is none.

    Raises:
        OSError: it is a link, no regular file, unreadable, or absurdly large.
    """
    try:
        descriptor = os.open(name, _FILE, dir_fd=within)
    except FileNotFoundError:
        return None
    with open(descriptor, "rb") as file:
        seen = os.fstat(descriptor)
        if not stat.S_ISREG(seen.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", name)
        if seen.st_size > MOST_BYTES:
            raise OSError(errno.EFBIG, "larger than 64 MB", name)
        return Content(file.read(), _sign(seen), stat.S_IMODE(seen.st_mode))


def change(
    name: str, within: int, rewrite: Rewrite, mode: int = SHARED
) -> tuple[bytes | None, bytes]:
    """Put what `rewrite` makes of a file in its place; return both, before and after.

    The caller holds the lock. `rewrite` gets None where there is no file, and gives None
    to leave it alone. An editor knows no lock: when the file changed under our hands, it
    is read and rewritten again.

    Raises:
        OSError: nothing was put in place, and no half file stays behind.
    """
    for _ in range(_MOST_TRIES):
        found = read(name, within)
        before = found.data if found else None
        after = rewrite(before)
        if after is None or after == before:
            return before, before or b""
        if _put(name, within, after, found, mode):
            return before, after
    raise OSError(errno.EBUSY, "somebody else keeps changing it", name)


def _put(
    name: str, within: int, data: bytes, expected: Content | None, mode: int
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
