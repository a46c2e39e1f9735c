"""The main job: point holdfast at a transcript, find the checkpoint, get its brief."""

import json
import re
from pathlib import Path

import pytest

from holdfast.kernel.ids import is_checkpoint_id
from holdfast.surfaces.cli.main import run
from tests.e2e.conftest import SAMPLE, SESSION, Cli

_CONTRACT_FIELDS = {
    "format", "version", "id", "number", "label", "name", "session_id", "sequence",
    "type", "created_at", "created_at_unix", "latest_checkpoint", "agent",
    "working_directory", "hostname", "project", "content", "session_state", "code",
    "observations", "relations", "tags", "receipt",
}  # fmt: skip
_CONTENT_FIELDS = {
    "title", "summary", "topics", "work_type", "domain", "key_outcomes", "decisions",
    "discoveries", "pending", "next_steps", "instructions", "errors", "dead_ends",
    "in_flight", "files_referenced", "commands", "plan",
}  # fmt: skip


def test_a_saved_transcript_gives_the_contracts_record(cli: Cli) -> None:
    """CONTRACT: names here are fixed, scripts rely on them."""
    saved = cli.save()

    checkpoint = saved["checkpoint"]
    assert (saved["type"], saved["status"], saved["gaps"]) == ("saved", "WORKING", [])
    assert set(checkpoint) >= _CONTRACT_FIELDS
    assert set(checkpoint["content"]) >= _CONTENT_FIELDS
    assert (checkpoint["format"], checkpoint["version"]) == (
        "claude-code-checkpoint",
        "2.1",
    )
    assert is_checkpoint_id(checkpoint["id"])
    assert checkpoint["session_id"] == SESSION
    assert checkpoint["label"] == "CHECKPOINT-00001"
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", checkpoint["created_at"]
    )
    assert checkpoint["tags"][:2] == ["checkpoint", f"session-{SESSION}"]
    assert re.fullmatch(r"session-\d{8}", checkpoint["tags"][2])
    assert checkpoint["relations"]["root_session"] == SESSION


