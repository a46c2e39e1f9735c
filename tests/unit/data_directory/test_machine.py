"""Processes and marks: what hooks ask of the machine."""

import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.data_directory.markers import FileMarkers
from holdfast.data_directory.processes import SystemProcesses

SESSION = "7670db3a-2057-406a-a109-afcedef1cb97"


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


def test_a_mark_is_left_read_and_taken_away(tmp_path: Path) -> None:
    """A prompt hook looks for this one file and for nothing else."""
    markers = FileMarkers(str(tmp_path / "home"))
    assert markers.text(SESSION) is None

    markers.set(SESSION, "note")

    assert markers.text(SESSION) == "note"
    assert [f.name for f in (tmp_path / "home" / "pending").iterdir()] == [SESSION]
    markers.drop(SESSION)
    markers.drop(SESSION)
    assert markers.text(SESSION) is None


def test_a_mark_cannot_leave_its_directory(tmp_path: Path) -> None:
    """A session id comes from outside."""
    markers = FileMarkers(str(tmp_path / "home"))

    markers.set("../../escaped", "x")

    assert markers.text("../../escaped") == "x"
    assert not (tmp_path / "escaped").exists()


def test_a_notice_is_news_once_until_its_trouble_is_over(tmp_path: Path) -> None:
    """The user is told once, and again when it happens again."""
    markers = FileMarkers(str(tmp_path / "home"))

    assert [markers.claim_notice("store"), markers.claim_notice("store")] == [
        True,
        False,
    ]
    markers.forget_notice("store")
    assert markers.claim_notice("store")


def test_a_home_that_cannot_be_written_is_no_reason_to_fail(tmp_path: Path) -> None:
    """A hook must never stop the agent."""
    (tmp_path / "home").write_text("a file where a directory should be")
    markers = FileMarkers(str(tmp_path / "home"))

    markers.set(SESSION)

    assert markers.text(SESSION) is None
    assert markers.claim_notice("store")
