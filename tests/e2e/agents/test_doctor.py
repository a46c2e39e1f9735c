"""`doctor` where other agents are wired in: does each still call us, and what stops it?"""

import json
from typing import Any

import pytest

from tests.e2e.agents.test_by_hand import Machine

pytestmark = pytest.mark.process

_WIRED = pytest.mark.parametrize("agent", ["codex", "gemini", "opencode", "pi"])


@pytest.fixture
def machine(tmp_path: Any) -> Machine:
    return Machine(tmp_path)


def _told(machine: Machine, agent: str) -> Any:
    checks = machine.holdfast("doctor")["checks"]
    return next(check for check in checks if check["name"] == f"{agent} hooks")


@_WIRED
def test_a_wired_agent_is_told_before_it_has_any_session(
    machine: Machine, agent: str
) -> None:
    """The first start is when its user wants to know."""
    machine.holdfast("install", agent, "--no-mcp")

    told = _told(machine, agent)

    assert told["state"] == ("warn" if agent == "codex" else "ok")


@_WIRED
def test_a_wiring_that_somebody_took_apart_is_told_with_what_mends_it(
    machine: Machine, agent: str
) -> None:
    """It is broken wiring, which is no broken data."""
    machine.holdfast("install", agent, "--no-mcp")
    (machine.data / agent / "launch").unlink()

    told = _told(machine, agent)
    status = machine.status("doctor")

    assert told["state"] == "fail"
    assert told["hint"] == f"run `holdfast install {agent}` again"
    assert status == 1


def test_hooks_that_codex_does_not_trust_yet_are_told(machine: Machine) -> None:
    """It writes down whom its user accepted: by file, event and place."""
    machine.holdfast("install", "codex", "--no-mcp")
    place = machine.user / ".codex"
    before = _told(machine, "codex")
    events = json.loads((place / "hooks.json").read_text())["hooks"]
    names = {"SessionStart": "session_start", "SessionEnd": "session_end"}
    names |= {"UserPromptSubmit": "user_prompt_submit", "PreCompact": "pre_compact"}
    states = [
        f'[hooks.state."{place}/hooks.json:{names.get(event, event.lower())}:0:0"]\n'
        f'trusted_hash = "sha256:00"\n'
        for event in events
    ]
    (place / "config.toml").write_text("".join(states[1:]))
    some = _told(machine, "codex")
    (place / "config.toml").write_text("".join(states))
    every = _told(machine, "codex")

    assert before["state"] == some["state"] == "warn"
    assert "after you have accepted them" in before["message"]
    assert "/hooks" in before["hint"]
    assert every["state"] == "ok"


def test_hooks_that_gemini_has_switched_off_are_told(machine: Machine) -> None:
    machine.holdfast("install", "gemini", "--no-mcp")
    path = machine.user / ".gemini" / "settings.json"
    settings = json.loads(path.read_text())
    path.write_text(json.dumps({**settings, "hooksConfig": {"enabled": False}}))

    told = _told(machine, "gemini")

    assert (told["state"], "switches hooks off" in told["message"]) == ("warn", True)
