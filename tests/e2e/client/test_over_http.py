"""The real client asks a server over HTTP, set up as the guide says."""

from pathlib import Path

from tests.e2e.client.stub import call, say
from tests.e2e.client.world import World
from tests.over_http import Office

_SAVE = "mcp__holdfast__checkpoint_save"
_MOST_ASKS = 30  # the client does not wait for a server, and tells the model so


def test_a_model_saves_on_another_machine(bare_world: World, tmp_path: Path) -> None:
    """`claude mcp add --transport http`, a header, and the tool is there."""
    added = ""
    office = Office(tmp_path, "client")
    with office.serving("--port", "0") as (address, _):
        header = f"Authorization: Bearer {office.secret}"
        words = ("mcp", "add", "--transport", "http", "holdfast", f"{address}/mcp")
        told = bare_world.claude(*words, "--header", header)
        assert told.returncode == 0, told.stderr
        with bare_world.talk(f"--allowedTools={_SAVE}") as client:
            for _ in range(_MOST_ASKS):
                search = [call("ToolSearch", query=f"select:{_SAVE}")]
                bare_world.stub.will(
                    *(search if "ToolSearch" in added else ()),
                    call(_SAVE, title="Said elsewhere", summary="It was told."),
                    say("I see"),
                )
                client.ask("Use the tool")
                added = bare_world.stub.last.conversation
                if '"type":"saved"' in added:
                    break
            client.leave()

    assert '"author":"client"' in added
    assert [one.draft.content.title for one in office.told()] == ["Said elsewhere"]
