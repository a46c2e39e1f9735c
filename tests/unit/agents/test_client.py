"""The client's memory of a project: where it is, whether it is read, what may go."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from holdfast.agents.claude_code.memory import (
    ClaudeMemory,
    claude_memory,
)
from holdfast.kernel.errors import FileRefused


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


def test_without_the_client_there_is_no_memory(tmp_path: Path) -> None:
    """Nothing of another program's is created where that program is not used."""
    found = claude_memory(
        str(tmp_path / "none"), "/p", workspace="/p", user_home="/h", environ={}
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


def test_a_file_goes_only_with_leave(client: Path) -> None:
    """Who decides sees the text as it is at that moment."""
    memory = _memory(client, Path("/p"))
    memory.change("a.md", lambda _: "text\n")
    asked: list[str] = []

    def no(text: str) -> bool:
        asked.append(text)
        return False

    stays = memory.remove("a.md", no)
    goes = memory.remove("a.md", lambda _: True)
    again = memory.remove("a.md", lambda _: True)

    assert (stays, goes, again) == (False, True, False)
    assert asked == ["text\n"]
    assert memory.names() == ()


def test_a_file_that_changes_meanwhile_stays(client: Path) -> None:
    """An editor knows no lock: what it wrote last was never kept anywhere."""
    memory = _memory(client, Path("/p"))
    memory.change("a.md", lambda _: "text\n")
    path = Path(memory.directory) / "a.md"

    gone = memory.remove("a.md", lambda _: bool(path.write_text("new\n", "utf-8")))

    assert gone is False
    assert path.read_text(encoding="utf-8") == "new\n"


def test_a_symbolic_link_is_neither_read_nor_removed(
    client: Path, tmp_path: Path
) -> None:
    """What it points to belongs to somebody else."""
    memory = _memory(client, Path("/p"))
    memory.change("a.md", lambda _: "text\n")
    target = tmp_path / "precious.md"
    target.write_text("precious\n", encoding="utf-8")
    (Path(memory.directory) / "link.md").symlink_to(target)

    with pytest.raises(FileRefused):
        memory.remove("link.md", lambda _: True)
    with pytest.raises(FileRefused):
        memory.read("link.md")

    assert memory.names() == ("a.md",)
    assert target.read_text(encoding="utf-8") == "precious\n"


def test_t07_nothing_is_written_through_a_linked_directory(
    client: Path, tmp_path: Path
) -> None:
    """A link on the way would lead our file into somebody else's directory."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (client / "projects").mkdir()
    (client / "projects" / "-p").symlink_to(elsewhere)
    memory = _memory(client, Path("/p"))

    with pytest.raises(FileRefused):
        memory.change("a.md", lambda _: "text\n")

    assert list(elsewhere.iterdir()) == []


def test_a_plan_is_read_from_the_client_or_the_project_only(
    client: Path, tmp_path: Path
) -> None:
    """A record may name any path; only these two places hold plans."""
    project = tmp_path / "project"
    for root in (client, project, tmp_path / "other"):
        (root / "plans").mkdir(parents=True)
        (root / "plans" / "p.md").write_text("1. a\n", encoding="utf-8")
    memory = _memory(client, project)

    assert memory.plan(f"{client}/plans/p.md") == "1. a\n"
    assert memory.plan("~/.claude/plans/p.md") == "1. a\n"
    assert memory.plan(f"{project}/plans/p.md") == "1. a\n"
    assert memory.plan(f"{tmp_path}/other/plans/p.md") is None
    assert memory.plan(f"{project}/../other/plans/p.md") is None
    assert memory.plan(f"{client}/plans/none.md") is None
