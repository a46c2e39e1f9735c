"""What the client loads: it accepts the plugin, starts its parts and is not hindered."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.client.stub import call, say
from tests.e2e.client.world import World

_ROOT = Path(__file__).parents[3]
_SAVE_TOOL = "mcp__plugin_holdfast_holdfast__checkpoint_save"
# The client does not wait for a server; each version says so in its own words.
_CONNECTING = ("still connecting", "No such tool available")
_MOST_ASKS = 30


@pytest.mark.parametrize(
    "part",
    [
        pytest.param(".", id="the repository as a marketplace"),
        pytest.param("plugin", id="the plugin"),
    ],
)
def test_the_client_accepts_the_plugin(bare_world: World, part: str) -> None:
    """Anyone can add this repository as a marketplace."""
    done = bare_world.claude("plugin", "validate", "--strict", str(_ROOT / part))

    assert done.returncode == 0, done.stdout + done.stderr


def test_the_client_accepts_what_install_writes(served_world: World) -> None:
    """Absolute paths and all."""
    written = served_world.home / "holdfast" / "claude-code"

    for place in (written, written / "holdfast"):
        done = served_world.claude("plugin", "validate", "--strict", str(place))
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_repository_works_as_a_marketplace(
    bare_world: World, tmp_path: Path
) -> None:
    """Without `holdfast install`: the plugin finds the program on the PATH."""
    added = bare_world.claude("plugin", "marketplace", "add", str(_ROOT))
    got = bare_world.claude("plugin", "install", "holdfast@holdfast")
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("holdfast", "holdfast-hook"):
        (programs / name).symlink_to(Path(sys.executable).parent / name)

    with bare_world.talk(PATH=f"{programs}{os.pathsep}{os.defpath}") as client:
        client.ask("Name three colours")
        cleared = client.ask("/clear")
        client.leave()

    assert (added.returncode, got.returncode) == (0, 0), (added, got)
    assert [h["exit_code"] for h in cleared.hooks("SessionStart")] == [0]
    (saved,) = bare_world.checkpoints
    assert saved["type"] == "before-clear"


def test_the_server_follows_the_client_through_a_clear(served_world: World) -> None:
    """Its own environment still names the session it was started in."""
    world = served_world
    save = call(_SAVE_TOOL, title="After the clear", summary="Kept by the server.")

    with world.talk(f"--allowedTools={_SAVE_TOOL}") as client:
        first = client.ask("hello").session_id
        second = client.ask("/clear").session_id
        for _ in range(_MOST_ASKS):
            world.stub.will(save, say("I see"))
            client.ask("Save that with the tool")
            answer = "".join(world.stub.last.tool_results)
            if not any(sign in answer for sign in _CONNECTING):
                break
        client.leave()

    (saved,) = [c for c in world.checkpoints if c["type"] == "manual"]
    assert saved["session_id"] == second != first
    assert saved["content"]["title"] == "After the clear"


def test_the_shell_of_a_session_knows_its_checkpoints(world: World) -> None:
    """B4: the variables are those of this session, and each save brings them up to date."""
    names = ("SESSION_ID", "SESSION_ROOT", "CHECKPOINT_COUNT", "LAST_CHECKPOINT")
    shown = "|".join(f"$CLAUDE_{name}" for name in names)
    (world.project / "variables").write_text(f'echo "{shown}"\n')
    show = call("Bash", command="sh variables")
    save = call("Bash", command="holdfast save --title 'Variables are shown'")
    world.stub.will(show, say("shown"), save, show, say("shown again"))

    with world.talk(
        "--allowedTools=Bash(sh variables),Bash(holdfast save:*)"
    ) as client:
        session = client.ask("Show the variables").session_id
        before = world.stub.last.tool_results
        client.ask("Save, and show them again")
        after = world.stub.last.tool_results
        client.leave()

    saved = next(c for c in world.checkpoints if c["type"] == "manual")
    assert before == (f"{session}|{session}|0|",)
    assert after == (f"{session}|{session}|1|{saved['id']}",)


def test_hooks_say_nothing_where_there_is_nothing_to_say(world: World) -> None:
    """A first session in a new project is left alone."""
    with world.talk() as client:
        turn = client.ask("hello")
        client.leave()

    ran = [*turn.hooks("SessionStart"), *turn.hooks("UserPromptSubmit")]
    assert [hook["exit_code"] for hook in ran] == [0, 0]
    assert [hook["stdout"] + hook["stderr"] for hook in ran] == ["", ""]
    assert "hook additional context" not in world.stub.last.conversation


@pytest.mark.parametrize("event", ["SessionStart", "SessionEnd", "Stop"])
def test_a_plugin_without_its_program_is_silent(tmp_path: Path, event: str) -> None:
    """Removing holdfast by hand must not put an error into every session."""
    environ = {"PATH": os.defpath, "HOME": str(tmp_path)}
    launcher = _ROOT / "plugin" / "hooks" / "launch"

    done = subprocess.run(
        [launcher, event], env=environ, input=b"{}", capture_output=True, check=False
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
