"""`/clear` in the real client: saved as part of it, and the next session knows.

The log of the stub is what the model was told; the hooks' answers are what the user saw.
"""

from tests.e2e.client.day import INSTRUCTION, TODO, saved, told, work
from tests.e2e.client.stub import call, say
from tests.e2e.client.world import World


def test_a_clear_loses_nothing(world: World) -> None:
    """D1, D2: saved as part of it, one line for the user, the brief for the model.

    A busy machine saves too late for the first line, which then says so.
    """
    with world.talk() as client:
        session = work(world, client)
        cleared = client.ask("/clear")
        continued = client.ask("continue")
        client.leave()

    record, brief = saved(world, session), told(world)
    assert record["type"] == "before-clear"
    assert record["relations"]["parent_session"] is None
    assert record["relations"]["root_session"] == session
    assert cleared.session_id != session
    *early, line = (*cleared.shown, *continued.shown)
    assert len(cleared.shown) == 1
    assert all("is still being saved" in one for one in early)
    assert line.startswith("✓ Checkpoint saved: ")
    assert "00001 · resumed · 1 file, +1 −1" in line
    assert "# Resuming CHECKPOINT-00001" in brief
    for carried in (INSTRUCTION, "parser.py", "test_nested", TODO, "sh run-tests"):
        assert carried in brief.partition("# Resuming")[2]


def test_the_session_after_a_clear_knows_its_parent(world: World) -> None:
    """B2: linked through the client's process, for the client names no link."""
    note = str(world.project / "notes.txt")

    with world.talk() as client:
        session = work(world, client)
        client.ask("/clear")
        world.stub.will(call("Write", file_path=note, content="x\n"), say("noted"))
        second = client.ask("Write the notes down").session_id
        client.ask("/clear")
        client.leave()

    relations = saved(world, second)["relations"]
    assert second != session
    assert relations["parent_session"] == session
    assert relations["root_session"] == session


def test_four_clears_in_a_row_keep_the_first_instruction(world: World) -> None:
    """B5: the fourth clear loses no more than the first."""
    with world.talk() as client:
        work(world, client)
        for _ in range(4):
            client.ask("/clear")
            client.ask("continue")
        client.leave()

    sessions = {turn.session_id for turn in client.turns}
    fifth = told(world)
    assert len(sessions) == 5
    assert INSTRUCTION in fifth.partition("# Resuming")[2]


def test_a_broken_store_does_not_hinder_the_agent(world: World) -> None:
    """The agent works on, the user is told once, nothing blocks."""
    world.data.mkdir(mode=0o700)
    (world.data / "holdfast.db").write_bytes(b"not a database" * 100)

    with world.talk() as client:
        work(world, client)
        client.ask("/clear")
        after = client.ask("continue")
        farewell = client.farewell()

    turns = [*client.turns, farewell]
    ran = [line for turn in turns for line in turn.lines if "exit_code" in line]
    shown = [line for turn in turns for line in turn.shown]
    assert after.result == "ok"
    assert {hook["exit_code"] for hook in ran} == {0}
    assert {hook["stderr"] for hook in ran} == {""}
    assert len(shown) == 1
    assert client.process.returncode == 0
