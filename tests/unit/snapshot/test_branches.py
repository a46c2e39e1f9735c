"""What became of a branch and of known files, seen without running anything of theirs."""

import os
import subprocess
from pathlib import Path

import pytest

from holdfast.snapshot.git.code import GitCode


@pytest.fixture
def project(tmp_path: Path) -> Path:
    place = tmp_path / "project"
    place.mkdir()
    git(place, "init", "-q", "-b", "main")
    git(place, "commit", "-q", "--allow-empty", "-m", "one")
    return place


def git(place: Path, *words: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *who, *words], cwd=place, check=True, capture_output=True)


def code(tmp_path: Path) -> GitCode:
    return GitCode(str(tmp_path / "scratch"), dict(os.environ))


def test_a_branch_is_there_merged_or_gone(project: Path, tmp_path: Path) -> None:
    """Work on a branch that was merged or removed is not continued unasked."""
    git(project, "branch", "merged")
    git(project, "switch", "-q", "-c", "open")
    git(project, "commit", "-q", "--allow-empty", "-m", "two")
    git(project, "switch", "-q", "main")
    looks = code(tmp_path)

    fates = [looks.branch_fate(str(project), b) for b in ("open", "merged", "no/such")]

    assert fates == ["there", "merged", "gone"]
    assert looks.head(str(project)).branch == "main"
    assert looks.branch_fate(str(tmp_path), "open") == "there"


def test_only_files_written_since_or_gone_are_told(
    project: Path, tmp_path: Path
) -> None:
    """What a session believes of a file is true as long as nobody wrote it."""
    (project / "a.py").write_text("a")
    (project / "b.py").write_text("b")
    os.utime(project / "a.py", (1000, 1000))
    os.utime(project / "b.py", (3000, 3000))

    changed = code(tmp_path).changed(str(project), ["a.py", "b.py", "c.py"], 2_000_000)

    assert changed == (("b.py", "changed"), ("c.py", "gone"))
