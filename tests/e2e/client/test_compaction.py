"""Compaction in the real client: what its summary lost is given back."""

from tests.e2e.client.day import INSTRUCTION, saved, told, work
from tests.e2e.client.driver import Conversation
from tests.e2e.client.stub import SUMMARY, call, say
from tests.e2e.client.world import World

_HEADING = "# What the summary above leaves out of this conversation"
_SUMMARY = SUMMARY.removeprefix("<summary>").removesuffix("</summary>")
_WINDOW = 100_000  # the smallest that the client compacts by
_MOST_TURNS = 12


def test_a_compaction_gives_back_what_the_summary_lost(world: World) -> None:
    """The user's words, the commands and the errors are not in the client's summary."""
    with world.talk() as client:
        session = work(world, client)
        client.ask("Thanks, what else?")
        compacted = client.ask("/compact")
        client.ask("go on")
        client.leave()

    assert _is_compacted(world), compacted
    assert saved(world, session)["type"] == "auto"
    assert _SUMMARY in told(world)
    _check_given_back(told(world))
    assert [turn.shown for turn in client.turns] == [(), (), (), ()]


def test_a_compaction_by_the_client_itself_is_no_different(world: World) -> None:
    """Nobody types anything: the window is nearly full, and the client compacts."""
    listing = world.project / "listing.txt"
    listing.write_text("".join(f"line {n} of a long listing\n" for n in range(900)))
    window = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": str(_WINDOW)}

    with world.talk("--model=claude-sonnet-4-5", **window) as client:
        session = work(world, client)
        _fill_the_window(world, client, str(listing))
        client.leave()

    assert _SUMMARY in told(world)
    _check_given_back(told(world))
    compacted = next(c for c in world.checkpoints if c["session_id"] == session)
    assert compacted["type"] == "auto"
    assert "parser.py" in str(compacted["content"]["files_referenced"])


def _fill_the_window(world: World, client: Conversation, listing: str) -> None:
    """Read a long file until the client compacts; fake usage alone it does not trust."""
    for turn in range(_MOST_TURNS):
        world.stub.input_tokens = 20_000 + 8_000 * turn
        read = call("Read", file_path=listing, offset=1 + turn, limit=800)
        world.stub.will(read, say(f"part {turn} is read"))
        client.ask(f"Read part {turn}")
        if _is_compacted(world):
            return
    raise AssertionError(f"not compacted after {_MOST_TURNS} turns")


def _is_compacted(world: World) -> bool:
    return any(request.asks_for_summary for request in world.stub.requests)


def _check_given_back(conversation: str) -> None:
    given_back = conversation.partition(_HEADING)[2]
    for lost in (INSTRUCTION, "sh run-tests", "test_nested"):
        assert lost in given_back
    assert conversation.count(_HEADING) == 1
