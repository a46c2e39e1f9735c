"""`diff` as a user has it: what is known and the code, between two moments."""

import pytest

from tests.e2e.conftest import Cli
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

    assert "what is known: the same" in told
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
