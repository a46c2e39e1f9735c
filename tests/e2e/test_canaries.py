"""A secret never reaches the disk: one canary per field, and every sink searched."""

import json
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

from tests.builders import session_number
from tests.e2e.canaries import OWN_RULE, Canaries, spoiled_transcript
from tests.e2e.hooks.conftest import World, write_session

SAMPLES = Path(__file__).parents[1] / "fixtures" / "transcripts"
SESSION = session_number(1)
NOTES = {
    "title": "t", "summary": "s", "topics": ["t"], "work_type": "w", "domain": "d",
    "key_outcomes": ["k"], "decisions": ["d"], "discoveries": ["d"], "pending": ["p"],
    "next_steps": ["n"], "open_questions": ["o"], "mental_model": "m",
    "dead_ends": ["d"], "instructions": ["i"], "tags": ["t"], "unknown": {"a": ["b"]},
    "details": [{"topic": "t", "text": "x", "files": ["f"], "commands": ["c"]}],
}  # fmt: skip


@pytest.fixture(params=["built-in rules", "the user's own rule"])
def canaries(request: pytest.FixtureRequest) -> Canaries:
    is_own = request.param != "built-in rules"
    return Canaries.of_own_rule() if is_own else Canaries()


@pytest.fixture
def spoiled(tmp_path: Path, canaries: Canaries) -> World:
    """A repository, a transcript and uncommitted files with canaries in all of them."""
    world = World(tmp_path)
    settings = world.root / "user" / ".config" / "holdfast" / "config.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"redaction": {"rules": [OWN_RULE]}}))
    world.repository()
    world.git("checkout", "-q", "-b", f"fix-{canaries('branch')}")
    write_session(world, SESSION, "add refresh tokens")
    path = world.transcript(SESSION)
    text = path.read_text(encoding="utf-8")
    for sample in sorted(SAMPLES.glob("*.jsonl")):
        text += spoiled_transcript(sample, canaries)
    path.write_text(text, encoding="utf-8")
    secret = canaries("file content")
    (world.project / "settings.py").write_text(f"token = '{secret}'\n")
    (world.project / "wide.txt").write_bytes(f"x {secret}".encode("utf-16"))
    (world.project / f"dump-{canaries('file name')}.txt").write_text("x\n")
    (world.project / "link").symlink_to(f"https://me:{canaries('link')}@host/x")
    (world.project / "fine.py").write_text("x = 1\n")
    return world


