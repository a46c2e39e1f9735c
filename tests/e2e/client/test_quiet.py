"""Where nobody is there to be told anything: no token, no line, in the real client."""

from tests.e2e.client.day import INSTRUCTION, saved, told, work
from tests.e2e.client.stub import call, say
from tests.e2e.client.world import World

_ERRAND = "Count the files beside parser.py"
_OURS = ("CHECKPOINT-", "holdfast", "hook additional context")


def test_a_headless_run_costs_no_token_and_no_line(world: World) -> None:
    """D9: by default `claude -p` is recorded at its end, and told nothing."""
    with world.talk() as client:
        work(world, client)
        client.leave()

    done = world.claude("-p", "continue", HOLDFAST_HEADLESS="capture")
    printed = _ours_in(told(world))
    with world.talk(HOLDFAST_HEADLESS="capture") as client:
        turn = client.ask("continue")
        farewell = client.farewell()

    assert (done.stdout, done.stderr) == ("ok\n", "")
    assert (printed, _ours_in(told(world))) == ([], [])
    lines = (*turn.lines, *farewell.lines)
    assert {line["stdout"] for line in lines if "exit_code" in line} == {""}


def test_a_start_without_a_prompt_costs_and_consumes_nothing(world: World) -> None:
    """The client starts sessions that never get one; the next must find all as it was."""
    with world.talk() as client:
        work(world, client)
        client.leave()
    asked = len(world.stub.requests)

    with world.talk(HOLDFAST_HEADLESS="capture") as client:
        nobody = client.farewell()
    with world.talk() as client:
        client.farewell()
    between = len(world.stub.requests) - asked
    with world.talk() as client:
        client.ask("continue")
        client.leave()

    assert between == 0
    assert {line["stdout"] for line in nobody.lines if "exit_code" in line} == {""}
    assert len(world.checkpoints) == 2
    assert INSTRUCTION in told(world).partition("# Resuming CHECKPOINT-00001")[2]


def test_a_sub_agent_is_told_nothing(world: World) -> None:
    """It has its own errand; what the session knows is not for it."""
    with world.talk() as client:
        session = work(world, client)
        client.leave()
    errand = {"description": "an errand", "subagent_type": "general-purpose"}
    world.stub.will(call("Task", prompt=_ERRAND, **errand), say("sent"))

    with world.talk() as client:
        client.ask("continue")
        helper = world.stub.request_with(_ERRAND)
        client.leave()

    told_first = world.stub.request_with("continue").conversation
    assert "# Resuming CHECKPOINT-00001" in told_first
    assert _ours_in(helper.conversation) == []
    assert saved(world, session)["relations"]["next_checkpoint"] is None


def _ours_in(conversation: str) -> list[str]:
    """What of ours a conversation has; the client lists every plugin's skills in it."""
    lines = [line for line in conversation.splitlines() if "- holdfast:" not in line]
    return [word for word in _OURS if word in "\n".join(lines)]
