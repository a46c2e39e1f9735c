"""The table of threats: each has a test that bears its number, and a row in SECURITY.md."""

import re
from pathlib import Path

import apsw
import pytest

from holdfast.data_directory.markers import FileMarkers
from holdfast.data_directory.plain_files import log
from holdfast.data_directory.variables import write_variables
from tests.e2e.conftest import Cli

_TESTS = Path(__file__).parents[1]
_SECURITY = _TESTS.parent / "SECURITY.md"
_THREATS = tuple(f"T{number}" for number in range(1, 30))
_NAMED = re.compile(r"^def test((?:_t\d\d)+)_", re.MULTILINE)


def _tested() -> set[str]:
    return {
        f"T{int(number)}"
        for path in _TESTS.rglob("test_*.py")
        for found in _NAMED.findall(path.read_text(encoding="utf-8"))
        for number in re.findall(r"\d\d", found)
    }


@pytest.mark.parametrize("threat", _THREATS)
def test_every_threat_has_a_test_of_its_name(threat: str) -> None:
    """`pytest -k t07` is how anyone sees what is done about a threat."""
    assert threat in _tested()


def test_the_table_that_users_read_has_every_threat_once() -> None:
    """A threat model that leaves one out promises what nobody looked at."""
    rows = re.findall(r"^\| (T\d+) \|", _SECURITY.read_text("utf-8"), re.MULTILINE)

    assert tuple(rows) == _THREATS


def test_what_is_stored_where_names_every_table_and_place(
    cli: Cli, tmp_path: Path
) -> None:
    """Nobody should have to look into the data directory to know what is in it."""
    told = set(re.findall(r"`([a-z_.-]+)/?`", _SECURITY.read_text("utf-8")))
    (tmp_path / "claude").mkdir()
    cli.save("--name", "api")
    cli("restore", "1")
    cli("install", "claude")
    marks = FileMarkers(str(cli.home))
    marks.set("s", "text")
    marks.claim_notice("notice")
    log(str(cli.home), "test", "text", str)
    write_variables(str(cli.home), "s", {})
    database = apsw.Connection(str(cli.home / "holdfast.db"))
    tables = {
        name
        for (name,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table'"
        )
        if not name.startswith("sqlite_")
    }
    database.close()
    shadows = {
        name
        for name in tables
        if re.search(r"_(?:data|idx|content|docsize|config)$", name)
    }
    places = {path.name for path in cli.home.iterdir()} - {
        "holdfast.db-wal",
        "holdfast.db-shm",
    }

    assert tables - shadows - told == set()
    assert places - told == set()
    assert {"pending", "notices", "env", "log", "restores", "git"} <= places
