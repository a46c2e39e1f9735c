"""Whoever breaks things in a child waits for everything that the child left behind."""

import ctypes
import os
from pathlib import Path

from tests.faults.families import forked, wait_for_all

_ADOPTS = 37  # PR_GET_CHILD_SUBREAPER


def _leave_somebody_behind(file: Path) -> None:
    """Die at once; a grandchild in a session of its own writes after that."""
    reader, writer = os.pipe()
    if os.fork():
        os._exit(7)
    os.setsid()
    os.close(writer)
    os.read(reader, 1)  # until nobody else has the other end
    file.write_text("done", encoding="ascii")
    os._exit(0)


def test_what_left_the_group_is_waited_for_and_no_zombie_stays(tmp_path: Path) -> None:
    """A hook's finisher leaves its group, and goes on writing."""
    file = tmp_path / "written"
    before = _children()  # of other tests in this process

    status = wait_for_all(forked(lambda: _leave_somebody_behind(file)))

    assert os.waitstatus_to_exitcode(status) == 7
    assert file.read_text(encoding="ascii") == "done"
    assert _children() <= before


def _children() -> set[str]:
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())


def test_orphans_of_others_are_not_ours_afterwards() -> None:
    """Or every later test in this process would collect strangers that nobody reaps."""
    wait_for_all(forked(lambda: os._exit(0)))

    adopts = ctypes.c_int(7)
    ctypes.CDLL(None).prctl(_ADOPTS, ctypes.byref(adopts), 0, 0, 0)
    assert adopts.value == 0