def run(world: World, *words: str, given: str = "", **environ: str) -> str:
    """Run a command as a user does, and return everything it said."""
    here = ("--project", str(world.project))
    call = [sys.executable, "-m", "holdfast", words[0], *here, *words[1:]]
    done = subprocess.run(
        call, env=world.environ(**environ), input=given, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def written(world: World) -> list[Path]:
    """Everything of ours: the data directory, and what we put beside other files."""
    memory = world.root / "claude" / "projects"
    return [world.home, *memory.glob("*/memory"), world.project / "memory", world.project / "tasks"]  # fmt: skip


@pytest.mark.parametrize("form", ["text", "lower", "utf-16", "name", "object"])
def test_the_search_finds_a_canary_wherever_one_is(
    tmp_path: Path, canaries: Canaries, form: str
) -> None:
    """A search that finds nothing says something only if it would find something."""
    secret = canaries("field")
    place = tmp_path / "objects" if form == "object" else tmp_path
    place.mkdir(exist_ok=True)
    data = {
        "lower": secret.lower().encode(),
        "utf-16": secret.encode("utf-16-le"),
        "name": b"",
        "object": zlib.compress(secret.encode()),
    }.get(form, secret.encode())
    (place / (secret if form == "name" else "file")).write_bytes(data)

    assert canaries.in_files(tmp_path)


def test_no_command_lets_a_canary_reach_the_disk(
    spoiled: World, canaries: Canaries
) -> None:
    """Store, index, snapshot, handoff, memory, named file, log: none has one."""
    world = spoiled
    said = [
        run(world, "save", "--session", SESSION, "--title", f"t {canaries('title')}",
            "--tags", f"a,{canaries('tag')}", "--key", canaries("key"),
            "--notes", "-", "--include-files", "--json",
            given=json.dumps(canaries.spoil(NOTES, "notes"))),
        run(world, "save", "--session", SESSION, "--name", "release", "--force"),
        run(world, "save", "--session", SESSION, "--name", canaries("name")),
        run(world, "handoff", "write", "--session", SESSION),
        run(world, "memory", "facts", "add", f"fact {canaries('fact')}"),
        run(world, "memory", "log", "add", f"episode {canaries('episode')}"),
        run(world, "memory", "lessons", "add", f"lesson {canaries('lesson')}"),
        run(world, "brief", "--session", SESSION),
        run(world, "resume", "release"),
        run(world, "show", "latest", "--evidence", "--observations"),
        run(world, "status"), run(world, "suggest"), run(world, "list"),
        run(world, "diff", "latest~1", "latest"),
        run(world, "doctor"),
    ]  # fmt: skip

    assert any("CHECKPOINT-00001" in each for each in said)
    assert len(canaries.made) > 60
    assert canaries.in_files(*written(world)) == []
    assert canaries.in_text("\n".join(said)) == []


def test_no_hook_lets_a_canary_reach_the_disk(
    spoiled: World, canaries: Canaries
) -> None:
    """Marks, notices, requests, variables, folds and the log, from start to end."""
    world, client = spoiled, spoiled.client()
    env_file = str(world.root / "user" / "env.sh")
    client.environ["CLAUDE_ENV_FILE"] = env_file
    extra: dict[str, Any] = {
        "unheard_of": canaries("hook field"),
        "model": canaries("model"),
    }
    heard = [
        client.start(SESSION, **extra),
        client.hook("UserPromptSubmit", SESSION, prompt=canaries("prompt"), **extra),
        client.hook("Stop", SESSION, last_assistant_message=canaries("message"), **extra),
        client.hook("PreCompact", SESSION, trigger="manual", custom_instructions=canaries("compact"), **extra),
        client.hook(canaries("event"), SESSION),
        client.hook("Stop", canaries("session id"), **extra),
        client.hook("Stop", SESSION, transcript_path=f"/nowhere/{canaries('path')}.jsonl"),
        client.hook("SessionEnd", SESSION, reason=canaries("reason")),
        client.raw("Stop", '{"session_id": "' + canaries("broken input")),
        client.end(SESSION, "clear"),
        client.start(session_number(2), "clear"),
        client.prompt(session_number(2), f"continue {canaries('continue')}"),
    ]  # fmt: skip
    world.close()

    assert {each.status for each in heard} == {0}
    assert (world.home / "holdfast.db").exists()
    assert canaries.in_files(world.home, world.root / "user") == []
    assert canaries.in_text("".join(each.out + each.err for each in heard)) == []


def test_a_save_that_must_wait_holds_no_canary(
    spoiled: World, canaries: Canaries
) -> None:
    """The spool is written when the store cannot be: it has to be as clean."""
    world = spoiled
    run(world, "save", "--session", SESSION)
    (world.home / "holdfast.db").write_bytes(b"no database at all" * 500)

    said = run(
        world, "save", "--session", SESSION, "--title", canaries("title"), "--json"
    )

    assert '"type": "spooled"' in said or '"type":"spooled"' in said
    assert list((world.home / "spool").glob("*.json"))
    assert canaries.in_files(*written(world)) == []
    assert canaries.in_text(said) == []


def test_no_error_text_repeats_a_canary(spoiled: World, canaries: Canaries) -> None:
    """Errors are pasted into issues."""
    world = spoiled
    said = [
        run(world, "show", canaries("reference")),
        run(world, "save", "--session", canaries("session")),
        run(world, "save", "--transcript", f"/nowhere/{canaries('transcript')}"),
        run(world, "save", "--session", SESSION, "--notes", "-", given=canaries("bad notes")),
        run(world, "save", "--session", SESSION, "--notes", "-", given=json.dumps({"title": [canaries("wrong type")]})),
        run(world, "config", "set", "brief.budget_tokens", canaries("setting")),
        run(world, "config", "set", canaries("key"), "1"),
        run(world, "config", "get", canaries("get")),
        run(world, canaries("command")),
        run(world, "list", f"--{canaries('option')}"),
        run(world, "search", canaries("query")),
        run(world, "resume", canaries("resume")),
    ]  # fmt: skip

    assert canaries.in_files(*written(world)) == []
    assert canaries.in_text("\n".join(said)) == []
