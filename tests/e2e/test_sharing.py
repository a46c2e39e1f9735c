"""A checkpoint travels as a file: what leaves, what arrives, and what never does."""

import json
import os
import re
import time
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from holdfast.app.sharing.share_file import proofs_in, unpacked
from holdfast.kernel.digests import canonical
from holdfast.kernel.errors import RecordRefused
from holdfast.store.chain import link
from holdfast.store.sqlite.store import open_store
from tests.e2e.conftest import SESSION, Cli, Ran, answering, approving, on_a_terminal
from tests.e2e.work import Work


@pytest.fixture
def laptop(cli: Cli) -> tuple[Cli, Work]:
    """Another machine, where somebody worked."""
    open_store(str(cli.home), create=True, machine="laptop").close()
    work = Work(cli)
    work.asks("Make the parser accept nested quotes. Never touch the lexer.")
    work.edits("parser.py", "x = 1\n")
    work.says("The parser accepts nested quotes now; the docs are left to do.")
    work.saves("Nested quotes in the parser", "--name", "quotes")
    return cli, work


class Desk(Cli):
    """Commands of another machine, with a store of its own."""

    def __call__(self, *words: str) -> Ran:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("HOLDFAST_HOME", str(self.home))
            return super().__call__(*words)


@pytest.fixture
def desk(tmp_path: Path, cli: Cli, capsys: pytest.CaptureFixture[str]) -> Desk:
    """This machine, with a copy of the project in another place."""
    project = cli.home.parent / "desk" / "copy"
    project.mkdir(parents=True)
    return Desk(tmp_path / "desk" / "home", project, capsys)


def shared(cli: Cli, tmp_path: Path, *words: str) -> Path:
    """Export what is there, and return the file."""
    path = tmp_path / f"shared-{len(list(tmp_path.glob('shared-*')))}.zip"
    ran = cli("export", "quotes", "-o", str(path), *words)
    assert ran.status == 0, ran
    return path


def test_what_was_learned_there_is_resumed_here(
    laptop: tuple[Cli, Work], desk: Desk, tmp_path: Path
) -> None:
    """Another machine, another path: goal, rule and state arrive."""
    cli, work = laptop
    path = shared(cli, tmp_path)

    came = desk("import", str(path))
    brief = desk("resume", "1@laptop")

    assert came.out == "00001@laptop  Nested quotes in the parser\n"
    assert "continue with: holdfast resume 1@laptop" in came.err
    assert "CHECKPOINT-00001@laptop" in brief.out
    assert "Of another machine, `laptop`" in brief.out
    assert "nested quotes" in brief.out
    assert "Never touch the lexer" in brief.out
    (row,) = desk("list", "--json").json["checkpoints"]
    assert row["id"] == cli("show", "quotes", "--json").json["id"]
    assert row["machine"] == "laptop"
    assert str(work.root) not in desk("list").out
    assert "00001@laptop" in desk("list").out
    # Whatever is named can be typed as it stands there.
    assert "the newest are `1@laptop` (" in desk("show", "99").err
    assert "continue the first with `holdfast resume 1@laptop`" in desk("search", "nested").err  # fmt: skip
    assert "00001@laptop" in desk("search", "quotes").out


def test_twice_is_once_and_an_answer_is_json(
    laptop: tuple[Cli, Work], desk: Desk, tmp_path: Path
) -> None:
    path = shared(laptop[0], tmp_path)

    first = desk("import", str(path), "--json").json
    again = desk("import", str(path), "--json").json
    told = desk("import", str(path))

    assert first["type"] == again["type"] == "imported"
    assert first["checkpoints"] == again["checkpoints"] == first["new"]
    assert again["new"] == []
    assert "already here: 1 checkpoint" in told.err
    assert len(desk("list", "--json").json["checkpoints"]) == 1


def test_it_is_never_told_unasked(
    laptop: tuple[Cli, Work], desk: Desk, tmp_path: Path
) -> None:
    """Neither `latest` nor a start means what a colleague did."""
    desk("import", str(shared(laptop[0], tmp_path)))

    assert len(desk("list", "--json").json["checkpoints"]) == 1
    assert desk("resume").status == 12
    latest = desk("resume", "latest")
    assert latest.status == 12
    assert "nothing was saved on this machine yet" in latest.err
    assert "`holdfast resume 1@laptop`" in latest.err
    preview = desk("brief", "--preview", "--json")
    assert "nested quotes" not in preview.out


