"""Each trial has a directory of its own, which is gone afterwards."""

import os
import sys
from pathlib import Path

import pytest

from holdfast.domain.code import EXECUTABLE
from holdfast.kernel.errors import BisectFailed, RestoreStopped
from holdfast.snapshot.restore.restoring import ScratchTrials
from holdfast.snapshot.restore_port import Trials
from tests.unit.snapshot_restore.trees import Trees


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    place = tmp_path / "scratch"
    place.mkdir()
    return place


@pytest.fixture
def trials(scratch: Path) -> Trials:
    return ScratchTrials({"PATH": os.environ["PATH"], "TMPDIR": str(scratch)})


def _python(code: str, *words: str) -> list[str]:
    return [sys.executable, "-c", code, *words]


def test_a_command_runs_among_just_these_files(trials: Trials, tmp_path: Path) -> None:
    """What lies in the worktree by chance must not decide a trial."""
    trees, seen = Trees(), tmp_path / "seen"
    entries = (
        trees.entry("a.txt", b"then"),
        trees.entry("bin/run", b"#!/bin/sh\n", EXECUTABLE),
    )
    look = (
        "import os, sys; open(sys.argv[1], 'w').write(' '.join(sorted(os.listdir()))"
        " + ' ' + open('a.txt').read())"
    )

    trials.run(entries, trees.contents, _python(look, str(seen)))

    assert seen.read_text() == "a.txt bin then"


@pytest.mark.parametrize("status", [0, 1, 125])
def test_the_exit_status_of_the_command_is_returned(
    trials: Trials, status: int
) -> None:
    """It decides whether the code was good."""
    found = trials.run((), Trees().contents, _python(f"raise SystemExit({status})"))

    assert found == status


def test_each_trial_has_a_directory_of_its_own(trials: Trials, tmp_path: Path) -> None:
    """What one trial makes is not there in the next."""
    seen = tmp_path / "seen"
    leave = (
        "import os, sys; open(sys.argv[1], 'a').write(f'{len(os.listdir())} ');"
        " open('left', 'w').close()"
    )

    for _ in range(2):
        trials.run((), Trees().contents, _python(leave, str(seen)))

    assert seen.read_text() == "0 0 "


def test_words_reach_the_program_without_a_shell(
    trials: Trials, tmp_path: Path
) -> None:
    """A `$` or a `;` in a word is part of that word."""
    seen, words = tmp_path / "seen", ["$HOME; *", "`id`", "a b"]
    tell = "import sys; open(sys.argv[1], 'w').write('|'.join(sys.argv[2:]))"

    trials.run((), Trees().contents, _python(tell, str(seen), *words))

    assert seen.read_text() == "|".join(words)


def test_a_trial_that_ended_leaves_no_directory(trials: Trials, scratch: Path) -> None:
    """A bisect runs many of them."""
    trees = Trees()

    trials.run((trees.entry("a", b"a"),), trees.contents, _python("pass"))

    assert list(scratch.iterdir()) == []


def test_an_interrupted_trial_leaves_no_directory(
    trials: Trials, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while the command runs is an end like any other."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("subprocess.run", interrupted)

    with pytest.raises(KeyboardInterrupt):
        trials.run((), Trees().contents, _python("pass"))

    assert list(scratch.iterdir()) == []


def test_a_command_that_cannot_be_started_is_said(
    trials: Trials, scratch: Path
) -> None:
    """A missing program is not a failing test."""
    with pytest.raises(BisectFailed, match="no-such-program"):
        trials.run((), Trees().contents, ["no-such-program"])

    assert list(scratch.iterdir()) == []


def test_files_that_cannot_be_written_stop_a_trial(
    trials: Trials, scratch: Path
) -> None:
    """Half of the code would be judged as if it were all of it."""
    trees = Trees()

    with pytest.raises(RestoreStopped):
        trials.run((trees.entry("z" * 300, b"x"),), trees.contents, _python("pass"))

    assert list(scratch.iterdir()) == []
