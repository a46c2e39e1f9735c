"""Every command between checkpoints, in every state of a store: a sentence, and what to do."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import apsw
import pytest

from tests.e2e.branching import Branch
from tests.e2e.conftest import Cli, Ran
from tests.e2e.repository import git

# Each command as it is typed with two references.
COMMANDS: dict[str, Callable[[str, str], tuple[str, ...]]] = {
    "log": lambda _one, _other: ("log",),
    "log --graph": lambda _one, _other: ("log", "--graph"),
    "log --session": lambda one, _other: ("log", "--session", one),
    "stats": lambda _one, _other: ("stats",),
    "diff": lambda one, other: ("diff", one, other),
    "diff with now": lambda one, _other: ("diff", one),
    "diff --patch": lambda one, other: ("diff", one, other, "--patch"),
    "merge": lambda one, other: ("merge", one, other),
    "merge home": lambda one, _other: ("merge", one),
    "merge --dry-run": lambda one, other: ("merge", one, other, "--dry-run"),
    "blame": lambda _one, _other: ("blame", "a.py"),
    "blame a line": lambda _one, _other: ("blame", "a.py:1"),
    "show --lines": lambda one, _other: ("show", one, "--lines"),
}
_NAMING = ("diff", "merge", "show")  # commands that a reference is given to


class Said(NamedTuple):
    """What a command has to say: its status, and words of its answer."""

    status: int
    words: tuple[str, ...]


@pytest.fixture
def other(cli: Cli, tmp_path: Path) -> Cli:
    place = tmp_path / "other"
    place.mkdir()
    for root in (cli.project, place):
        git(root, "init", "-q", "-b", "main", ".")
        (root / "a.py").write_text("begun = 1\n")
    return Cli(cli.home, place, cli.capsys)


def _saved(cli: Cli, session: int, *texts: str) -> list[str]:
    """Keep a checkpoint for each text that an agent writes; return their ids."""
    branch = Branch(cli, session)
    ids = []
    for number, text in enumerate(texts, 1):
        branch.user(f"Do part {number} of the work.")
        branch.edits("a.py", text)
        branch.agent(f"Part {number} is done.")
        ids.append(str(branch.saves(f"Part {number}")["id"]))
    return ids


def _asked(cli: Cli, command: str, *references: str) -> Ran:
    return cli(*COMMANDS[command](*references))


def _holds(ran: Ran, said: Said) -> None:
    assert ran.status == said.status, ran
    assert [words for words in said.words if words not in ran.out + ran.err] == []
    assert "Traceback" not in ran.out + ran.err
    if ran.status:
        assert ran.out == ""
        assert ran.err.startswith("error[")
        assert "\nhint: " in ran.err


@pytest.mark.parametrize("command", COMMANDS)
def test_without_a_store(cli: Cli, other: Cli, command: str) -> None:
    """Where nothing was ever saved, how to."""
    assert other.home == cli.home

    _holds(_asked(cli, command, "1", "2"), Said(10, ("so does `holdfast save`",)))


_NONE_HERE = Said(0, ("no checkpoints here yet", "the end of a session makes one"))


@pytest.mark.parametrize("command", COMMANDS)
def test_without_a_checkpoint_of_this_project(
    cli: Cli, other: Cli, command: str
) -> None:
    """Another project's say nothing here."""
    _saved(other, 7, "theirs = 2\n")

    ran = _asked(cli, command, "1", "2")

    if command == "log --session":
        said = Said(1, ("no session begins with `1`",))
    elif command.startswith(_NAMING):
        said = Said(12, ("there is no CHECKPOINT-00001 here", "`holdfast list`"))
    else:
        said = _NONE_HERE
    _holds(ran, said)


