"""`diff` as a user has it: what is known and the code, between two moments."""

import pytest

from tests.e2e.branching import Branch
from tests.e2e.conftest import Cli, on_a_terminal
from tests.e2e.repository import git
from tests.e2e.work import Work


@pytest.fixture
def work(cli: Cli) -> Work:
    """Two checkpoints: a decision, a rename and an edit lie between them."""
    work = Work(cli)
    work.asks("start the parser")
    work.edits("old_name.py", "".join(f"line {n}\n" for n in range(40)))
    work.edits("parser.py", "a\nb\n")
    work.saves("first")
    work.asks("now rename it")
    work.path("old_name.py").rename(work.path("new_name.py"))
    work.edits("parser.py", "a\nc\nd\n")
    notes = work.root.parent / "notes.json"
    notes.write_text('{"decisions": ["one file per rule"]}')
    work.saves("second", "--notes", str(notes))
    return work


@pytest.mark.usefixtures("work")
def test_items_and_code_are_compared(cli: Cli) -> None:
    """The contract's fields; a rename is one changed file."""
    found = cli("diff", "1", "2", "--json").json

    assert found["type"] == "diff"
    assert (found["from"], found["to"]) == (
        cli("show", "1", "--json").json["id"],
        cli("show", "2", "--json").json["id"],
    )
    assert {"kind": "decisions", "text": "one file per rule", "source": "agent"} in (
        found["items"]["added"]
    )
    assert [i["text"] for i in found["items"]["added"] if i["kind"] == "requests"] == [
        "now rename it"
    ]
    assert found["files"] == [
        {
            "path": "new_name.py",
            "change": "renamed",
            "lines_added": 0,
            "lines_removed": 0,
            "old_path": "old_name.py",
        },
        {
            "path": "parser.py",
            "change": "edited",
            "lines_added": 2,
            "lines_removed": 1,
            "old_path": None,
        },
    ]


@pytest.mark.usefixtures("work")
def test_the_other_way_round_is_the_other_way_round(cli: Cli) -> None:
    """From the later to the earlier: what was added is removed."""
    found = cli("diff", "2", "1", "--json").json

    assert "one file per rule" in [i["text"] for i in found["items"]["removed"]]
    assert found["files"][-1]["lines_added"] == 1


def test_now_is_the_code_on_disk(cli: Cli, work: Work) -> None:
    """Nothing has to be saved to see what changed since a checkpoint."""
    work.path("parser.py").unlink()

    found = cli("diff", "2", "now", "--json").json
    told = cli("diff", "2", "now").out

    assert found["to"] == "now"
    assert found["items"] == {"added": [], "removed": [], "changed": []}
    assert [(f["path"], f["change"]) for f in found["files"]] == [
        ("parser.py", "deleted")
    ]
    assert "D  parser.py  −3" in told.replace("    ", "  ")
    assert len(cli("list", "--json").json["checkpoints"]) == 2


@pytest.mark.usefixtures("work")
def test_people_read_marks_words_and_lines(cli: Cli) -> None:
    """Aligned, one thing per line, the sum before the files."""
    told = cli("diff", "1", "2").out

    assert 'from  CHECKPOINT-00001 "first"' in told
    assert 'to    CHECKPOINT-00002 "second"' in told
    assert "+  decision     one file per rule" in told
    assert "+  request      now rename it" in told
    assert "code: 2 files, +2 −1" in told
    assert "R  old_name.py → new_name.py" in told


@pytest.mark.usefixtures("work")
def test_a_checkpoint_compared_with_itself_is_the_same(cli: Cli) -> None:
    """It says so instead of saying nothing."""
    told = cli("diff", "1", "1").out

    assert "what they know: the same" in told
    assert "code: the same" in told


