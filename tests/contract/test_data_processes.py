"""Processes: what hooks ask of the machine."""

import subprocess
import sys

import pytest

from holdfast.data_directory.processes import SystemProcesses


def test_a_process_is_the_same_as_long_as_it_lives() -> None:
    """Two looks at one process agree; a process that ended is gone."""
    processes = SystemProcesses()
    with subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE
    ) as child:
        first, again = processes.started(child.pid), processes.started(child.pid)
        child.communicate(b"\n")

    assert first is not None
    assert first == again
    assert processes.started(child.pid) is None


@pytest.mark.parametrize("pid", [0, 1, -4, 2**30], ids=str)
def test_what_is_no_client_has_no_start(pid: int) -> None:
    """An orphan's parent is the first process: that is nobody's client."""
    assert SystemProcesses().started(pid) is None