_WITH_ONE = {
    "log": Said(0, ("00001", "Part 1")),
    "log --graph": Said(0, ("●  00001", "Part 1")),
    "log --session": Said(1, ("no session begins with `1`", "`holdfast session`")),
    "stats": Said(0, ("checkpoints 1: 1 by hand",)),
    "diff": Said(0, ("what they know: the same", "code: the same")),
    "diff with now": Said(0, ("to    your current files", "code: the same")),
    "diff --patch": Said(0, ("code: the same",)),
    "merge": Said(0, ("nothing to merge: CHECKPOINT-00001 already has all of it",)),
    "merge home": Said(12, ("belongs to no session", "`holdfast merge HOME FORK`")),
    "merge --dry-run": Said(
        0, ("nothing to merge: CHECKPOINT-00001 already has all of it",)
    ),
    "blame": Said(0, ("CHECKPOINT-00001", "Do part 1 of the work.", "begun = 2")),
    "blame a line": Said(0, ("open        holdfast open 1",)),
    "show --lines": Said(0, ("Current lines that come from it: 1 in 1 file",)),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_with_one_checkpoint(cli: Cli, other: Cli, command: str) -> None:
    """Nothing to compare it with, and nothing goes wrong."""
    assert other.home == cli.home
    _saved(cli, 1, "begun = 2\n")

    _holds(_asked(cli, command, "1", "1"), _WITH_ONE[command])


_APART = "are of different projects"
_OF_TWO = {
    "diff": Said(0, ("Of another project",)),
    "diff with now": Said(0, ("Of another project",)),
    "diff --patch": Said(0, ("Of another project",)),
    "merge": Said(1, (_APART, "compare them with `holdfast diff ccp-")),
    "merge home": Said(12, ("belongs to no session",)),
    "merge --dry-run": Said(1, (_APART,)),
    "show --lines": Said(
        0, ("Of another project", "resume with: holdfast resume ccp-")
    ),
}


@pytest.mark.parametrize("command", _OF_TWO)
def test_with_a_checkpoint_of_another_project(
    cli: Cli, other: Cli, command: str
) -> None:
    """Each is told as what it is, and a merge stays in one."""
    (theirs,) = _saved(other, 7, "theirs = 2\n")
    _saved(cli, 1, "begun = 2\n")

    _holds(_asked(cli, command, theirs, "1"), _OF_TWO[command])


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        pytest.param(
            "99", "there is no CHECKPOINT-00099 here; the newest", id="number"
        ),
        pytest.param("nonsense", "nonsense", id="name"),
        pytest.param("ccp-ffff", "ccp-ffff", id="id"),
    ],
)
@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith(_NAMING)])
def test_a_reference_that_nothing_answers_to(
    cli: Cli, other: Cli, command: str, reference: str, words: str
) -> None:
    """What there is instead, and where to look."""
    assert other.home == cli.home
    _saved(cli, 1, "begun = 2\n")

    _holds(_asked(cli, command, reference, "1"), Said(12, (words, "`holdfast list`")))


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith(_NAMING)])
def test_a_reference_that_several_answer_to(cli: Cli, other: Cli, command: str) -> None:
    """Each of them is named, to be taken."""
    assert other.home == cli.home
    ids = _saved(cli, 1, "begun = 2\n", "begun = 3\n")

    said = Said(
        12, ("`ccp-0000` is ambiguous: 2 checkpoints", *(f"`{i}`" for i in ids))
    )
    _holds(_asked(cli, command, "ccp-0000", "1"), said)


_HASH = "a record does not match its hash"
_DAMAGED = {
    "log": Said(0, ("damaged: run `holdfast doctor --repair`", "Part 2")),
    "log --graph": Said(0, ("!  00001", "damaged: run `holdfast doctor --repair`")),
    "stats": Said(0, ("1 record is damaged and not counted", "doctor --repair`")),
    "diff": Said(13, (_HASH, "`holdfast doctor`")),
    "diff with now": Said(13, (_HASH, "`holdfast doctor`")),
    "diff --patch": Said(13, (_HASH, "`holdfast doctor`")),
    "merge": Said(13, (_HASH, "`holdfast doctor`")),
    "merge home": Said(13, (_HASH, "`holdfast doctor`")),
    "merge --dry-run": Said(13, (_HASH, "`holdfast doctor`")),
    "blame": Said(0, ("1 record is damaged and skipped", "doctor --repair`")),
    "blame a line": Said(0, ("1 record is damaged and skipped", "doctor --repair`")),
    "show --lines": Said(13, (_HASH, "`holdfast doctor`")),
}


@pytest.mark.parametrize("command", _DAMAGED)
def test_with_a_damaged_record(cli: Cli, other: Cli, command: str) -> None:
    """The others are still told, and that one is, too."""
    assert other.home == cli.home
    one, _ = _saved(cli, 1, "begun = 2\n", "begun = 3\n")
    _damage(cli, one)

    _holds(_asked(cli, command, "1", "2"), _DAMAGED[command])


def test_lines_of_a_whole_record_say_that_another_is_damaged(
    cli: Cli, other: Cli
) -> None:
    """It may have made some of them."""
    assert other.home == cli.home
    one, _ = _saved(cli, 1, "begun = 2\n", "begun = 2\nmore_of_it = 3\n")
    _damage(cli, one)

    told = cli("show", "2", "--lines").out
    found = cli("blame", "a.py", "--json").json

    assert "1 record is damaged and skipped" in told
    assert found["damaged"] == 1


def _damage(cli: Cli, checkpoint_id: str) -> None:
    database = apsw.Connection(str(cli.home / "holdfast.db"))
    database.execute(
        "UPDATE checkpoint SET body = replace(body, 'part 1', 'pxrt 1')"
        " WHERE checkpoint_id = ?",
        (checkpoint_id,),
    )
    database.close()
