"""A queue in front of writers."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.kernel.locks import Lock

HOLD = """
import fcntl, os, sys
fd = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600)
fcntl.flock(fd, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def within(tmp_path: Path) -> Iterator[int]:
    descriptor = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    yield descriptor
    os.close(descriptor)


@pytest.fixture
def holder(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    """Another process that holds the lock until it is told to let go."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path / "lock")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_one_at_a_time(within: int) -> None:
    """What happens inside happens alone."""
    inside = 0
    worst = 0

    def work() -> None:
        nonlocal inside, worst
        for _ in range(20):
            with Lock("lock", within, patience=30).held():
                inside += 1
                worst = max(worst, inside)
                inside -= 1

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert worst == 1


@pytest.mark.parametrize("patience", [0.0, 0.05])
@pytest.mark.process
def test_patience_ends(
    within: int, holder: "subprocess.Popen[str]", patience: float
) -> None:
    """A process that hangs must not make all others hang."""
    assert holder.poll() is None

    with (
        pytest.raises(TimeoutError, match="was held"),
        Lock("lock", within, patience).held(),
    ):
        pass


@pytest.mark.process
def test_who_gave_up_does_not_get_it_later(
    within: int, holder: "subprocess.Popen[str]"
) -> None:
    """A waiter left behind passes the lock on instead of keeping it."""
    with pytest.raises(TimeoutError), Lock("lock", within, 0.05).held():
        pass

    holder.kill()
    holder.wait()

    for _ in range(3):
        with Lock("lock", within, patience=30).held():
            pass


@pytest.mark.process
def test_a_waiter_gets_it_when_the_holder_dies(
    within: int, holder: "subprocess.Popen[str]"
) -> None:
    """The kernel frees what a killed process held."""
    got_it = threading.Event()

    def wait() -> None:
        with Lock("lock", within, patience=30).held():
            got_it.set()

    waiter = threading.Thread(target=wait)
    waiter.start()
    assert not got_it.is_set()

    holder.kill()
    waiter.join()

    assert got_it.is_set()


def test_an_error_inside_lets_go(within: int) -> None:
    """The next writer must not pay for it."""
    with pytest.raises(ValueError, match="inside"), Lock("lock", within, 0).held():
        raise ValueError("inside")

    with Lock("lock", within, patience=0).held():
        pass
