"""Run something in a child process in which one system call fails, or is its last.

The parent imports everything once and forks a child per point. strace attaches to the
child before it begins, so the count of calls starts with the work: no interpreter start,
no imports. strace counts each call by itself, so a point is (call, how often it was made).
"""

import fcntl
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import pytest

from tests.faults.families import forked, wait_for_all
from tests.missing import without

CALLS = (
    *("openat", "write", "pwrite64", "fsync", "fdatasync", "ftruncate"),
    *("rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat"),
    *("mkdir", "mkdirat"),
)
KILL = "signal=SIGKILL"
FAULTS = (KILL, "error=EIO", "error=ENOSPC")
_ATTACHED = "attached"
_SET_PIPE_SIZE = 1031  # F_SETPIPE_SZ, which the module does not name
Work = Callable[[], int]


class Ended(NamedTuple):
    """How a child ended, what it said, and whether the fault was reached."""

    status: int | None  # None: killed
    out: str
    err: str
    struck: bool


def need_strace() -> None:
    """Skip where calls cannot be made to fail."""
    if shutil.which("strace") is None:
        without("there is no strace here")
    child = _Child(lambda: 0)
    tracer = _tracer(child.pid, os.devnull, "trace=fsync")
    attached = _is_attached(tracer)
    child.go()
    child.ended()
    tracer.communicate()
    if not attached:
        pytest.skip("this machine lets nobody trace a process")


def calls_of(work: Work) -> Counter[str]:
    """Return how often `work` makes each call that can be made to fail."""
    with tempfile.NamedTemporaryFile("r", encoding="utf-8", errors="replace") as log:
        ended = _traced(work, log.name, f"trace={','.join(f'?{c}' for c in CALLS)}")
        assert ended.status is not None, "the work itself was killed"
        names = re.findall(r"^(\w+)\(", log.read(), re.MULTILINE)
    return Counter(name for name in names if name in CALLS)


def strike(work: Work, call: str, fault: str, at: int) -> Ended:
    """Run `work` with a fault in the nth such call it makes."""
    with tempfile.NamedTemporaryFile("r", encoding="utf-8", errors="replace") as log:
        rules = (f"trace={call}", f"inject={call}:{fault}:when={at}")
        ended = _traced(work, log.name, *rules)
        struck = ended.status is None or "INJECTED" in log.read()
    return ended._replace(struck=struck)


def write_short(work: Work, at: int) -> Ended:
    """Run `work` with the nth write of ours taking half of the bytes it was given.

    strace could only claim that: it would not write the half.
    """
    reader, writer = os.pipe()

    def shortened() -> int:
        write, done = os.write, 0

        def short(descriptor: int, data: bytes) -> int:
            nonlocal done
            done += 1
            if done != at or len(data) <= 1:
                return write(descriptor, data)
            write(writer, b"!")
            return write(descriptor, bytes(data)[: len(data) // 2])

        os.write = short  # type: ignore[assignment]  # the same for bytes and their views
        return work()

    ended = run_alone(shortened)
    os.close(writer)
    with os.fdopen(reader, "rb") as told:
        return ended._replace(struck=bool(told.read()))


def run_limited(work: Work, limit: int, most: int) -> Ended:
    """Run `work` with a resource limit (`resource.RLIMIT_…`) set for it alone."""
    import resource  # noqa: PLC0415  # not on every system

    def limited() -> int:
        os.closerange(3, 4096)  # what the parent has open does not count
        resource.setrlimit(limit, (most, resource.getrlimit(limit)[1]))
        return work()

    return run_alone(limited)


def run_alone(work: Work) -> Ended:
    """Run `work` in a child, undisturbed."""
    child = _Child(work)
    child.go()
    return child.ended()


class _Child:
    """A process that waits until it may begin; what it says goes to pipes."""

    def __init__(self, work: Work) -> None:
        self._begin, self._go = os.pipe()
        self._out, out = _wide_pipe()
        self._err, err = _wide_pipe()
        self.pid = forked(lambda: self._live(work, out, err))
        for descriptor in (self._begin, out, err):
            os.close(descriptor)

    def _live(self, work: Work, out: int, err: int) -> None:
        for descriptor in (self._go, self._out, self._err):
            os.close(descriptor)
        _live(work, self._begin, out, err)

    def go(self) -> None:
        os.write(self._go, b"!")

    def ended(self) -> Ended:
        state = wait_for_all(self.pid)
        status = os.WEXITSTATUS(state) if os.WIFEXITED(state) else None
        os.close(self._go)
        return Ended(status, _all_of(self._out), _all_of(self._err), struck=False)


def _wide_pipe() -> tuple[int, int]:
    """Make a pipe that holds whatever a command says, so that nobody need read yet."""
    reader, writer = os.pipe()
    fcntl.fcntl(writer, _SET_PIPE_SIZE, 1 << 20)
    return reader, writer


def _all_of(reader: int) -> str:
    with open(reader, encoding="utf-8", errors="replace") as said:
        return said.read()


def _live(work: Work, begin: int, out: int, err: int) -> None:
    status = 99
    try:
        for descriptor, stream in ((out, 1), (err, 2)):
            os.dup2(descriptor, stream)
            os.close(descriptor)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115  # ends with us
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115  # the same
        os.read(begin, 1)
        status = work()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def _traced(work: Work, log: str, *rules: str) -> Ended:
    child = _Child(work)
    tracer = _tracer(child.pid, log, *rules)
    assert _is_attached(tracer)
    child.go()
    ended = child.ended()
    tracer.communicate()
    return ended


def _tracer(pid: int, log: str, *rules: str) -> "subprocess.Popen[str]":
    wanted = [word for rule in rules for word in ("-e", rule)]
    return subprocess.Popen(
        ["strace", "-o", log, "-s", "1", *wanted, "-p", str(pid)],
        stderr=subprocess.PIPE,
        text=True,
    )


def _is_attached(tracer: "subprocess.Popen[str]") -> bool:
    assert tracer.stderr is not None
    return _ATTACHED in tracer.stderr.readline()
