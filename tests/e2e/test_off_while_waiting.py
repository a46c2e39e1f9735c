"""What waits in the spool passes one door, whoever opens it: off is off there, too."""

import os
from typing import Any

import pytest

from holdfast.app.checkpoints.drafting import SaveRequest
from holdfast.app.checkpoints.save import Spooled, save
from holdfast.bootstrap import Container
from holdfast.kernel.errors import StoreBusy
from holdfast.kernel.lazy_values import replace
from tests.e2e.conftest import SAMPLE, SESSION, Cli

WAYS = [
    pytest.param(["doctor", "--repair"], id="a repair"),
    pytest.param(["doctor", "--scan"], id="a scan"),
    pytest.param(["forget", "--match", "no such words", "--dry-run"], id="forgetting"),
    pytest.param(["save", "--transcript", str(SAMPLE), "--title", "now"], id="a save"),
]


def wait(cli: Cli, trigger: Any) -> None:
    """Save while the store cannot be asked for anything, switches included."""
    container = Container(environ=os.environ, project=str(cli.project))

    def no_store() -> Any:
        raise StoreBusy("somebody writes")

    request = SaveRequest(
        session_id=SESSION,
        transcript=str(SAMPLE),
        directory=str(cli.project),
        directory_given=True,
        trigger=trigger,
        title=f"by {trigger}",
        key=f"by {trigger}",
    )
    waiting = save(request, replace(container.ports(), open_store=no_store))
    assert isinstance(waiting, Spooled)


def titles(cli: Cli) -> list[str]:
    kept = cli("list", "--all", "--json").json["checkpoints"]
    return [record["content"]["title"] for record in kept]


@pytest.mark.parametrize("way", WAYS)
def test_what_nobody_asked_for_stays_out_where_it_is_off(
    cli: Cli, way: list[str]
) -> None:
    """The hook could not ask, and spooled; a save that was asked for is kept."""
    cli.save("--title", "before")
    assert cli("off").status == 0
    wait(cli, "compact")
    wait(cli, "command")

    cli(*way)

    kept = titles(cli)
    assert "by compact" not in kept
    assert kept[-2:] == ["by command", "before"]
    assert not list((cli.home / "spool").glob("*.json*"))


@pytest.mark.parametrize("way", WAYS)
def test_what_waited_goes_in_where_it_is_on(cli: Cli, way: list[str]) -> None:
    """Whichever command comes first, in the order it came."""
    cli.save("--title", "before")
    wait(cli, "compact")
    wait(cli, "command")

    cli(*way)

    assert titles(cli)[-3:] == ["by command", "by compact", "before"]


def test_what_waited_before_it_was_turned_off_goes_in(cli: Cli) -> None:
    """It was saved while it was on, and its user was told so."""
    cli.save("--title", "before")
    wait(cli, "compact")

    assert cli("off").status == 0

    assert titles(cli) == ["by compact", "before"]
    assert not list((cli.home / "spool").glob("*.json*"))
