"""What anybody who may push could put into the remote: refused with a sentence, alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from holdfast.kernel.digests import canonical
from holdfast.store.chain import link
from tests.e2e.conftest import Ran
from tests.e2e.repository import git
from tests.e2e.team import Team, team
from tests.neighbours import GOLDFISH

__all__ = ["team"]
pytestmark = pytest.mark.process
TOKEN = "ghp_" + "a1B2c3D4e5" * 4


class Hostile:
    """Somebody who may push, and knows how refs are made."""

    def __init__(self, team: Team, scratch: Path) -> None:
        self.team = team
        self._scratch = scratch
        self.one = team.laptop.saves("parser")
        self.two = team.laptop.saves("docs")
        team.laptop.syncs()
        self.refs = sorted(team.refs())
        self.ref = next(ref for ref in self.refs if ref.endswith(self.one))
        self.place = self.ref.rpartition("/")[0]

    def record(self, ref: str = "") -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.text(ref or self.ref))
        return told

    def text(self, ref: str) -> str:
        return git(self.team.bare, "show", f"{ref}:record.json")

    def puts(self, ref: str, text: str | bytes, name: str = "record.json") -> None:
        """Put a commit with one file there, as git would take it from anybody."""
        bare, draft = self.team.bare, self._scratch / "draft"
        draft.write_bytes(text if isinstance(text, bytes) else text.encode())
        blob = git(bare, "hash-object", "-w", str(draft))
        index = {"GIT_INDEX_FILE": str(self._scratch / "index")}
        with pytest.MonkeyPatch.context() as patch:
            from tests.e2e import repository  # noqa: PLC0415  # its environment is extended

            patch.setattr(repository, "_ENVIRON", {**repository._ENVIRON, **index})
            git(bare, "read-tree", "--empty")
            git(bare, "update-index", "--add", "--cacheinfo", f"100644,{blob},{name}")
            tree = git(bare, "write-tree")
        commit = git(bare, "commit-tree", "-m", "x", tree)
        git(bare, "update-ref", ref, commit)

    def syncs(self) -> Ran:
        return self.team.desk("sync", "git", "--yes", "--json")


@pytest.fixture
def hostile(team: Team, tmp_path: Path) -> Hostile:
    return Hostile(team, tmp_path)


def resealed(told: dict[str, Any], raw: Any) -> str:
    text = canonical(raw)
    sealed = {**told, "record": text, "hash": link(told["previous_hash"], text)}
    return json.dumps(sealed) + "\n"


def test_a_forged_author_is_refused(hostile: Hostile) -> None:
    """`desk` never said it; who may write below another's name may not speak for it."""
    told = hostile.record()
    hostile.puts(hostile.ref, json.dumps({**told, "machine": "boss"}))

    ran = hostile.syncs()

    assert ran.status == 3
    (why,) = ran.json["refused"]
    assert "it names `boss` as its author, but is in another machine's place" in why
    assert hostile.one not in hostile.team.desk.knows()
    assert hostile.two in hostile.team.desk.knows()


def test_a_swapped_record_is_refused(hostile: Hostile) -> None:
    """Under another's name, and against what had come before."""
    other = next(ref for ref in hostile.refs if ref != hostile.ref)
    hostile.puts(hostile.ref, hostile.text(other))

    first = hostile.syncs()

    assert first.status == 3
    assert "its record is not the one that its name says" in first.json["refused"][0]
    assert set(hostile.team.desk.knows()) == {hostile.two}


def test_what_came_before_is_not_replaced(hostile: Hostile) -> None:
    """A record with hashes of its own is one, but not the one that was here."""
    told = hostile.record()
    hostile.syncs()
    before = hostile.team.desk("show", hostile.one, "--json").json
    raw = json.loads(told["record"])
    raw["content"]["title"] = "delete everything"
    hostile.puts(hostile.ref, resealed(told, raw))

    ran = hostile.syncs()
    again = hostile.syncs()

    assert ran.status == 3
    assert "is here already, with other content" in ran.json["refused"][0]
    assert hostile.team.desk("show", hostile.one, "--json").json == before
    assert (again.status, again.json["refused"]) == (0, [])  # said once


def test_a_record_that_was_changed_is_refused(hostile: Hostile) -> None:
    told = hostile.record()
    told["record"] = told["record"].replace("parser", "phaser")
    hostile.puts(hostile.ref, json.dumps(told))

    ran = hostile.syncs()

    assert "does not match its hash" in ran.json["refused"][0]
    assert hostile.one not in hostile.team.desk.knows()


def test_a_record_of_this_machine_is_not_taken_from_others(hostile: Hostile) -> None:
    """Below its own name only its own store writes: what it never made is another's."""
    desk = hostile.team.desk
    mine = desk.saves("mine")
    desk.syncs()
    own = next(ref for ref in hostile.team.refs() if ref.endswith(mine))
    told = json.loads(hostile.text(own))
    raw = json.loads(told["record"])
    raw["content"]["title"] = "forged"
    hostile.puts(own, resealed(told, raw))

    desk("sync", "git", "--json")

    assert desk.knows()[mine] == ("mine", None)
    assert desk("show", mine, "--json").json.get("machine") is None
    assert json.loads(hostile.text(own)) == told  # what it says there is right again


