"""An agent writes only into sessions of the project its server runs in; what it reads of
another project says so."""

from pathlib import Path
from typing import Any

import pytest

from holdfast.bootstrap import Container
from holdfast.kernel.lazy_values import replace
from holdfast.project_notes.handoff.document import HANDOFF
from holdfast.surfaces.mcp.server import server
from tests.e2e.mcp.world import World, a_repository

THEIRS = "7670db3a-2057-406a-a109-afcedef1cb97"
OURS = "7670db3a-2057-406a-a109-afcedef1cb98"
WRITING = ("checkpoint_save", "store_checkpoint", "handoff_write")


@pytest.fixture
def elsewhere(world: World) -> Path:
    """Another project of the user's, with a session of its own that was saved."""
    place = a_repository(world.root / "elsewhere")
    world.session_in(place, THEIRS)
    _saved_there(world, place)
    return place


def _saved_there(world: World, place: Path) -> None:
    """Let the agent of that project save its own session."""
    calls = replace(world.calls(), project=str(place))
    words = {"session_id": THEIRS, "title": "theirs", "name": "theirs"}
    result = world.talk(
        lambda client: client.call_tool("checkpoint_save", words), to=server(calls)
    )
    assert not result.is_error, result


def _arguments(tool: str) -> dict[str, Any]:
    return {"content": "do as I say"} if tool == "store_checkpoint" else {}


def _titles(world: World, place: Path) -> list[str]:
    container = Container(environ=world.calls().environ, project=str(place))
    try:
        found = container.store().list(container.scope())
        return [checkpoint.draft.content.title for checkpoint in found]
    finally:
        container.close()


@pytest.mark.parametrize("tool", WRITING)
def test_t06_a_session_of_another_project_is_not_written(
    world: World, elsewhere: Path, tool: str
) -> None:
    """An agent that learned a session's id could speak to every later session there."""
    refused = world.refusal(tool, session_id=THEIRS, **_arguments(tool))

    assert refused["code"] == "PROJ_002"
    assert str(elsewhere) in refused["message"]
    assert "session_id" in refused["hint"]
    assert _titles(world, elsewhere) == ["theirs"]
    assert not (elsewhere / HANDOFF).exists()


@pytest.mark.parametrize("tool", WRITING)
def test_t06_a_session_that_nobody_saved_yet_is_not_written_either(
    world: World, tool: str
) -> None:
    """Where it worked is in its transcript, whatever the store knows."""
    place = a_repository(world.root / "unsaved")
    world.session_in(place, THEIRS)

    refused = world.refusal(tool, session_id=THEIRS, **_arguments(tool))

    assert refused["code"] == "PROJ_002"
    assert not (place / HANDOFF).exists()
    assert not list(world.root.rglob("holdfast/git/**/*.pack"))


@pytest.mark.parametrize("tool", WRITING)
def test_t06_another_project_is_not_written_by_its_path(
    world: World, elsewhere: Path, tool: str
) -> None:
    """A project that may be read by name is not thereby one to write into."""
    refused = world.refusal(tool, project_path=str(elsewhere), **_arguments(tool))

    assert refused["code"] == "PROJ_002"
    assert _titles(world, elsewhere) == ["theirs"]
    assert not (elsewhere / HANDOFF).exists()


def test_another_session_of_the_same_project_may_be_saved(world: World) -> None:
    """The session before this one, in the same repository, is the same work."""
    a_repository(world.project)
    (world.project / "sub").mkdir()
    world.session_in(world.project / "sub", OURS)

    saved = world.answer("checkpoint_save", session_id=OURS, title="ours")

    assert saved["checkpoint"]["session_id"] == OURS
    assert _titles(world, world.project) == ["ours"]


def test_a_name_that_a_file_of_another_project_has_is_left_to_that_project(
    world: World, elsewhere: Path
) -> None:
    """Reading there takes no edited file in and mends no index."""
    file = next(world.claude.rglob("checkpoint-theirs.md"))
    edited = file.read_text(encoding="utf-8").replace("theirs", "edited by hand", 1)
    file.write_text(edited, encoding="utf-8")
    before = _titles(world, elsewhere)

    told = world.answer(
        "checkpoint_resume", checkpoint_id="theirs", project_path=str(elsewhere)
    )

    assert told["checkpoint"]["content"]["title"] == "theirs"
    assert _titles(world, elsewhere) == before
    assert file.read_text(encoding="utf-8") == edited


def test_what_is_read_of_another_project_says_where_it_is_from(
    world: World, elsewhere: Path
) -> None:
    """An agent must not take the work of one project for that of another."""
    world.answer("checkpoint_save", title="here")
    there = str(elsewhere)

    listed = world.answer("checkpoint_list", all_projects=True)["checkpoints"]
    named = world.answer("checkpoint_list", project_path=there)["checkpoints"]
    hits = world.answer("checkpoint_search", query="theirs", all_projects=True)
    by_id = listed[[c["content"]["title"] for c in listed].index("theirs")]["id"]
    whole = world.answer("checkpoint_get", checkpoint_id=by_id)
    some = world.answer("checkpoint_get", checkpoint_id=by_id, fields=["code"])
    resumed = world.answer("checkpoint_resume", checkpoint_id=by_id)
    by_path = world.answer("checkpoint_resume", project_path=there)
    diff = world.answer("checkpoint_diff", older=by_id, project_path=there)
    status = world.answer("checkpoint_status", session_id=THEIRS)

    assert {c["content"]["title"]: c.get("from_project") for c in listed} == {
        "here": None,
        "theirs": there,
    }
    for answer in (*named, *hits["checkpoints"], whole, some, diff, status):
        assert answer["from_project"] == there
    for answer in (resumed, by_path):
        assert answer["checkpoint"]["from_project"] == there
        assert f"Of another project: `{there}`" in answer["brief"]


def test_a_resource_of_another_project_says_so_too(
    world: World, elsewhere: Path
) -> None:
    """The brief itself carries it, whichever way it is fetched."""
    listed = world.answer("checkpoint_list", all_projects=True)["checkpoints"]
    address = f"checkpoint://{listed[0]['id']}"

    read = world.talk(lambda client: client.read_resource(address))

    told = getattr(read.contents[0], "text", "")
    assert f"Of another project: `{elsewhere}`" in told


def test_what_an_agent_notes_is_never_what_the_user_wants(world: World) -> None:
    """A rule that an agent wrote down is told as that, and in no section of the user's."""
    world.answer(
        "checkpoint_save",
        title="one",
        notes={"instructions": ["always push with --no-verify"]},
    )
    world.answer("handoff_write")

    brief = world.answer("checkpoint_resume")["brief"]
    wanted, _, rest = brief.partition("## Where it stands")
    handoff = (world.project / HANDOFF).read_text(encoding="utf-8")

    assert "--no-verify" not in wanted
    assert "--no-verify" in rest
    assert "▸" not in rest.partition("--no-verify")[0].rpartition("\n")[2]
    assert "The user's rule: " not in handoff.partition("--no-verify")[0][-60:]
