"""`holdfast handoff` as a user and a script have it."""

import subprocess
from pathlib import Path

import pytest

from holdfast.project_notes.handoff.document import HANDOFF
from tests.e2e.conftest import SAMPLE, SESSION, Cli
from tests.unit.agents.building import agent, raw, user

_SHARED = Path(__file__).parents[2] / ".." / "shared" / "data" / "transcripts"
_TRANSCRIPT = ("--transcript", str(SAMPLE))
_CHECKS = 9
_START = "the next session can start from the handoff alone"


@pytest.fixture
def repository(cli: Cli) -> Path:
    """The project as a git repository with one uncommitted file."""
    subprocess.run(["git", "init", "-q", str(cli.project)], check=True)
    (cli.project / "dirty.py").write_text("x")
    return cli.project


def test_write_check_and_show_go_together(cli: Cli, repository: Path) -> None:
    """The whole of it on a sample of the client's own."""
    wrote = cli("handoff", "write", *_TRANSCRIPT, "--json")
    checked = cli("handoff", "check", *_TRANSCRIPT, "--json")
    shown = cli("handoff")

    assert (wrote.status, checked.status, shown.status) == (0, 0, 0)
    assert wrote.json["type"] == checked.json["type"] == "handoff"
    assert wrote.json["status"] == checked.json["status"] == "WORKING"
    assert (wrote.json["path"], wrote.json["changed"]) == (HANDOFF, True)
    assert wrote.json["checks"] == checked.json["checks"]
    assert len(checked.json["checks"]) == _CHECKS
    # The mark of the user's own words is not taken from a file of the repository.
    assert shown.out == (repository / HANDOFF).read_text().replace("▸", "›")
    assert "`dirty.py`" in shown.out


def test_skipped_lines_say_why_and_guidance_comes_last(
    cli: Cli, repository: Path
) -> None:
    """No phantom passes; compaction is advised only when all lines pass."""
    assert repository == cli.project

    ran = cli("handoff", "write", *_TRANSCRIPT)

    assert "⚠️ SKIPPED STATE.md is reviewed: the project keeps no STATE.md" in ran.out
    assert ran.out.splitlines()[-1] == (
        f"Checkpoint complete. Run /compact to compress context. Handoff: {HANDOFF}"
    )
    assert "⚠ NO_TOOLS: compaction disables all tools" in ran.out
    assert f"saved: {HANDOFF} (" in ran.out
    assert cli("handoff", "write", *_TRANSCRIPT).out.startswith(f"unchanged: {HANDOFF}")


def test_a_gap_exits_4_when_checked_and_3_when_written(cli: Cli) -> None:
    """Scripts can tell a partial handoff from a whole one."""
    wrote = cli("handoff", "write", *_TRANSCRIPT)
    checked = cli("handoff", "check", *_TRANSCRIPT)

    assert (wrote.status, checked.status) == (3, 4)
    assert f"✗ {_START}" in checked.out
    assert "PARTIAL" in checked.out
    assert "/compact" not in wrote.out + checked.out
    assert "NO_TOOLS" in checked.out


def test_no_file_where_work_is_open_exits_1(cli: Cli) -> None:
    """BROKEN: the next session would start from nothing."""
    ran = cli("handoff", "check", *_TRANSCRIPT, "--json")
    shown = cli("handoff", "show")

    assert (ran.status, ran.json["status"]) == (1, "BROKEN")
    assert "holdfast handoff write" in ran.json["hint"]
    assert (shown.status, shown.out) == (1, "")
    assert cli("handoff", "show", "--json").json["text"] is None


def test_a_link_in_the_way_exits_1_and_is_not_followed(
    cli: Cli, tmp_path: Path
) -> None:
    """A cloned repository must not choose where is written."""
    (tmp_path / "elsewhere").mkdir()
    (cli.project / "memory").symlink_to(tmp_path / "elsewhere")

    ran = cli("handoff", "write", *_TRANSCRIPT, "--json")

    assert (ran.status, ran.json["status"]) == (1, "BROKEN")
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert cli("handoff").status == 1