def test_a_strangers_rules_are_never_inherited(
    laptop: tuple[Cli, Work],
    desk: Desk,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A session that resumes it goes on by itself: the next one is told nothing of it."""
    desk("import", str(shared(laptop[0], tmp_path)))
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)

    read = desk("resume", "1@laptop", "--consume")
    desk.save("--title", "mine")
    own = desk("resume", "1")

    assert "Never touch the lexer" in read.out
    assert own.status == 0
    assert "Never touch the lexer" not in own.out
    chain = desk("session", SESSION, "--json").json
    assert "laptop" not in json.dumps(chain)


def test_its_code_is_said_to_be_elsewhere(
    laptop: tuple[Cli, Work], desk: Desk, tmp_path: Path
) -> None:
    """It had code; what is missing here is not told as never made, nor as ours."""
    desk("import", str(shared(laptop[0], tmp_path)))

    ran = desk("restore", "1@laptop", "--yes")

    assert "CHECKPOINT-00001@laptop came without its code" in ran.err
    assert "CHECKPOINT-00001@laptop" in desk("diff", "1@laptop", "1@laptop").out


def test_what_another_machine_made_is_not_merged(
    laptop: tuple[Cli, Work], desk: Desk, tmp_path: Path
) -> None:
    """A merged checkpoint is ours: their words would be told as the user's own."""
    desk("import", str(shared(laptop[0], tmp_path)))
    desk.save("--title", "mine")

    ran = desk("merge", "1", "1@laptop", "--json")

    assert ran.json["code"] == "MERG_001"
    assert "another machine" in ran.json["message"]


def test_forgetting_it_leaves_what_is_archived_of_our_sessions(
    laptop: tuple[Cli, Work], desk: Desk, tmp_path: Path
) -> None:
    """Its id may be made from the id of a session of ours."""
    desk("import", str(shared(laptop[0], tmp_path)))
    session = desk("show", "1@laptop", "--json").json["session_id"].partition("@")[0]
    kept = desk.home / "archive" / "sessions" / f"{session}.json"
    kept.parent.mkdir(parents=True)
    kept.write_text("{}")

    desk("forget", "1@laptop", "--yes")

    assert desk("list", "--json").json["checkpoints"] == []
    assert kept.exists()


def test_it_is_opened_where_one_stands(
    laptop: tuple[Cli, Work], desk: Desk, tmp_path: Path
) -> None:
    """A directory that the file names may lie in wait on this machine, too."""
    desk("import", str(shared(laptop[0], tmp_path)))
    programs, seen = tmp_path / "bin", tmp_path / "seen"
    programs.mkdir()
    (programs / "claude").write_text(f"#!/bin/sh\npwd > {seen}\n")
    (programs / "claude").chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    home = str(desk.home)
    approving(desk, "1@laptop")

    on_a_terminal(desk, "open", "1@laptop", PATH=path, HOLDFAST_HOME=home)

    assert seen.read_text().strip() == str(desk.project)


def test_its_conversation_is_said_to_be_elsewhere(
    laptop: tuple[Cli, Work], desk: Desk, tmp_path: Path
) -> None:
    desk("import", str(shared(laptop[0], tmp_path)))

    ran = desk("open", "1@laptop", "--native")

    assert ran.status == 1
    assert "is somebody else's" in ran.err
    assert (
        "`holdfast open 1@laptop --fork` starts a session of your own with it"
        in ran.err
    )


def test_a_machine_called_as_this_one_gets_another_name(
    laptop: tuple[Cli, Work], desk: Desk, tmp_path: Path
) -> None:
    """`1@laptop` must mean one of them."""
    open_store(str(desk.home), create=True, machine="Laptop").close()

    ran = desk("import", str(shared(laptop[0], tmp_path)))

    assert ran.out.startswith("00001@laptop-other  ")
    assert desk("show", "1@laptop-other").status == 0


def test_a_forgotten_one_does_not_come_back(
    laptop: tuple[Cli, Work], desk: Desk, tmp_path: Path
) -> None:
    path = shared(laptop[0], tmp_path)
    desk("import", str(path))
    desk("forget", "1@laptop", "--yes")

    again = desk("import", str(path))

    assert again.status == 0
    assert "forgotten here, so not imported again: 1 checkpoint" in again.err
    assert desk("list", "--json").json["checkpoints"] == []


def test_the_file_can_be_read_by_anybody(
    laptop: tuple[Cli, Work], tmp_path: Path
) -> None:
    """A zip with Markdown inside, for those who have no holdfast; and only its owner's."""
    path = shared(laptop[0], tmp_path)

    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        page = archive.read("checkpoints/00001.md").decode()

    assert names == [
        "README.md",
        "manifest.json",
        "checkpoints/00001.md",
        "records.jsonl",
    ]
    assert "Nested quotes in the parser" in page
    assert oct(path.stat().st_mode & 0o777) == "0o600"


def test_the_same_checkpoint_is_the_same_file(
    laptop: tuple[Cli, Work], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whenever it is made: a page says when it was, and not how long ago that is."""
    now = time.time_ns
    one = shared(laptop[0], tmp_path)
    monkeypatch.setattr(time, "time_ns", lambda: now() + 86_400 * 10**9)
    two = shared(laptop[0], tmp_path)

    assert one.read_bytes() == two.read_bytes()
    with zipfile.ZipFile(one) as file:
        page = file.read("checkpoints/00001.md").decode()
    assert re.search(r"· \d{4}-\d\d-\d\d \d\d:\d\d UTC\n", page)


def test_nothing_is_written_over(laptop: tuple[Cli, Work], tmp_path: Path) -> None:
    path = tmp_path / "notes.zip"
    path.write_text("mine")

    ran = laptop[0]("export", "1", "-o", str(path))
    typed = answering(laptop[0], "export", "1", "-o", str(path), answers=b"y\n")

    assert ran.status == 1
    assert "is already there" in ran.err
    assert b"write it?" not in typed  # nobody reads and answers for nothing
    assert path.read_text() == "mine"


def test_a_review_shows_what_would_leave(
    laptop: tuple[Cli, Work], tmp_path: Path
) -> None:
    path = tmp_path / "not-yet.zip"

    ran = laptop[0]("export", "quotes", "1", "-o", str(path), "--preview")
    without = laptop[0]("export", "quotes", "1", "--preview")
    nowhere = laptop[0]("export", "quotes", "1")

    assert without.out == ran.out
    assert nowhere.status == 2
    assert "-o FILE" in nowhere.err
    assert "what would leave this machine (1 checkpoint):" in ran.out
    assert "CHECKPOINT-00001  Nested quotes in the parser" in ran.out
    assert "laptop" in ran.out
    assert not path.exists()


@pytest.mark.parametrize("way", ["key", "passphrase"])
def test_an_encrypted_file_opens_for_whom_it_is_meant(
    laptop: tuple[Cli, Work], desk: Desk, tmp_path: Path, way: str
) -> None:
    pyrage = pytest.importorskip("pyrage")
    secret = tmp_path / "secret"
    if way == "key":
        identity = pyrage.x25519.Identity.generate()
        secret.write_text(f"# a key\n{identity}\n")
        path = shared(laptop[0], tmp_path, "--to", str(identity.to_public()))
        wrong = ("--passphrase-file", str(secret))
        right = ("--identity", str(secret))
    else:
        secret.write_text("four words nobody guesses\n")
        path = shared(laptop[0], tmp_path, "--passphrase-file", str(secret))
        other = tmp_path / "other"
        other.write_text("something else\n")
        wrong = ("--passphrase-file", str(other))
        right = ("--passphrase-file", str(secret))

    assert b"nested" not in path.read_bytes()
    nobody = desk("import", str(path), "--json")
    refused = desk("import", str(path), *wrong, "--json")
    opened = desk("import", str(path), *right, "--json")

    assert nobody.json["code"] == refused.json["code"] == "SHARE_003"
    assert right[0] in nobody.json["hint"]
    assert len(opened.json["new"]) == 1


def test_a_key_that_is_none_is_refused(
    laptop: tuple[Cli, Work], tmp_path: Path
) -> None:
    pytest.importorskip("pyrage")
    path = tmp_path / "x.zip"

    ran = laptop[0]("export", "1", "-o", str(path), "--to", "age1nonsense")

    assert "is not a public key" in ran.err
    assert not path.exists()


def test_a_short_passphrase_protects_nothing(
    laptop: tuple[Cli, Work], tmp_path: Path
) -> None:
    secret, path = tmp_path / "secret", tmp_path / "x.zip"
    secret.write_text("abc\n")

    ran = laptop[0]("export", "1", "-o", str(path), "--passphrase-file", str(secret))

    assert "at least 8 characters" in ran.err
    assert not path.exists()


def rewritten(path: Path, records: bytes, manifest: bytes | None = None) -> Path:
    """Return a file with other records in it."""
    changed = path.with_name("changed.zip")
    buffer = BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(buffer, "w") as new:
        new.writestr("manifest.json", manifest or old.read("manifest.json"))
        new.writestr("records.jsonl", records)
    changed.write_bytes(buffer.getvalue())
    return changed


def records_of(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as archive:
        told: dict[str, str] = json.loads(archive.read("records.jsonl"))
    return told


def test_a_record_that_was_changed_on_the_way_is_refused(
    laptop: tuple[Cli, Work], desk: Desk, tmp_path: Path
) -> None:
    path = shared(laptop[0], tmp_path)
    told = records_of(path)
    told["record"] = told["record"].replace("Never", "Always")

    ran = desk("import", str(rewritten(path, json.dumps(told).encode())), "--json")

    assert ran.status == 13
    assert ran.json["code"] == "SHARE_001"
    assert desk("list", "--json").json["checkpoints"] == []


def test_a_forged_record_says_nothing_that_this_machine_did(
    laptop: tuple[Cli, Work], desk: Desk, tmp_path: Path
) -> None:
    """Whoever makes a file can make its hashes: then it is still theirs, and redacted."""
    desk.save("--title", "mine")
    path = shared(laptop[0], tmp_path)
    told = records_of(path)
    raw = json.loads(told["record"])
    token = "ghp_" + "a1B2c3D4e5" * 4
    raw["content"]["summary"] = f"use {token}"
    raw["hostname"] = token
    raw["origin"]["key"] = desk("show", "latest", "--json").json["origin"]["key"]
    text = canonical(raw)
    told |= {"record": text, "hash": link(told["previous_hash"], text)}

    ran = desk("import", str(rewritten(path, json.dumps(told).encode())), "--json")
    shown = desk("show", ran.json["new"][0], "--json")

    assert token not in shown.out
    assert shown.json["machine"] == "laptop"
    assert desk("show", "latest", "--json").json["content"]["title"] == "mine"
    kept = b"".join(p.read_bytes() for p in desk.home.rglob("*") if p.is_file())
    assert token.encode() not in kept


def test_t16_a_list_of_millions_of_parts_is_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each would cost memory, a gigabyte in all, before the first is looked at."""

    def opened(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(zipfile, "ZipFile", opened)
    listed = b"PK\x01\x02" + b"\0" * 42

    with pytest.raises(RecordRefused, match="not a file that `holdfast export` made"):
        unpacked(b"PK\x03\x04" + listed * 50_001)


def test_t16_a_record_that_unfolds_to_gigabytes_is_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def read(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(json, "loads", read)

    with pytest.raises(RecordRefused):
        list(proofs_in(b"[" + b"{}," * 7_000_000 + b"{}]\n"))


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"hello", id="no zip"),
        pytest.param(b"PK\x03\x04" + os.urandom(64), id="half a zip"),
        pytest.param(b"age-encryption.org/v1\nx", id="half an encrypted one"),
    ],
)
def test_a_file_that_is_none_of_ours_is_a_sentence(
    desk: Desk, tmp_path: Path, data: bytes
) -> None:
    path, secret = tmp_path / "odd.zip", tmp_path / "secret"
    path.write_bytes(data)
    secret.write_text("a long passphrase\n")

    ran = desk("import", str(path), "--passphrase-file", str(secret), "--json")

    assert ran.json["type"] == "error"
    assert ran.json["hint"]
    assert ran.status in (1, 13)


@pytest.mark.parametrize(
    ("manifest", "records"),
    [
        pytest.param(b"[]", b"{}\n", id="another manifest"),
        pytest.param(b'{"format": "other"}', b"{}\n", id="another format"),
        pytest.param(b'{"format": "holdfast-share", "version": 9}', b"", id="newer"),
        pytest.param(None, b"[]\n", id="a record that is a list"),
        pytest.param(None, b'{"machine": 1}\n', id="a record without its parts"),
        pytest.param(None, b"\xff\xfe", id="no text"),
        pytest.param(None, b"0" * 6_000, id="a bomb"),
    ],
)
def test_a_file_of_another_form_is_refused(
    laptop: tuple[Cli, Work],
    desk: Desk,
    tmp_path: Path,
    manifest: bytes | None,
    records: bytes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("holdfast.app.sharing.share_file._MOST_RECORDS", 5_000)
    path = shared(laptop[0], tmp_path)

    ran = desk("import", str(rewritten(path, records, manifest)), "--json")

    assert ran.json["code"] == "SHARE_001"


def test_what_newer_rules_find_is_not_shared(
    laptop: tuple[Cli, Work], tmp_path: Path
) -> None:
    """A record that was kept under older rules may hold what today's would take out."""
    cli, path = laptop[0], tmp_path / "x.zip"
    cli("config", "set", "redaction.rules", "Nested*")

    ran = cli("export", "1", "-o", str(path), "--json")

    assert ran.json["code"] == "SHARE_002"
    assert "doctor --scan" in ran.json["hint"]
    assert not path.exists()


def test_unknown_and_missing_are_sentences(
    laptop: tuple[Cli, Work], desk: Desk, tmp_path: Path
) -> None:
    cli = laptop[0]

    assert cli("export", "nope", "-o", str(tmp_path / "a.zip")).status == 12
    assert cli("export", "1", "-o", str(tmp_path / "no" / "a.zip")).status == 1
    assert desk("import", str(tmp_path / "missing.zip")).status == 1
    assert desk("export", "1", "-o", str(tmp_path / "b.zip")).status == 10
