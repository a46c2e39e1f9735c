"""Run a program to its end, and have what it says.

What `subprocess.run` does, for a program that gets its input whole and has so many
seconds. That imports threads, signals, selectors and locales, 4 ms at every hook that asks
git; this takes none of them. Whoever talks to a program while it runs takes `subprocess`.
"""

import os
import select
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from time import monotonic, sleep  # noqa: TID251  # nothing tells of the end of a process
from typing import Self

from holdfast.kernel.lazy_tuples import NamedTuple

_BLOCK = 64 * 1024
_KILL = 9
# SIGPIPE and SIGXFSZ, which Python ignores, and a program it starts should not.
_RESTORED = (13, 25)
_SHORTEST_NAP, _LONGEST_NAP = 0.0005, 0.05  # seconds
_MOST_WAIT = 3_600.0


class ProgramEnd(NamedTuple):
    """What a program said. Without a status it took too long, and was ended."""

    status: int | None  # negative: the signal that ended it
    output: bytes = b""
    complaint: bytes = b""


def run_program(
    words: tuple[str, ...],
    environ: Mapping[str, str],
    *,
    stdin: bytes = b"",
    seconds: float = _MOST_WAIT,
) -> ProgramEnd:
    """Run a program by its path, and wait for its end.

    Raises:
        OSError, ValueError: it could not be started.
    """
    until = monotonic() + min(seconds, _MOST_WAIT)
    with _Pipe() as given, _Pipe() as said, _Pipe() as complained:
        actions = [
            (os.POSIX_SPAWN_DUP2, given.reader, 0),
            (os.POSIX_SPAWN_DUP2, said.writer, 1),
            (os.POSIX_SPAWN_DUP2, complained.writer, 2),
        ]
        pid = os.posix_spawn(
            words[0], words, environ, file_actions=actions, setsigdef=_RESTORED
        )
        with _never_left(pid):
            given.close_reader()
            said.close_writer()
            complained.close_writer()
            talk = _Talk(given, stdin, (said, complained))
            if not talk.is_over_by(until):
                return ProgramEnd(None)
            status = _status_by(pid, until)
            return ProgramEnd(status, *talk.heard)


class _Pipe:
    """Both ends of a pipe, each closed once."""

    def __enter__(self) -> Self:
        self.reader, self.writer = os.pipe()
        return self

    def __exit__(self, *_: object) -> None:
        self.close_reader()
        self.close_writer()

    def close_reader(self) -> None:
        if self.reader >= 0:
            os.close(self.reader)
        self.reader = -1

    def close_writer(self) -> None:
        if self.writer >= 0:
            os.close(self.writer)
        self.writer = -1


class _Talk:
    """What is still to be written, and what was heard so far."""

    def __init__(self, given: _Pipe, stdin: bytes, ends: Sequence[_Pipe]) -> None:
        self._given = given
        self._left = memoryview(stdin)
        self._parts: dict[int, list[bytes]] = {end.reader: [] for end in ends}
        self._open = len(self._parts)
        self._waiting = select.poll()
        self.heard: tuple[bytes, ...] = ()

    def is_over_by(self, until: float) -> bool:
        """Write and read until the program has closed its ends; False if it is late."""
        for reader in self._parts:
            self._waiting.register(reader, select.POLLIN)
        if self._left:
            os.set_blocking(self._given.writer, False)
            self._waiting.register(self._given.writer, select.POLLOUT)
        else:
            self._given.close_writer()
        while self._open:
            left = until - monotonic()
            if left <= 0:
                return False
            for end, _ in self._waiting.poll(left * 1000):
                if end == self._given.writer:
                    self._write()
                else:
                    self._read(end)
        self.heard = tuple(map(b"".join, self._parts.values()))
        return True

    def _read(self, end: int) -> None:
        if part := os.read(end, _BLOCK):
            self._parts[end].append(part)
        else:
            self._waiting.unregister(end)
            self._open -= 1

    def _write(self) -> None:
        try:
            self._left = self._left[os.write(self._given.writer, self._left) :]
        except BlockingIOError:
            return
        except BrokenPipeError:  # it wants to hear no more
            self._left = memoryview(b"")
        if not self._left:
            self._waiting.unregister(self._given.writer)
            self._given.close_writer()


@contextmanager
def _never_left(pid: int) -> Iterator[None]:
    """End a program that is still there, whatever happened; a killed one ends at once."""
    try:
        yield
    finally:
        with suppress(ChildProcessError):  # somebody heard of its end already
            if os.waitpid(pid, os.WNOHANG) == (0, 0):
                os.kill(pid, _KILL)
                os.waitpid(pid, 0)


def _status_by(pid: int, until: float) -> int | None:
    """Return the exit status, or None if there is none yet: who has closed its ends may
    still be at work."""
    nap = _SHORTEST_NAP
    while True:
        try:
            ended, status = os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:  # nobody is told how it went
            return 0
        if ended:
            return os.waitstatus_to_exitcode(status)
        left = until - monotonic()
        if left <= 0:
            return None
        sleep(min(nap, left))
        nap = min(nap * 2, _LONGEST_NAP)
