"""The client's memory of a project: where it is, and whether it is read."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from holdfast.agents.claude_code.memory import (
    ClaudeMemory,
    claude_memory,
)


@pytest.fixture
def client(tmp_path: Path) -> Path:
    directory = tmp_path / "claude"
    directory.mkdir()
    return directory


def _memory(
    client: Path, project: Path, environ: Mapping[str, str] | None = None
) -> ClaudeMemory:
    found = claude_memory(
        str(client),
        str(project),
        workspace=str(project),
        user_home=str(client.parent),
        environ=environ or {},
    )
    assert found is not None
    return found


def _says(path: Path, **settings: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(settings), encoding="utf-8")


def test_the_place_is_the_clients_own_for_the_project(client: Path) -> None:
    """Every character that is no letter or digit becomes a dash, as the client does it."""
    memory = _memory(client, Path("/code/my.shop_2"))

    assert memory.directory == f"{client}/projects/-code-my-shop-2/memory"


def test_a_long_path_is_found_where_the_client_made_it(client: Path) -> None:
    """Its name ends in a hash of the client's own, which is not ours to compute."""
    project = Path("/" + "a" * 250)
    made = client / "projects" / ("-" + "a" * 199 + "-k3x9")
    made.mkdir(parents=True)

    assert _memory(client, project).directory == f"{made}/memory"


def test_no_place_is_guessed_for_a_long_path(client: Path) -> None:
    """A file in the wrong place would never be read, and never be cleaned up."""
    path = "/" + "a" * 250

    found = claude_memory(
        str(client), path, workspace=path, user_home="/home/me", environ={}
    )

    assert found is None


@pytest.mark.parametrize("setting", ["~/notes/claude", "{tmp}/notes/claude"])
def test_the_users_settings_may_move_it(client: Path, setting: str) -> None:
    """`autoMemoryDirectory`, absolute or from the home directory."""
    given = setting.replace("{tmp}", str(client.parent))
    _says(client / "settings.json", autoMemoryDirectory=given)

    memory = _memory(client, Path("/p"))
    memory.change("MEMORY.md", lambda _: "x\n")

    assert memory.directory == f"{client.parent}/notes/claude"
    assert (client.parent / "notes/claude/MEMORY.md").read_text("utf-8") == "x\n"


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_a_repository_cannot_move_it(client: Path, tmp_path: Path, name: str) -> None:
    """A stranger's repository must not choose which directory we write to."""
    project = tmp_path / "project"
    _says(project / ".claude" / name, autoMemoryDirectory=str(tmp_path / "evil"))

    memory = _memory(client, project)

    assert memory.directory.startswith(f"{client}/projects/")


@pytest.mark.parametrize(
    ("own", "projects", "variable", "expected"),
    [
        pytest.param(None, None, "", True, id="by default"),
        pytest.param(False, None, "", False, id="off by the user"),
        pytest.param(None, False, "", False, id="off by the project"),
        pytest.param(False, True, "", False, id="a project cannot turn it on"),
        pytest.param(None, None, "1", False, id="off by the environment"),
        pytest.param(False, None, "0", True, id="on by the environment"),
    ],
)
def test_the_index_is_read_only_where_auto_memory_is_on(
    client: Path,
    tmp_path: Path,
    own: object,
    projects: object,
    variable: str,
    expected: object,
) -> None:
    """An index that nobody reads is a file that nobody asked for."""
    project = tmp_path / "project"
    _says(client / "settings.json", autoMemoryEnabled=own)
    _says(project / ".claude" / "settings.json", autoMemoryEnabled=projects)

    memory = _memory(client, project, {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": variable})

    assert memory.is_indexed is expected


def test_settings_that_are_no_json_are_none(client: Path) -> None:
    """The client's files are the client's; a broken one must not break a save."""
    (client / "settings.json").write_text("{not json", encoding="utf-8")

    assert _memory(client, Path("/p")).is_indexed


@pytest.mark.timeout(10)
def test_a_pipe_for_settings_does_not_hold_us_up(client: Path, tmp_path: Path) -> None:
    """A repository can contain anything by the time we look at it."""
    settings = tmp_path / "project" / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    os.mkfifo(settings)

    assert _memory(client, tmp_path / "project").is_indexed


def test_a_plan_may_be_named_from_the_users_home(client: Path) -> None:
    """The client writes its own plans down that way."""
    (client / "plans").mkdir()
    (client / "plans" / "p.md").write_text("1. a\n", encoding="utf-8")

    assert _memory(client, Path("/p")).plan("~/.claude/plans/p.md") == "1. a\n"