def test_a_session_from_another_machine_says_where_it_went(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The directory it worked in is not here: that must not pass unseen."""
    told = "its directory `/home/me/proj` is not on this machine: saved in this project"
    monkeypatch.chdir(cli.project)

    named = cli.save("--title", "somebody said where")
    run(["save", "--transcript", str(SAMPLE), "--title", "for a script", "--json"])
    silent = json.loads(capsys.readouterr().out)
    run(["save", "--transcript", str(SAMPLE), "--title", "for a person"])
    spoken = capsys.readouterr().err

    assert "notice" not in named
    assert silent["status"] == "WORKING"
    assert silent["notice"].startswith(told)
    assert told in spoken


def test_the_record_holds_what_happened(cli: Cli) -> None:
    """The sample wrote a file, edited it, ran commands of which one failed."""
    checkpoint = cli.save()["checkpoint"]

    content, state = checkpoint["content"], checkpoint["session_state"]
    assert {"Bash", "Write", "Edit", "Agent"} <= set(state["tools_used"])
    assert [
        f["path"] for f in content["files_referenced"] if f["change"] != "read"
    ] == ["s.txt"]
    assert state["message_count"] > 0
    assert checkpoint["agent"] == {"name": "claude-code", "version": "2.1.197"}
    assert checkpoint["working_directory"] == "/home/me/proj"


@pytest.mark.parametrize(
    "reference",
    [
        pytest.param("latest", id="latest"),
        pytest.param("latest~0", id="counted back"),
        pytest.param("1", id="number"),
        pytest.param("CHECKPOINT-00001", id="label"),
        pytest.param("checkpoint-1", id="label in lower case"),
        pytest.param("api-design", id="name"),
        pytest.param("api", id="prefix of a name"),
        pytest.param(f"session:{SESSION}", id="session"),
        pytest.param(f"session:{SESSION[:8]}", id="prefix of a session"),
        pytest.param(f"ccp-{SESSION}", id="prefix of an id"),
    ],
)
def test_every_form_of_reference_finds_it(cli: Cli, reference: str) -> None:
    """A5: one grammar wherever a checkpoint is named."""
    checkpoint = cli.save("--name", "API design")["checkpoint"]

    shown = cli("show", reference, "--json").json
    resumed = cli("resume", reference, "--json").json

    assert shown["id"] == checkpoint["id"]
    assert resumed["checkpoint"]["id"] == checkpoint["id"]
    assert resumed["type"] == "resumed"
    assert resumed["brief"]


def test_the_full_id_finds_it(cli: Cli) -> None:
    """An exact id never goes through search."""
    checkpoint = cli.save()["checkpoint"]

    assert cli("show", checkpoint["id"], "--json").json["id"] == checkpoint["id"]


@pytest.mark.parametrize(
    "query",
    [
        pytest.param(f"checkpoint session:{SESSION}", id="session"),
        pytest.param(f"checkpoint session:{SESSION} latest", id="session's latest"),
        pytest.param("checkpoint latest sort:desc", id="latest of all"),
        pytest.param(f"session lineage:{SESSION}", id="lineage"),
        pytest.param("tool:Edit", id="tool"),
        pytest.param("file:s.txt", id="file"),
        pytest.param("type:manual", id="type"),
        pytest.param("tag:nightly", id="tag"),
        pytest.param("banana", id="a word of the title"),
        pytest.param('"banana bread"', id="a phrase"),
    ],
)
def test_search_finds_it(cli: Cli, query: str) -> None:
    """E3: S0's query language on a real record."""
    checkpoint = cli.save("--title", "Banana bread works", "--tags", "nightly")[
        "checkpoint"
    ]

    found = cli("search", *query.split(" "), "--json").json

    assert found["type"] == "list"
    assert [c["id"] for c in found["checkpoints"]] == [checkpoint["id"]]
    assert all("score" in c for c in found["checkpoints"])


def test_a_search_for_something_else_finds_nothing(cli: Cli) -> None:
    """Otherwise the tests above would prove nothing."""
    cli.save("--title", "Banana bread works")

    for query in ("zebra", "tag:none", "tool:Nope", "before:2020-01-01", "type:auto"):
        assert cli("search", query, "--json").json["checkpoints"] == []


def test_list_is_newest_first_and_limited(cli: Cli) -> None:
    """The newest is always the highest number (A3)."""
    for title in ("one", "two", "three"):
        cli.save("--title", title)

    listed = cli("list", "--limit", "2", "--json").json

    assert listed["type"] == "list"
    assert [c["number"] for c in listed["checkpoints"]] == [3, 2]
    assert [c["latest_checkpoint"] for c in listed["checkpoints"]] == [True, False]


def test_checkpoints_of_a_session_are_linked(cli: Cli) -> None:
    """Previous, next and sequence let a reader walk the session."""
    first = cli.save("--title", "one")["checkpoint"]
    second = cli.save("--title", "two")["checkpoint"]

    again = cli("show", first["id"], "--json").json
    assert (first["sequence"], second["sequence"]) == (1, 2)
    assert second["relations"]["previous_checkpoint"] == first["id"]
    assert again["relations"]["next_checkpoint"] == second["id"]
    assert again["latest_checkpoint"] is False


def test_nothing_new_makes_no_record(cli: Cli) -> None:
    """C11: the same state saved already is said so."""
    first = cli.save()["checkpoint"]

    again = cli.save()

    assert again["type"] == "unchanged"
    assert again["checkpoint"]["id"] == first["id"]
    assert len(cli("list", "--json").json["checkpoints"]) == 1


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(("--title", "Another"), id="title"),
        pytest.param(("--name", "another"), id="name"),
        pytest.param(("--tags", "another"), id="tags"),
    ],
)
def test_anything_given_that_differs_makes_a_record(
    cli: Cli, given: tuple[str, str]
) -> None:
    """CONTRACT: whoever names it again wants it again."""
    cli.save()

    assert cli.save(*given)["type"] == "saved"
    assert cli.save(*given)["type"] == "unchanged"


def test_a_retry_with_the_same_key_is_the_same_save(cli: Cli) -> None:
    """A caller that was cut off may simply call again."""
    first = cli.save("--title", "One", "--key", "retry-1")["checkpoint"]

    again = cli.save("--title", "Two", "--key", "retry-1")["checkpoint"]

    assert again["id"] == first["id"]
    assert again["content"]["title"] == "One"


def test_a_session_that_grew_gets_a_new_checkpoint(cli: Cli, tmp_path: Path) -> None:
    """The fold continues where it stopped and equals one from the beginning."""
    lines = SAMPLE.read_bytes().splitlines(keepends=True)
    growing = tmp_path / f"{SESSION}.jsonl"
    growing.write_bytes(b"".join(lines[:20]))
    cli.save(transcript=growing)
    with growing.open("ab") as file:
        file.writelines(lines[20:])

    second = cli.save(transcript=growing)["checkpoint"]

    whole = cli.save("--title", second["content"]["title"] + " ", transcript=SAMPLE)
    assert second["sequence"] == 2
    assert second["session_state"] == whole["checkpoint"]["session_state"]
    assert second["content"] == whole["checkpoint"]["content"]


