"""Putting a whole file in place: its name holds all of the new bytes, or what it held.

The bytes are written beside it under another name, flushed, renamed, and the directory is
flushed. Names are relative to an open directory if one is given, so that nobody can swap
it between two calls, and no symbolic link is ever followed to the file itself.
"""

import os

HALF = ".tmp"  # how the name of a file ends that is not whole yet
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_PRIVATE = 0o600


def replace_file(
    name: str,
    data: bytes,
    within: int | None = None,
    *,
    half: str = "",
    mode: int = _PRIVATE,
    durable: bool = True,
) -> None:
    """Put a file in place, for its owner only unless `mode` says otherwise.

    Without `half` the caller holds a lock: what lies beside it was left by the dead.
    `durable` waits for the disk.

    Raises:
        OSError: nothing was put in place, and no half file stays behind.
    """
    half = half or _half_of(name)
    write_beside(half, data, within, mode=mode, durable=durable)
    put_in_place(half, name, within, durable=durable)


def replace_unlocked(
    name: str, data: bytes, within: int | None = None, *, durable: bool = True
) -> None:
    """Put a file in place that no lock protects: each process writes a half of its own.

    What processes that are gone left half written in its directory is cleared away.

    Raises:
        OSError: nothing was put in place, and no half file stays behind.
    """
    above = os.path.dirname(name)
    for left in os.listdir(above or "." if within is None else within):
        if _is_of_the_dead(left):
            remove_quietly(os.path.join(above, left), within)
    half = _half_of(name, f".{os.getpid()}")
    replace_file(name, data, within, half=half, durable=durable)


def _half_of(name: str, writer: str = "") -> str:
    above, last = os.path.split(name)
    return os.path.join(above, f".{last}{writer}{HALF}")


def _is_of_the_dead(name: str) -> bool:
    if not name.startswith(".") or not name.endswith(HALF):
        return False
    writer = name.removesuffix(HALF).rpartition(".")[2]
    if not writer.isdecimal():
        return False
    try:
        os.kill(int(writer), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False  # somebody else's
    return False


def write_beside(
    half: str,
    data: bytes,
    within: int | None = None,
    *,
    mode: int = _PRIVATE,
    exact: bool = True,
    durable: bool = True,
) -> None:
    """Write the file that is to be put in place; without `exact` the umask counts, too.

    Raises:
        OSError: it is not there.
    """
    remove_quietly(half, within)
    try:
        first = _PRIVATE if exact else mode
        descriptor = os.open(half, _NEW, first, dir_fd=within)
        try:
            write_all(descriptor, data)
            if exact:
                set_mode(descriptor, mode)
            if durable:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError:
        remove_quietly(half, within)
        raise


def put_in_place(
    half: str, name: str, within: int | None = None, *, durable: bool = True
) -> None:
    """Give a written file its name.

    Raises:
        OSError: it was not put in place and is gone, or the disk cannot say that it is.
    """
    try:
        os.rename(half, name, src_dir_fd=within, dst_dir_fd=within)
    except OSError:
        remove_quietly(half, within)
        raise
    if durable:
        flush_directory(os.path.dirname(name) or ".", within)


def flush_directory(path: str, within: int | None = None) -> None:
    """Make the names in a directory survive a power cut.

    Raises:
        OSError: they may not.
    """
    if within is not None and path == ".":
        os.fsync(within)
        return
    descriptor = os.open(
        path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=within
    )
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def set_mode(descriptor: int, mode: int) -> None:
    """Give a file the mode it is to have, whatever the umask took away."""
    if os.fstat(descriptor).st_mode & 0o7777 != mode:
        os.fchmod(descriptor, mode)


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte; one write call may take only some of them."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def remove_quietly(name: str, within: int | None = None) -> None:
    """Remove a file if it is there and can be removed."""
    try:
        os.unlink(name, dir_fd=within)
    except OSError:
        return