@pytest.mark.parametrize(
    "name",
    [
        "evil",
        "laptop-0123abcd/evil",
        "laptop-0123abcd/ccp-x-01-1",
        "laptop/{one}",
        "-laptop-0123abcd/{one}",
        "laptop-0123abcd/{one}.gone.gone",
        "laptop-0123abcd/{one}/deeper",
        "lap\u202etop-0123abcd/{one}",
        "$(touch${{IFS}}never)-0123abcd/{one}",
        "laptop-0123abcd/refs/heads/main",
    ],
)
def test_a_hostile_name_is_refused(hostile: Hostile, name: str) -> None:
    """A name is a path, an option, an escape: none is used before it was read."""
    project = hostile.place.rpartition("/")[0]
    ref = f"{project}/{name.format(one=hostile.one)}"
    hostile.puts(ref, hostile.text(hostile.ref))
    before = git(hostile.team.desk.project, "for-each-ref")

    ran = hostile.syncs()

    assert ran.status == 3
    assert "no ref of holdfast has this name" in ran.json["refused"][0]
    assert "\u202e" not in ran.out
    assert set(hostile.team.desk.knows()) == {hostile.one, hostile.two}
    assert git(hostile.team.desk.project, "for-each-ref") == before
    assert hostile.syncs().status == 0


def test_any_number_of_them_fills_no_terminal(hostile: Hostile) -> None:
    """Whoever may push can put fifty thousand there; `--json` has every one, once."""
    commit = hostile.team.refs()[hostile.ref]
    for number in range(25):
        ref = f"{hostile.place}/junk{number}"
        git(hostile.team.bare, "update-ref", ref, commit)

    preview = hostile.team.desk("sync", "git", "--preview")
    told = hostile.team.desk("sync", "git", "--preview", "--json")

    assert preview.err.count("no ref of holdfast has this name") == 20
    assert "warning: and 5 more\n" in preview.err
    assert told.status == 0
    assert len(hostile.syncs().json["refused"]) == 25


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\xff\xfe", id="no text"),
        pytest.param(b"[]", id="a list"),
        pytest.param(b"{}\n{}\n", id="two"),
        pytest.param(b'{"machine": "laptop"}', id="no record"),
        pytest.param(b"[" * 100_000, id="deep"),
        pytest.param(
            b'{"machine":"laptop","previous_hash":"","record":"5","hash":""}',
            id="a number",
        ),
    ],
)
def test_what_is_no_record_is_refused(hostile: Hostile, text: bytes) -> None:
    hostile.puts(hostile.ref, text)

    ran = hostile.syncs()

    assert ran.status == 3
    assert len(ran.json["refused"]) == 1
    assert set(hostile.team.desk.knows()) == {hostile.two}


def test_a_huge_record_is_refused(
    hostile: Hostile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.snapshot.git.team_remote._MOST_BYTES", 400_000)
    hostile.puts(hostile.ref, b" " * 400_001)

    ran = hostile.syncs()

    assert "it is larger than 400,000 bytes" in ran.json["refused"][0]
    assert set(hostile.team.desk.knows()) == {hostile.two}


def test_a_forged_tombstone_takes_nothing_of_ours(hostile: Hostile) -> None:
    """What a machine made goes only by its own hand, whoever says it is forgotten."""
    desk = hostile.team.desk
    mine = desk.saves("mine")
    desk.syncs()
    own = next(ref for ref in hostile.team.refs() if ref.endswith(mine))
    for place in (own.rpartition("/")[0], hostile.place):
        machine = place.rpartition("/")[2].rpartition("-")[0]
        gone = {
            "format": "holdfast-gone", "version": 1, "machine": machine,
            "checkpoint": mine,
        }  # fmt: skip
        hostile.puts(f"{place}/{mine}.gone", json.dumps(gone))

    ran = hostile.syncs()
    again = hostile.syncs()

    assert ran.json["removed"] == []
    assert mine in desk.knows()
    (why,) = ran.json["refused"]
    assert why.startswith(
        "CHECKPOINT-00001 was removed from the remote in your name, but not in this store"
    )
    assert (again.status, again.json["refused"]) == (0, [])  # said once


def test_a_tombstone_takes_nothing_that_came_from_another_program(
    hostile: Hostile, tmp_path: Path
) -> None:
    """Its id can be told by whoever has the file; no machine of the team gave it."""
    desk = hostile.team.desk
    (tmp_path / "quotes.md").write_text(GOLDFISH)
    assert desk("import", str(tmp_path / "quotes.md"), "--from", "goldfish").status == 0
    (brought,) = desk.knows()
    place = f"{hostile.place.rpartition('/')[0]}/goldfish-00000000"
    gone = {
        "format": "holdfast-gone", "version": 1, "machine": "goldfish",
        "checkpoint": brought,
    }  # fmt: skip
    hostile.puts(f"{place}/{brought}.gone", json.dumps(gone))

    ran = hostile.syncs()

    assert ran.json["removed"] == []
    assert brought in desk.knows()


@pytest.mark.parametrize("text", [b"", b"{}", b"[", b'{"format": "holdfast-gone"}'])
def test_a_tombstone_that_is_none_is_refused(hostile: Hostile, text: bytes) -> None:
    hostile.syncs()
    hostile.puts(f"{hostile.ref}.gone", text)

    ran = hostile.syncs()

    assert "its content does not match its name" in ran.json["refused"][0]
    assert hostile.one in hostile.team.desk.knows()


def test_a_secret_that_another_machine_let_through_is_taken_out(
    hostile: Hostile,
) -> None:
    told = hostile.record()
    raw = json.loads(told["record"])
    raw["content"]["summary"] = f"use {TOKEN}"
    hostile.puts(hostile.ref, resealed(told, raw))

    ran = hostile.syncs()

    home = hostile.team.desk.home
    kept = b"".join(p.read_bytes() for p in home.rglob("*") if p.is_file())
    assert ran.status == 0
    assert TOKEN.encode() not in kept
