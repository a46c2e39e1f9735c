"""What happens between the preview and the first file, seen from the verbs themselves."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.app.code.restore import RestorePreview, RestoreRequest, carry_out, preview
from holdfast.app.ports import Caller
from holdfast.bootstrap import Container
from holdfast.kernel.errors import RestoreRefused, SnapshotLost
from holdfast.kernel.ids import reference
from tests.e2e.conftest import Cli
from tests.e2e.repository import commit_all, git, worktree_of, write


@pytest.fixture
def project(cli: Cli) -> Path:
    git(cli.project, "init", "-q", "-b", "main", ".")
    write(cli.project, a_py="1\n")
    commit_all(cli.project)
    cli.save("--title", "first")
    write(cli.project, a_py="2\n")
    return cli.project


@pytest.fixture
def container(project: Path) -> Container:
    return Container(environ=os.environ, project=str(project))


def _shown(container: Container) -> tuple[RestorePreview, Caller]:
    caller = container.caller()
    request = RestoreRequest(reference=reference("1"))
    return preview(request, caller, container.ports(), container.restoring), caller


def _carry_out(container: Container, shown: RestorePreview, caller: Caller) -> None:
    carry_out(shown, caller, container.ports(), container.restoring)


def test_head_that_moved_after_the_preview_stops_it(
    container: Container, project: Path
) -> None:
    """Whoever agreed to the preview agreed to another state of things."""
    shown, caller = _shown(container)
    commit_all(project, "somebody else's")

    with pytest.raises(RestoreRefused, match="HEAD moved"):
        _carry_out(container, shown, caller)

    assert (project / "a.py").read_text() == "2\n"


def test_a_rebase_that_began_after_the_preview_stops_it(
    container: Container, project: Path
) -> None:
    """It is asked again at the last moment."""
    shown, caller = _shown(container)
    (project / ".git/rebase-merge").mkdir()

    with pytest.raises(RestoreRefused, match="a rebase"):
        _carry_out(container, shown, caller)


def test_a_file_that_changed_after_the_preview_stops_it(
    container: Container, project: Path
) -> None:
    """The preview did not show it, so nobody agreed to lose sight of it."""
    shown, caller = _shown(container)
    write(project, a_py="3, edited while looking\n")

    with pytest.raises(RestoreRefused, match="files changed after"):
        _carry_out(container, shown, caller)

    assert (project / "a.py").read_text() == "3, edited while looking\n"


def test_code_that_is_damaged_stops_it_before_the_first_file(
    container: Container, project: Path, cli: Cli
) -> None:
    """Everything that will be written is read first."""
    shown, caller = _shown(container)
    before = worktree_of(project)
    packs = sorted((cli.home / "git" / "snapshots" / "objects" / "pack").glob("*.pack"))
    for pack in packs:
        pack.chmod(0o600)
        pack.write_bytes(pack.read_bytes()[:-40] + bytes(40))
    loose = (cli.home / "git" / "snapshots" / "objects").glob("??/*")
    for path in loose:
        path.unlink()

    with pytest.raises((SnapshotLost, RestoreRefused)):
        _carry_out(container, shown, caller)

    assert worktree_of(project) == before


def test_undo_does_not_disturb_a_rebase_either(cli: Cli, project: Path) -> None:
    """It writes files, too; afterwards it works."""
    cli("restore", "1")
    (project / ".git/rebase-merge").mkdir()

    refused = cli("undo", "--json")
    (project / ".git/rebase-merge").rmdir()
    done = cli("undo", "--json")

    assert (refused.status, refused.json["code"]) == (4, "REST_001")
    assert done.status == 0
    assert (project / "a.py").read_text() == "2\n"


def test_a_restore_whose_checkpoint_was_removed_is_passed_over(
    cli: Cli, container: Container, project: Path
) -> None:
    """The one before it can still be undone."""
    cli("restore", "1")
    write(project, a_py="3\n")
    saved = cli("restore", "1", "--json").json["saved_first"]
    container.store().remove([saved], "asked to be forgotten")
    container.close()

    undone = cli("undo", "--json").json

    assert undone["left"] == 0
    assert (project / "a.py").read_text() == "2\n"


def test_a_present_that_cannot_be_kept_is_not_replaced(
    cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here because it became a home directory, which no snapshot holds."""
    monkeypatch.setenv("HOME", str(project))

    refused = cli("restore", "1")

    assert refused.status == 4
    assert "the current code cannot be saved first: a home directory" in refused.err
    assert (project / "a.py").read_text() == "2\n"


def test_a_bare_repository_has_nothing_to_restore(
    cli: Cli, project: Path, tmp_path: Path
) -> None:
    """Said as such, with the way that works."""
    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "-q", "--bare", str(project), str(bare))
    saved = cli("show", "1", "--json").json["id"]
    cli.project = bare

    refused = cli("restore", saved)

    assert refused.status == 4
    assert "a bare repository" in refused.err
    assert "--into DIR" in refused.err


def _at_a_terminal(cli: Cli, answer: bytes, *words: str) -> tuple[int, str]:
    """Run a command with a terminal on all sides; return status and what it showed."""
    main, side = pty.openpty()
    command = [sys.executable, "-m", "holdfast", *words, "--project", str(cli.project)]
    with subprocess.Popen(command, stdin=side, stdout=side, stderr=side) as process:
        os.close(side)
        os.write(main, answer)
        shown = b""
        while True:
            try:
                shown += os.read(main, 4096)
            except OSError:  # the other side is closed
                break
        status = process.wait()
    os.close(main)
    return status, shown.decode()


@pytest.mark.parametrize(
    ("answer", "content", "status"),
    [
        pytest.param(b"y\n", "1\n", 0, id="yes"),
        pytest.param(b"n\n", "2\n", 4, id="no"),
        pytest.param(b"\n", "2\n", 4, id="nothing"),
    ],
)
def test_at_a_terminal_it_shows_and_asks(
    cli: Cli, project: Path, answer: bytes, content: str, status: int
) -> None:
    """The preview first; only a yes writes, and a no is no success."""
    ended, shown = _at_a_terminal(cli, answer, "restore", "1")

    assert ended == status
    assert "1 file to write" in shown
    assert "Restore? Your current code is saved first. [y/N]" in shown
    assert (project / "a.py").read_text() == content


def test_forgetting_asks_and_ends_as_restoring_does(cli: Cli, project: Path) -> None:
    """One rule for whoever says no: nothing was done, status 4."""
    assert project.is_dir()

    declined, shown = _at_a_terminal(cli, b"n\n", "forget", "1")
    agreed, _ = _at_a_terminal(cli, b"y\n", "forget", "1")

    assert "Forget 1 checkpoint for good? [y/N]" in shown
    assert (declined, agreed) == (4, 0)


def test_at_a_terminal_yes_can_be_said_before(cli: Cli, project: Path) -> None:
    """`--yes` is for who knows."""
    _, shown = _at_a_terminal(cli, b"", "restore", "1", "--yes")

    assert "[y/N]" not in shown
    assert (project / "a.py").read_text() == "1\n"
