"""`bisect` as a user has it: the checkpoint, the words and the files that did it."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from holdfast.surfaces.cli.main import run
from tests.e2e.conftest import Cli, Ran
from tests.e2e.work import Work
from tests.unit.snapshot.world import fingerprint

_CHECK = "import sys; sys.path.insert(0, '.'); import app; sys.exit(app.value() != 1)"


@pytest.fixture
def work(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Work:
    """Six checkpoints; the fourth request broke `value()`."""
    (tmp_path / "scratch").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    work = Work(cli)
    for number in range(1, 7):
        work.asks(f"request {number}")
        if number == 4:
            work.edits("app.py", "def value():\n    return 2\n")
        elif number == 1:
            work.edits("app.py", "def value():\n    return 1\n")
        work.edits("notes.txt", f"{number}\n")
        work.saves(f"save {number}")
    return work


def _bisect(cli: Cli, *command: str, good: str = "1", bad: str = "6") -> Ran:
    """Options go first: what stands behind `--` is the command's."""
    cli.capsys.readouterr()
    words = ["--project", str(cli.project), "--json", "bisect"]
    status = run([*words, "--good", good, "--bad", bad, "--", *command])
    return Ran(status, *cli.capsys.readouterr())


def _names(steps: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(step["label"][-1], step["verdict"]) for step in steps]


@pytest.mark.usefixtures("work")
def test_the_culprit_is_named_with_what_was_asked_and_edited(cli: Cli) -> None:
    """H6: the checkpoint, the user's request, the files; in few runs."""
    found = _bisect(cli, sys.executable, "-c", _CHECK).json

    assert found["type"] == "bisected"
    assert found["culprit"]["content"]["title"] == "save 4"
    assert found["requests"] == ["request 4"]
    assert [f["path"] for f in found["files"]] == ["app.py", "notes.txt"]
    assert _names(found["steps"]) == [
        ("1", "good"),
        ("6", "bad"),
        ("3", "good"),
        ("4", "bad"),
    ]


@pytest.mark.usefixtures("work")
def test_people_read_the_same(cli: Cli) -> None:
    """The words the user typed are marked as in a brief."""
    cli.capsys.readouterr()
    words = ["--project", str(cli.project), "bisect", "--good", "1", "--bad", "6"]

    run([*words, "--", sys.executable, "-c", _CHECK])

    out, err = cli.capsys.readouterr()
    assert 'first bad: CHECKPOINT-00004 "save 4"' in out
    assert 'last good: CHECKPOINT-00003 "save 3"' in out
    assert '▸ "request 4"' in out
    assert "M  app.py" in out
    assert "CHECKPOINT-00003  good  (exit status 0)" in err
    assert "6 checkpoints, 4 runs" in err


def test_what_was_saved_without_code_is_named(cli: Cli, work: Work) -> None:
    """It lies between the last good and the first bad one, and nobody can try it."""
    hidden = cli.home / "git"
    for number in (7, 8, 9):
        work.asks(f"request {number}")
        if number == 8:
            work.edits("app.py", "def value():\n    return 1\n")
            hidden.rename(cli.home / "away")
            hidden.write_text("in the way")
        if number == 9:
            work.edits("app.py", "def value():\n    return 3\n")
            hidden.unlink()
            (cli.home / "away").rename(hidden)
        ran = _saved_anyway(work, f"save {number}")
        assert (ran["code"].get("tree") is None) is (number == 8)

    check = _CHECK.replace("!= 1", "== 3")
    found = _bisect(cli, sys.executable, "-c", check, good="7", bad="9").json

    assert found["culprit"]["content"]["title"] == "save 9"
    assert len(found["without_code"]) == 1


def _saved_anyway(work: Work, title: str) -> Any:
    """Save; a save without its code is one, too."""
    text = "".join(line + "\n" for line in work._scene.lines)
    work._transcript.write_text(text, encoding="utf-8")
    words = ("save", "--transcript", str(work._transcript), "--json", "--title", title)
    return work.cli(*words).json["checkpoint"]


