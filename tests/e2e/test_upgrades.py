"""Upgrading and downgrading as a user meets them: it goes on, or says what to do."""

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from tests.e2e.conftest import Cli
from tests.e2e.hooks.conftest import World, write_session
from tests.stores import FORMATS, TITLES, with_store


@pytest.mark.parametrize("form", FORMATS)
def test_a_store_of_every_released_format_is_used_as_before(
    cli: Cli, form: str
) -> None:
    """list, show, search, save, resume, doctor: nothing asks for a step by hand."""
    with_store(form, cli.home)

    listed = cli("list", "--all", "--json").json["checkpoints"]
    shown = cli("show", listed[-1]["id"], "--json").json
    found = cli("search", "refresh", "--all", "--json").json["checkpoints"]
    resumed = cli("resume", listed[-1]["id"], "--json")
    saved = cli.save()
    doctor = cli("doctor", "--json")

    assert [r["content"]["title"] for r in listed] == list(reversed(TITLES))
    assert shown["content"]["title"] == TITLES[0]
    assert [r["id"] for r in found] == [listed[-1]["id"]]
    assert resumed.status == 0
    assert "never use sleep in tests" in resumed.json["brief"]
    assert saved["status"] == "WORKING"
    assert "fail" not in {check["state"] for check in doctor.json["checks"]}


@pytest.fixture
def newer(tmp_path: Path) -> Iterator[World]:
    """A machine whose store a newer holdfast has opened."""
    world = World(tmp_path)
    with_store("schema-3", world.home)
    connection = apsw.Connection(str(world.home / "holdfast.db"))
    connection.execute("PRAGMA user_version = 9999")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.close()
    for part in world.home.glob("holdfast.db-*"):
        part.unlink()
    yield world
    world.close()


def test_an_older_process_spools_tells_once_and_changes_no_byte(newer: World) -> None:
    """Two versions run for a while after an upgrade: the older one must do no harm."""
    files = ("holdfast.db", "head", "redaction.key")
    before = [(newer.home / name).read_bytes() for name in files]
    old, first, second = (f"{n:08x}-0000-4000-8000-{n:012x}" for n in (1, 2, 3))
    write_session(newer, old, "add refresh tokens")
    client = newer.client()

    ended = client.end(old, "clear")
    told, silent = client.start(first, "clear"), client.start(second, "clear")

    assert (ended.status, ended.out) == (0, "")
    assert "made by a newer holdfast" in told.line
    assert told.line.endswith(
        " and was left alone. Nothing is lost: saves wait and are stored when the store"
        " works again. What to do: upgrade this holdfast the way it was installed."
    )
    assert silent.out == ""
    assert len(list((newer.home / "spool").glob("*.json"))) == 1
    assert [(newer.home / name).read_bytes() for name in files] == before
    assert not list(newer.home.glob("holdfast.db-*"))
