"""Sessions of the real Codex CLI, Gemini CLI and pi, archived, brought back and begun anew.

Each time the client itself takes up what was written, in the words of `holdfast open`,
and the file of the original is what it was.
"""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.agents.machine import ScriptedMachine
from tests.e2e.agents.model import call, say
from tests.e2e.agents.world import AgentWorld

pytestmark = [pytest.mark.process, pytest.mark.timeout(900)]

_FIRST, _SECOND, _AGAIN = "why are quotes lost?", "what about tabs?", "and now?"
_ANSWERS = "The parser drops escapes.", "Tabs are kept."
_SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5"
_SHORT = "7hunter2"  # shorter than what stands for it
_SUMMARY = "Quotes, as the summary has it."


@dataclass(frozen=True, slots=True)
class Walk:
    """One client on its machine."""

    home: Path
    files: str  # of its sessions, below the home
    will: Callable[..., None]  # what the model answers next
    ask: Callable[[str], None]  # a new session
    go_on: Callable[[str, str], None]  # a prompt in a session
    holdfast: Callable[..., Any]
    told: Callable[[], str]  # what the model was told last
    words: str  # that `open` runs to go on

    @property
    def sessions(self) -> set[Path]:
        return set(self.home.glob(self.files))


def _codex(world: AgentWorld) -> Walk:
    def ask(*words: str) -> None:
        world.codex(*words)

    return Walk(
        home=world.home,
        files=".codex/sessions/*/*/*/rollout-*.jsonl",
        will=lambda *said: world.model.will(*map(say, said)),
        ask=ask,
        go_on=lambda session, text: ask("resume", session, text),
        holdfast=world.answer,
        told=lambda: world.model.last,
        words="codex resume {}",
    )


def _gemini(world: AgentWorld) -> Walk:
    def ask(*words: str) -> None:
        world.gemini(*words)

    return Walk(
        home=world.home,
        files=".gemini/tmp/*/chats/session-*.jsonl",
        will=lambda *said: world.model.will(*map(say, said)),
        ask=ask,
        go_on=lambda session, text: ask(text, "--resume", session),
        holdfast=world.answer,
        told=lambda: world.model.last,
        words="gemini --resume {}",
    )


def _pi(machine: ScriptedMachine) -> Walk:
    machine.holdfast("install", "pi", "--no-mcp")
    return Walk(
        home=machine.home,
        files=".pi/agent/sessions/*/*.jsonl",
        will=lambda *said: machine.stub.will(*map(say, said)),
        ask=machine.run,
        go_on=lambda session, text: machine.run("--session", session, text),
        holdfast=machine.holdfast,
        told=lambda: machine.stub.last.conversation,
        words="pi --session {}",
    )


@pytest.fixture(params=["codex", "gemini", "pi"])
def walk(request: pytest.FixtureRequest) -> Walk:
    if request.param == "pi":
        return _pi(request.getfixturevalue("pi"))
    made = _codex if request.param == "codex" else _gemini
    return made(request.getfixturevalue(f"{request.param}_world"))


def _two_questions(walk: Walk) -> tuple[str, Path, str]:
    """Ask twice, each turn kept; return the session, its file, and the first number."""
    walk.will(*_ANSWERS)
    walk.ask(_FIRST)
    (path,) = walk.sessions
    (first,) = walk.holdfast("list")["checkpoints"]
    walk.go_on(first["session_id"], _SECOND)
    return first["session_id"], path, first["id"]


def _opened(walk: Walk, *words: str) -> Any:
    told = walk.holdfast("open", *words)
    assert "command" in told, told
    assert " ".join(told["command"]) == walk.words.format(told["session_id"])
    return told


def test_a_deleted_session_comes_back_from_the_archive(walk: Walk) -> None:
    """Byte for byte, and its client goes on with it as if nothing had been."""
    session, path, number = _two_questions(walk)
    before = path.read_bytes()
    done = walk.holdfast("archive")
    assert (done["sessions"], done["unread"]) == (1, []), done
    path.unlink()

    told = _opened(walk, number, "--native")
    written = Path(told["written"]).read_bytes()
    walk.go_on(session, _AGAIN)

    assert (Path(told["written"]), written) == (path, before)
    for text in (_FIRST, _SECOND, *_ANSWERS, _AGAIN):
        assert text in walk.told()


def test_a_session_that_lost_its_secrets_is_taken_up_by_its_client(walk: Walk) -> None:
    """A placeholder may be longer or shorter than what it stands for; Codex CLI finds the
    past of forks by bytes."""
    walk.will(*_ANSWERS)
    walk.ask(f"{_FIRST} The token is {_SECRET}, the password is `{_SHORT}`.")
    (path,) = walk.sessions
    (saved,) = walk.holdfast("list")["checkpoints"]
    size = path.stat().st_size
    assert _SECRET in path.read_text()
    walk.holdfast("archive")
    path.unlink()

    _opened(walk, saved["id"], "--native")
    came = path.read_bytes()
    walk.go_on(saved["session_id"], _AGAIN)

    for secret in (_SECRET, _SHORT):
        assert secret not in came.decode()
        assert secret not in walk.told()
    for text in (_FIRST, _ANSWERS[0], _AGAIN):
        assert text in walk.told()
    assert len(came) == size or "codex" not in walk.words


