"""The client's file that sources a session's variables: its name is only half believed."""

import os
from pathlib import Path

import pytest

from holdfast.machine.variables import write_variables

_MOST = 1_000_000


def _written(root: Path, env_file: Path) -> str:
    home = root / "holdfast"
    write_variables(str(home), "s", {"A": "b"}, str(env_file))
    path = home / "env" / "s.sh"
    assert path.read_text() == "export A=b\n"
    return f"[ ! -r {path} ] || . {path}\n"


@pytest.mark.parametrize("before", [None, "", "export OTHER=1\n"])
def test_the_clients_file_sources_ours_once(tmp_path: Path, before: str | None) -> None:
    """Each save comes by here, and other hooks write there, too."""
    env_file = tmp_path / "session-env" / "hook.sh"
    if before is not None:
        env_file.parent.mkdir()
        env_file.write_text(before)

    _written(tmp_path, env_file)
    line = _written(tmp_path, env_file)

    assert env_file.read_text() == (before or "") + line


@pytest.mark.parametrize("exists", [True, False])
def test_nothing_is_written_where_a_link_leads(tmp_path: Path, *, exists: bool) -> None:
    """A repository could have a line added to the user's own shell profile."""
    profile, env_file = tmp_path / "profile", tmp_path / "hook.sh"
    if exists:
        profile.write_text("alias ll=ls\n")
    env_file.symlink_to(profile)

    _written(tmp_path, env_file)

    assert profile.exists() == exists
    assert not exists or profile.read_text() == "alias ll=ls\n"


def test_a_pipe_is_neither_waited_for_nor_written_to(tmp_path: Path) -> None:
    """A hook that opens it would hang until a writer comes."""
    pipe = tmp_path / "hook.sh"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    _written(tmp_path, pipe)
    heard = os.read(reader, 100)
    os.close(reader)

    assert heard == b""


def test_a_file_too_large_to_be_the_clients_is_left_alone(tmp_path: Path) -> None:
    """Reading all of it would cost each event."""
    env_file = tmp_path / "hook.sh"
    env_file.write_text("x" * (_MOST + 1))

    _written(tmp_path, env_file)

    assert env_file.stat().st_size == _MOST + 1
