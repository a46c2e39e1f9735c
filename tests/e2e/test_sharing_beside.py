"""Code and transcripts that travel with a checkpoint: what is in the file, and of use here."""

import json
import shutil
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from holdfast.snapshot.git.files import blob_id
from tests.e2e.conftest import Ran, approving
from tests.e2e.repository import git
from tests.e2e.team import Machine, Team, team

__all__ = ["team"]
pytestmark = pytest.mark.process
CODE = "y = MARMALADE-0001\n"
TOKEN = "ghp_" + "a1B2c3D4e5" * 4
SESSION = "11111111-2057-406a-a109-afcedef1cb97"


class Sender:
    """A machine that worked on code, and exports it."""

    def __init__(self, team: Team, root: Path) -> None:
        self.laptop, self.desk, self._root = team.laptop, team.desk, root
        self._claude = root / "claude" / "projects" / "-laptop"
        (self.laptop.project / "new.py").write_text(CODE)
        self.one = self.laptop.saves("parser", "--name", "quotes")

    def keeps_transcript(self, more: str = "") -> Path:
        """Put the transcript where its client would have it."""
        self._claude.mkdir(parents=True, exist_ok=True)
        place = self._claude / f"{SESSION}.jsonl"
        shutil.copy(self.laptop.home.parent / f"{SESSION}.jsonl", place)
        with place.open("a", encoding="utf-8") as file:
            file.write(more)
        return place

    def exports(self, *words: str) -> Ran:
        return self.laptop("export", "quotes", "-o", str(self.file), "--yes", *words)

    @property
    def file(self) -> Path:
        return self._root / "shared.zip"

    def part(self, name: str) -> bytes:
        with zipfile.ZipFile(self.file) as archive:
            return archive.read(name)

    def rewritten(self, parts: dict[str, bytes]) -> None:
        buffer = BytesIO()
        with zipfile.ZipFile(self.file) as old, zipfile.ZipFile(buffer, "w") as new:
            for name in {*old.namelist(), *parts}:
                new.writestr(name, parts.get(name) or old.read(name))
        self.file.write_bytes(buffer.getvalue())


@pytest.fixture
def sender(team: Team, tmp_path: Path) -> Sender:
    return Sender(team, tmp_path)


def imported(machine: Machine, sender: Sender, status: int = 0) -> Ran:
    ran = machine("import", str(sender.file), "--json")
    assert ran.status == status, ran
    return ran


def test_code_travels_and_is_compared_and_restored(sender: Sender) -> None:
    """What the snapshot held, and nothing else; what is here is saved first, as ever."""
    sender.exports("--code")
    desk = sender.desk

    ran = imported(desk, sender)
    diff = desk("diff", "1@laptop", "--json").json
    preview = desk("restore", "1@laptop", "--preview", "--json").json
    restored = desk("restore", "1@laptop", "--yes", "--json")

    assert ran.json["told"] == ["CHECKPOINT-00001@laptop came with its code"]
    assert [file["path"] for file in diff["files"]] == ["new.py"]
    assert preview["preview"] is True
    assert "new.py" in json.dumps(preview["written"])
    assert restored.status == 0, restored
    assert (desk.project / "new.py").read_text() == CODE
    assert desk("undo", "--json").status == 0
    assert not (desk.project / "new.py").exists()


def test_without_it_nothing_of_the_code_is_in_the_file(sender: Sender) -> None:
    sender.exports()

    with zipfile.ZipFile(sender.file) as archive:
        assert "code.pack" not in archive.namelist()
        assert not [n for n in archive.namelist() if n.startswith("transcripts/")]
    imported(sender.desk, sender)
    ran = sender.desk("restore", "1@laptop", "--preview")
    assert "came without its code" in ran.err


def test_code_that_comes_later_is_taken_later(sender: Sender) -> None:
    """The same checkpoint, exported once more with what it lacked."""
    sender.exports()
    imported(sender.desk, sender)
    sender.file.unlink()
    sender.exports("--code")

    ran = imported(sender.desk, sender)
    again = imported(sender.desk, sender)

    assert ran.json["new"] == []
    assert ran.json["told"] == ["CHECKPOINT-00001@laptop came with its code"]
    assert again.json["told"] == []
    assert sender.desk("restore", "1@laptop", "--preview").status == 0
    assert sender.desk("doctor").status == 0


def test_forgetting_takes_the_code_with_it(sender: Sender) -> None:
    sender.exports("--code")
    imported(sender.desk, sender)

    sender.desk("forget", "1@laptop", "--yes")

    left = git(
        sender.desk.home / "git" / "snapshots", "cat-file", "--batch-all-objects",
        "--batch-check",
    )  # fmt: skip
    assert left == ""


def test_code_with_a_secret_is_not_shared(sender: Sender) -> None:
    """By the rules of today, as for a snapshot that is taken now."""
    sender.laptop("config", "set", "redaction.rules", "MARMALADE-*")

    ran = sender.exports("--code", "--json")

    assert ran.json["code"] == "SHARE_002"
    assert "has code with" in ran.json["message"]
    assert not sender.file.exists()