def test_a_fork_begins_at_its_checkpoint(walk: Walk) -> None:
    """What was asked afterwards is no part of it, and it knows its parent."""
    session, path, number = _two_questions(walk)
    before = path.read_bytes()

    told = _opened(walk, number, "--fork")
    walk.go_on(told["session_id"], _AGAIN)

    assert told["session_id"] != session
    assert _FIRST in walk.told()
    assert _ANSWERS[0] in walk.told()
    assert _SECOND not in walk.told()
    assert path.read_bytes() == before
    assert walk.sessions >= {path, Path(told["written"])}
    known = walk.holdfast("session", told["session_id"])["session"]
    assert known["parent_session"] == session
    assert walk.holdfast("backfill")["unread"] == []


def test_a_fork_of_a_deleted_session_is_made_from_the_archive(walk: Walk) -> None:
    """The session comes back, and the fork begins beside it."""
    session, path, number = _two_questions(walk)
    walk.holdfast("archive")
    path.unlink()

    told = _opened(walk, number, "--fork")
    walk.go_on(told["session_id"], _AGAIN)

    assert _FIRST in walk.told()
    assert session in path.read_text()
    assert _SECOND not in walk.told()


_COMPACTED: dict[str, dict[str, Any]] = {
    "codex": {
        "timestamp": "2036-01-01T00:00:00.000Z",
        "ordinal": 999,
        "type": "compacted",
        "payload": {"message": _SUMMARY, "replacement_history": []},
    },
    "gemini": {
        "$set": {
            "messages": [
                {
                    "id": "a" * 32,
                    "timestamp": "2036-01-01T00:00:00.000Z",
                    "type": "user",
                    "content": [{"text": f"<state_snapshot>{_SUMMARY}"}],
                },
                # The client deletes what has nothing to go on with.
                {
                    "id": "b" * 32,
                    "timestamp": "2036-01-01T00:00:00.000Z",
                    "type": "user",
                    "content": [{"text": _SECOND}],
                },
            ]
        }
    },
    "pi": {
        "type": "compaction",
        "id": "0badcafe",
        "parentId": None,
        "timestamp": "2036-01-01T00:00:00.000Z",
        "summary": _SUMMARY,
        "firstKeptEntryId": "0badcafe",
        "tokensBefore": 5,
    },
}


def test_before_a_compaction_the_conversation_is_whole(
    walk: Walk,
) -> None:
    """The summary stands in the original, and not here. The line of the compaction is
    written by hand: as the client's own form has it."""
    _, path, number = _two_questions(walk)
    agent = walk.words.partition(" ")[0]
    with path.open("a") as file:
        file.write(json.dumps(_COMPACTED[agent]) + "\n")
    before = path.read_bytes()

    told = _opened(walk, number, "--before-compact")
    walk.go_on(told["session_id"], _AGAIN)

    for text in (_FIRST, _SECOND, *_ANSWERS, _AGAIN):
        assert text in walk.told()
    assert _SUMMARY not in walk.told()
    assert path.read_bytes() == before


def test_a_session_that_is_not_there_or_was_never_compacted_is_refused(
    walk: Walk,
) -> None:
    """A sentence each, and no file."""
    _, path, number = _two_questions(walk)

    never = walk.holdfast("open", number, "--before-compact")
    path.unlink()
    gone = walk.holdfast("open", number, "--native")

    assert "was never compacted" in never["message"]
    assert "is gone, and not in the archive" in gone["message"]
    assert path not in walk.sessions


@pytest.mark.parametrize("walk", ["codex", "pi"], indirect=True)
def test_a_session_is_found_after_its_project_moved(walk: Walk) -> None:
    """Where it is not found from the new place, a copy is; the original stays."""
    session, path, _ = _two_questions(walk)
    before = path.read_bytes()
    project = next(p for p in walk.home.parent.iterdir() if p.name == "project")
    number = walk.holdfast("list")["checkpoints"][0]["id"]
    shutil.move(project, project.with_name("moved"))
    project.symlink_to(project.with_name("moved"))  # where we and the client are run

    told = _opened(walk, number, "--native")
    walk.go_on(session, _AGAIN)

    assert told["session_id"] == session
    assert _SECOND in walk.told()
    assert path.read_bytes().startswith(before)


def test_a_long_result_of_gemini_comes_back_with_its_session(
    gemini_world: AgentWorld,
) -> None:
    """The client keeps it in a file of its own, and its line only names that."""
    world = gemini_world
    world.model.will(
        call("run_shell_command", command="seq 1 20000"), say("It counts.")
    )
    world.gemini("count to 20,000")
    (path,) = (world.home / ".gemini").glob("tmp/*/chats/session-*.jsonl")
    (result,) = (world.home / ".gemini").glob("tmp/*/tool-outputs/*/*.txt")
    before = result.read_bytes()
    assert world.answer("archive")["sessions"] == 1
    (saved,) = world.checkpoints
    path.unlink()
    result.unlink()

    told = world.answer("open", saved["id"], "--native")

    assert told["written"] == str(path)
    assert result.read_bytes() == before
    assert str(result) in path.read_text()
