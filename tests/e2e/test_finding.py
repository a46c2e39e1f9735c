"""Finding as a person and an agent do it: search, suggest, and what they show."""

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from holdfast.surfaces.cli.search import arranged
from tests.e2e.conftest import SAMPLE, SESSION, Cli, on_a_terminal

SEEDS = Path(__file__).parents[3] / "shared" / "seeds"
OTHER = "0b9d7a66-1111-4222-8333-444455556666"
_ESCAPES = re.compile(rb"\x1b\[[0-9;]*[A-Za-z]")


def found(cli: Cli, *words: str) -> list[str]:
    ran = cli("search", *words, "--json")
    assert ran.status == 0, ran
    return [checkpoint["content"]["title"] for checkpoint in ran.json["checkpoints"]]


@pytest.fixture
def saved(cli: Cli) -> Any:
    """One checkpoint of the sample session, and one of a session begun from it."""
    first = cli.save("--title", "Banana bread works", "--tags", "nightly")
    return first["checkpoint"]


def test_the_seed_document_s_search_patterns_run_as_they_are(
    cli: Cli, saved: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """E3: verbatim but for the ids, through the command line."""
    child = tmp_path / f"{OTHER}.jsonl"
    child.write_text(SAMPLE.read_text("utf-8").replace(SESSION, OTHER), "utf-8")
    monkeypatch.setenv("CLAUDE_SESSION_PARENT", SESSION)
    cli.save("--title", "Child", transcript=child)
    year = int(saved["created_at"][:4])

    def ask(query: str) -> list[str]:
        return found(cli, f'/mem-search query="{query}"')

    assert ask(f"checkpoint session:{SESSION} latest") == ["Banana bread works"]
    assert ask(f"checkpoint session:{SESSION}") == ["Banana bread works"]
    assert ask(f"checkpoint parent:{SESSION}") == ["Child"]
    assert ask(f"checkpoint:{saved['id']}") == ["Banana bread works"]
    assert ask("checkpoint latest sort:desc") == ["Child"]
    assert len(ask(f"checkpoint after:{year - 1}-12-01 before:{year + 1}-02-01")) == 2
    assert ask(f"checkpoint after:{year - 2}-12-01 before:{year - 1}-12-01") == []
    assert ask(f"session lineage:{SESSION}") == ["Child", "Banana bread works"]
    assert ask(f"session lineage:{OTHER}") == ["Child", "Banana bread works"]


def test_who_names_a_checkpoint_by_its_id_is_shown_it_and_asked(
    cli: Cli, saved: Any
) -> None:
    """S0: summary, outcomes, observations, and the question whether to continue."""
    ran = cli("search", f'query="checkpoint:{saved["id"]}"')

    assert f"Checkpoint: {saved['id']}\nFrom Session: {SESSION}" in ran.out
    assert saved["content"]["summary"] in ran.out
    for outcome in saved["content"]["key_outcomes"]:
        assert f"- {outcome['text']}" in ran.out
    master = saved["observations"]["master_summary_id"]
    assert f"  #{master} - Master Summary" in ran.out
    assert "Continue work from this checkpoint?" in ran.err


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the seed documents are not here")
def test_every_query_of_the_seed_documents_is_answered(cli: Cli, saved: Any) -> None:
    """Copied from the page: no quoting, no placeholder and no wrapper is an error."""
    text = "".join(page.read_text("utf-8", "replace") for page in SEEDS.glob("*.txt"))
    queries = re.findall(r'/mem-search query=\\?"[^"\n]*"', text)

    answers = [cli("search", query, "--json") for query in queries]

    assert len(queries) >= 15
    assert {ran.status for ran in answers} == {0}
    latest = [q for q in queries if "checkpoint latest sort:desc" in q]
    assert found(cli, latest[0]) == [saved["content"]["title"]]


@pytest.mark.parametrize(
    ("words", "is_found"),
    [
        pytest.param(["banana", "-bread"], False, id="excluded word"),
        pytest.param(["banana", "-header"], True, id="one that begins like -h"),
        pytest.param(["-zebra", "banana"], True, id="exclusion first"),
        pytest.param(["banana", "-tag:nightly"], False, id="negated filter"),
        pytest.param(["banana", "-type:auto"], True, id="negated type"),
        pytest.param(["banana", "--limit", "3", "bread"], True, id="option between"),
        pytest.param(["banana", "after:2", "hours", "ago"], True, id="date in words"),
        pytest.param(["banana", "after:today"], True, id="today"),
        pytest.param(["banana", "before:yesterday"], False, id="yesterday"),
        pytest.param(["-type:manual"], False, id="nothing but an exclusion"),
    ],
)
def test_a_query_is_typed_without_thinking_of_options(
    cli: Cli, saved: Any, words: list[str], *, is_found: bool
) -> None:
    """`-x` excludes on the command line, too."""
    assert saved
    assert found(cli, "--all", *words) == (["Banana bread works"] if is_found else [])


@pytest.mark.parametrize(
    "text",
    [
        "C++", "a-b", '"', "'", "NEAR(", "NEAR(a b, 5)", "*", "a*", "^a", "(", "AND", "NOT",
        "-", "a OR", "\x00", "\udcff\udcfe", "🦓", "(a+)+$", "%_", "'; DROP TABLE x; --x",
        "\u202e\u200b", "after:" * 500, '"a" ' * 2000, "กขค" * 10_000, "x" * 100_000,
    ],
)  # fmt: skip
def test_any_text_is_answered(cli: Cli, saved: Any, text: str) -> None:
    """There is no syntax error, and no way into SQL."""
    shown, answered = cli("search", text), cli("search", text, "--json")

    assert saved
    assert (shown.status, answered.status) == (0, 0)
    assert answered.json["type"] == "list"


def test_an_unknown_option_is_wrong_usage(cli: Cli) -> None:
    """Two dashes are an option; as a word it stands behind `--`."""
    ran = cli("search", "banana", "--nope", "--json")

    assert (ran.status, ran.json["code"]) == (2, "USE_001")


@pytest.mark.parametrize(
    ("words", "arranged_words"),
    [
        pytest.param(["a", "-b"], ["--", "a", "-b"], id="exclusion"),
        pytest.param(["-b", "--all"], ["--all", "--", "-b"], id="option last"),
        pytest.param(["--limit", "3", "a"], ["--limit", "3", "--", "a"], id="value"),
        pytest.param(["a", "--limit"], ["--limit", "--", "a"], id="value missing"),
        pytest.param(["--limit=3", "a"], ["--limit=3", "--", "a"], id="joined"),
        pytest.param(["--", "--no-verify"], ["--", "--no-verify"], id="flag as a word"),
        pytest.param(["--", "a", "--"], ["--", "a", "--"], id="dashes as a word"),
        pytest.param(["-h"], ["-h"], id="help"),
        pytest.param([], [], id="nothing"),
    ],
)
def test_options_and_query_are_told_apart(
    words: list[str], arranged_words: list[str]
) -> None:
    """Wherever they stand."""
    assert arranged(words) == arranged_words


def test_a_hit_carries_the_passage_that_answered(cli: Cli, saved: Any) -> None:
    """CONTRACT: as `list`, with `score`; and the passage with where it can be read."""
    (hit,) = cli("search", "bread", "--json").json["checkpoints"]

    assert hit["id"] == saved["id"]
    assert hit["score"] > 0
    assert hit["passage"]["kind"] == "title"
    assert "Banana bread" in hit["passage"]["text"]
    assert hit["passage"]["evidence"] == []


def test_filters_alone_need_no_passage(cli: Cli, saved: Any) -> None:
    """Nothing was searched for, so nothing is quoted."""
    (hit,) = cli("search", "tag:nightly", "--json").json["checkpoints"]

    assert (hit["id"], hit["passage"]) == (saved["id"], None)


def test_what_people_see_of_a_hit(cli: Cli) -> None:
    """Title, passage, age, branch, session and the command that opens it."""
    notes = cli.project / "notes.json"
    notes.write_text(json.dumps({"decisions": ["the parser owns nested quotes"]}))
    cli.save("--title", "Lexer cleaned up", "--notes", str(notes))

    ran = cli("search", "nested", "quotes")

    assert ran.out.splitlines()[:2] == [
        "00001  Lexer cleaned up",
        "       decision: the parser owns nested quotes",
    ]
    assert f"session {SESSION[:8]} · holdfast show 1" in ran.out
    assert "holdfast resume 1" in ran.err


def test_a_terminal_marks_what_was_found(cli: Cli) -> None:
    """Readable at 80 columns, in any script, and obeying nothing that was saved."""
    notes = cli.project / "notes.json"
    thai = "ตรวจสอบรหัสผ่านก่อนบันทึกทุกครั้ง" * 6
    evil = f"\x1b]0;owned\x07{thai} \x1b[2J 修复会话恢复的错误" * 3
    notes.write_text(json.dumps({"decisions": [evil]}))
    cli.save("--title", "解析器" * 30, "--notes", str(notes))

    seen = on_a_terminal(cli, "search", "รหัสผ่าน")

    assert b"\x1b[1;33m" + "รหัสผ่าน".encode() in seen
    assert b"\x1b]0;" not in seen
    assert b"\x1b[2J" not in seen
    assert b"\x07" not in seen
    lines = _ESCAPES.sub(b"", seen).decode().splitlines()
    assert max(map(cell_len, lines)) <= 80


def test_nothing_found_says_what_to_do(cli: Cli, tmp_path: Path) -> None:
    """A hint that works if pasted."""
    cli.save("--title", "Banana bread works")
    nothing = cli("search", "zebra")
    misread = cli("search", "after:soon")
    elsewhere = Cli(cli.home, tmp_path / "elsewhere", cli.capsys)
    elsewhere.project.mkdir()
    abroad = elsewhere("search", "banana")
    everywhere = elsewhere("search", "banana", "--all")

    assert (nothing.status, nothing.out) == (0, "")
    assert "nothing found" in nothing.err
    assert "`after:soon` is not a filter" in misread.err
    assert "hint: a date is `2026-01-18`" in misread.err
    assert "--all" in abroad.err
    assert re.search(r"holdfast show ccp-\S+$", everywhere.out, re.MULTILINE)


def test_the_id_that_another_project_shows_opens_it(cli: Cli, tmp_path: Path) -> None:
    """A command that is printed can be pasted."""
    cli.save("--title", "Banana bread works")
    elsewhere = Cli(cli.home, tmp_path / "elsewhere", cli.capsys)
    elsewhere.project.mkdir()
    shown = elsewhere("search", "banana", "--all").out
    command = re.findall(r"holdfast (show ccp-\S+)", shown)[0]

    assert "Banana bread works" in elsewhere(*command.split()).out


@pytest.fixture
def live_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Return a way to move to another zone, and come home afterwards."""

    def move(zone: str) -> None:
        monkeypatch.setenv("TZ", zone)
        time.tzset()

    yield move
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"])
def test_dates_are_in_the_user_s_zone(
    cli: Cli, saved: Any, live_in: Callable[[str], None], zone: str
) -> None:
    """What the clock on the wall showed is what people type, wherever they live."""
    live_in(zone)
    moment = saved["created_at_unix"] // 1000
    earlier, later = (
        time.strftime("%Y-%m-%d %H:%M", time.localtime(moment + seconds))
        for seconds in (-60, 60)
    )

    assert found(cli, "banana", f"after:{earlier}") == ["Banana bread works"]
    assert found(cli, "banana", f"after:{later}") == []
    assert found(cli, "banana", f"before:{later}") == ["Banana bread works"]
    assert found(cli, "banana", f"before:{earlier}") == []


@pytest.fixture
def at_work(tmp_path: Path) -> Path:
    """The transcript of another session that does much the same."""
    folder = tmp_path / "claude" / "projects" / "-project"
    folder.mkdir(parents=True)
    transcript = folder / f"{OTHER}.jsonl"
    transcript.write_text(SAMPLE.read_text("utf-8").replace(SESSION, OTHER), "utf-8")
    return transcript


def test_suggest_tells_what_matters_and_why(
    cli: Cli, saved: Any, at_work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """E5: by the transcript, by its id, and by the session this process is in."""
    by_file = cli("suggest", "--transcript", str(at_work), "--json").json
    by_id = cli("suggest", "--session", OTHER, "--json").json
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", OTHER)
    by_environment = cli("suggest", "--json").json
    shown = cli("suggest")

    assert by_file["type"] == "list"
    (suggestion,) = by_file["checkpoints"]
    assert suggestion["id"] == saved["id"]
    assert "changed s.txt too" in suggestion["why"]
    assert by_id == by_environment == by_file
    assert shown.out.startswith("00001  Banana bread works\n")
    assert "changed s.txt too" in shown.out
    assert "holdfast show 1" in shown.out


def test_suggest_is_quiet_where_nothing_matters(cli: Cli, saved: Any) -> None:
    """A session is never told about itself."""
    ran = cli("suggest", "--transcript", str(SAMPLE))

    assert saved
    assert (ran.status, ran.out) == (0, "")
    assert cli("suggest", "--transcript", str(SAMPLE), "--json").json == {
        "type": "list",
        "checkpoints": [],
    }


def test_suggest_takes_the_newest_session_of_the_place(
    cli: Cli, saved: Any, at_work: Path
) -> None:
    """In another window of the same project nobody knows an id by heart."""
    folder = at_work.parent.with_name(re.sub(r"[^A-Za-z0-9]", "-", str(cli.project)))
    at_work.parent.rename(folder)
    moved = folder / at_work.name
    text = moved.read_text("utf-8").replace("/home/me/proj", str(cli.project))
    moved.write_text(text, "utf-8")

    ran = cli("suggest", "--json")

    assert [c["id"] for c in ran.json["checkpoints"]] == [saved["id"]]


def test_suggest_without_a_session_says_so(cli: Cli, saved: Any) -> None:
    """Never a guess: no id, no transcript, no answer."""
    ran = cli("suggest", "--json")

    assert saved
    assert (ran.status, ran.json["code"]) == (1, "SESS_001")
