"""What anybody who may write to the team's database could put there: refused with a
sentence, alone."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from holdfast.kernel.digests import canonical
from holdfast.store.chain import link
from tests.e2e.conftest import Ran
from tests.e2e.fellows import Fellows, fellows, syncs, team_server

__all__ = ["fellows", "team_server"]
pytestmark = pytest.mark.process
TOKEN = "ghp_" + "a1B2c3D4e5" * 4
Row = dict[str, Any]


class Hostile:
    """Somebody who may write there, and knows how rows are made."""

    def __init__(self, fellows: Fellows) -> None:
        self.fellows, self.desk = fellows, fellows.desk
        self.one = fellows.laptop.saves("parser")
        self.two = fellows.laptop.saves("docs")
        syncs(fellows.laptop)

    def row(self, checkpoint_id: str = "") -> Row:
        names = ("checkpoint_id", "machine", "previous_hash", "hash", "name", "body")
        wanted = {"checkpoint_id": checkpoint_id or self.one}
        with self.fellows.store() as store:
            found = store._database.read(
                lambda run: run.one(
                    "SELECT checkpoint_id, machine, previous_hash, hash, name, body"
                    " FROM shared WHERE checkpoint_id = %(checkpoint_id)s",
                    wanted,
                )
            )
        return dict(zip(names, found, strict=True))

    def puts(self, row: Row, instead_of: str = "") -> None:
        """Change the row of a checkpoint, as news that everybody hears."""
        values = {**row, "at": instead_of or self.one}
        with self.fellows.store() as store:
            store._database.write(
                lambda run: run.do(
                    "UPDATE shared SET checkpoint_id = %(checkpoint_id)s,"
                    " machine = %(machine)s, previous_hash = %(previous_hash)s,"
                    " hash = %(hash)s, name = %(name)s, body = %(body)s,"
                    " change = 1 + (SELECT max(change) FROM shared)"
                    " WHERE checkpoint_id = %(at)s",
                    values,
                )
            )

    def syncs(self) -> Ran:
        ran = self.desk("sync", "team", "--json")
        assert ran.json["type"] == "synced", ran
        return ran


@pytest.fixture
def hostile(fellows: Fellows) -> Hostile:
    return Hostile(fellows)


def resealed(row: Row, change: Callable[[Any], None]) -> Row:
    raw = json.loads(row["body"])
    change(raw)
    text = canonical(raw)
    return {**row, "body": text, "hash": link(row["previous_hash"], text)}


def _titled(title: str) -> Callable[[Any], None]:
    def change(raw: Any) -> None:
        raw["content"]["title"] = title

    return change


def test_a_record_that_was_changed_is_refused(hostile: Hostile) -> None:
    row = hostile.row()
    hostile.puts({**row, "body": row["body"].replace("parser", "phaser")})

    ran = hostile.syncs()

    assert ran.status == 3
    assert "does not match its hash" in ran.json["refused"][0]
    assert set(hostile.desk.knows()) == {hostile.two}


def test_a_swapped_record_is_refused(hostile: Hostile) -> None:
    """Under the id of another one."""
    other = hostile.row(hostile.two)
    hostile.puts({**other, "checkpoint_id": hostile.one})

    ran = hostile.syncs()

    assert ran.status == 3
    assert "not the one that its id says" in ran.json["refused"][0]
    assert hostile.one not in hostile.desk.knows()
    resumed = hostile.desk("resume", hostile.one)
    assert resumed.status != 0
    assert "not the one that its id says" in resumed.err


def test_what_came_before_is_not_replaced(hostile: Hostile) -> None:
    """A record with hashes of its own is one, but not the one that was here."""
    hostile.syncs()
    before = hostile.desk("show", hostile.one, "--json").json
    hostile.puts(resealed(hostile.row(), _titled("delete everything")))

    ran = hostile.syncs()

    assert ran.status == 3
    assert "is here already, with other content" in ran.json["refused"][0]
    assert hostile.desk("show", hostile.one, "--json").json == before


def test_a_forged_author_is_never_this_machine(hostile: Hostile) -> None:
    """Neither its name nor an id of its own makes somebody's record mine."""
    mine = hostile.desk.saves("mine")
    raw = json.loads(hostile.row()["body"])
    body = canonical(raw).replace(hostile.one, mine)
    row = hostile.row()
    hostile.puts({**row, "machine": "desk"})
    first = hostile.syncs()
    forged = {**row, "body": body, "hash": link(row["previous_hash"], body)}
    hostile.puts({**forged, "machine": "desk", "checkpoint_id": hostile.one})

    hostile.syncs()

    assert first.json["refused"] == []
    shown = hostile.desk("show", hostile.one, "--json").json
    assert shown["machine"] == "desk-other"
    assert hostile.desk.knows()[mine] == ("mine", None)
    assert hostile.desk("show", mine, "--json").json.get("machine") is None
    assert hostile.desk("show", "latest", "--json").json["id"] == mine


@pytest.mark.parametrize("name", ["../../etc", "a b", "-x", "", "lap\u202etop"])
def test_a_hostile_name_of_a_machine_is_refused(hostile: Hostile, name: str) -> None:
    hostile.puts({**hostile.row(), "machine": name})

    ran = hostile.syncs()

    assert ran.status == 3
    assert "is not the name of a machine" in ran.json["refused"][0]
    assert "\u202e" not in ran.out
    assert set(hostile.desk.knows()) == {hostile.two}


@pytest.mark.parametrize("text", ["", "[]", "5", "[" * 100_000, '{"id": 1}'])
def test_what_is_no_record_is_refused(hostile: Hostile, text: str) -> None:
    row = hostile.row()
    hostile.puts({**row, "body": text, "hash": link(row["previous_hash"], text)})

    ran = hostile.syncs()

    assert ran.status == 3
    assert len(ran.json["refused"]) == 1
    assert set(hostile.desk.knows()) == {hostile.two}


def test_a_forged_tombstone_takes_nothing_of_ours(hostile: Hostile) -> None:
    """What a machine made goes only by its own hand, whoever says it is forgotten."""
    mine = hostile.desk.saves("mine")
    hostile.syncs()
    for machine in ("desk", "laptop"):
        hostile.puts({**hostile.row(mine), "machine": machine, "body": None}, mine)

        ran = hostile.syncs()

        assert ran.json["removed"] == []
        assert mine in hostile.desk.knows()


def test_a_secret_that_another_machine_let_through_is_taken_out(
    hostile: Hostile,
) -> None:
    def change(raw: Any) -> None:
        raw["content"]["summary"] = f"use {TOKEN}"

    hostile.puts(resealed(hostile.row(), change))

    ran = hostile.syncs()

    home = hostile.desk.home
    kept = b"".join(p.read_bytes() for p in home.rglob("*") if p.is_file())
    assert ran.status == 0
    assert hostile.one in hostile.desk.knows()
    assert TOKEN.encode() not in kept
