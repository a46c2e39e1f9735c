"""Processes: what hooks ask of the machine."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.data_directory.processes import SystemProcesses, programs_above


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


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="there is no /proc")
def test_the_programs_above_are_called_by_their_own_names(tmp_path: Path) -> None:
    """A client that Node runs is its script; a word that another program got is none."""
    for name in ("node", "su"):
        (tmp_path / name).symlink_to("/bin/sh")
    told = tmp_path / "gemini"
    told.write_text("sleep 60 & echo $!; wait\n")

    def above(program: str) -> frozenset[str]:
        call = [str(tmp_path / program), str(told)]
        with subprocess.Popen(call, stdout=subprocess.PIPE, text=True) as client:
            assert client.stdout
            child = int(client.stdout.readline())
            found = programs_above(child)
            os.kill(child, 9)
        return found

    assert {"node", "gemini"} <= above("node")
    assert "gemini" not in above("su")
    assert programs_above(2**30) == frozenset()