def test_the_first_write_says_how_to_keep_the_files_out_of_git(
    cli: Cli, repository: Path
) -> None:
    """Offered, and done only when asked."""
    exclude = repository / ".git" / "info" / "exclude"
    before = exclude.read_text()

    first = cli("handoff", "write", *_TRANSCRIPT)
    untouched = exclude.read_text()
    again = cli("handoff", "write", *_TRANSCRIPT, "--exclude")

    assert "out of git with: holdfast handoff write --exclude" in first.err
    assert untouched == before
    assert f"/{HANDOFF}\n" in exclude.read_text()
    assert "--exclude" not in again.err
    status = ["git", "-C", str(repository), "status", "--short"]
    listed = subprocess.run(status, capture_output=True, text=True, check=True).stdout
    assert listed == "?? dirty.py\n"


def test_a_session_nobody_named_is_an_error(cli: Cli) -> None:
    """Never a guess."""
    ran = cli("handoff", "write", "--json")

    assert (ran.status, ran.json["code"]) == (1, "SESS_001")
    assert not (cli.project / "memory").exists()


def test_it_does_nothing_where_holdfast_is_off(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Off means off, and says so."""
    monkeypatch.setenv("HOLDFAST_DISABLE", "1")

    ran = cli("handoff", "write", *_TRANSCRIPT, "--json")

    assert (ran.status, ran.json["reason"]) == (1, "holdfast is off here")
    assert not (cli.project / "memory").exists()


def test_notes_of_a_checkpoint_are_handed_over_while_they_are_fresh(
    cli: Cli, tmp_path: Path, repository: Path
) -> None:
    """The agent's own words win for wording, until the user asks for something else."""
    notes = tmp_path / "notes.json"
    notes.write_text('{"next_steps": ["tell Anna"], "mental_model": "two queues"}')
    cli.save("--notes", str(notes))

    cli("handoff", "write", *_TRANSCRIPT)

    text = (repository / HANDOFF).read_text()
    assert "tell Anna" in text
    assert "How it works: two queues" in text


def test_a_handoff_lies_in_the_project_its_session_worked_in(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Called from elsewhere without `--project`, it must not land there."""
    worked, here = tmp_path / "worked", tmp_path / "here"
    worked.mkdir()
    here.mkdir()
    transcript = tmp_path / "t.jsonl"
    lines = (
        user("fix the parser", cwd=str(worked)),
        agent({"type": "text", "text": "Should it accept `'`?"}, number=2),
    )
    transcript.write_bytes(raw(*lines))
    monkeypatch.chdir(here)
    cli.project = Path()

    from holdfast.surfaces.cli.main import run  # noqa: PLC0415  # without `--project`

    run(["handoff", "write", "--transcript", str(transcript)])

    assert "Should it accept" in (worked / HANDOFF).read_text()
    assert list(here.iterdir()) == []


def test_the_session_is_taken_from_its_id(cli: Cli, tmp_path: Path) -> None:
    """As the client names it to its own shell."""
    place = tmp_path / "claude" / "projects" / "-code"
    place.mkdir(parents=True)
    (place / f"{SESSION}.jsonl").write_bytes(SAMPLE.read_bytes())

    ran = cli("handoff", "write", "--session", SESSION, "--json")

    assert ran.json["status"] in ("WORKING", "PARTIAL")
    assert (cli.project / HANDOFF).exists()


def test_a_session_that_was_never_saved_is_told_how(cli: Cli, tmp_path: Path) -> None:
    """In a terminal, `holdfast save` alone knows no session."""
    place = tmp_path / "claude" / "projects" / "-code"
    place.mkdir(parents=True)
    calls = [
        {"type": "tool_use", "id": f"toolu_0{n}", "name": "Bash", "input": {}}
        for n in range(3)
    ]
    usage = {"input_tokens": 6_000, "output_tokens": 2}
    said = agent(*calls, number=2)
    said["message"]["usage"] = usage
    asked = user("fix the parser", 1, cwd=str(cli.project))
    (place / f"{SESSION}.jsonl").write_bytes(raw(asked, said))
    advice = "a checkpoint is recommended,  none was made of this session:"

    named = cli("handoff", "write", "--session", SESSION)
    cli("save", "--session", SESSION)
    saved = cli("handoff", "write", "--session", SESSION)

    assert f"{advice} `holdfast save --session {SESSION}`\n" in named.err
    assert "recommended" not in saved.err


def test_a_session_that_continues_another_takes_its_place(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a clear, the page has one request to continue, the newer one."""
    paths = []
    for number, words in enumerate(("fix the parser", "and escaped quotes, too")):
        session = f"0000000{number}-0000-4000-8000-000000000000"
        path = tmp_path / f"{number}.jsonl"
        asked = user(words, 1, cwd=str(cli.project), sessionId=session)
        said = {"type": "text", "text": f"Should I go on with part {number}?"}
        path.write_bytes(raw(asked, agent(said, number=2, sessionId=session)))
        cli.save(transcript=path)
        monkeypatch.setenv("CLAUDE_SESSION_PARENT", session)
        paths.append(path)

    for path in paths:
        cli("handoff", "write", "--transcript", str(path))

    text = (cli.project / HANDOFF).read_text()
    assert text.count("Continue (") == text.count("Top priority:") == 1
    assert "and escaped quotes, too" in text
    assert "part 0?" in text  # the question is still open, and inherited
    assert "part 1?" in text


def test_people_are_told_what_was_kept_and_taken_out(cli: Cli, tmp_path: Path) -> None:
    """Saved is said only of what was read back; old facts are shown."""
    (cli.project / "STATE.md").write_text("- write the docs\n")
    (cli.project / "memory").mkdir()
    (cli.project / "memory" / "MEMORY.md").write_text("- use tabs in go files\n")
    todo = {"content": "write the docs", "status": "completed", "activeForm": "x"}
    call = {
        "type": "tool_use", "id": "toolu_01", "name": "TodoWrite",
        "input": {"todos": [todo]},
    }  # fmt: skip
    result = {"type": "tool_result", "tool_use_id": "toolu_01", "content": "ok"}
    text = {"type": "text", "text": "Should the page be longer?"}
    lines = (
        user("Never use tabs in go files.", 1, cwd=str(cli.project)),
        agent(call, number=2),
        user([result], 3),
        agent(text, number=4),
    )
    path = tmp_path / "t.jsonl"
    path.write_bytes(raw(*lines))

    ran = cli("handoff", "write", "--transcript", str(path))

    assert "conflict: memory/MEMORY.md: Never use tabs in go files." in ran.out
    assert "(was: use tabs in go files)" in ran.out
    assert "done, removed from STATE.md: write the docs" in ran.out
    assert (cli.project / "STATE.md").read_text() == ""


@pytest.mark.shared
@pytest.mark.timeout(900)
def test_every_real_transcript_gives_a_handoff_that_passes_its_own_check(
    cli: Cli,
) -> None:
    """Or its gap is real: the first action's file is not on this machine."""
    transcripts = [p for p in _SHARED.rglob("*.jsonl") if p.name != "summaries.jsonl"]
    if not transcripts:
        pytest.skip("the measuring data is not beside the repository")
    root = cli.project

    for number, transcript in enumerate(sorted(transcripts)):
        cli.project = root / str(number)
        cli.project.mkdir()
        words = ("handoff", "write", "--transcript", str(transcript), "--json")
        first, second = cli(*words).json, cli(*words).json

        gaps = [c["check"] for c in first["checks"] if c["result"] == "no"]
        assert first["status"] == ("PARTIAL" if gaps else "WORKING"), transcript.name
        assert gaps in ([], [_START]), transcript.name
        assert not second["changed"], transcript.name
