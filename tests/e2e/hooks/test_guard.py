"""The guard (D6): no clear without a recent checkpoint, and never a deadlock.

Only a command that shadows the built-in `/clear` reaches a hook; the docs say so.
"""

import sqlite3
from collections.abc import Callable

import pytest

from tests.e2e.hooks.conftest import World, write_session

ON = {"HOLDFAST_REQUIRE_CHECKPOINT": "true"}
NO_FORCE = {**ON, "HOLDFAST_ALLOW_FORCE": "false"}
ASKED = "add refresh tokens"


def audit(world: World) -> str:
    path = world.home / "log" / "audit.log"
    return path.read_text(encoding="utf-8") if path.exists() else ""


@pytest.mark.parametrize(
    ("environ", "words", "status", "entry"),
    [
        pytest.param({}, "/clear", 0, "", id="no guard"),
        pytest.param(ON, "/clear", 2, "block ", id="held"),
        pytest.param(ON, "/new", 2, "block ", id="an alias is held, too"),
        pytest.param(ON, "/clear --force", 0, "forced ", id="forced"),
        pytest.param(NO_FORCE, "/clear --force", 2, "block ", id="force is forbidden"),
        pytest.param(ON, "explain /clear", 0, "", id="not a clear"),
    ],
)
def test_the_guard_holds_prompt_like_clears(
    world: World,
    sessions: list[str],
    environ: dict[str, str],
    words: str,
    status: int,
    entry: str,
) -> None:
    """Each decision of the guard leaves an entry; work without one is not slowed."""
    write_session(world, sessions[0], ASKED)

    heard = world.window(environ).prompt(sessions[0], words)

    assert heard.status == status
    assert ("/holdfast:checkpoint" in heard.err) == (status == 2)
    assert ("by force" in heard.line) == (entry == "forced ")
    assert audit(world).count(f" {entry}{sessions[0]}: ") == bool(entry)
    assert bool(audit(world)) == bool(entry)


def test_a_checkpoint_opens_the_guard(world: World, sessions: list[str]) -> None:
    """What it asks for is what satisfies it."""
    write_session(world, sessions[0], ASKED)
    client = world.window(NO_FORCE)
    assert client.prompt(sessions[0], "/clear").status == 2

    world.cli("save", "--session", sessions[0])

    assert client.prompt(sessions[0], "/clear").status == 0


def broken(world: World) -> None:
    (world.home / "holdfast.db").write_bytes(b"broken" * 100)


def unwritable(world: World) -> None:
    """A store that can be read and takes nothing: what is saved goes to the spool."""
    database = sqlite3.connect(world.home / "holdfast.db")
    database.execute(
        "CREATE TRIGGER full BEFORE INSERT ON checkpoint"
        " BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
    )
    database.commit()
    database.close()


@pytest.mark.parametrize(
    "harm",
    [
        pytest.param(broken, id="damaged"),
        pytest.param(unwritable, id="takes nothing"),
    ],
)
def test_no_state_of_the_store_makes_a_deadlock(
    world: World, sessions: list[str], harm: Callable[[World], None]
) -> None:
    """Who has done what the guard asks for gets through, whatever became of it."""
    client = world.window(NO_FORCE)
    client.start(sessions[0])
    write_session(world, sessions[0], ASKED)
    harm(world)

    world.cli("save", "--session", sessions[0])

    assert client.prompt(sessions[0], "/clear").status == 0
    assert "the clear was not stopped" in audit(world)


def test_nothing_to_save_is_nothing_to_guard(world: World, sessions: list[str]) -> None:
    """An empty session could not make the checkpoint that the guard asks for."""
    empty, saved = sessions[:2]
    client = world.window(NO_FORCE)
    write_session(world, saved, ASKED)
    world.cli("save", "--session", saved)

    assert client.prompt(empty, "/clear").status == 0
    assert client.prompt(saved, "/clear").status == 0