def test_without_code_the_items_are_still_compared(
    cli: Cli, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the reason why the code is not."""
    monkeypatch.setenv("HOME", str(cli.project))  # a home directory is never kept
    work.asks("without code")
    work.saves("third")

    found = cli("diff", "2", "3", "--json").json

    assert found["files"] == []
    assert found["reason"] == "CHECKPOINT-00003 was made without its code"
    assert found["items"]["added"] != []


def test_a_patch_is_printed_as_git_would_apply_it(cli: Cli, work: Work) -> None:
    """Between two checkpoints, and against the present; whole in JSON, too."""
    work.path("parser.py").write_text("a\nc\nd\ne\n")

    between = cli("diff", "1", "2", "--patch")
    present = cli("diff", "2", "--patch").out
    told = cli("diff", "1", "2", "--patch", "--json").json
    without = cli("diff", "1", "2", "--json").json

    assert "diff --git a/parser.py b/parser.py" in between.out
    assert "rename to new_name.py" in between.out
    assert "+e\n" in present
    assert between.out.endswith(told["patch"])
    assert "patch" not in without
    assert "\x1b" not in between.out


def test_a_terminal_reads_the_patch_in_colour_and_obeys_no_file(
    cli: Cli, work: Work
) -> None:
    """Through the user's pager; what a file holds moves no cursor."""
    work.path("parser.py").write_text("a\n\x1b]0;owned\x07c\n")
    pager = work.root.parent / "pager"
    pager.write_text('#!/bin/sh\ntee "$PAGED"\n')
    pager.chmod(0o755)
    paged = work.root.parent / "paged"

    seen = on_a_terminal(
        cli, "diff", "2", "--patch", PAGER=str(pager), PAGED=str(paged)
    )
    plain = on_a_terminal(cli, "diff", "2", "--patch", PAGER="cat", NO_COLOR="1")

    assert b"\x1b[32m+" in seen
    assert b"\x1b]0;owned" not in seen + plain
    assert b"diff --git" in paged.read_bytes()
    assert b"\x1b[3" not in plain


def test_t26_a_pager_of_the_project_is_not_started(cli: Cli, work: Work) -> None:
    """A repository can set the environment; what it names inside itself stays closed."""
    pager = work.path("pager")
    pager.write_text('#!/bin/sh\ntouch "$PAGED"\ncat\n')
    pager.chmod(0o755)
    paged = work.root.parent / "paged"

    seen = on_a_terminal(
        cli, "diff", "1", "--patch", PAGER=str(pager), PAGED=str(paged)
    )

    assert b"diff --git" in seen
    assert not paged.exists()


@pytest.fixture
def forked(cli: Cli) -> Branch:
    """1 is what both came from, 2 a fork, 3 the session itself, 4 what a clear began."""
    git(cli.project, "init", "-q", "-b", "main", ".")
    home = Branch(cli, 1)
    home.user("Make the parser accept nested quotes.")
    home.edits("parser.py", "start\n")
    home.agent("Begun.")
    home.saves("Begun")
    fork = home.fork(2)
    fork.user("Try it with a regular expression, and measure how long the suite takes.")
    fork.edits("parser.py", "import re\n" * 5)
    fork.runs("pytest -q tests", "2 failed, 3 passed in 0.2s", failed=True)
    fork.agent("It does not nest.")
    fork.saves("By regex", dead_ends=["a regular expression cannot count depth"])
    home.user("Write it as a small state machine.")
    home.edits("parser.py", "depth = 0\n")
    home.runs("pytest -q tests", "5 passed in 0.1s")
    home.agent("All green.")
    home.saves("State machine", decisions=["depth is counted, not matched"])
    return home


@pytest.mark.usefixtures("forked")
def test_siblings_stand_side_by_side(cli: Cli) -> None:
    """Goal, outcomes, decisions, dead ends, tests, code and cost of each, since they
    parted, in eighty columns."""
    told = cli("diff", "2", "3").out
    found = cli("diff", "2", "3", "--json").json

    assert 'siblings: both come from CHECKPOINT-00001 "Begun"' in told
    table = told.split("siblings:")[1].split("what they know:")[0]
    assert max(map(len, table.splitlines()[1:])) <= 80
    for row in ("goal", "decisions", "dead ends", "tests", "code", "cost"):
        assert f"\n{row} " in table
    assert "- a regular expression cannot" in table
    assert "5 passed" in table
    assert (found["siblings"], found["ancestor_gone"]) == (True, False)
    regex, machine = found["branches"]
    assert found["ancestor"] == cli("show", "1", "--json").json["id"]
    assert regex["dead_ends"] == ["a regular expression cannot count depth"]
    assert machine["decisions"] == ["depth is counted, not matched"]
    assert [f["path"] for f in machine["code"]] == ["parser.py"]
    assert 0 < machine["cost"]["messages"] < regex["cost"]["messages"] + 9
    assert machine["tests"][0].startswith("pytest -q tests → ")


@pytest.mark.usefixtures("forked")
def test_one_that_goes_on_from_the_other_is_no_sibling(cli: Cli) -> None:
    """Then there is nothing to choose between."""
    assert cli("diff", "1", "3", "--json").json["siblings"] is False
    assert "siblings" not in cli("diff", "1", "2").out


def test_a_rewind_and_two_clears_make_siblings_too(cli: Cli, forked: Branch) -> None:
    """Whatever parted them."""
    forked.user("Now escape sequences.")
    forked.agent("Escaped.")
    forked.saves("Escapes, first way")
    forked.rewinds(1)
    forked.user("Escape sequences by a table.")
    forked.agent("By a table.")
    forked.saves("Escapes, second way")
    heirs = [forked.cleared(number) for number in (3, 4)]
    for number, heir in enumerate(heirs, 3):
        heir.user(f"Write page {number} of the manual.")
        heir.edits(f"manual-{number}.md", "words\n")
        heir.agent("Written.")
        heir.saves(f"Page {number}")

    kin = cli("session", heirs[-1].session, "--json").json["session"]
    told = cli("session", heirs[-1].session).out
    rewound = cli("diff", "4", "5", "--json").json
    cleared = cli("diff", "6", "7", "--json").json

    assert (rewound["siblings"], cleared["siblings"]) == (True, True)
    assert rewound["ancestor"] == cli("show", "3", "--json").json["id"]
    assert cleared["ancestor"] == cli("show", "5", "--json").json["id"]
    assert [one[:8] for one in kin["siblings"]] == ["00000002", "00000003"]
    assert "siblings     00000002, 00000003" in told


@pytest.mark.usefixtures("forked")
def test_siblings_of_something_forgotten_are_told_so(cli: Cli) -> None:
    """The comparison stays; where they parted is gone."""
    cli("forget", "1", "--yes")

    assert "siblings: both come from one that is gone" in cli("diff", "2", "3").out
