"""The MCP server as the real client uses it: what the model reads of an answer."""

from typing import Any

from tests.e2e.client.stub import call, say
from tests.e2e.client.world import World

_TOOL = "mcp__plugin_holdfast_holdfast__checkpoint_"
_ANSWERED = ('"type":"saved"', "USE_001")
_MOST_ASKS = 30  # the client does not wait for a server, and tells the model so
_MOST_CHARACTERS = 1_600  # 400 tokens


def _read_by_the_model(world: World, tool: str, **arguments: Any) -> str:
    """Have the model call a tool, and return what that added to its conversation."""
    before = added = ""
    with world.talk(f"--allowedTools={_TOOL}{tool}") as client:
        for _ in range(_MOST_ASKS):
            # A client with many tools has a model look for one before it may call it.
            search = [call("ToolSearch", query=f"select:{_TOOL}{tool}")]
            world.stub.will(
                *(search if "ToolSearch" in added else ()),
                call(f"{_TOOL}{tool}", **arguments),
                say("I see"),
            )
            client.ask("Use the tool")
            told = world.stub.last.conversation
            added, before = told[len(before) :], told
            if any(sign in added for sign in _ANSWERED):
                break
        client.leave()
    return added


def test_the_model_reads_an_answer_once_and_it_is_short(served_world: World) -> None:
    """An answer has the same JSON twice; the client passes one of them on."""
    summary = "Kept by the server."

    added = _read_by_the_model(served_world, "save", title="Read", summary=summary)

    answer = added[added.index('"type":"saved"') :]
    assert answer.count("CHECKPOINT-00001") == 1
    assert len(answer) <= _MOST_CHARACTERS


def test_the_model_reads_what_to_do_next_when_a_call_is_wrong(
    served_world: World,
) -> None:
    """An error is an answer, too: it arrives, and says how to go on."""
    added = _read_by_the_model(served_world, "resume", level="everything")

    assert "error USE_001" in added or '"code":"USE_001"' in added
    assert "corrected" in added
