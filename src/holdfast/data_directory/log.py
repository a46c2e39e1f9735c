"""What hooks log: what went wrong, redacted, in two files that do not grow; and forced clears."""

import os
import traceback
from collections.abc import Callable

from holdfast.domain.text import storable
from holdfast.kernel.clock import SystemClock, iso
from holdfast.kernel.directories import make_own_directory
from holdfast.kernel.errors import HoldfastError
from holdfast.kernel.files import append_to

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
        make_own_directory(os.path.dirname(path))
        if append_to(path, entry.encode()) > _MOST_BYTES:
            os.replace(path, f"{path}.1")
    except OSError:
        return


def audit(home: str, entry: str, now_ms: int) -> None:
    """Keep that a guard was passed by force, or held."""
    path = f"{home}/log/audit.log"
    try:
        make_own_directory(os.path.dirname(path))
        append_to(path, f"{iso(now_ms)} {entry}\n".encode())
    except OSError:
        return
