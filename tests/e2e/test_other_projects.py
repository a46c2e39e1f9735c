"""A person may reach into another project by its session or id, and is told so."""

from pathlib import Path

import pytest

from holdfast.project_notes.handoff.document import HANDOFF
from holdfast.surfaces.cli.main import run
from tests.e2e.conftest import Cli
from tests.e2e.work import SESSION, Work


@pytest.fixture
def other(cli: Cli, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Cli:
    """The same store, seen from another project."""
    place = tmp_path / "other"
    place.mkdir()
    return Cli(cli.home, place, capsys)


def _from(other: Cli, monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[str, str]:
    """Run a command inside a project, as people do: without naming it."""
    monkeypatch.chdir(other.project)
    other.capsys.readouterr()
    run([*words])
    told = other.capsys.readouterr()
    return told.out, told.err


@pytest.fixture
def saved(cli: Cli) -> Work:
    work = Work(cli)
    work.asks("add a parser")
    work.edits("parser.py", "x = 1\n")
    work.saves("the parser", "--name", "parser")
    return work


def _transcript(cli: Cli) -> str:
    return str(cli.home.parent / f"{SESSION}.jsonl")


def test_a_save_into_another_project_says_so(
    other: Cli, saved: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The work goes where the session was, or where the person said: either is told."""
    words = ("save", "--transcript", _transcript(other))

    as_said = other(*words, "--title", "one")
    as_json = other(*words, "--title", "two", "--json")
    _, as_it_worked = _from(other, monkeypatch, *words, "--title", "three")

    said = f"worked in another project, `{saved.root}`: saved where you said"
    assert said in as_said.err
    assert said in as_json.json["notice"]
    assert (
        f"belongs to another project than the one you are in: saved in `{saved.root}`"
        in as_it_worked
    )


def test_what_is_forgotten_of_another_project_is_named(other: Cli, saved: Work) -> None:
    """`session:ID` and an id reach everywhere; whose they are is said before and after."""
    dry = other("forget", f"session:{SESSION}", "--dry-run")
    done = other("forget", f"session:{SESSION}", "--yes")

    for ran in (dry, done):
        assert f"from another project than this one: `{saved.root}`" in ran.err


def test_a_brief_of_another_project_says_so_and_frees_no_name(
    other: Cli, saved: Work
) -> None:
    """Continuing somewhere else must not take the file from those who work there."""
    by_id = other("list", "--all", "--json").json["checkpoints"][0]["id"]

    ran = other("resume", by_id, "--consume")

    assert f"Of another project: `{saved.root}`" in ran.out
    assert "`parser` belongs to another project: its name stays taken" in ran.err
    assert saved.cli("show", "parser", "--json").json["name"] == "parser"


def test_a_handoff_of_a_session_of_another_project_says_where_it_is_written(
    other: Cli, saved: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever runs it stands elsewhere and would look for the file there."""
    words = ("handoff", "write", "--transcript", _transcript(other))
    _, told = _from(other, monkeypatch, *words)

    assert (saved.root / HANDOFF).exists()
    assert not (other.project / HANDOFF).exists()
    assert f"writing in `{saved.root}`" in told


def test_what_is_shown_of_another_project_says_so(other: Cli, saved: Work) -> None:
    """Read by its id, it looked like a checkpoint of the project one stands in."""
    listed = other("list", "--all")
    by_id = other("list", "--all", "--json").json["checkpoints"][0]["id"]
    by_session = other("list", "--session", SESSION)

    assert f"Of another project: `{saved.root}`" in other("show", by_id).out
    assert f"resume with: holdfast resume {by_id}\n" in other("show", by_id).out
    assert "resume with: holdfast resume 1\n" in saved.cli("show", by_id).out
    assert f"Of another project: `{saved.root}`" in other("diff", by_id, by_id).out
    assert saved.root.name in other("search", "parser", "--all").out
    assert saved.root.name in listed.out
    assert saved.root.name in by_session.out or "no checkpoints" in by_session.err
    assert "Of another project" not in saved.cli("show", "parser").out
