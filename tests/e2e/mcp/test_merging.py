"""`checkpoint_merge` through the official client: what an agent may bring together."""

from pathlib import Path
from typing import Any

import pytest

from holdfast.kernel.lazy_values import replace
from holdfast.surfaces.mcp.server import server
from tests.e2e.mcp.test_off import turned_off
from tests.e2e.mcp.test_whose_session import THEIRS
from tests.e2e.mcp.world import OTHER_SESSION, SESSION, World, a_repository


@pytest.fixture
def two(world: World) -> World:
    """A project with a checkpoint of each of two sessions."""
    for session, decided in ((SESSION, "Redis"), (OTHER_SESSION, "Postgres")):
        notes = {"decisions": [f"use {decided} for rate limits", f"only {session}"]}
        world.answer("checkpoint_save", session_id=session, title=session, notes=notes)
    return world


def _decisions(world: World, ref: str) -> list[str]:
    found: Any = world.answer("checkpoint_get", checkpoint_id=ref, fields=["decisions"])
    return [item["text"] for item in found["content"]["decisions"]]


def test_an_agent_merges_and_its_user_chooses(two: World) -> None:
    """The answer names what contradicts, with the words to choose by."""
    first = two.answer("checkpoint_merge", checkpoints=["1", "2"])
    (conflict,) = (c for c in first["conflicts"] if c["kind"] == "decisions")
    choice = conflict["options"][1]["choose"]

    second = two.answer("checkpoint_merge", checkpoints=["1", "2"], choose=[choice])

    assert (first["type"], first["outcome"]) == ("merged", "saved")
    assert set(first["checkpoint"]) >= {"id", "label", "content"}
    assert len(_decisions(two, "3")) == 4
    assert choice == "1=2"
    assert "use Redis for rate limits" not in _decisions(two, "4")
    assert second["undecided"] == []


def test_a_repeated_call_is_the_same_merge(two: World) -> None:
    """An agent that lost the answer asks again."""
    first = two.answer("checkpoint_merge", checkpoints=["1", "2"])
    again = two.answer("checkpoint_merge", checkpoints=["1", "2"])

    assert again["outcome"] == "repeated"
    assert again["checkpoint"]["id"] == first["checkpoint"]["id"]


@pytest.mark.parametrize("kind", ["all", "project", "session"])
def test_turned_off_an_agent_merges_nothing(two: World, kind: Any) -> None:
    """It may call a tool unasked; off is off for it, too."""
    turned_off(two, kind, SESSION if kind == "session" else "")

    answer = two.answer("checkpoint_merge", checkpoints=["1", "2"])

    assert (answer["type"], answer["checkpoint"]) == ("unchanged", None)
    assert two.answer("checkpoint_list")["count"] == 2


def test_t06_checkpoints_of_another_project_are_not_merged(world: World) -> None:
    """A call writes only into the project that its server runs in."""
    there = a_repository(world.root / "there")
    sessions = [world.session_in(there, THEIRS[:-1] + end) for end in "12"]
    ids = [_saved_there(world, there, session) for session in sessions]

    refused = world.refusal("checkpoint_merge", checkpoints=ids)
    by_path = world.refusal(
        "checkpoint_merge", checkpoints=["1", "2"], project_path=str(there)
    )

    assert refused["code"] == by_path["code"] == "PROJ_002"
    listed = world.answer("checkpoint_list", project_path=str(there))
    assert listed["count"] == 2


def _saved_there(world: World, place: Path, session: str) -> str:
    """Save as that project's own agent does."""
    calls = replace(world.calls(), project=str(place))
    words = {"session_id": session, "title": session}
    result = world.talk(
        lambda client: client.call_tool("checkpoint_save", words), to=server(calls)
    )
    assert not result.is_error, result
    answer: Any = result.structured_content
    return str(answer["checkpoint"]["id"])
