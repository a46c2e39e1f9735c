"""Retention works by itself, once a day."""

import os

from holdfast.bootstrap import Container
from holdfast.bootstrap.forgetting import prune_daily
from tests.e2e.conftest import Cli

_SAVED = 14
_KEPT = 10  # `checkpoint.max_auto_summaries`


def tidied(cli: Cli) -> int:
    """Do what the process that finishes an ended session does; return what is left."""
    container = Container(environ=os.environ, project=str(cli.project))
    try:
        prune_daily(container)
    finally:
        container.close()
    return len(cli("list", "--json").json["checkpoints"])


def test_what_later_checkpoints_supersede_goes_once_a_day(cli: Cli) -> None:
    """Nobody runs `prune` by hand, and not every ended session pays for it."""
    for number in range(_SAVED):
        cli.save("--title", f"t{number}", "--type", "auto")

    first = tidied(cli)
    cli.save("--title", "one more", "--type", "auto")
    second = tidied(cli)

    assert first == _KEPT
    assert second == _KEPT + 1
    assert "fail" not in {c["state"] for c in cli("doctor", "--json").json["checks"]}


def test_without_a_store_there_is_nothing_to_tidy(cli: Cli) -> None:
    """A hook that saved nothing makes no directory."""
    container = Container(environ=os.environ, project=str(cli.project))

    prune_daily(container)

    assert not cli.home.exists()
