"""Whoever asks a sync for less is never sent more; nobody has to listen to be asked that."""

import json
import socket
from collections.abc import Iterator

import pytest

from holdfast.store.sqlite.store import open_store
from tests.e2e.conftest import Cli
from tests.e2e.mirroring import set_up, settle

_NOWHERE = "postgresql://me@127.0.0.1:1/holdfast"


@pytest.fixture
def door() -> Iterator[socket.socket]:
    """A place at which every caller would be noticed."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0)
        yield listening
    settle()


def _mirror_at(door: socket.socket) -> dict[str, str]:
    return {"kind": "memora", "url": f"http://127.0.0.1:{door.getsockname()[1]}/mcp"}


def _followed(cli: Cli, door: socket.socket) -> None:
    """Set a mirror up that nobody has called yet, with one checkpoint for it."""
    cli.save()
    store = open_store(str(cli.home), create=False)
    store.outbox.follow("memora", everything=True)
    store.close()
    set_up(cli, _mirror_at(door))


@pytest.mark.parametrize("words", [("memora",), ()])
def test_a_preview_calls_no_mirror(
    words: tuple[str, ...], cli: Cli, door: socket.socket
) -> None:
    _followed(cli, door)

    told = cli("sync", *words, "--preview")

    assert (told.status, told.out) == (0, "memora: 1 change would be sent\n")
    with pytest.raises(BlockingIOError):
        door.accept()


@pytest.mark.parametrize("target", ["memora", "claude-mem", "team", None])
def test_one_checkpoint_alone_is_nothing_for_who_gets_all(
    target: str | None, cli: Cli, door: socket.socket
) -> None:
    _followed(cli, door)

    told = cli("sync", *([target] if target else []), "--only", "1")

    assert told.status == 2
    assert "`--only` works only with `git`" in told.err
    with pytest.raises(BlockingIOError):
        door.accept()


def test_a_preview_of_all_is_refused(cli: Cli, door: socket.socket) -> None:
    _followed(cli, door)

    assert cli("sync", "memora", "--all", "--preview").status == 2
    with pytest.raises(BlockingIOError):
        door.accept()


def test_a_first_preview_for_the_team_counts_what_was_kept_before(cli: Cli) -> None:
    """The first sync sends all of it, so a preview that said none would be untrue."""
    cli.save()
    assert cli("config", "set", "team", json.dumps({"dsn": _NOWHERE})).status == 0

    told = cli("sync", "team", "--preview")

    assert (told.status, told.out) == (0, "team: 1 change would be sent\n")


def test_a_preview_for_a_team_that_is_not_set_says_so(cli: Cli) -> None:
    told = cli("sync", "team", "--preview")

    assert told.status != 0
    assert "no team is set" in told.err