@pytest.mark.usefixtures("work")
def test_the_worktree_is_neither_used_nor_touched(cli: Cli) -> None:
    """What the command writes goes into a scratch directory that is removed."""
    before = fingerprint(cli.project)
    litter = "open('litter', 'w').write('x'); " + _CHECK

    _bisect(cli, sys.executable, "-c", litter)

    assert fingerprint(cli.project) == before
    assert list(Path(os.environ["TMPDIR"]).iterdir()) == []


@pytest.mark.usefixtures("work")
def test_the_command_is_no_shell_text(cli: Cli) -> None:
    """Signs that mean something to a shell reach the program as they are."""
    echo = "import sys; sys.exit(sys.argv[1:] != ['$(touch x)', ';', '--json', 'a b'])"

    ran = _bisect(cli, sys.executable, "-c", echo, "$(touch x)", ";", "--json", "a b")

    assert ran.json["message"].startswith("the command says good at CHECKPOINT-00006")


@pytest.mark.usefixtures("work")
def test_one_that_cannot_be_tested_is_skipped_and_said(cli: Cli) -> None:
    """Exit status 125, as for `git bisect run`."""
    skips = (
        "import sys; n = int(open('notes.txt').read());"
        "sys.exit(125 if n in (3, 4) else n > 4)"
    )

    found = _bisect(cli, sys.executable, "-c", skips).json

    assert found["culprit"]["content"]["title"] == "save 5"
    assert len(found["skipped"]) == 2


@pytest.mark.parametrize(
    ("code", "good", "bad", "said"),
    [
        pytest.param("exit(0)", "1", "6", "says good at CHECKPOINT-00006", id="bad"),
        pytest.param("exit(1)", "1", "6", "says bad at CHECKPOINT-00001", id="good"),
        pytest.param("exit(1)", "6", "1", "is not older than", id="the wrong way"),
        pytest.param("exit(200)", "1", "6", "exit status 200", id="no answer"),
        pytest.param(
            "import os; os.kill(os.getpid(), 9)", "1", "6", "signal 9", id="killed"
        ),
    ],
)
@pytest.mark.usefixtures("work")
def test_a_question_that_makes_no_sense_is_refused(
    cli: Cli, code: str, good: str, bad: str, said: str
) -> None:
    """Both ends are checked before anything is searched."""
    ran = _bisect(cli, sys.executable, "-c", code, good=good, bad=bad)

    assert (ran.status, ran.json["code"]) == (1, "BISE_001")
    assert said in ran.json["message"]


@pytest.mark.usefixtures("work")
def test_a_program_that_is_not_there_is_said_to_be(cli: Cli) -> None:
    """Not a failure of the code."""
    ran = _bisect(cli, "no-such-program-anywhere")

    assert "`no-such-program-anywhere` cannot be run" in ran.json["message"]


def test_checkpoints_with_the_same_code_are_tried_once(cli: Cli, work: Work) -> None:
    """The first of them made the change; the later ones only talk."""
    for number in (7, 8, 9):
        work.asks(f"only talk {number}")
        work.saves(f"save {number}")

    found = _bisect(cli, sys.executable, "-c", _CHECK, bad="9").json
    same = _bisect(cli, sys.executable, "-c", _CHECK, good="6", bad="9").json

    assert found["culprit"]["content"]["title"] == "save 4"
    assert _names(found["steps"])[1] == ("6", "bad")
    assert "have the same code" in same["message"]


@pytest.mark.usefixtures("work")
def test_an_interrupt_leaves_nothing_behind(cli: Cli) -> None:
    """Ctrl-C in a long test run: exit status 130, and the scratch is gone."""
    stops = "import os, signal; os.kill(os.getppid(), signal.SIGINT); signal.pause()"
    words = ["bisect", "--good", "1", "--bad", "6", "--", sys.executable, "-c", stops]
    # A process that was started in the background ignores interrupts.
    begin = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "from holdfast.surfaces.cli.main import main; main()"
    )

    done = subprocess.run(
        [sys.executable, "-c", begin, "--project", str(cli.project), *words],
        capture_output=True,
        check=False,
    )

    assert done.returncode == 130
    assert list(Path(os.environ["TMPDIR"]).iterdir()) == []
