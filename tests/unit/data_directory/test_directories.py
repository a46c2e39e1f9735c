"""Whoever writes first makes the data directory, and makes it for its owner only."""

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from holdfast.bootstrap.bug_reports import write_bug_report
from holdfast.data_directory.markers import FileMarkers
from holdfast.data_directory.plain_files import audit, log
from holdfast.data_directory.requests import DirectoryRequests
from holdfast.data_directory.variables import write_variables
from holdfast.domain.client import EndRequest
from holdfast.kernel.errors import MetadataUnwritable

_REQUEST = EndRequest(
    key="k", session_id="s", transcript="t", directory="d", type="auto", trigger="exit"
)


def _reported(home: str) -> None:
    write_bug_report("text", "17", {"HOLDFAST_HOME": home, "HOME": home})


def _for_a_shell(home: str) -> None:
    with suppress(MetadataUnwritable):
        write_variables(home, "s", {}, None)


FIRST_WRITERS = [
    pytest.param(lambda home: log(home, "Stop", "words", str), "log", id="the log"),
    pytest.param(lambda home: FileMarkers(home).set("s"), "pending", id="a mark"),
    pytest.param(
        lambda home: FileMarkers(home).claim_notice("n"), "notices", id="a notice"
    ),
    pytest.param(_for_a_shell, "env", id="a shell"),
    pytest.param(lambda home: audit(home, "entry", 0), "log", id="the audit"),
    pytest.param(
        lambda home: DirectoryRequests(f"{home}/requests").add(_REQUEST),
        "requests",
        id="a request",
    ),
    pytest.param(_reported, "log", id="a bug report"),
]


@pytest.mark.parametrize(("write", "name"), FIRST_WRITERS)
def test_the_first_to_write_makes_directories_for_their_owner_only(
    tmp_path: Path, write: Callable[[str], object], name: str
) -> None:
    """A hook that fails before there is a store must not open the data to others."""
    home = tmp_path / "share" / "holdfast"
    before = os.umask(0o022)

    try:
        write(str(home))
    finally:
        os.umask(before)

    modes = {stat.S_IMODE(p.stat().st_mode) for p in (home.parent, home, home / name)}
    assert modes == {0o700}
    assert list((home / name).iterdir())


@pytest.mark.parametrize(("write", "name"), FIRST_WRITERS[:5])
def test_nothing_is_written_through_a_link(
    tmp_path: Path, write: Callable[[str], object], name: str
) -> None:
    """A directory that somebody put a link in place of leads somewhere else."""
    home, elsewhere = tmp_path / "holdfast", tmp_path / "elsewhere"
    home.mkdir()
    elsewhere.mkdir()
    (home / name).symlink_to(elsewhere)

    write(str(home))

    assert list(elsewhere.iterdir()) == []


def test_a_data_directory_behind_a_link_is_the_users_choice(tmp_path: Path) -> None:
    """People move their data to a larger disk and leave a link."""
    (tmp_path / "disk").mkdir()
    (tmp_path / "holdfast").symlink_to(tmp_path / "disk")

    FileMarkers(str(tmp_path / "holdfast")).set("s", "text")

    assert FileMarkers(str(tmp_path / "disk")).text("s") == "text"
