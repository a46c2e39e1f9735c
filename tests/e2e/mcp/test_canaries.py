"""Whatever an agent passes to a tool: no canary of it reaches the disk or the answer."""

import json
from collections.abc import Awaitable
from typing import Any

from mcp import Client
from mcp.shared.exceptions import MCPError

from tests.e2e.canaries import Canaries
from tests.e2e.mcp.world import World, text_of

# An answer names the session it was asked about.
ECHOED = {"checkpoint_status.session_id"}
NOTES = {"decisions": ["d"], "pending": ["p"], "mental_model": "m", "odd": {"a": "b"}}


def test_no_argument_of_any_tool_reaches_the_disk_unredacted(world: World) -> None:
    """Each parameter of each tool by itself, as a text, in a list and as a wrong type."""
    canaries = Canaries()

    async def every_parameter(client: Client) -> list[str]:
        said = []
        for tool in (await client.list_tools()).tools:
            for name in (*tool.input_schema["properties"], "unheard_of"):
                secret = canaries(f"{tool.name}.{name}")
                for value in (f"say {secret}", [secret], {secret: secret}):
                    result = await client.call_tool(tool.name, {name: value})
                    said.append(text_of(result) + json.dumps(result.structured_content))
        return said

    said = world.talk(every_parameter)

    assert len(said) > 90
    assert canaries.in_files(world.root / "user", world.project) == []
    assert set(canaries.in_text("\n".join(said))) <= ECHOED


def test_everything_a_save_takes_is_kept_without_its_secrets(world: World) -> None:
    """The same canaries all at once, in a call that succeeds."""
    canaries = Canaries()
    given: dict[str, Any] = {
        name: f"{name} {canaries(name)}"
        for name in ("title", "summary", "description", "context", "full_state")
    }

    world.answer(
        "checkpoint_save",
        **given,
        tags=["a", canaries("tag")],
        notes=canaries.spoil(NOTES, "notes"),
    )
    kept = world.answer("checkpoint_get")
    world.answer("store_checkpoint", content=f"done {canaries('content')}")

    assert kept["content"]["title"].startswith("title [redacted:github:")
    assert (world.root / "user").exists()
    assert canaries.in_files(world.root / "user", world.project) == []


def test_no_address_prompt_or_tool_that_is_none_is_repeated(world: World) -> None:
    """The SDK's own errors quote what they were asked for, in their data, too."""
    canaries = Canaries()

    async def whole_error(answer: Awaitable[object]) -> str:
        try:
            return repr(await answer)
        except MCPError as error:
            return repr(error.error)

    async def asked(client: Client) -> list[str]:
        return [
            await whole_error(client.read_resource(f"checkpoint://{canaries('ref')}")),
            await whole_error(client.read_resource(f"nothing://{canaries('uri')}")),
            await whole_error(client.get_prompt(canaries("prompt"))),
            await whole_error(client.call_tool(canaries("tool"), {})),
        ]

    said = world.talk(asked)

    assert all("next: " in each for each in said)
    assert canaries.in_text("\n".join(said)) == []
