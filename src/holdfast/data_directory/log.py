"""What hooks log: what went wrong, redacted, in two files that do not grow; and forced clears."""

import os
import stat
import traceback
from collections.abc import Callable

from holdfast.data_directory.directories import private_directory
from holdfast.domain.text import storable
from holdfast.kernel.clock import SystemClock, iso
from holdfast.kernel.errors import HoldfastError

# A pipe that nobody reads must not hold a hook.
_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK
_MOST_BYTES = 256 * 1024
_MOST_ENTRY = 4_000


def log(
    home: str,
    name: str,
    problem: BaseException | str,
    redact: Callable[[str], str],
) -> None:
    """Write one entry; a log that cannot be written is no reason to fail."""
    if isinstance(problem, HoldfastError):
        text = f"{problem.code}: {problem.message}"  # expected: the place says nothing
    elif isinstance(problem, BaseException):
        text = "".join(traceback.format_exception(problem)).strip()
    else:
        text = problem
    clean = redact(storable(text))[-_MOST_ENTRY:]
    entry = f"{iso(SystemClock().now_ms())} {name}: {clean}\n"
    path = f"{home}/log/hook.log"
    try:
        private_directory(os.path.dirname(path))
        with open(os.open(path, _APPEND, 0o600), "a", encoding="utf-8") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return
            file.write(entry)
            is_full = file.tell() > _MOST_BYTES
        if is_full:
            os.replace(path, f"{path}.1")
    except OSError:
        return


def audit(home: str, entry: str, now_ms: int) -> None:
    """Keep that a guard was passed by force, or held."""
    path = f"{home}/log/audit.log"
    try:
        private_directory(os.path.dirname(path))
        with open(os.open(path, _APPEND, 0o600), "a", encoding="utf-8") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return
            file.write(f"{iso(now_ms)} {entry}\n")
    except OSError:
        return
