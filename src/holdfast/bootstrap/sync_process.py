"""The background process that sends checkpoints to others; no save waits for it.

It is this program again, told to send what is due. A hook starts it, too, so that nothing
is imported here that only the other process needs.
"""

from __future__ import annotations

import os
import select
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.bootstrap import Container

# A repository can set the environment that a hook hands on: as in the script a client
# starts, no module of the working directory, no PYTHON… variable and no HOME with packages
# is heeded. So a package installed for one user is named by its place.
_ALONE = ("-E", "-P", "-s")
_PLACE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_PROGRAM = (
    f"import sys; sys.path.append({_PLACE!r}); "
    "from holdfast.surfaces.cli.main import start; start()"
)
_TOLD = 3  # the descriptor that ends with the process
started: list[int] = []  # processes of this one that may have ended


def start_sync(container: Container) -> None:
    """Have another process send what is due; wait for it only if the user wants to see.

    Whatever prevents that, the save before it is kept, and the next one tries again.
    """
    for pid in started[:]:
        with suppress(OSError):
            if os.waitpid(pid, os.WNOHANG) == (0, 0):
                continue
        started.remove(pid)
    with suppress(OSError):
        _start(dict(container.environ), container.sync_patience)


def _start(environ: dict[str, str], patience: float) -> None:
    words = (sys.executable, *_ALONE, "-c", _PROGRAM, "--quiet", "sync", "--due")
    reader, writer = os.pipe()
    try:
        quiet = [(os.POSIX_SPAWN_OPEN, n, os.devnull, os.O_RDWR, 0) for n in (0, 1, 2)]
        actions = [*quiet, (os.POSIX_SPAWN_DUP2, writer, _TOLD)]
        pid = os.posix_spawn(
            words[0], words, environ, file_actions=actions, setsid=True
        )
        started.append(pid)
    finally:
        os.close(writer)
        if patience > 0:
            select.select([reader], [], [], patience)
        os.close(reader)
