"""`prompt` means that the user decides: the question goes through the client."""

from typing import Any

import pytest
from mcp import Client
from mcp.types import CallToolResult, ElicitResult

from holdfast.bootstrap import Container
from holdfast.domain.client import Delivery
from holdfast.domain.session import SessionRecord
from tests.e2e.mcp.world import OTHER_SESSION, SESSION, World

BOTH_ERAS = [
    pytest.param("legacy", id="asked in the middle of the call"),
    pytest.param("auto", id="asked by an answer of its own"),
]


@pytest.fixture
def offered(world: World) -> World:
    """A session whose start offered the checkpoint of the one before, as `prompt` does."""
    saved = world.answer("checkpoint_save", session_id=OTHER_SESSION, title="earlier")
    _offer(world, saved["checkpoint"]["id"], "prompt")
    return world


def _offer(world: World, checkpoint_id: str, rule: str) -> None:
    container = Container(environ=world.calls().environ, project=str(world.project))
    container.store().offer(
        Delivery(
            session_id=SESSION,
            what="card",
            rule=rule,
            workspace=container.workspace(),
            source="startup",
            checkpoint_id=checkpoint_id,
        )
    )
    container.close()


def _record(world: World) -> SessionRecord | None:
    container = Container(environ=world.calls().environ, project=str(world.project))
    try:
        return container.store().session(SESSION)
    finally:
        container.close()


def _resumed(world: World, **options: Any) -> dict[str, Any]:
    async def words(client: Client) -> CallToolResult:
        return await client.call_tool("checkpoint_resume", {})

    result = world.talk(words, **options)
    assert not result.is_error
    told = result.structured_content
    assert isinstance(told, dict)
    return told


def _answering(action: Any, content: Any, asked: list[str]) -> Any:
    async def answered(context: object, params: Any) -> ElicitResult:
        del context
        asked.append(params.message)
        return ElicitResult(action=action, content=content)

    return answered


@pytest.mark.parametrize("mode", BOTH_ERAS)
@pytest.mark.parametrize(
    ("action", "content", "kind"),
    [
        pytest.param("accept", {"yes": True}, "resumed", id="yes"),
        pytest.param("accept", {"yes": False}, "kept", id="no"),
        pytest.param("decline", None, "kept", id="declined"),
        pytest.param("cancel", None, "kept", id="cancelled"),
    ],
)
def test_the_user_is_asked_before_the_agent_gets_the_brief(
    offered: World, mode: str, action: Any, content: Any, kind: str
) -> None:
    """`prompt` is never more than the card until the user answers."""
    asked: list[str] = []
    answering = _answering(action, content, asked)

    answer = _resumed(offered, mode=mode, elicitation_callback=answering)

    assert asked == ['Continue from CHECKPOINT-00001 "earlier"?']
    assert answer["type"] == kind
    assert ("brief" in answer) is (kind == "resumed")


def test_a_session_that_goes_on_from_a_checkpoint_is_its_child(offered: World) -> None:
    """B5: only a child inherits what is open, so that the next `/clear` keeps it."""
    answering = _answering("accept", {"yes": True}, [])

    _resumed(offered, mode="legacy", elicitation_callback=answering)

    record = _record(offered)
    assert record is not None
    assert record.parent_session == OTHER_SESSION


def test_a_no_makes_no_child(offered: World) -> None:
    """Work that the user did not want to continue must not be inherited."""
    answering = _answering("decline", None, [])

    _resumed(offered, mode="legacy", elicitation_callback=answering)

    record = _record(offered)
    assert record is None or record.parent_session is None


def test_a_client_that_cannot_ask_gets_the_brief(offered: World) -> None:
    """The user may have said it in words that no list has; the agent understood."""
    assert _resumed(offered)["type"] == "resumed"


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param("startup", id="offered without a question"),
        pytest.param(None, id="not offered at all"),
    ],
)
def test_nobody_is_asked_who_was_not_to_be(world: World, rule: str | None) -> None:
    """A question nobody wanted is chatter."""
    saved = world.answer("checkpoint_save", session_id=OTHER_SESSION, title="earlier")
    if rule:
        _offer(world, saved["checkpoint"]["id"], rule)
    asked: list[str] = []
    answering = _answering("decline", None, asked)

    answer = _resumed(world, mode="legacy", elicitation_callback=answering)

    assert asked == []
    assert answer["type"] == "resumed"


def test_without_a_reference_what_the_start_offered_is_meant(world: World) -> None:
    """`call checkpoint_resume`, says the short brief; a later question is not the latest."""
    saved = world.answer("checkpoint_save", session_id=OTHER_SESSION, title="earlier")
    world.answer("checkpoint_save", session_id=SESSION, title="a later question")
    _offer(world, saved["checkpoint"]["id"], "unfinished")

    answer = world.answer("checkpoint_resume")

    assert answer["checkpoint_id"] == saved["checkpoint"]["id"]
    record = _record(world)
    assert record is not None
    assert record.parent_session == OTHER_SESSION
