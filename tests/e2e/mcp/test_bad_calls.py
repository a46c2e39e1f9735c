"""What an agent reads when a call is wrong: what happened, and what to do next."""

import os
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.types import CallToolResult

from holdfast.bootstrap import Container
from holdfast.surfaces.mcp.server import HoldfastServer, slim_tool
from tests.e2e.mcp.world import World, a_repository, text_of

HARD_TEXTS = [
    pytest.param("a\x00b", id="NUL"),
    pytest.param("x" * 100_000, id="100 kB"),
    pytest.param("\u202e bidi \U000e0041 tag \x1b[31m", id="invisible commands"),
    pytest.param("'; DROP TABLE checkpoint; --", id="SQL"),
    pytest.param("\\ud800 {0} %s \n\r\t", id="escapes"),
]


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        pytest.param("checkpoint_save", {"titel": "x"}, "USE_001", id="a typo"),
        pytest.param("checkpoint_save", {"notes": "x"}, "USE_001", id="notes as text"),
        pytest.param(
            "checkpoint_save", {"notes": {"decisions": 7}}, "NOTE_001", id="wrong note"
        ),
        pytest.param(
            "checkpoint_save", {"session_id": "mine"}, "SESS_001", id="no session id"
        ),
        pytest.param(
            "checkpoint_save",
            {"session_id": "7670db3a-2057-406a-a109-afcedef1cb97"},
            "CKPT_001",
            id="a session without transcript",
        ),
        pytest.param(
            "checkpoint_save",
            {"project_path": "/no/where"},
            "CKPT_001",
            id="no project",
        ),
        pytest.param("checkpoint_save", {"name": "42"}, "NAME_001", id="a bad name"),
        pytest.param(
            "checkpoint_save",
            {"name": "ghp_" + "x7Kp2QmZ9vR4tB8nL1sW6yD3fG5hJ0aC2eUo"},
            "NAME_001",
            id="a secret as a name",
        ),
        pytest.param(
            "checkpoint_save",
            {"session_id": "../../../etc/passwd"},
            "SESS_001",
            id="a path as a session id",
        ),
        pytest.param(
            "checkpoint_list",
            {"project_path": "../../nowhere/at/all"},
            "CKPT_001",
            id="a way out that leads nowhere",
        ),
        pytest.param(
            "checkpoint_list", {"project_path": "/etc/passwd"}, "CKPT_001", id="a file"
        ),
        pytest.param("checkpoint_get", {"fields": ["nope"]}, "USE_001", id="no field"),
        pytest.param(
            "checkpoint_get", {"checkpoint_id": "99"}, "FIND_001", id="no number"
        ),
        pytest.param("checkpoint_search", {}, "USE_001", id="no query"),
        pytest.param(
            "checkpoint_search", {"query": "x", "limit": 0}, "USE_001", id="limit 0"
        ),
        pytest.param(
            "checkpoint_resume", {"level": "all"}, "USE_001", id="an unknown level"
        ),
        pytest.param(
            "checkpoint_resume", {"checkpoint_id": "zz"}, "FIND_001", id="no name"
        ),
        pytest.param("checkpoint_list", {"limit": "many"}, "USE_001", id="no number"),
        pytest.param(
            "checkpoint_status", {"project_path": "\x00"}, "CKPT_001", id="a NUL path"
        ),
        pytest.param("checkpoint_diff", {}, "USE_001", id="nothing to compare"),
        pytest.param("checkpoint_blame", {"file": "no/such"}, "BLAM_001", id="no file"),
        pytest.param("checkpoint_blame", {"file": "../x"}, "USE_001", id="outside"),
        pytest.param("checkpoint_diff", {"older": "99"}, "FIND_001", id="no older"),
        pytest.param(
            "checkpoint_diff", {"older": "1", "newer": "zz"}, "FIND_001", id="no newer"
        ),
        pytest.param("checkpoint_merge", {}, "USE_001", id="nothing to merge"),
        pytest.param(
            "checkpoint_merge", {"checkpoints": []}, "USE_001", id="merge none"
        ),
        pytest.param(
            "checkpoint_merge", {"checkpoints": ["1", "99"]}, "FIND_001", id="no side"
        ),
        pytest.param(
            "checkpoint_merge", {"checkpoints": "1"}, "USE_001", id="merge no list"
        ),
        pytest.param(
            "handoff_write", {"session_id": "mine"}, "SESS_001", id="no session"
        ),
        pytest.param(
            "handoff_write", {"project_path": "/no/where"}, "CKPT_001", id="nowhere"
        ),
        pytest.param("handoff_check", {"level": 1}, "USE_001", id="no such argument"),
        pytest.param(
            "checkpoint_configure", {"checkpoint_threshold": 10}, "USE_001", id="range"
        ),
        pytest.param(
            "checkpoint_configure", {"store": "postgresql://x"}, "USE_001", id="no key"
        ),
        pytest.param("store_checkpoint", {}, "USE_001", id="no content"),
        pytest.param("get_latest_checkpoint", {"id": 1}, "USE_001", id="an argument"),
        pytest.param("checkpoint_burn", {}, "USE_001", id="no such tool"),
    ],
)
def test_a_wrong_call_says_what_to_do_next(
    world: World, tool: str, arguments: dict[str, Any], code: str
) -> None:
    """An error the agent can act on, and never a traceback."""
    world.answer("checkpoint_save", title="one")

    error = world.refusal(tool, **arguments)

    assert (error["type"], error["code"]) == ("error", code)
    assert error["message"]
    assert error["hint"]


