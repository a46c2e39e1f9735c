"""A client that is not ours and not Python: the protocol's own inspector."""

import pytest

from tests.e2e.mcp.inspector import Inspector, InspectorMissing, installed
from tests.e2e.mcp.world import SESSION, World
from tests.missing import without

pytestmark = pytest.mark.timeout(400)  # the first run downloads it


@pytest.fixture(scope="session")
def inspector() -> Inspector:
    try:
        return installed()
    except InspectorMissing as missing:
        reason = f"no inspector to test with: {missing}"
        without(reason)


@pytest.fixture
def saved(world: World) -> World:
    (world.project / "parser.py").write_text("one\n", encoding="utf-8")
    world.answer("checkpoint_save", title="one", name="api")
    return world


@pytest.mark.parametrize(
    ("tool", "words", "kind"),
    [
        pytest.param(
            "checkpoint_save",
            [f"session_id={SESSION}", "title=by the inspector"],
            "saved",
            id="save",
        ),
        pytest.param("checkpoint_get", ["checkpoint_id=api"], "manual", id="get"),
        pytest.param(
            "checkpoint_search", ["query=one", "limit=3"], "list", id="search"
        ),
        pytest.param("checkpoint_resume", ["level=summary"], "resumed", id="resume"),
        pytest.param("checkpoint_list", ["limit=1"], "list", id="list"),
        pytest.param(
            "checkpoint_status", [f"session_id={SESSION}"], "status", id="status"
        ),
        pytest.param("checkpoint_diff", ["older=api"], "diff", id="diff"),
        pytest.param("checkpoint_blame", ["file=parser.py"], "blame", id="blame"),
        pytest.param(
            "checkpoint_merge", ['checkpoints=["api","1"]'], "merged", id="merge"
        ),
        pytest.param(
            "handoff_write", [f"session_id={SESSION}"], "handoff", id="handoff write"
        ),
        pytest.param(
            "handoff_check", [f"session_id={SESSION}"], "handoff", id="handoff check"
        ),
        pytest.param(
            "checkpoint_configure",
            ["checkpoint_threshold=75"],
            "config",
            id="configure",
        ),
        pytest.param(
            "store_checkpoint",
            ["content=done", f"session_id={SESSION}"],
            "saved",
            id="the older save",
        ),
        pytest.param("get_latest_checkpoint", [], "resumed", id="the older resume"),
    ],
)
def test_every_tool_answers_the_inspector(
    inspector: Inspector, saved: World, tool: str, words: list[str], kind: str
) -> None:
    """Its arguments come as text, and it checks answers against their schema."""
    arguments = [part for word in words for part in ("--tool-arg", word)]

    result = inspector.ask(saved, "tools/call", "--tool-name", tool, *arguments)

    assert not result.get("isError")
    assert result["structuredContent"]["type"] == kind


@pytest.mark.parametrize(
    ("tool", "words", "code"),
    [
        pytest.param("checkpoint_save", ["titel=x"], "USE_001", id="save"),
        pytest.param("checkpoint_get", ["checkpoint_id=99"], "FIND_001", id="get"),
        pytest.param("checkpoint_search", ["limit=5"], "USE_001", id="search"),
        pytest.param("checkpoint_resume", ["level=all"], "USE_001", id="resume"),
        pytest.param("checkpoint_list", ["limit=0"], "USE_001", id="list"),
        pytest.param(
            "checkpoint_status", ["project_path=/no/where"], "CKPT_001", id="status"
        ),
        pytest.param("checkpoint_diff", ["older=99"], "FIND_001", id="diff"),
        pytest.param(
            "checkpoint_merge", ['checkpoints=["99"]'], "FIND_001", id="merge"
        ),
        pytest.param(
            "handoff_write", ["session_id=mine"], "SESS_001", id="handoff write"
        ),
        pytest.param("handoff_check", ["x=1"], "USE_001", id="handoff check"),
        pytest.param(
            "checkpoint_configure",
            ["checkpoint_threshold=5"],
            "USE_001",
            id="configure",
        ),
        pytest.param("store_checkpoint", ["x=1"], "USE_001", id="the older save"),
        pytest.param("get_latest_checkpoint", ["x=1"], "USE_001", id="older resume"),
    ],
)
def test_every_tool_refuses_the_inspector_in_words(
    inspector: Inspector, saved: World, tool: str, words: list[str], code: str
) -> None:
    """An execution error that says what to do next, not a protocol error."""
    arguments = [part for word in words for part in ("--tool-arg", word)]

    result = inspector.ask(saved, "tools/call", "--tool-name", tool, *arguments)

    assert result["isError"] is True
    assert result["structuredContent"]["code"] == code
    assert "\nnext: " in result["content"][0]["text"]


def test_the_inspector_lists_tools_resources_and_prompts(
    inspector: Inspector, saved: World
) -> None:
    """What a person sees who looks at the server for the first time."""
    tools = inspector.ask(saved, "tools/list")["tools"]
    resources = inspector.ask(saved, "resources/list")["resources"]
    templates = inspector.ask(saved, "resources/templates/list")["resourceTemplates"]
    prompts = inspector.ask(saved, "prompts/list")["prompts"]

    assert len(tools) == 14
    assert [r["uri"] for r in resources] == [
        "checkpoint://latest",
        "handoff://latest",
    ]
    assert [t["uriTemplate"] for t in templates] == ["checkpoint://{ref}"]
    assert [p["name"] for p in prompts] == ["checkpoint", "resume"]


def test_the_inspector_reads_the_latest_brief(
    inspector: Inspector, saved: World
) -> None:
    """A resource is text one can read."""
    read = inspector.ask(saved, "resources/read", "--uri", "checkpoint://latest")

    assert read["contents"][0]["text"].startswith("# Resuming CHECKPOINT-00001")