def test_an_empty_session_is_not_worth_a_record(cli: Cli, tmp_path: Path) -> None:
    """C11: nothing to save is said so."""
    empty = tmp_path / f"{SESSION}.jsonl"
    empty.touch()

    saved = cli.save(transcript=empty)

    assert (saved["type"], saved["checkpoint"]) == ("unchanged", None)
    assert cli("list", "--json").json["checkpoints"] == []


def test_notes_give_the_words_and_the_transcript_the_facts(
    cli: Cli, tmp_path: Path
) -> None:
    """C4: what the agent writes is merged on top of what was extracted."""
    notes = tmp_path / "notes.json"
    notes.write_text(
        json.dumps(
            {
                "title": "Stub tasks done",
                "decisions": ["keep s.txt small"],
                "next_steps": ["write the docs"],
                "tags": ["stub"],
                "mood": "good",
            }
        )
    )

    saved = cli.save("--notes", str(notes))

    content = saved["checkpoint"]["content"]
    assert content["title"] == "Stub tasks done"
    assert ("keep s.txt small", "agent") in [
        (d["text"], d["source"]) for d in content["decisions"]
    ]
    assert "write the docs" in [step["text"] for step in content["next_steps"]]
    assert "s.txt" in [f["path"] for f in content["files_referenced"]]
    assert "stub" in saved["checkpoint"]["tags"]
    assert saved["unknown_notes"] == ["mood"]
    assert saved["checkpoint"]["extra_notes"] == {"mood": "good"}


def test_a_taken_name_needs_force(cli: Cli) -> None:
    """A4: a taken name asks before it overwrites; without a terminal, 4."""
    first = cli.save("--title", "one", "--name", "api")["checkpoint"]

    refused = cli(
        "save", "--transcript", str(SAMPLE), "--title", "two", "--name", "api", "--json"
    )
    forced = cli.save("--title", "two", "--name", "api", "--force")["checkpoint"]

    assert (refused.status, refused.json["code"]) == (4, "NAME_002")
    assert cli("show", "api", "--json").json["id"] == forced["id"]
    assert cli("show", first["id"], "--json").json["name"] is None


def test_a_consumed_name_still_finds_its_record(cli: Cli) -> None:
    """CONTRACT: and a new save may take it."""
    first = cli.save("--title", "one", "--name", "api")["checkpoint"]
    cli("resume", "api", "--consume", "--json")

    assert cli("show", "api", "--json").json["id"] == first["id"]

    second = cli.save("--title", "two", "--name", "api")["checkpoint"]
    assert cli("show", "api", "--json").json["id"] == second["id"]


def test_observations_follow_the_template(cli: Cli) -> None:
    """C13: the master observation has S0's sections and retrieval queries."""
    checkpoint = cli.save()["checkpoint"]

    shown = cli("show", "latest", "--observations").out

    for heading in (
        "## Checkpoint Reference",
        "## Session Context",
        "## Summary",
        "## Key Outcomes",
        "## Files Referenced",
        "## Tools Used",
        "## Related Checkpoints",
        "## Retrieval Queries",
    ):
        assert heading in shown
    assert f'/mem-search query="checkpoint:{checkpoint["id"]}"' in shown


def test_evidence_names_lines_of_the_transcript(cli: Cli) -> None:
    """H2: every extracted statement points at where it came from."""
    cli.save()

    shown = cli("show", "latest", "--evidence").out

    named = re.findall(r"line ([0-9a-f-]{36})", shown)
    known = SAMPLE.read_text()
    assert named
    assert all(f'"uuid":"{uuid}"' in known for uuid in named)


def test_budget_is_kept(cli: Cli) -> None:
    """A budget includes the receipt; a token is UTF-8 bytes / 4."""
    cli.save()

    for budget in (120, 300, 1000):
        resumed = cli("resume", "latest", "--budget", str(budget), "--json").json

        assert len(resumed["brief"].encode()) <= budget * 4


def test_the_report_is_for_people(cli: Cli) -> None:
    """C12: session, analysis, ids and how to restore; one line with --quiet."""
    full = cli("save", "--transcript", str(SAMPLE), "--title", "one", "--verbose").out
    short = cli("save", "--transcript", str(SAMPLE), "--title", "two", "--quiet").out

    assert SESSION in full
    assert "ccp-" in full
    assert "holdfast resume 1" in full
    assert short.count("\n") == 1
    assert "00002" in short