def test_without_a_session_nothing_is_guessed(world: World) -> None:
    """A1: missing is an error, never a guess, and never the stale environment."""
    (world.claude / "sessions" / f"{os.getpid()}.json").unlink()

    error = world.refusal("checkpoint_save", title="one")

    assert error["code"] == "SESS_001"
    assert "session_id" in error["hint"]


@pytest.mark.parametrize(
    "note",
    [
        pytest.param('{"pid": 1, "sessionId": "x"}', id="of another process"),
        pytest.param("[" * 100_000, id="too deep"),
        pytest.param('{"sessionId": 7}', id="no id"),
        pytest.param("\x00", id="no JSON"),
    ],
)
def test_a_clients_note_that_makes_no_sense_is_not_believed(
    world: World, note: str
) -> None:
    """The file is the client's own and undocumented."""
    path = world.claude / "sessions" / f"{os.getpid()}.json"
    path.write_text(note, encoding="utf-8")

    assert world.refusal("checkpoint_save")["code"] == "SESS_001"


def test_a_clients_note_that_is_a_link_is_not_followed(world: World) -> None:
    """Somebody else's file must not name the session."""
    path = world.claude / "sessions" / f"{os.getpid()}.json"
    real = path.rename(world.root / "elsewhere.json")
    path.symlink_to(real)

    assert world.refusal("checkpoint_save")["code"] == "SESS_001"


def test_reading_before_the_first_save_says_so(world: World) -> None:
    """There is no store yet, and reading makes none."""
    error = world.refusal("checkpoint_list")

    assert error["code"] == "STOR_001"
    assert not (world.root / "user" / ".local").exists()


@pytest.mark.parametrize("text", HARD_TEXTS)
def test_any_text_can_be_saved_and_found(world: World, text: str) -> None:
    """An agent passes on what it has read, whatever that was."""
    world.answer("checkpoint_save", title=text, summary=text, tags=[text], notes={
        "decisions": [text], text[:50]: text,
    })  # fmt: skip

    found = world.answer("checkpoint_search", query=text)

    assert found["type"] == "list"
    assert world.answer("checkpoint_get")["number"] == 1


@pytest.mark.parametrize("tool", ["checkpoint_get", "checkpoint_resume"])
def test_a_reference_that_finds_nothing_names_what_there_is(
    world: World, tool: str
) -> None:
    """A5: the agent can choose at once, without another call."""
    world.answer("checkpoint_save", title="API design")

    error = world.refusal(tool, checkpoint_id="99")

    assert "`1` (API design)" in error["message"]


@pytest.mark.parametrize("text", HARD_TEXTS)
def test_any_text_is_a_reference_that_may_find_nothing(world: World, text: str) -> None:
    """No argument can end the server."""
    world.answer("checkpoint_save", title="one")

    assert world.refusal("checkpoint_resume", checkpoint_id=text)["code"] in (
        "FIND_001",
        "FIND_002",
    )


