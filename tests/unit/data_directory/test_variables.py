"""The client's file that sources a session's variables: its name is only half believed."""

import os
import shlex
from pathlib import Path

import pytest

from holdfast.data_directory.variables import env_file_of, write_variables
from holdfast.kernel.errors import MetadataUnwritable

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


@pytest.mark.parametrize(
    ("named", "is_believed"),
    [
        pytest.param("claude/session-env/s/hook-0.sh", True, id="the client's own"),
        pytest.param("profile/.bashrc", False, id="the user's shell"),
        pytest.param("claude/CLAUDE.md", False, id="another file of the client"),
        pytest.param("claude/session-env/../CLAUDE.md", False, id="a way around"),
        pytest.param("claude/session-env/link/.bashrc", False, id="a linked directory"),
        pytest.param("claude/session-env/s/\0", False, id="a NUL"),
        pytest.param("", False, id="nothing"),
    ],
)
def test_t07_only_the_clients_own_place_is_believed(
    tmp_path: Path, named: str, *, is_believed: bool
) -> None:
    """A repository can set the variable, and a link leads past `O_NOFOLLOW` above."""
    profile = tmp_path / "profile"
    (tmp_path / "claude" / "session-env" / "s").mkdir(parents=True)
    profile.mkdir()
    (tmp_path / "claude" / "session-env" / "link").symlink_to(profile)
    environ = {"CLAUDE_ENV_FILE": f"{tmp_path}/{named}" if named else ""}

    found = env_file_of(environ, str(tmp_path / "claude"))

    assert found == (f"{tmp_path}/{named}" if is_believed else None)


def test_t07_a_place_of_the_client_that_is_a_link_is_not_believed(
    tmp_path: Path,
) -> None:
    """The directory itself could lead out of the client's."""
    (tmp_path / "claude").mkdir()
    (tmp_path / "profile" / "s").mkdir(parents=True)
    (tmp_path / "claude" / "session-env").symlink_to(tmp_path / "profile")
    environ = {"CLAUDE_ENV_FILE": f"{tmp_path}/claude/session-env/s/hook.sh"}

    assert env_file_of(environ, str(tmp_path / "claude")) is None


def test_variables_that_cannot_be_written_are_an_outcome(tmp_path: Path) -> None:
    """META_001 says which file, and that the checkpoint is kept."""
    (tmp_path / "env").write_text("in the way")

    with pytest.raises(MetadataUnwritable, match="cannot be written") as refused:
        write_variables(str(tmp_path), "s", {"A": "b"}, None)

    assert refused.value.code == "META_001"
    assert "the checkpoint is kept" in refused.value.hint


@pytest.mark.parametrize(
    "value", ["", "/code/here", "it's here", "a b", "$HOME", "né", "~", "a\nb", "'"]
)
def test_a_value_is_one_word_as_the_standard_library_writes_it(
    tmp_path: Path, value: str
) -> None:
    """A shell sources it: nothing in a directory's name may run, and the line that an
    earlier version wrote is found again."""
    write_variables(str(tmp_path), "s", {"CLAUDE_SESSION_CWD": value})

    written = (tmp_path / "env" / "s.sh").read_text("utf-8")

    assert written == f"export CLAUDE_SESSION_CWD={shlex.quote(value)}\n"
