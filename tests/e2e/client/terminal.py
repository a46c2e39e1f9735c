"""The real client in a terminal, as people use it: keys in, a screen to look at."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import monotonic

import pyte

from tests.e2e.client.driver import ClientSilent

_ROWS, _COLUMNS = 50, 110
_PATIENCE = 60.0  # seconds until a screen that does not change counts as broken
_HEARD = 3.0  # seconds; twice within one would mean something else to the client
_ENTER, _ESCAPE = "\r", "\x1b"
_PROMPT, _RULE, _BUSY = "❯", "───", "esc to interrupt"


@dataclass(slots=True)
class Terminal:
    """One running client and what its screen shows."""

    process: "subprocess.Popen[bytes]"
    descriptor: int
    _screen: pyte.Screen
    _stream: pyte.ByteStream

    @property
    def shown(self) -> str:
        """The screen's text, line ends and padding taken out."""
        return "\n".join(line.rstrip() for line in self._screen.display).strip()

    @property
    def rows(self) -> list[list[pyte.screens.Char]]:
        """Every row of the screen, sign by sign, with its colours."""
        buffer = self._screen.buffer
        return [[buffer[y][x] for x in range(_COLUMNS)] for y in range(_ROWS)]

    def type(self, text: str) -> None:
        """Type a text where nothing stands yet, wait until it is there, press Enter.

        Not before the turn has ended: the client carries out a `/clear` that comes while
        hooks still run, and then sometimes puts it into the prompt once more.
        """
        self.wait_until(self.is_idle, "idle prompt")
        self.press(text)
        self.wait_until(lambda: self._is_typed(text), f"prompt with `{text}`")
        self.press(_ENTER)

    def is_idle(self) -> bool:
        """Say whether the client waits for a prompt."""
        return self._is_typed("") and _BUSY not in self.shown

    def _is_typed(self, text: str) -> bool:
        """Say whether the prompt, the line below a rule, holds exactly a text."""
        lines = self.shown.replace("\xa0", " ").splitlines()
        typed = f"{_PROMPT} {text}".rstrip()
        return any(
            above.startswith(_RULE) and line.strip() == typed
            for above, line in pairwise(lines)
        )

    def press(self, keys: str) -> None:
        os.write(self.descriptor, keys.encode())

    def wait_for(self, *texts: str) -> str:
        """Wait until the screen shows one of some texts; return the screen."""
        wanted = " or ".join(f"`{text}`" for text in texts)
        self.wait_until(lambda: any(text in self.shown for text in texts), wanted)
        return self.shown

    def dismiss(self, text: str) -> None:
        """Press Escape until a text is gone: a screen may not hear the first one yet."""
        until = monotonic() + _PATIENCE
        while text in self.shown:
            if monotonic() > until:
                raise ClientSilent(f"`{text}` does not go away:\n{self.shown}")
            self.press(_ESCAPE)
            again = monotonic() + _HEARD
            while text in self.shown and monotonic() < again:
                self._read()

    def press_until(self, keys: str, holds: Callable[[], bool], what: str) -> None:
        """Press keys again and again until something holds: a client may not hear the
        first ones yet."""
        until = monotonic() + _PATIENCE
        while not holds():
            if monotonic() > until:
                raise ClientSilent(f"`{what}` was not heard:\n{self.shown}")
            self.press(keys)
            again = monotonic() + _HEARD
            while not holds() and monotonic() < again:
                self._read()

    def wait_for_end(self) -> None:
        """Read until the client is gone, which it may not be while its screen is full."""
        while self._read():
            pass
        self.process.wait(_PATIENCE)

    def wait_until(self, holds: Callable[[], bool], what: str) -> None:
        """Read what the client draws until something holds.

        Raises:
            ClientSilent: it did not come to hold, or the client ended.
        """
        until = monotonic() + _PATIENCE
        while not holds():
            if monotonic() > until or not self._read():
                raise ClientSilent(f"no {what} on the screen:\n{self.shown}")

    def _read(self) -> bool:
        """Draw what came within a moment; say False once the client has ended."""
        ready, _, _ = select.select([self.descriptor], [], [], 0.05)
        if not ready:
            return self.process.poll() is None
        try:
            data = os.read(self.descriptor, 65536)
        except OSError:  # the other side is closed
            return False
        self._stream.feed(data)
        return bool(data)


class _PlainScreen(pyte.Screen):
    """A screen that no sequence breaks: some terminals know more of them."""

    def select_graphic_rendition(self, *attrs: int, **_: bool) -> None:
        super().select_graphic_rendition(*attrs)


@contextmanager
def in_terminal(
    command: Sequence[str], environ: Mapping[str, str], directory: Path
) -> Iterator[Terminal]:
    """Run the client in a terminal of its own until the block ends."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
    screen = _PlainScreen(_COLUMNS, _ROWS)
    with subprocess.Popen(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**environ, "TERM": "xterm-256color"},
        cwd=directory,
        start_new_session=True,
    ) as process:
        os.close(theirs)
        try:
            yield Terminal(process, ours, screen, pyte.ByteStream(screen))
        finally:
            process.kill()
            process.wait()
            os.close(ours)