def test_a_secret_in_code_that_came_is_left_out(sender: Sender) -> None:
    """What the sender's rules let through is judged by ours."""
    sender.exports("--code")
    sender.desk("config", "set", "redaction.rules", "MARMALADE-*")

    ran = imported(sender.desk, sender)

    assert ran.json["told"] == [
        "CHECKPOINT-00001@laptop came with its code, without 1 file"
    ]
    there = git(
        sender.desk.home / "git" / "snapshots", "cat-file", "--batch-all-objects",
        "--batch-check",
    )  # fmt: skip
    assert blob_id(CODE.encode()) not in there
    assert blob_id(b"x = 1\n") in there


@pytest.mark.parametrize("pack", [b"x", b"PACK" + b"\0" * 60])
def test_a_pack_that_is_none_costs_the_code_alone(sender: Sender, pack: bytes) -> None:
    sender.exports("--code")
    sender.rewritten({"code.pack": pack})

    ran = imported(sender.desk, sender, status=3)

    assert "was not taken: git does not accept this pack" in ran.json["missing"][0]
    assert ran.json["new"] == [sender.one]


def test_a_transcript_travels_up_to_the_checkpoint(sender: Sender) -> None:
    """What was said later is not shared, and a secret is gone before it is in the file."""
    later = '{"type": "user", "uuid": "u1", "message": {"content": "afterwards"}}\n'
    sender.keeps_transcript(later)

    sender.exports("--transcript")
    ran = imported(sender.desk, sender)

    told = sender.part(f"transcripts/{SESSION}.jsonl")
    assert b"afterwards" not in told
    assert len(told.splitlines()) > 3
    assert ran.json["told"] == ["CHECKPOINT-00001@laptop came with its transcript"]
    kept = [path.name for path in (sender.desk.home / "archive/sessions").iterdir()]
    assert kept == [f"{SESSION}@laptop.json"]


def test_a_file_that_tells_less_takes_nothing_away(sender: Sender) -> None:
    """Files come in any order; what is here of a conversation only grows."""
    sender.keeps_transcript()
    sender.exports("--transcript")
    whole = sender.part(f"transcripts/{SESSION}.jsonl")
    imported(sender.desk, sender)
    (kept,) = (sender.desk.home / "archive/sessions").iterdir()
    before = kept.read_bytes()

    again = imported(sender.desk, sender)
    first = whole.splitlines(keepends=True)[0]
    sender.rewritten({f"transcripts/{SESSION}.jsonl": first})
    less = imported(sender.desk, sender)

    assert (again.json["told"], less.json["told"]) == ([], [])
    assert kept.read_bytes() == before


def test_a_secret_that_was_said_does_not_leave_and_does_not_come(
    sender: Sender,
) -> None:
    place = sender.laptop.home.parent / f"{SESSION}.jsonl"
    said = {"type": "user", "uuid": "u0", "message": {"content": f"use {TOKEN}"}}
    sender.keeps_transcript()
    sender.exports("--transcript")
    bad = sender.part(f"transcripts/{SESSION}.jsonl") + json.dumps(said).encode()
    assert place.exists()

    sender.rewritten({f"transcripts/{SESSION}.jsonl": bad})
    imported(sender.desk, sender)
    approving(sender.desk, "1@laptop")
    forked = sender.desk("open", "1@laptop", "--fork", "--json").json

    assert TOKEN not in Path(forked["written"]).read_text(encoding="utf-8")


def test_a_session_of_mine_begins_with_what_was_said_there(sender: Sender) -> None:
    """Under a new id, in this project, and nothing of it is inherited."""
    sender.keeps_transcript()
    sender.exports("--transcript")
    imported(sender.desk, sender)
    approving(sender.desk, "1@laptop")

    native = sender.desk("open", "1@laptop", "--native", "--json")
    forked = sender.desk("open", "1@laptop", "--fork", "--json").json
    plain = sender.desk("open", "1@laptop", "--json").json

    assert native.json["code"] == "OPEN_001"
    assert "open 1@laptop --fork" in native.json["hint"]
    assert forked["directory"] == str(sender.desk.project)
    assert forked["session_id"] not in (None, SESSION)
    lines = Path(forked["written"]).read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["sessionId"] for line in lines} == {forked["session_id"]}
    assert plain["transcript"] is False
    assert not list((sender.desk.home / "share" / "drafts").iterdir())
    assert "parent       none" in sender.desk("session", forked["session_id"]).out


def test_a_checkpoint_without_its_transcript_says_so(sender: Sender) -> None:
    """Neither where it was made, nor where it came to, is something else opened."""
    ran = sender.exports("--transcript", "--json")
    assert ran.status == 3
    assert "is not on disk" in ran.json["missing"][0]
    imported(sender.desk, sender)
    approving(sender.desk, "1@laptop")

    opened = sender.desk("open", "1@laptop", "--fork", "--json")

    assert "came without its transcript" in opened.json["message"]


def test_forgetting_takes_the_transcript_with_it(sender: Sender) -> None:
    sender.keeps_transcript()
    sender.exports("--transcript")
    imported(sender.desk, sender)

    sender.desk("forget", "1@laptop", "--yes")

    left = [p for p in (sender.desk.home / "archive").rglob("*") if p.is_file()]
    assert [(p.name, p.read_bytes()) for p in left] == [("lock", b"")]


def test_the_review_says_what_goes_with_it(sender: Sender) -> None:
    sender.keeps_transcript()

    ran = sender.laptop(
        "export",
        "quotes",
        "-o",
        str(sender.file),
        "--preview",
        "--code",
        "--transcript",
    )

    assert "2 files of code, " in ran.out
    assert "lines of transcript" in ran.out
    assert not sender.file.exists()