@pytest.mark.parametrize("text", HARD_TEXTS)
@pytest.mark.parametrize("argument", ["session_id", "project_path"])
def test_an_error_stays_short_whatever_was_passed(
    world: World, argument: str, text: str
) -> None:
    """An agent pays for what is quoted back to it."""
    arguments: dict[str, Any] = {argument: text}

    result = world.call("checkpoint_save", **arguments)

    assert result.is_error
    assert len(text_of(result)) < 1500


@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "in another"])
def test_a_home_inside_the_servers_project_is_refused(
    world: World, *, elsewhere: bool
) -> None:
    """A repository can set our environment; naming another project is no way around."""
    (world.project / ".git").mkdir()
    ours = world.server(HOLDFAST_HOME=str(world.project / "home"))
    arguments = {"project_path": str(world.root)} if elsewhere else {}

    result = world.talk(lambda c: c.call_tool("checkpoint_save", arguments), to=ours)

    assert result.structured_content is not None
    assert result.structured_content["code"] == "CONF_002"
    assert not (world.project / "home").exists()


def test_another_project_is_read_and_cannot_configure(world: World) -> None:
    """`project_path` chooses whose checkpoints; a repository has no say in more."""
    elsewhere = a_repository(world.root / "elsewhere")
    (elsewhere / ".holdfast.json").write_text(
        '{"store": "sqlite:///tmp/not-yours", "hooks": {"headless": "full"}}',
        encoding="utf-8",
    )
    world.answer("checkpoint_save", title="here")

    listed = world.answer("checkpoint_list", project_path=str(elsewhere))

    assert (listed["type"], listed["count"]) == ("list", 0)
    assert not Path("/tmp/not-yours").exists()  # noqa: S108  # it must not be made


@pytest.mark.parametrize("tool", ["checkpoint_save", "checkpoint_list"])
def test_t06_a_directory_that_is_no_project_is_refused(world: World, tool: str) -> None:
    """An agent that is talked into naming a directory must not have it snapshotted."""
    private = world.root / "private"
    private.mkdir()
    (private / "diary.txt").write_text("dear diary", encoding="utf-8")

    refused = world.refusal(tool, project_path=str(private))

    assert refused["code"] == "PROJ_001"
    assert "git repository" in refused["hint"]
    assert not list(world.root.rglob("holdfast/git/**/*.pack"))


def test_t06_a_project_that_the_user_saved_in_may_be_named(world: World) -> None:
    """What the store knows, the user has worked in, with git or without."""
    plain = world.root / "plain"
    plain.mkdir()
    container = Container(environ=world.calls().environ, project=str(plain))
    container.store(create=True).project(container.identity, lambda _: False)
    container.close()

    listed = world.answer("checkpoint_list", project_path=str(plain))

    assert (listed["type"], listed["count"]) == ("list", 0)


def test_a_bug_inside_a_tool_leaves_a_report_and_no_trace(world: World) -> None:
    """The agent reads one sentence; the user has something to paste."""

    async def crash() -> CallToolResult:
        words = "only for the report"
        raise ZeroDivisionError(words)

    ours = HoldfastServer(world.calls(), [slim_tool(crash, "Crash.", reads=True)])

    def words(client: Client) -> Awaitable[CallToolResult]:
        return client.call_tool("crash", {})

    result = world.talk(words, to=ours)

    assert result.is_error
    assert result.structured_content is not None
    assert result.structured_content["code"] == "BUG_001"
    assert "only for the report" not in text_of(result)
    kept = Path(result.structured_content["hint"].split("`")[1])
    assert "ZeroDivisionError" in kept.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "uri",
    [
        pytest.param("checkpoint://99", id="no such number"),
        pytest.param("checkpoint://..%2Fetc%2Fpasswd", id="a path"),
        pytest.param("file:///etc/passwd", id="another scheme"),
    ],
)
def test_a_resource_that_is_not_there_is_an_error(world: World, uri: str) -> None:
    """A resource has no `isError`; the protocol's own error carries the words."""
    world.answer("checkpoint_save", title="one")

    said = world.protocol_error(lambda client: client.read_resource(uri))

    assert "bug" not in said.lower()
    assert "Traceback" not in said


def test_a_prompt_that_is_not_there_names_those_that_are(world: World) -> None:
    """The same for prompts."""
    said = world.protocol_error(lambda client: client.get_prompt("nope"))

    assert said.endswith("use one of: checkpoint, resume")
