"""`holdfast archive` of sessions of other agents, as a person sees it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from zstandard import ZstdCompressor, ZstdDecompressor

from tests.e2e.agents.test_past import Machine
from tests.e2e.client.driver import wait_until
from tests.unit.agents import codex_lines as codex, gemini_lines as gemini

pytestmark = pytest.mark.process

_KEPT = ("codex", "gemini", "pi")
_LEFT = ("copilot", "opencode")
_SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def _file_of(machine: Machine, agent: str) -> Path:
    found = (machine.user / f".{agent}").rglob("*.jsonl")
    return next(path for path in found if path.is_file())


def _unpacked(machine: Machine) -> bytes:
    pieces = (machine.data / "archive" / "pieces").rglob("*.zst")
    return b"".join(ZstdDecompressor().decompress(p.read_bytes()) for p in pieces)


@pytest.mark.parametrize("agent", _KEPT)
def test_a_deleted_session_is_brought_back_and_nothing_is_archived_twice(
    machine: Machine, agent: str
) -> None:
    """The same bytes, at the same place."""
    session = getattr(machine, agent)()
    machine.holdfast("backfill")
    path = _file_of(machine, agent)
    before = path.read_bytes()

    first, again = machine.holdfast("archive"), machine.holdfast("archive")
    path.unlink()
    told = machine.holdfast("open", f"session:{session}", "--native")

    assert (first["sessions"], first["unread"]) == (1, [])
    assert (again["sessions"], again["known"]) == (0, 1)
    assert (told["written"], told["session_id"]) == (str(path), session)
    assert path.read_bytes() == before


@pytest.mark.parametrize("agent", _KEPT)
def test_no_secret_of_any_agents_session_is_archived(
    machine: Machine, agent: str
) -> None:
    """What comes back says whose it is all the same."""
    session = getattr(machine, agent)(f"Fix it. The token is {_SECRET}.")
    machine.holdfast("backfill")
    machine.holdfast("archive")
    path = _file_of(machine, agent)
    path.unlink()

    machine.holdfast("open", f"session:{session}", "--native")

    assert _SECRET.encode() not in _unpacked(machine)
    assert "[redacted" in path.read_text()
    assert session in path.read_text()


@pytest.mark.parametrize("agent", _KEPT)
def test_a_forgotten_session_is_gone_from_the_archive(
    machine: Machine, agent: str
) -> None:
    session = getattr(machine, agent)()
    machine.holdfast("backfill")
    machine.holdfast("archive")

    machine.holdfast("forget", f"session:{session}", "--yes")
    again = machine.holdfast("archive")

    assert _unpacked(machine) == b""
    assert (again["sessions"], again["left"]) == (0, 1)


@pytest.mark.parametrize("agent", _KEPT)
def test_a_scan_takes_out_what_newer_rules_know(machine: Machine, agent: str) -> None:
    getattr(machine, agent)("The customer is called Zwirbelwind.")
    machine.holdfast("backfill")
    machine.holdfast("archive")
    config = machine.user / ".config" / "holdfast"
    config.mkdir(parents=True)
    rules = {"redaction": {"rules": ["Zwirbelwind"]}}
    (config / "config.json").write_text(json.dumps(rules))
    machine.environ["XDG_CONFIG_HOME"] = str(config.parent)

    checks = machine.holdfast("doctor", "--scan")["checks"]

    found = next(check for check in checks if check["name"] == "scan archive")
    assert found["message"] == "secrets taken out of 1 archived session"
    assert b"Zwirbelwind" not in _unpacked(machine)


@pytest.mark.parametrize("agent", _LEFT)
def test_what_is_no_file_of_lines_is_left_to_its_client(
    machine: Machine, agent: str
) -> None:
    """And deletes none of it by itself."""
    getattr(machine, agent)()

    done = machine.holdfast("archive")

    assert (done["sessions"], done["unread"]) == (0, [])


def _doctor(machine: Machine) -> list[Any]:
    checks = machine.holdfast("doctor")["checks"]
    return [check for check in checks if check["name"] == "archive"]


def test_what_gemini_deletes_soon_is_told_and_kept_alone(machine: Machine) -> None:
    """It counts from what was said last, by the user's own setting; the others delete
    nothing by themselves."""
    for agent in _KEPT:
        getattr(machine, agent)()
    settings = machine.user / ".gemini" / "settings.json"
    age = {"general": {"sessionRetention": {"maxAge": "1d"}}}
    settings.write_text(json.dumps(age))
    path = _file_of(machine, "gemini")
    text = path.read_text().replace("2026-11-18T", "2020-11-18T")
    path.write_text(text)
    os.utime(path)

    (warned,) = _doctor(machine)
    kept = machine.holdfast("archive", "--dying")

    assert "1 transcript will be deleted by gemini" in warned["message"]
    assert "the first today" in warned["message"]
    assert kept["sessions"] == 1
    assert [check["state"] for check in _doctor(machine)] == ["ok"]


@pytest.mark.parametrize("ending", _KEPT)
def test_switched_on_what_dies_is_kept_at_the_end_of_any_agents_session(
    machine: Machine, ending: str
) -> None:
    """Whoever deletes it, and in a process that nobody waits for; what does not die is
    left where it is."""
    machine.holdfast("config", "set", "archive.auto_archive", "true")
    for agent in _KEPT:
        getattr(machine, agent)()
    place = _file_of(machine, "gemini")
    place.write_text(place.read_text().replace("2026-11-18T", "2020-11-18T"))
    event = {
        "session_id": codex.OTHER if ending == "gemini" else gemini.SESSION,
        "cwd": str(machine.project),
        "hook_event_name": "SessionEnd",
        "reason": "exit",
    }

    machine.hook(ending, "SessionEnd", event)

    kept = machine.data / "archive" / "sessions"
    wait_until(lambda: any(kept.glob("*.json")), "the daily work")
    (listed,) = [json.loads(one.read_text()) for one in kept.glob("*.json")]
    assert (listed["agent"], listed["session_id"]) == ("gemini", gemini.SESSION)
    assert gemini.SESSION.encode() in _unpacked(machine)


def test_a_compressed_session_that_ends_early_is_told_and_costs_no_other(
    machine: Machine,
) -> None:
    """Nothing of it is kept as if it were whole."""
    machine.pi()
    lines = [codex.meta(cwd=str(machine.project)), codex.typed("Fix it.")]
    filler = [codex.said(os.urandom(400).hex()) for _ in range(400)]
    rollouts = codex.Rollouts(machine.user / ".codex")
    path = rollouts.path(f"{codex.name_of()}.zst")
    packed = ZstdCompressor().compress(codex.raw(*lines, *filler))
    path.write_bytes(packed[: len(packed) * 3 // 4])

    done = machine.holdfast("archive")

    (left,) = done["unread"]
    assert (done["sessions"], left["path"]) == (1, str(path))
    assert "cut off or damaged" in left["reason"]
