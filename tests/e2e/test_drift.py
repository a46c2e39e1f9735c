"""Ground truth at resume: what the brief says of the code is checked against the code."""

import subprocess
import sys
from typing import Any

import pytest

from tests.e2e.conftest import Cli
from tests.e2e.repository import commit_all, git
from tests.e2e.work import Work


@pytest.fixture
def work(cli: Cli) -> Work:
    """A session that edited two files, ran its tests, and was saved."""
    work = Work(cli)
    work.asks("Rotate the tokens.")
    work.edits("src/refresh.py", "def rotate(): ...\n")
    work.edits("src/session.py", "TABLE = 1\n")
    work.runs("pytest -q tests", "11 passed in 0.19s")
    work.runs("ls", "src")
    work.says("rotate() in refresh.py is done.")
    commit_all(cli.project)
    work.saves("tokens")
    return work


def _drift(cli: Cli, *words: str) -> list[dict[str, Any]]:
    return cli("resume", *words, "--json").json["drift"]  # type: ignore[no-any-return]  # JSON


@pytest.mark.usefixtures("work")
def test_files_that_are_as_they_were_are_said_to_be(cli: Cli) -> None:
    """One line for all of them; nothing else is marked."""
    told = cli("resume").out

    assert "Checked now: 2 files named here unchanged since the checkpoint ✓" in told
    assert "unverified" not in told
    assert _drift(cli) == []


def test_a_change_by_a_commit_names_the_commit(cli: Cli, work: Work) -> None:
    """The next session knows what to read again, and where it came from."""
    work.path("src/session.py").write_text("TABLE = 2\n")
    commit = commit_all(cli.project, "somebody else's")

    told = cli("resume")
    drift = _drift(cli)

    assert f"session.py +1 (changed since: commit {commit[:7]})" in told.out
    assert "of 2 files named here 1 changed, the rest unchanged ✓" in told.out
    assert "1 changed" in told.err
    file = {"kind": "file", "path": "src/session.py", "state": "changed"}
    assert {**file, "commit": commit} in drift
    assert [d["kind"] for d in drift] == ["head", "file", "command"]


def test_a_change_that_nobody_committed_is_a_change(cli: Cli, work: Work) -> None:
    """Same size, other content: the time of a file says nothing."""
    work.path("src/session.py").write_text("TABLE = 2\n")

    (file, command) = _drift(cli)

    assert (file["state"], file["commit"]) == ("changed", None)
    assert command == {
        "kind": "command",
        "command": "pytest -q tests",
        "state": "unverified",
    }


def test_a_file_that_is_gone_is_said_to_be(cli: Cli, work: Work) -> None:
    """With the commit that removed it, if one did."""
    work.path("src/session.py").unlink()
    commit = commit_all(cli.project, "away")

    told = cli("resume").out

    assert f"session.py +1 (gone, removed by {commit[:7]})" in told


def test_results_of_tests_are_marked_when_the_code_is_another(
    cli: Cli, work: Work
) -> None:
    """It passed then, with other code; only commands that verify are marked."""
    work.path("src/refresh.py").write_text("def rotate(): raise\n")

    told = cli("resume").out

    assert "pytest -q tests → 11 passed (then; unverified now)" in told
    assert told.count("unverified") == 1


def test_a_claim_about_a_changed_file_is_marked(cli: Cli, work: Work) -> None:
    """What the agent noted of a file may no longer hold; the user's words stay theirs."""
    notes = '{"discoveries": ["refresh.py never locks"], "decisions": ["keep it"]}'
    path = cli.home.parent / "notes.json"
    path.write_text(notes)
    work.saves("noted", "--notes", str(path))
    work.path("src/refresh.py").write_text("other\n")

    told = cli("resume").out

    assert "refresh.py never locks (refresh.py: changed since)" in told
    assert "keep it (" not in told


@pytest.mark.usefixtures("work")
def test_another_branch_comes_with_the_command_that_switches(cli: Cli) -> None:
    """The brief and the JSON say it."""
    git(cli.project, "checkout", "-q", "-b", "side")

    told = cli("resume").out
    drift = _drift(cli)

    assert "this is `side`, the work is on `main`: git switch main" in told
    fix = {"then": "main", "now": "side", "fix": "git switch main"}
    assert drift == [{"kind": "branch", **fix}]


