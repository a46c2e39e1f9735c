"""Files on disk, read with care and put in place whole: the one place that does either.

Whatever lies under a name, reading it neither waits nor follows a link nor fills memory,
and a name holds all of the new bytes or what it held before. Names are relative to an open
directory (`within`) if one is given, so that nobody can swap it between two calls.
"""

import errno
import os
import stat

HALF = ".tmp"  # how the name of a file ends that is not whole yet
FILE_MODE = 0o600  # for its owner only
# A pipe's writer is not waited for, and a terminal does not become ours.
_TO_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_OURS = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND
_PIECE = 1 << 20
_MB = 1_000_000


class UnsuitableFile(OSError):
    """Something is there, but no regular file, or one that is larger than allowed."""


def read_file(
    path: str,
    within: int | None = None,
    *,
    limit: int | None = None,
    follow_links: bool = False,
) -> bytes:
    """Return all bytes of a regular file of at most `limit` bytes.

    Raises:
        UnsuitableFile: it is no regular file, or larger.
        OSError: it is missing, unreadable, or a symbolic link (ELOOP).
    """
    return read_with_status(path, within, limit=limit, follow_links=follow_links)[0]


def read_with_status(
    path: str,
    within: int | None = None,
    *,
    limit: int | None = None,
    follow_links: bool = False,
) -> tuple[bytes, os.stat_result]:
    """Return a file's bytes as `read_file` does, and what it was when it was opened."""
    descriptor = open_to_read(path, within, follow_links=follow_links)
    try:
        seen = os.fstat(descriptor)
        if limit is None:
            return _read(descriptor, None), seen
        if seen.st_size <= limit and len(data := _read(descriptor, limit + 1)) <= limit:
            return data, seen
    finally:
        os.close(descriptor)
    raise UnsuitableFile(errno.EFBIG, f"larger than {_shown(limit)}", path)


def read_or_none(
    path: str,
    within: int | None = None,
    *,
    limit: int | None = None,
    follow_links: bool = False,
) -> bytes | None:
    """Return a file's bytes as `read_file` does; None where it would raise."""
    try:
        return read_file(path, within, limit=limit, follow_links=follow_links)
    except (OSError, ValueError):  # or a name that no file can have
        return None


def read_beginning(
    path: str, limit: int, within: int | None = None, *, follow_links: bool = False
) -> bytes:
    """Return the first bytes of a regular file, at most `limit` of them.

    Raises:
        UnsuitableFile: it is no regular file.
        OSError: it is missing, unreadable, or a symbolic link (ELOOP).
    """
    descriptor = open_to_read(path, within, follow_links=follow_links)
    try:
        return _read(descriptor, limit)
    finally:
        os.close(descriptor)


def open_to_read(
    path: str, within: int | None = None, *, follow_links: bool = False
) -> int:
    """Return a descriptor of a regular file, for who reads it piece by piece.

    Raises:
        UnsuitableFile: it is no regular file.
        OSError: it is missing, unreadable, or a symbolic link (ELOOP).
    """
    flags = _TO_READ if follow_links else _TO_READ | os.O_NOFOLLOW
    descriptor = os.open(path, flags, dir_fd=within)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UnsuitableFile(errno.EINVAL, "not a regular file", path)
    return descriptor


def replace_file(
    path: str,
    data: bytes,
    within: int | None = None,
    *,
    half: str = "",
    mode: int = FILE_MODE,
    durable: bool = True,
) -> None:
    """Put a whole file in place, for its owner only unless `mode` says otherwise.

    Without `half` the caller holds a lock: what lies beside it was left by the dead.
    `durable` waits for the disk, some milliseconds: only what can be made again goes
    without.

    Raises:
        OSError: nothing was put in place, and no half file stays behind.
    """
    half = half or half_of(path)
    write_beside(half, data, within, mode=mode, durable=durable)
    put_in_place(half, path, within, durable=durable)


def replace_unlocked(
    path: str,
    data: bytes,
    within: int | None = None,
    *,
    mode: int = FILE_MODE,
    durable: bool = True,
) -> None:
    """Put a file in place that no lock protects: each process writes a half of its own.

    What processes that are gone left half written in its directory is cleared away.

    Raises:
        OSError: nothing was put in place, and no half file stays behind.
    """
    clear_of_the_dead(os.path.dirname(path), within)
    half = half_of(path, f".{os.getpid()}")
    replace_file(path, data, within, half=half, mode=mode, durable=durable)


def write_beside(
    half: str,
    data: bytes,
    within: int | None = None,
    *,
    mode: int = FILE_MODE,
    exact: bool = True,
    durable: bool = True,
) -> None:
    """Write the file that is to be put in place; without `exact` the umask counts, too.

    Raises:
        OSError: it is not there.
    """
    remove_quietly(half, within)
    create_file(half, data, within, mode=mode, exact=exact, durable=durable)


def put_in_place(
    half: str, path: str, within: int | None = None, *, durable: bool = True
) -> None:
    """Give a written file its name.

    Raises:
        OSError: it was not put in place and is gone, or the disk cannot say that it is.
    """
    try:
        os.rename(half, path, src_dir_fd=within, dst_dir_fd=within)
    except OSError:
        remove_quietly(half, within)
        raise
    if durable:
        flush(os.path.dirname(path) or ".", within)


