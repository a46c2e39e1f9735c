"""The five examples of the design document, played with claude-mem beside holdfast.

Its ids are claude-mem's own. What the document shows as `/mem-search query="…"` is what
the skill hands to `holdfast search`.
"""

import re
from collections.abc import Iterator

import pytest

from holdfast.surfaces.cli import save as save_command
from tests.e2e.conftest import SAMPLES, Cli
from tests.e2e.mirroring import LONG, MEM, saving, set_up, settle
from tests.e2e.work import SESSION, Work
from tests.missing import without
from tests.peers import Peer, PeerMissing, claude_mem

pytestmark = [pytest.mark.process, pytest.mark.timeout(900)]
_NEXT, _NEXT_SAMPLE = "157e3abc-c05f-483e-89d7-1e9fcee58c4e", "print-tools.jsonl"


@pytest.fixture(scope="module")
def peer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Peer]:
    try:
        with claude_mem(tmp_path_factory.mktemp("claude-mem")) as peer:
            yield peer
    except PeerMissing as missing:
        without(f"no claude-mem to test with: {missing}")


@pytest.fixture
def work(cli: Cli, peer: Peer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Work]:
    monkeypatch.setattr(save_command, "_MIRROR_SECONDS", LONG)
    set_up(cli, {"kind": MEM, "url": peer.url})
    work = Work(cli)
    work.asks("Why does the session file grow until the client hangs?")
    work.edits("docs/design.md", "# Checkpoints\n")
    work.runs("wc -c session.jsonl", "9000000 session.jsonl\n")
    work.says("Compaction does not shrink the file; a checkpoint before /clear does.")
    yield work
    settle()


def numbers(cli: Cli, ref: str) -> list[int]:
    known = cli("show", ref, "--json").json["observations"]["mirrors"]
    found: list[int] = known[MEM]["observations"]
    return found


def test_example_1_a_basic_checkpoint(cli: Cli, work: Work) -> None:
    """The whole report: session, analysis, observations by claude-mem's numbers."""
    work.saves("Before")
    settle()
    work.says("One more thing.")

    told = saving(cli, "--verbose", "--title", "Session growth").out

    first, second = numbers(cli, "latest")
    assert "Session Information:\n├─ Session ID: " in told
    assert "Checkpoints: 1 → 2" in told
    assert "Topics identified: " in told
    assert "Tools used: " in told
    assert "Checkpoint Created: CHECKPOINT-00002" in told
    assert re.search(rf"Checkpoint ID: ccp-{SESSION}-02-\d+\n", told)
    assert f"Observations:\n  1. #{first} - Master Summary\n  2. #{second} - " in told
    assert f"claude-mem: Observation #{first}, #{second}" in told
    assert "Fallback" not in told


def test_example_2_a_safe_clear(cli: Cli, work: Work) -> None:
    """Saved under a title, found again by the query that the document gives."""
    record = work.saves("Ready for Testing")

    found = cli("search", f'query="checkpoint:{record["id"]}"', "--json").json

    assert [each["id"] for each in found["checkpoints"]] == [record["id"]]


def test_example_3_a_new_session_after_a_clear(cli: Cli, work: Work) -> None:
    """It has an id of its own, and knows parent, root and last checkpoint."""
    before = work.saves("Ready for Testing")
    with cli.parent(SESSION):
        cli.save(transcript=SAMPLES / _NEXT_SAMPLE)

    session = cli("session", _NEXT, "--json").json["session"]

    assert (session["id"], session["parent_session"]) == (_NEXT, SESSION)
    assert session["root_session"] == SESSION
    latest = cli("session", SESSION, "--json").json["session"]["latest_checkpoint"]
    assert latest == before["id"]


def test_example_4_restore_context(cli: Cli, work: Work) -> None:
    """Summary, outcomes and related observations, then the question."""
    record = work.saves("Session growth understood")
    settle()

    told = cli("search", f'query="checkpoint:{record["id"]}"')

    first, second = numbers(cli, record["id"])
    assert f"Checkpoint: {record['id']}\nFrom Session: {SESSION}\nCreated: " in told.out
    assert "\nSummary:\n" in told.out
    assert "\nKey Outcomes:\n" in told.out
    observations = f"Related Observations:\n  #{first} - Master Summary\n  #{second} - "
    assert observations in told.out
    assert "Continue work from this checkpoint?" in told.err


def test_example_5_several_checkpoints_in_a_session(
    cli: Cli, work: Work, peer: Peer
) -> None:
    """Sequences count, the query finds all of them, and so does claude-mem."""
    titles = ("Initial Design", "Implementation Started", "Ready for Testing")
    records = []
    for title in titles:
        work.says(f"{title}.")
        records.append(work.saves(title))
    settle()

    query = f'query="checkpoint session:{SESSION} sort:asc"'
    found = cli("search", query, "--json").json["checkpoints"]

    assert [each["sequence"] for each in records] == [1, 2, 3]
    assert [each["content"]["title"] for each in found] == list(titles)
    assert [each["latest_checkpoint"] for each in found] == [False, False, True]
    asked = ("search", "Implementation Started", "--mirror", MEM)
    hits = cli(*asked, "--json").json["mirror"]["found"]
    assert records[1]["id"] in {hit["checkpoint"] for hit in hits}
    assert "From claude-mem, in its own words:" in cli(*asked).out
    assert peer.running is not None