def test_a_session_that_began_in_a_subdirectory_is_compared_there(cli: Cli) -> None:
    """Its paths are seen from where it began, the tree's from the root."""
    git(cli.project, "init", "-q", "-b", "main", ".")
    root, cli.project = cli.project, cli.project / "app"
    cli.project.mkdir()
    work = Work(cli, under_git=False)
    work.asks("do it")
    work.edits("main.py", "1\n")
    work.saves("in app")
    (root / "app/main.py").write_text("2\n")

    (file,) = [d for d in _drift(cli) if d["kind"] == "file"]

    assert (file["path"], file["state"]) == ("main.py", "changed")


def test_without_a_snapshot_a_commit_still_tells(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record without code: only what git knows can be said, and what is missing."""
    with monkeypatch.context() as patch:
        patch.setenv("HOME", str(cli.project))  # a home is never kept
        work = Work(cli)
        work.asks("do it")
        work.edits("kept.py", "1\n")
        work.edits("changed.py", "1\n")
        work.edits("gone.py", "1\n")
        commit_all(cli.project)
        record = work.saves("no tree")
    work.path("changed.py").write_text("2\n")
    work.path("gone.py").unlink()
    commit = commit_all(cli.project)

    files = {d["path"]: d for d in _drift(cli) if d["kind"] == "file"}

    assert record["code"]["tree"] is None
    assert {path: d["state"] for path, d in files.items()} == {
        "changed.py": "changed",
        "gone.py": "gone",
    }
    assert files["changed.py"]["commit"] == commit


def test_a_link_out_of_the_worktree_is_not_followed(cli: Cli, work: Work) -> None:
    """A file swapped for a link is another file, whatever lies behind it."""
    outside = cli.home.parent / "outside.py"
    outside.write_text("TABLE = 1\n")
    work.path("src/session.py").unlink()
    work.path("src/session.py").symlink_to(outside)

    (file, _) = _drift(cli)

    assert (file["path"], file["state"]) == ("src/session.py", "changed")


def test_drift_runs_nothing_of_the_repository(cli: Cli, work: Work) -> None:
    """Its configuration names programs for everything that looks at a history."""
    trap = cli.home.parent / "trap"
    mark = cli.home.parent / "mark"
    trap.write_text(f"#!/bin/sh\ntouch {mark}\n")
    trap.chmod(0o755)
    for key in ("core.pager", "diff.external", "core.fsmonitor", "log.showSignature"):
        git(cli.project, "config", key, str(trap))
    work.path("src/session.py").write_text("TABLE = 3\n")
    (cli.project / ".gitattributes").write_text("* diff=trap filter=trap\n")
    git(cli.project, "config", "diff.trap.textconv", str(trap))

    drift = _drift(cli)

    assert [d["kind"] for d in drift] == ["file", "command"]
    assert not mark.exists()


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        pytest.param(
            "holdfast.app.checkpoints.resume",
            {"subprocess", "msgspec", "rich", "apsw", "json", "shutil", "tempfile"},
            id="drift",
        ),
        pytest.param(
            "holdfast.app.checkpoints.save", {"subprocess", "shutil"}, id="save"
        ),
        pytest.param(
            "holdfast.app.checkpoints.resume", {"subprocess", "shutil"}, id="resume"
        ),
    ],
)
def test_what_a_hook_may_ask_for_loads_nothing_that_writes(
    module: str, heavy: set[str]
) -> None:
    """Restoring, comparing and bisecting are for commands."""
    already = _modules_after("pass")

    loaded = _modules_after(f"import {module}") - already

    ours = {name for name in loaded if name.startswith("holdfast.")}
    verbs = ("restor", "bisect", "compar", "undo", "trials")
    assert loaded & heavy == set()
    assert [name for name in ours if any(verb in name for verb in verbs)] == []


def _modules_after(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; import sys; print(*sorted(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())
