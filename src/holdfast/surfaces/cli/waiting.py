"""A sign of life for whoever waits more than a second at a terminal."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.surfaces.cli.output import Output

if TYPE_CHECKING:
    from rich.status import Status

PATIENCE = 1.0  # seconds: below that, a spinner is only a flicker


@contextmanager
def spinner(output: Output, doing: str, after: float = PATIENCE) -> Iterator[None]:
    """Show what is being done once it takes longer than `after` seconds."""
    if output.json or output.quiet or not output.stderr.isatty():
        yield
        return
    shown = _Spinner(output, doing)
    timer = threading.Timer(after, shown.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        shown.stop()


class _Spinner:
    """Started by a timer and stopped by the command, in either order."""

    def __init__(self, output: Output, doing: str) -> None:
        self._output = output
        self._doing = doing
        self._lock = threading.Lock()
        self._status: Status | None = None
        self._is_over = False

    def start(self) -> None:
        from rich.console import Console

        with self._lock:
            if not self._is_over:
                console = Console(file=self._output.stderr)
                self._status = console.status(f"{self._doing} …")
                self._status.start()

    def stop(self) -> None:
        with self._lock:
            self._is_over = True
            if self._status is not None:
                self._status.stop()