def create_file(
    path: str,
    data: bytes,
    within: int | None = None,
    *,
    mode: int = FILE_MODE,
    exact: bool = True,
    durable: bool = False,
) -> None:
    """Write a file where nothing is yet, not even a link.

    Raises:
        FileExistsError: something is, and stays as it is.
        OSError: it cannot be written whole, and no part of it stays behind.
    """
    descriptor = os.open(path, _NEW, FILE_MODE if exact else mode, dir_fd=within)
    try:
        try:
            write_all(descriptor, data)
            if exact:
                _set_mode(descriptor, mode)
            if durable:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError:
        remove_quietly(path, within)
        raise


def copy_file(
    source: str,
    target: str,
    within: int | None = None,
    *,
    limit: int | None = None,
    durable: bool = False,
    with_time: bool = False,
) -> None:
    """Copy a regular file to where nothing is yet, for its owner only.

    `within` is the target's directory. `with_time` keeps the time of its last change.

    Raises:
        UnsuitableFile: the source is no regular file, or larger than `limit`.
        OSError: it cannot be read, or the target not be written.
    """
    read = open_to_read(source, follow_links=True)
    try:
        seen = os.fstat(read)
        if limit is not None and seen.st_size > limit:
            raise UnsuitableFile(errno.EFBIG, f"larger than {_shown(limit)}", source)
        written = os.open(target, _NEW, FILE_MODE, dir_fd=within)
        try:
            while piece := os.read(read, _PIECE):
                write_all(written, piece)
            _set_mode(written, FILE_MODE)
            if durable:
                os.fsync(written)
            if with_time:
                os.utime(written, ns=(seen.st_atime_ns, seen.st_mtime_ns))
        finally:
            os.close(written)
    finally:
        os.close(read)


def append_to(path: str, data: bytes) -> int:
    """Add to the end of a file of ours, in one write, and return how long it is now.

    Raises:
        UnsuitableFile: it is no regular file.
        OSError: it cannot be written, or is a symbolic link (ELOOP).
    """
    descriptor = open_ours(path, _APPEND)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UnsuitableFile(errno.EINVAL, "not a regular file", path)
        write_all(descriptor, data)
        return os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)


def touch(path: str, moment_ns: int) -> None:
    """Give a file of ours a time, making it empty if it is not there.

    Raises:
        OSError: it cannot be made, or is a symbolic link (ELOOP).
    """
    descriptor = open_ours(path, os.O_WRONLY | os.O_CREAT)
    try:
        os.utime(descriptor, ns=(moment_ns, moment_ns))
    finally:
        os.close(descriptor)


def open_ours(path: str, flags: int, within: int | None = None) -> int:
    """Return a descriptor of a file that, if made by this call, only its owner can use.

    For what is changed where it lies: a lock, a reserve, a file that the engine fills.

    Raises:
        OSError: among others ELOOP, where the name is a symbolic link.
    """
    descriptor = os.open(path, flags | _OURS, FILE_MODE, dir_fd=within)
    if flags & os.O_CREAT and os.fstat(descriptor).st_mode & FILE_MODE != FILE_MODE:
        os.fchmod(descriptor, FILE_MODE)  # a strict umask took bits away
    return descriptor


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte; one write call may take only some of them."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def flush(path: str, within: int | None = None) -> None:
    """Make a file's bytes, or the names in a directory, survive a power cut.

    Raises:
        OSError: they may not.
    """
    if within is not None and path == ".":
        os.fsync(within)
        return
    descriptor = os.open(path, _TO_READ, dir_fd=within)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_quietly(path: str, within: int | None = None) -> None:
    """Remove a file if it is there and can be removed."""
    try:
        os.unlink(path, dir_fd=within)
    except OSError:
        return


def is_running(pid: int) -> bool:
    """Say whether there is such a process, ours or somebody else's."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # somebody else's
    return True


def _read(descriptor: int, most: int | None) -> bytes:
    """Read to the end, or so many bytes."""
    pieces = []
    while most is None or most > 0:
        piece = os.read(descriptor, _PIECE if most is None else min(most, _PIECE))
        if not piece:
            break
        pieces.append(piece)
        most = None if most is None else most - len(piece)
    return b"".join(pieces)


def _shown(limit: int) -> str:
    return f"{limit // _MB} MB" if limit >= _MB else f"{limit} bytes"


def half_of(path: str, writer: str = "") -> str:
    """Return what a file is called, beside its place, while it is written."""
    above, last = os.path.split(path)
    return os.path.join(above, f".{last}{writer}{HALF}")


def clear_of_the_dead(above: str, within: int | None = None) -> None:
    """Remove what processes that are gone left half written in a directory."""
    for left in os.listdir(above or "." if within is None else within):
        if _is_of_the_dead(left):
            remove_quietly(os.path.join(above, left), within)


def _is_of_the_dead(name: str) -> bool:
    if not name.startswith(".") or not name.endswith(HALF):
        return False
    writer = name.removesuffix(HALF).rpartition(".")[2]
    return writer.isdecimal() and not is_running(int(writer))


def _set_mode(descriptor: int, mode: int) -> None:
    """Give a file the mode it is to have, whatever the umask took away."""
    if os.fstat(descriptor).st_mode & 0o7777 != mode:
        os.fchmod(descriptor, mode)
