"""A save that waits for the store is told by every command that cannot find it yet."""

import pytest

from tests.e2e.conftest import Cli
from tests.e2e.test_off_while_waiting import wait

TOLD = "1 save waits for the store: `holdfast doctor --repair` puts in what waits"


@pytest.mark.parametrize(
    "words",
    [("list",), ("status",), ("show", "1"), ("resume", "1"), ("search", "zebra")],
    ids=" ".join,
)
def test_readers_say_that_a_save_waits_and_leave_it_there(
    cli: Cli, words: tuple[str, ...]
) -> None:
    """Said once, and only while it is so; reading puts nothing in."""
    cli.save("--title", "before")
    before = cli(*words)
    wait(cli, "command")
    after = cli(*words)

    assert (before.status, after.status) == (0, 0)
    assert "wait" not in before.err
    assert after.err.splitlines().count(TOLD) == 1
    assert len(list(cli.home.glob("spool/*.json"))) == 1


def test_scripts_read_how_many_wait(cli: Cli) -> None:
    """An empty list is no proof that nothing was saved."""
    cli.save("--title", "before")
    wait(cli, "command")

    assert cli("list", "--json").json["waiting"] == 1
    assert cli("status", "--json").json["waiting"] == 1
    cli("doctor", "--repair")
    assert cli("list", "--json").json["waiting"] == 0


def test_the_hint_of_an_unknown_name_tells_it(cli: Cli) -> None:
    """The name may be that of the save that waits."""
    cli.save("--title", "before")
    wait(cli, "command")

    for command in ("show", "resume"):
        missing = cli(command, "parser", "--json")
        assert missing.status == 12
        assert TOLD in missing.json["hint"]
