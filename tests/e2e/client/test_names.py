"""Every name that the client has does after installing what it did before."""

import re

from tests.e2e.client.driver import Turn
from tests.e2e.client.world import World

_OURS = {
    "holdfast:checkpoint",
    "holdfast:resume",
    "holdfast:safe-clear",
    "holdfast:mem-search",
    "holdfast:handoff",
    "holdfast:session-start",
    "holdfast:sync-memora",
}
# Names and aliases that the client knows but does not list where tests can see it.
_UNLISTED = (
    *("checkpoint", "rewind", "undo", "resume", "continue", "new", "reset"),
    *("exit", "quit", "memory", "settings", "cost", "stats", "plugin", "plugins"),
    *("marketplace", "hooks", "permissions", "allowed-tools", "bashes", "bg"),
    *("status", "statusline", "help", "export", "rename", "name", "doctor", "share"),
)
_SLOW = "heapdump"  # writes hundreds of megabytes
_WALKED = ("clear", "compact")  # walks of their own, and an end to this conversation
# What these answer counts plugins or is random; who answers is compared all the same.
_VARYING = (
    "reload-plugins",
    "reload-skills",
    "color",
    "list-agents",
    "security-review",
)
_SIGN_OF_OURS = "What the user asked for:"


def test_commands_of_the_client_stay_and_ours_are_added(
    bare_world: World, world: World
) -> None:
    """Nobody should lose a command by installing us."""
    before = _listed(bare_world)

    after = _listed(world)

    assert after == before | _OURS


def test_every_name_does_what_it_did(bare_world: World, world: World) -> None:
    """`/checkpoint` and `/undo` are the client's `/rewind`, `/continue` its `/resume`."""
    listed = _listed(bare_world) - {_SLOW, *_WALKED}
    names = sorted({*listed, *_UNLISTED})
    before = _answers(bare_world, names)

    after = _answers(world, names)

    assert after == before
    assert not any(_SIGN_OF_OURS in r.conversation for r in world.stub.requests)


def _listed(world: World) -> set[str]:
    with world.talk() as client:
        turn = client.ask("hello")
        client.leave()
    (init,) = [line for line in turn.lines if line.get("subtype") == "init"]
    return set(init["slash_commands"])


def _answers(world: World, names: list[str]) -> dict[str, tuple[str, bool]]:
    """What the client answers to each name, and whether it asks the model for it."""
    answers = {}
    with world.talk() as client:
        for name in names:
            asked = len(world.stub.requests)
            turn = client.ask(f"/{name}")
            is_asked = len(world.stub.requests) > asked
            answers[name] = "" if name in _VARYING else _first_line(turn), is_asked
        client.leave()
    return answers


def _first_line(turn: Turn) -> str:
    """The answer's first line without figures: times and sizes are never the same."""
    return re.sub(r"[\d.]+", "#", turn.result.partition("\n")[0])[:60]
