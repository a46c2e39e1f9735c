"""What each client is asked to allow our hooks: it stops and cuts what it was not told of."""

import json
from pathlib import Path
from typing import Any

import pytest

from holdfast.agents.codex.wiring import codex_wiring
from holdfast.agents.gemini.wiring import gemini_wiring

_TELL = {"SessionStart", "UserPromptSubmit"}  # what is said there goes to the model
_MOST_AT_THE_END = 3  # seconds that Codex CLI gives; it gives one to who does not ask


def _hooks(tmp_path: Path, agent: str, file: str) -> dict[str, dict[str, Any]]:
    make = {"codex": codex_wiring, "gemini": gemini_wiring}[agent]
    own = tmp_path / "client"
    wiring = make(
        str(own),
        home=str(tmp_path / "data"),
        workspace=str(tmp_path),
        python="/usr/bin/python3",
        environ={},
    )
    wiring.install(scope="user", mcp=False, dry_run=False)
    told = json.loads((own / file).read_text())["hooks"]
    return {event: entry["hooks"][0] for event, [entry] in told.items()}


def test_no_brief_is_cut_and_put_into_a_file_by_codex(tmp_path: Path) -> None:
    """More than 2,500 tokens it would; a brief is measured already."""
    hooks = _hooks(tmp_path, "codex", "hooks.json")

    whole = {
        event for event in hooks if hooks[event].get("additionalContextLimit") == 0
    }

    assert whole == _TELL


def test_the_end_of_a_session_has_as_long_as_codex_gives(tmp_path: Path) -> None:
    """It takes no hook there that it need not wait for."""
    hooks = _hooks(tmp_path, "codex", "hooks.json")

    assert hooks["SessionEnd"]["timeout"] == _MOST_AT_THE_END
    assert not any(hook.get("async") for hook in hooks.values())
    assert all(1 < hook["timeout"] < 60 for hook in hooks.values())


def test_gemini_is_told_milliseconds(tmp_path: Path) -> None:
    """Ten seconds in seconds would be none there."""
    hooks = _hooks(tmp_path, "gemini", "settings.json")

    assert all(1_000 < hook["timeout"] <= 60_000 for hook in hooks.values())


@pytest.mark.parametrize(
    ("agent", "file", "turn"),
    [("codex", "hooks.json", "Stop"), ("gemini", "settings.json", "AfterAgent")],
)
def test_nobody_waits_for_what_is_kept_after_a_turn(
    tmp_path: Path, agent: str, file: str, turn: str
) -> None:
    """And for nothing else do we leave: what is said there must be heard."""
    hooks = _hooks(tmp_path, agent, file)

    left = [event for event, hook in hooks.items() if "--detach" in hook["command"]]

    assert left == [turn]
