"""What is forgotten is gone: from every file of ours, and from the code that was kept."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from holdfast.bootstrap import Container
from tests.e2e.conftest import SAMPLES, Cli
from tests.e2e.repository import commit_all
from tests.e2e.work import SESSION, Work

NEXT = "157e3abc-c05f-483e-89d7-1e9fcee58c4e"
_NEXT_SAMPLE = SAMPLES / "print-tools.jsonl"
# Words that nothing else has, one for each way something gets into a record.
PROMPT, TITLE, NAME, FILE, CODE, TAG, OUTPUT = (
    "quixotrombone", "wozzlebeck", "fnordwick", "grumbleflax", "zyzzyvine", "plinthorax",
    "brackenmole",
)  # fmt: skip
WORDS = (PROMPT, TITLE, NAME, FILE, CODE, TAG, OUTPUT)


def on_disk(home: Path) -> set[str]:
    """Return which of the words any file of ours holds, packed code unpacked."""
    data = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    data += b"".join(os.fsencode(str(path)) for path in home.rglob("*"))
    snapshots = home / "git" / "snapshots"
    if (snapshots / "config").exists():
        data += subprocess.run(
            [
                "git",
                "--git-dir",
                snapshots,
                "cat-file",
                "--batch-all-objects",
                "--batch",
            ],
            capture_output=True,
            check=True,
        ).stdout
    return {word for word in WORDS if word.encode() in data.lower()}


@pytest.fixture
def work(cli: Cli) -> Work:
    client = cli.home.parent / "claude"
    slug = re.sub("[^a-zA-Z0-9]", "-", str(cli.project))
    (client / "projects" / slug / "memory").mkdir(parents=True)
    return Work(cli)


def told(work: Work) -> Any:
    """Save a session that says every word."""
    work.asks(f"Always greet the {PROMPT} before you touch anything.")
    work.edits(f"src/{FILE}.py", f"{CODE} = 1\n")
    work.runs(f"echo {OUTPUT}", f"{OUTPUT}\n")
    work.says(f"The {PROMPT} was greeted.")
    words = ("--name", NAME, "--tags", TAG, "--include-files")
    return work.saves(f"About the {TITLE}", *words)


def memory_file(cli: Cli) -> Path:
    (directory,) = (cli.home.parent / "claude" / "projects").iterdir()
    return directory / "memory" / f"checkpoint-{NAME}.md"


def cleaned_up(work: Work) -> None:
    """Let the project itself go on without the words."""
    (work.root / "src" / f"{FILE}.py").unlink()


def test_no_byte_of_a_forgotten_checkpoint_is_left(cli: Cli, work: Work) -> None:
    """Record, index, fold, code, named file: a search over every byte finds nothing."""
    record = told(work)
    cleaned_up(work)
    before = on_disk(cli.home)

    ran = cli("forget", record["id"], "--json")

    assert before == set(WORDS)
    assert (ran.status, ran.json["checkpoints"]) == (0, [record["id"]])
    assert on_disk(cli.home) == set()
    assert not memory_file(cli).exists()
    assert NAME not in (memory_file(cli).parent / "MEMORY.md").read_text()
    assert cli("doctor", "--json").json["checks"][1]["state"] == "ok"


def test_lines_of_the_projects_own_files_that_still_say_it_are_named(
    cli: Cli, work: Work
) -> None:
    """They are read by people and stay; but who forgets something must know of them."""
    record = told(work)
    written = {
        "memory/session-handoff-LATEST.md": (
            f"# Handoff\n\n- Always  greet the {PROMPT.upper()} before you touch anything.\n"
        ),
        "memory/MEMORY.md": "# Facts\n\n- nothing of it\n",
        "memory/context-log.md": f"- 2026-01-18 {record['id']}\n",
        "tasks/lessons.md": f"x\ny\nsee About the {TITLE}: it went well\n",
    }
    for name, text in written.items():
        work.path(name).parent.mkdir(exist_ok=True)
        work.path(name).write_text(text)
    own = memory_file(cli).parent / "mine.md"
    own.write_text(f"- load checkpoint-{NAME}.md first\n")

    people = cli("forget", record["id"], "--dry-run")
    ran = cli("forget", record["id"], "--json")

    assert people.status == 0
    assert (ran.status, ran.json["kept"]) == (0, [])
    assert ran.json["mentions"] == [
        f"{work.root}/memory/session-handoff-LATEST.md:3",
        f"{work.root}/memory/context-log.md:1",
        f"{work.root}/tasks/lessons.md:3",
        f"{own}:1",
    ]
    assert {n: work.path(n).read_text() for n in written} == written


def test_a_text_that_still_stands_in_many_lines_is_told_in_few(
    cli: Cli, work: Work
) -> None:
    """Twenty are shown and the others counted."""
    told(work)
    lessons = work.path("tasks/lessons.md")
    lessons.parent.mkdir()
    lessons.write_text(f"a {TITLE} line\n" * 50)

    ran = cli("forget", "--match", TITLE, "--yes")

    assert ran.err.count(f"{lessons}:") == 20
    assert "50 lines of your own files still contain it" in ran.err
    assert "and 30 more" in ran.err


def test_the_tombstone_says_that_it_was_forgotten(cli: Cli, work: Work) -> None:
    """Whoever follows a link to it is told why there is nothing, and not what it was."""
    record = told(work)
    cli("forget", "latest")

    shown = cli("show", record["id"])

    assert shown.status == 12
    assert "was removed: forgotten" in shown.err
    assert TITLE not in shown.err


def test_a_text_in_the_quarantine_is_named(cli: Cli, work: Work) -> None:
    """Nobody can take it out of what nobody can read: its owner has to know."""
    told(work)
    aside = cli.home / "quarantine"
    aside.mkdir()
    kept = json.dumps({"values": {"body": json.dumps({"title": f"Ü {TITLE}"})}})
    (aside / "checkpoint-0123456789abcdef.row.json").write_text(kept)
    (aside / "session-0123456789abcdef.row.json").write_text("{}")

    ran = cli("forget", "--match", f"ü {TITLE.upper()}", "--yes", "--json")

    assert ran.status == 3
    assert ["checkpoint-0123" in why for why in ran.json["kept"]] == [True]


def test_forgetting_one_checkpoint_says_that_its_session_goes_on(
    cli: Cli, work: Work
) -> None:
    """The transcript still says it, and a later save would keep it again."""
    record = told(work)

    ran = cli("forget", record["id"], "--json")

    assert f"`holdfast forget session:{SESSION}` prevents" in ran.json["note"]


def test_a_forgotten_session_leaves_only_its_links(cli: Cli, work: Work) -> None:
    """Children still find their root; nothing else of the session is there."""
    told(work)
    work.asks("And now?")
    work.saves(f"Again the {TITLE}")
    cleaned_up(work)

    ran = cli("forget", f"session:{SESSION[:8]}", "--json")

    assert len(ran.json["checkpoints"]) == 2
    assert on_disk(cli.home) == set()
    container = Container(environ=os.environ, project=str(cli.project))
    known = container.store().session(SESSION)
    container.close()
    assert known is not None
    assert (known.root_session, known.checkpoints) == (SESSION, ())
    assert (known.transcript, known.working_directory, known.workspace) == ("", "", "")


def test_a_forgotten_session_does_not_come_back_by_itself(
    cli: Cli, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its transcript is still there, and a hook would read it again."""
    told(work)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)

    ran = cli("forget", f"session:{SESSION}")

    assert "off in that session" in ran.err
    assert cli("on", "--session", "--json").json["was_off"] is True


