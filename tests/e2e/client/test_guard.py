"""The guard in the real client: live where a command of the user's replaces `/clear`."""

from tests.e2e.client.day import work
from tests.e2e.client.world import World

_GUARDED = {"HOLDFAST_REQUIRE_CHECKPOINT": "true"}


def _shadow(world: World) -> None:
    commands = world.project / ".claude" / "commands"
    commands.mkdir(parents=True)
    (commands / "clear.md").write_text("Say that the slate is clean.\n")


def test_a_clear_of_ones_own_is_held_until_there_is_a_checkpoint(world: World) -> None:
    """D6: no request reaches the model, the reason reaches the user, force gets through."""
    _shadow(world)
    with world.talk(**_GUARDED) as client:
        session = work(world, client)
        asked = len(world.stub.requests)
        held = client.ask("/clear")
        after = len(world.stub.requests)
        forced = client.ask("/clear --force")
        client.leave()

    assert after == asked
    assert "/holdfast:checkpoint" in str(held.lines)
    assert len(world.stub.requests) > after
    assert any("by force" in line for line in forced.shown)
    assert {held.session_id, forced.session_id} == {session}
    audit = (world.data / "log" / "audit.log").read_text(encoding="utf-8")
    assert [line.split()[1] for line in audit.splitlines()] == ["block", "forced"]
