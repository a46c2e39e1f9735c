"""What the protocol promises: definitions, resources, prompts, progress, questions."""

from typing import Any

import pytest
from mcp import Client
from mcp.types import CallToolResult, ElicitResult, ListToolsResult

from holdfast.app.administration import standing
from holdfast.domain.text import tokens
from holdfast.surfaces.mcp.server import Offer
from tests.e2e.mcp.world import World

DEFAULT_TOOLS = [
    "checkpoint_save",
    "checkpoint_get",
    "checkpoint_search",
    "checkpoint_resume",
    "checkpoint_list",
]
# The handshake of today's clients, and the protocol without one.
BOTH_ERAS = [
    pytest.param("legacy", id="with a handshake"),
    pytest.param("auto", id="without one"),
]


def _definitions(world: World, offer: Offer, mode: str) -> ListToolsResult:
    return world.talk(
        lambda client: client.list_tools(), to=world.server(offer), mode=mode
    )


@pytest.mark.parametrize("mode", BOTH_ERAS)
@pytest.mark.parametrize(
    ("offer", "most"),
    [pytest.param("default", 1000, id="default"), pytest.param("all", 3000, id="all")],
)
def test_definitions_fit_their_budget(
    world: World, offer: Offer, most: int, mode: str
) -> None:
    """The agent pays for them in each session: UTF-8 bytes of `tools/list` / 4."""
    listed = _definitions(world, offer, mode)

    cost = tokens(listed.model_dump_json(by_alias=True, exclude_none=True))

    assert cost <= most


def test_five_tools_are_offered_and_all_on_request(world: World) -> None:
    """More tools cost more tokens, so they are asked for."""
    few = _definitions(world, "default", "legacy").tools
    more = _definitions(world, "all", "legacy").tools

    assert [tool.name for tool in few] == DEFAULT_TOOLS
    assert (*DEFAULT_TOOLS,) == standing.DEFAULT_TOOLS  # whose cost is told
    assert [tool.name for tool in more] == [
        *DEFAULT_TOOLS,
        "checkpoint_status",
        "checkpoint_diff",
        "checkpoint_merge",
        "checkpoint_blame",
        "checkpoint_configure",
        "handoff_write",
        "handoff_check",
        "store_checkpoint",
        "get_latest_checkpoint",
    ]


def test_every_tool_promises_structured_output_and_tells_reading_from_writing(
    world: World,
) -> None:
    """A client may let an agent read without asking."""
    listed = _definitions(world, "all", "legacy").tools

    writes = [t.name for t in listed if not (t.annotations or t).read_only_hint]  # type: ignore[union-attr]  # all have annotations

    assert all(tool.output_schema for tool in listed)
    assert writes == [
        "checkpoint_save",
        "checkpoint_merge",
        "checkpoint_configure",
        "handoff_write",
        "store_checkpoint",
    ]


def test_switched_off_it_offers_nothing(world: World) -> None:
    """`HOLDFAST_DISABLE` stops everything, and then it must cost nothing either."""
    off = world.server("all", HOLDFAST_DISABLE="1")

    listed = world.talk(lambda client: client.list_tools(), to=off)

    assert listed.tools == []


@pytest.mark.parametrize(
    "uri",
    [
        pytest.param("checkpoint://latest", id="the latest"),
        pytest.param("checkpoint://1", id="a number"),
        pytest.param("checkpoint://quotes", id="a name"),
        pytest.param("checkpoint://QUOTES", id="a name in capitals"),
    ],
)
def test_a_resource_is_the_brief(world: World, uri: str) -> None:
    """What an agent or a person opens is what the next session would be told."""
    world.answer("checkpoint_save", name="quotes")

    read = world.talk(lambda client: client.read_resource(uri))

    (content,) = read.contents
    assert content.mime_type == "text/markdown"
    assert getattr(content, "text", "").startswith("# Resuming CHECKPOINT-00001")


def test_a_name_in_thai_can_be_read_as_a_resource(world: World) -> None:
    """Names are of any script, and an address writes them in percent signs."""
    world.answer("checkpoint_save", name="แก้บั๊ก")
    uri = "checkpoint://%E0%B9%81%E0%B8%81%E0%B9%89%E0%B8%9A%E0%B8%B1%E0%B9%8A%E0%B8%81"

    read = world.talk(lambda client: client.read_resource(uri))

    assert "CHECKPOINT-00001" in getattr(read.contents[0], "text", "")


def test_the_prompts_tell_how_to_save_and_where_it_stands(world: World) -> None:
    """What a user starts from the client's menu."""
    world.answer("checkpoint_save", title="one")

    save = world.talk(lambda c: c.get_prompt("checkpoint", {"title": "API design"}))
    resume = world.talk(lambda c: c.get_prompt("resume", {"ref": "1"}))

    assert "checkpoint_save" in getattr(save.messages[0].content, "text", "")
    assert "API design" in getattr(save.messages[0].content, "text", "")
    assert "# Resuming" in getattr(resume.messages[0].content, "text", "")


@pytest.mark.parametrize("mode", BOTH_ERAS)
def test_a_save_tells_its_progress_to_who_asked(world: World, mode: str) -> None:
    """A long transcript takes a while, and the client shows that something happens."""
    told: list[str] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        del total
        told.append(f"{progress:g} {message}")

    world.talk(
        lambda c: c.call_tool("checkpoint_save", {}, progress_callback=note), mode=mode
    )

    assert told[0] == "0 reading the transcript"
    assert told[-1].endswith(" done")


@pytest.mark.parametrize("mode", BOTH_ERAS)
@pytest.mark.parametrize(
    ("action", "content", "moves"),
    [
        pytest.param("accept", {"yes": True}, True, id="the user agrees"),
        pytest.param("accept", {"yes": False}, False, id="the user says no"),
        pytest.param("decline", None, False, id="the user declines"),
        pytest.param("cancel", None, False, id="the user cancels"),
    ],
)
def test_a_taken_name_is_asked_about(
    world: World, mode: str, action: Any, content: Any, *, moves: bool
) -> None:
    """A4: a taken name asks before it overwrites; without an answer it stays."""
    world.answer("checkpoint_save", name="api", title="first")
    asked: list[str] = []

    async def answered(context: object, params: Any) -> ElicitResult:
        del context
        asked.append(params.message)
        return ElicitResult(action=action, content=content)

    result = _taken(world, mode=mode, elicitation_callback=answered)
    owner = world.answer("checkpoint_get", checkpoint_id="api")

    assert "`api`" in asked[0]
    assert result.is_error is not moves
    assert owner["content"]["title"] == ("second" if moves else "first")


@pytest.mark.parametrize("mode", BOTH_ERAS)
def test_a_client_that_cannot_ask_gets_an_error_and_force_helps(
    world: World, mode: str
) -> None:
    """The hint works when it is followed."""
    world.answer("checkpoint_save", name="api", title="first")

    refused = _taken(world, mode=mode)
    forced = world.answer("checkpoint_save", name="api", title="second", force=True)

    assert refused.structured_content is not None
    assert refused.structured_content["code"] == "NAME_002"
    assert "force" in refused.structured_content["hint"]
    assert forced["checkpoint"]["name"] == "api"


def _taken(world: World, **options: Any) -> CallToolResult:
    async def words(client: Client) -> CallToolResult:
        return await client.call_tool(
            "checkpoint_save", {"name": "api", "title": "second"}
        )

    return world.talk(words, **options)