def test_matching_text_is_shown_before_it_goes(cli: Cli, work: Work) -> None:
    """Without a terminal to ask at and without `--yes`, nothing is forgotten."""
    told(work)
    cli.save()

    asked = cli("forget", "--match", TITLE.upper())
    dry = cli("forget", "--match", TITLE, "--dry-run", "--json")
    done = cli("forget", "--match", TITLE.upper(), "--yes", "--json")

    assert asked.status == 4
    assert TITLE in asked.out
    assert dry.json["checkpoints"] == []
    assert dry.json["would"] == done.json["checkpoints"]
    assert len(done.json["checkpoints"]) == 1
    assert len(cli("list", "--json").json["checkpoints"]) == 1


def test_matching_nothing_forgets_nothing(cli: Cli, work: Work) -> None:
    """An empty text would match everything: it is refused."""
    told(work)

    assert (
        cli("forget", "--match", "no such words", "--yes", "--json").json["checkpoints"]
        == []
    )
    assert cli("forget", "--match", "  ", "--yes").status == 2


def test_a_forgotten_project_is_unknown(cli: Cli, work: Work) -> None:
    """Its path, its sessions and its checkpoints go; a later save starts anew."""
    told(work)
    cleaned_up(work)
    path = str(cli.project).encode()

    refused = cli("forget")
    ran = cli("forget", "--yes", "--json")

    assert refused.status == 4
    assert len(ran.json["checkpoints"]) == 1
    assert on_disk(cli.home) == set()
    data = b"".join(p.read_bytes() for p in cli.home.rglob("*") if p.is_file())
    assert path not in data
    assert cli.save()["checkpoint"]["number"] == 1
    assert {c["state"] for c in cli("doctor", "--json").json["checks"]} <= {
        "ok",
        "warn",
    }


