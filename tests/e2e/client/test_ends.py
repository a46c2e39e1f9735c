"""Each way a session ends and is taken up again, in the real client."""

import uuid

import pytest

from tests.e2e.client.day import DONE, INSTRUCTION, TODO, saved, told, work
from tests.e2e.client.driver import wait_until
from tests.e2e.client.stub import call, say
from tests.e2e.client.world import World


def test_an_exit_is_saved_and_the_next_start_is_told(world: World) -> None:
    """A start is told in short; the whole brief comes by the word for it."""
    with world.talk() as client:
        session = work(world, client)
        client.leave()

    record = saved(world, session)
    with world.talk() as client:
        first = client.ask("continue")
        client.leave()

    assert record["type"] == "auto"
    assert [line[0] for line in first.shown] == ["↻", "↻"]
    assert 'say "continue"' in first.shown[0]
    assert first.shown[1].startswith("↻ Resumed from checkpoint: ")
    brief = told(world).partition("# Resuming CHECKPOINT-00001")[2]
    for carried in (INSTRUCTION, "parser.py", "test_nested", TODO):
        assert carried in brief


def test_unrelated_work_is_told_once_and_left_alone(world: World) -> None:
    """At most a short brief in a session that does not resume, and never again."""
    with world.talk() as client:
        work(world, client)
        client.leave()

    with world.talk() as client:
        client.ask("Write a haiku about the autumn rain in Kyoto, nothing else.")
        client.ask("Another one, about snow.")
        client.leave()

    assert "# Resuming" not in told(world)
    assert told(world).count("CHECKPOINT-00001") == 1


def test_a_killed_session_is_rescued_at_the_next_start(world: World) -> None:
    """`kill -9`: no hook runs, yet the next session has the brief at once."""
    with world.talk() as client:
        session = work(world, client)
        # the client writes its transcript a little behind
        transcript = world.transcript(session)
        wait_until(lambda: DONE in transcript.read_text(), "the last line")
        client.kill()

    with world.talk() as client:
        client.ask("hello")
        client.leave()

    assert saved(world, session)["type"] == "auto"
    brief = told(world).partition("# Resuming CHECKPOINT-00001")[2]
    for carried in (INSTRUCTION, "parser.py", "test_nested", TODO):
        assert carried in brief


@pytest.mark.parametrize("way", ["--resume", "--continue"])
def test_a_resumed_conversation_is_told_nothing_twice(world: World, way: str) -> None:
    """The conversation is there already; nothing changed that it knows."""
    with world.talk() as client:
        session = work(world, client)
        client.leave()

    with world.talk(way, *([session] if way == "--resume" else [])) as client:
        turn = client.ask("continue")
        client.leave()

    assert turn.session_id == session
    assert turn.shown == ()
    assert INSTRUCTION in told(world)
    assert "CHECKPOINT-" not in told(world)


def test_a_resumed_conversation_hears_of_changed_files(world: World) -> None:
    """What the model remembers of them is not true any more."""
    with world.talk() as client:
        session = work(world, client)
        client.leave()
    (world.project / "parser.py").write_text("def parse(text):\n    return 3\n")

    with world.talk("--resume", session) as client:
        client.ask("continue")
        client.leave()

    note = told(world).partition("SessionStart hook additional context: ")[2]
    assert "parser.py" in note.splitlines()[0]
    assert "# Resuming" not in told(world)


def test_a_fork_is_told_nothing_and_knows_its_parent(world: World) -> None:
    """Depending on its version the client names the fork late, or by its own source."""
    other = str(world.project / "other.py")
    with world.talk() as client:
        session = work(world, client)
        client.leave()

    with world.talk("--resume", session, "--fork-session") as client:
        world.stub.will(call("Write", file_path=other, content="x = 1\n"), say("done"))
        fork = client.ask("Try it another way").session_id
        client.leave()

    assert fork != session
    assert "CHECKPOINT-" not in told(world)
    relations = saved(world, fork)["relations"]
    assert relations["parent_session"] == session
    assert relations["root_session"] == session


def test_a_session_id_of_ones_own_is_kept(world: World) -> None:
    """A1: the session id is the agent's own, never minted."""
    wanted = str(uuid.UUID(int=42, version=4))

    with world.talk("--session-id", wanted) as client:
        session = work(world, client)
        client.leave()

    assert session == wanted
    assert saved(world, wanted)["id"].startswith(f"ccp-{wanted}-01-")
