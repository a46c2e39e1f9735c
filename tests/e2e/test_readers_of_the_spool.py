"""A save that waits for the store is told by every command that cannot find it yet."""

import pytest

from tests.e2e.conftest import SAMPLE, Cli
from tests.e2e.test_off_while_waiting import wait

TOLD = "1 save waits for the store: `holdfast doctor --repair` stores what is waiting"


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


def test_a_save_that_waited_and_was_torn_is_told_when_the_others_go_in(
    cli: Cli,
) -> None:
    """It was set aside without a word, as if it had never been acknowledged."""
    cli.save("--title", "before")
    wait(cli, "command")
    wait(cli, "compact")
    [torn, _] = sorted(cli.home.glob("spool/*.json"))
    torn.write_bytes(torn.read_bytes()[:200])

    ran = cli("save", "--transcript", str(SAMPLE), "--title", "now")

    assert ran.status == 3
    assert "waiting saves that could not be read: 1, see `holdfast doctor`" in ran.err
    assert len(cli("list", "--json").json["checkpoints"]) == 3


def test_the_hint_of_an_unknown_name_tells_it(cli: Cli) -> None:
    """The name may be that of the save that waits."""
    cli.save("--title", "before")
    wait(cli, "command")

    for command in ("show", "resume"):
        missing = cli(command, "parser", "--json")
        assert missing.status == 12
        assert TOLD in missing.json["hint"]


@pytest.mark.parametrize(
    ("damage", "status"),
    [
        pytest.param(b"no database" * 100, 13, id="no database"),
        pytest.param(b"", 0, id="whole"),
    ],
)
@pytest.mark.parametrize("words", [("list",), ("show", "1"), ("search", "zebra")])
def test_a_store_that_cannot_be_read_is_told_with_what_waits(
    cli: Cli, words: tuple[str, ...], damage: bytes, status: int
) -> None:
    """Or the newest save seems to be lost with the others."""
    cli.save("--title", "before")
    wait(cli, "command")
    if damage:
        for log in cli.home.glob("holdfast.db-*"):
            log.unlink()
        (cli.home / "holdfast.db").write_bytes(damage)

    ran = cli(*words)

    assert ran.status == status
    assert "1 save waits for the store: " in ran.err
    assert ("waiting saves are stored when the store works again" in ran.err) is bool(
        damage
    )


def test_a_store_that_is_whole_again_has_what_waited(cli: Cli) -> None:
    """What the line promised."""
    cli.save("--title", "before")
    wait(cli, "command")
    whole = (cli.home / "holdfast.db").read_bytes()
    (cli.home / "holdfast.db").write_bytes(b"no database" * 100)
    assert "1 save waits" in cli("list", "--json").json["hint"]

    (cli.home / "holdfast.db").write_bytes(whole)
    cli.save("--title", "after")

    listed = cli("list", "--json").json
    assert (len(listed["checkpoints"]), listed["waiting"]) == (3, 0)