def test_what_waits_in_the_spool_is_forgotten_too(cli: Cli, work: Work) -> None:
    """A save that waited would bring back what was just forgotten."""
    told(work)
    spool = cli.home / "spool"
    store = cli.home / "holdfast.db"
    bytes_before = store.read_bytes()
    store.write_bytes(b"not a store" * 100)
    work.asks(f"More {PROMPT}")
    waited = cli("save", "--transcript", str(work._transcript), "--json")
    store.write_bytes(bytes_before)
    cleaned_up(work)

    assert waited.json["type"] == "spooled"
    assert list(spool.glob("*.json"))
    assert cli("forget", f"session:{SESSION}", "--json").status == 0

    assert on_disk(cli.home) == set()
    assert list(spool.glob("*.json")) == []


def test_code_that_another_checkpoint_needs_stays(cli: Cli, work: Work) -> None:
    """Two records may name one tree, or share files: the other stays whole."""
    commit_all(work.root)
    first = told(work)
    work.asks("Same code, another talk.")
    second = work.saves("Another")

    cli("forget", first["id"])

    assert second["code"]["tree"]
    checks = {c["name"]: c for c in cli("doctor", "--json").json["checks"]}
    assert checks["code"]["state"] == "ok"
    assert cli("restore", "latest", "--preview", "--json").status == 0


def test_a_file_that_somebody_edited_stays_and_is_told(cli: Cli, work: Work) -> None:
    """A person's words are theirs; the command says what it left and where."""
    told(work)
    with memory_file(cli).open("a", encoding="utf-8") as file:
        file.write("\nmy own words\n")

    ran = cli("forget", NAME, "--json")

    assert ran.status == 3
    assert "edited by hand" in ran.json["kept"][0]
    assert "my own words" in memory_file(cli).read_text(encoding="utf-8")


