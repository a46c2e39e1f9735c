"""What an agent's call does when the user turned holdfast off."""

import json
from pathlib import Path

import pytest

from holdfast.app.administration.switches import switch_off
from holdfast.bootstrap import Container
from holdfast.domain.client import SwitchKind
from tests.e2e.mcp.world import OTHER_SESSION, SESSION, World


def turned_off(
    world: World, kind: SwitchKind, value: str = "", *, lasting: int | None = None
) -> None:
    """As `holdfast off` does; a project is named by the id it has in the store."""
    container = Container(environ=world.calls().environ, project=str(world.project))
    ports = container.ports(create=True)
    ports.open_store()
    if kind == "project":
        value = container.scope().project_id or ""
    switch_off(kind, value, lasting, ports)
    container.close()


def _user_config(world: World, **values: object) -> None:
    path = world.root / "user" / ".config" / "holdfast" / "config.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(values), encoding="utf-8")


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        pytest.param("all", "", id="everywhere"),
        pytest.param("project", "", id="in this project"),
        pytest.param("session", SESSION, id="in this session"),
    ],
)
def test_an_agent_cannot_save_what_the_userturned_off(
    world: World, kind: SwitchKind, value: str
) -> None:
    """An agent may call a tool without being asked to; off is off for it, too."""
    world.answer("checkpoint_save", session_id=OTHER_SESSION, title="before")
    turned_off(world, kind, value)

    answer = world.answer("checkpoint_save", title="unasked")

    assert (answer["type"], answer["checkpoint"]) == ("unchanged", None)
    assert "holdfast on" in answer["reason"]
    assert world.answer("checkpoint_list")["count"] == 1


def test_what_is_stored_can_be_read_while_it_is_off(world: World) -> None:
    """Off stops the recording; it does not take the user's records away."""
    world.answer("checkpoint_save", title="before")
    turned_off(world, "all")

    assert world.answer("checkpoint_resume")["type"] == "resumed"


@pytest.mark.parametrize(
    ("kind", "value", "lasting"),
    [
        pytest.param("session", OTHER_SESSION, None, id="another session is off"),
        pytest.param("all", "", 0, id="the time is over"),
    ],
)
def test_a_switch_that_means_something_else_stops_nothing(
    world: World, kind: SwitchKind, value: str, lasting: int | None
) -> None:
    """Off for one session or for two hours is no more than that."""
    turned_off(world, kind, value, lasting=lasting)

    assert world.answer("checkpoint_save", title="as usual")["type"] == "saved"


@pytest.mark.parametrize("where", ["user", "project"])
def test_switched_off_by_a_setting_it_offers_nothing(world: World, where: str) -> None:
    """`enabled: false` costs no tokens either, and a repository may say it."""
    if where == "user":
        _user_config(world, enabled=False)
    else:
        path: Path = world.project / ".holdfast.json"
        path.write_text('{"enabled": false}', encoding="utf-8")

    listed = world.talk(lambda client: client.list_tools())

    assert listed.tools == []


def test_a_setting_changed_while_the_server_runs_is_heeded(world: World) -> None:
    """The server lives for days; settings are read at each call."""
    running = world.server()
    _user_config(world, enabled=False)

    result = world.talk(lambda c: c.call_tool("checkpoint_save", {}), to=running)

    assert result.structured_content is not None
    assert result.structured_content["type"] == "unchanged"
    assert not (world.root / "user" / ".local").exists()


def test_an_excluded_directory_is_not_read(world: World) -> None:
    """D10: the globs stop reading, whoever asks."""
    _user_config(world, exclude=[str(world.project.parent / "pro*")])

    assert world.answer("checkpoint_save")["type"] == "unchanged"


def test_a_store_in_trouble_keeps_the_save_waiting(world: World) -> None:
    """Nothing is lost, and the agent is told so."""
    world.answer("checkpoint_save", session_id=OTHER_SESSION)
    (store,) = (world.root / "user").rglob("*.db")
    store.write_bytes(b"this is no store" * 1000)

    answer = world.answer("checkpoint_save", title="while it was damaged")

    assert answer["type"] == "spooled"
    assert answer["reason"]