def test_what_children_inherited_goes_with_it(
    cli: Cli, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rule the user gave there was carried on, word for word, with its origin."""
    first = told(work)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", NEXT)
    cli("resume", first["id"], "--consume")
    cleaned_up(work)
    child = cli.save("--session", NEXT, transcript=_NEXT_SAMPLE)["checkpoint"]
    assert PROMPT in str(child["content"]["instructions"])

    ran = cli("forget", first["id"])

    after = cli("show", child["id"], "--json").json
    assert "1 later checkpoint inherited" in ran.err
    assert on_disk(cli.home) == set()
    assert (after["id"], after["number"]) == (child["id"], child["number"])
    assert after["relations"]["parent_session"] == SESSION
    assert "fail" not in {c["state"] for c in cli("doctor", "--json").json["checks"]}


def _an_heir(cli: Cli, work: Work, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Path]:
    """Return a record with a name that inherited from the first, and its file."""
    first = told(work)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", NEXT)
    cli("resume", first["id"], "--consume")
    cleaned_up(work)
    words = ("--session", NEXT, "--name", "heir")
    child = cli.save(*words, transcript=_NEXT_SAMPLE)["checkpoint"]
    return child, memory_file(cli).with_name("checkpoint-heir.md")


def test_an_heirs_receipt_counts_only_what_is_still_there(
    cli: Cli, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It counted what was forgotten, in a record that has it no longer."""
    child, _ = _an_heir(cli, work, monkeypatch)
    assert child["receipt"]["instructions"] == [1, 1]

    cli("forget", "1")

    after = cli("show", child["id"], "--json").json
    resumed = cli("resume", child["id"], "--json").json
    assert after["receipt"]["instructions"] == [0, 0]
    assert after["receipt"] == resumed["receipt"]
    assert child["relations"]["parent_session"] == SESSION
    assert "ccp-" + SESSION not in str(after["content"])


def test_an_heirs_file_says_what_the_heir_says(
    cli: Cli, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It said the old words, and the next look at it brought them back as an edit."""
    child, file = _an_heir(cli, work, monkeypatch)
    assert FILE in file.read_text(encoding="utf-8")

    assert cli("forget", "1").status == 0

    resumed = cli("resume", "heir", "--json").json
    assert FILE not in file.read_text(encoding="utf-8")
    assert resumed["checkpoint"]["id"] == child["id"]
    assert FILE not in str(resumed)
    assert len(cli("list", "--json").json["checkpoints"]) == 1


@pytest.mark.parametrize("is_kept", [True, False], ids=["kept before", "not kept"])
def test_an_heirs_file_that_somebody_edited(
    cli: Cli, work: Work, monkeypatch: pytest.MonkeyPatch, *, is_kept: bool
) -> None:
    """Their words stay; where we have them already, ours in them go and theirs do not."""
    _, file = _an_heir(cli, work, monkeypatch)
    with file.open("a", encoding="utf-8") as opened:
        opened.write("\n## Own\nmarmalade\n")
    if is_kept:
        cli("resume", "heir")

    ran = cli("forget", "1", "--json")

    text = file.read_text(encoding="utf-8")
    assert "marmalade" in text
    assert (ran.status, FILE in text) == ((0, False) if is_kept else (3, True))
    assert bool(ran.json["kept"]) is not is_kept
    assert on_disk(cli.home) == set()


def test_notes_that_cannot_be_reached_are_told_and_the_rest_goes(
    cli: Cli, work: Work
) -> None:
    """It said that nothing was touched, when half of it was."""
    record = told(work)
    cleaned_up(work)
    (cli.home / "restores").write_text("in the way", encoding="ascii")

    ran = cli("forget", record["id"], "--json")

    assert ran.status == 3
    assert "restores" in ran.json["kept"][0]
    assert on_disk(cli.home) == set()


def test_forgetting_the_same_twice_says_that_it_is_gone(cli: Cli, work: Work) -> None:
    """A second run changes nothing."""
    record = told(work)
    cli("forget", record["id"])

    again = cli("forget", record["id"])

    assert again.status == 12
    assert "forgotten" in again.err


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["forget", "latest", "--match", "x"], id="two things"),
        pytest.param(["forget", "session:ffff"], id="unknown session"),
        pytest.param(["forget", "nobody"], id="unknown name"),
    ],
)
def test_what_cannot_be_meant_is_refused(cli: Cli, words: list[str]) -> None:
    """A typo must not forget anything."""
    cli.save()

    assert cli(*words).status in (2, 12)
    assert len(cli("list", "--json").json["checkpoints"]) == 1
