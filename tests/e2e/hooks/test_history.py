"""The log of what real hooks kept: a fork, a clear, a rewind and a crash."""

import json
from typing import Any

from tests.e2e.hooks.conftest import World, write_session

ASKED = "add refresh tokens; never use sleep in tests"


def rows(world: World) -> list[dict[str, Any]]:
    """Return the rows of the log, oldest first."""
    found: list[dict[str, Any]] = world.cli("log")["rows"]
    return found[::-1]


def test_a_clear_goes_on_in_its_lane(world: World, sessions: list[str]) -> None:
    """The session after it is the next of the same line of work."""
    old, new = sessions[:2]
    client = world.client()
    client.start(old)
    write_session(world, old, ASKED)
    client.end(old, "clear")
    client.start(new, "clear")
    client.prompt(new, "go on")
    write_session(world, new, "now the middleware")
    client.end(new, "prompt_input_exit")

    first, second = rows(world)

    assert (first["made_by"], second["made_by"]) == ("before-clear", "exit")
    assert second["parents"] == [first["checkpoint"]]
    assert (second["how"], second["lane"]) == (["clear"], 0)


def test_a_fork_has_a_lane_of_its_own(world: World, sessions: list[str]) -> None:
    """Its transcript begins with the lines of the other, at their very moments."""
    old, fork = sessions[:2]
    client = world.client()
    client.start(old)
    write_session(world, old, ASKED)
    client.hook("PreCompact", old, trigger="manual")
    window = world.client()
    window.start(fork, "fork")
    write_session(world, fork, ASKED, "try it another way")
    copied = world.transcript(old).read_text().splitlines()
    own = world.transcript(fork).read_text().splitlines()[len(copied) :]
    lines = [line.replace(old, fork) for line in copied]
    world.transcript(fork).write_text("".join(f"{line}\n" for line in lines + own))
    window.end(fork, "other")
    write_session(world, old, ASKED, "and finish it")
    client.end(old, "prompt_input_exit")

    first, forked, last = rows(world)

    assert first["made_by"] == "compaction"
    assert (forked["how"], forked["lane"]) == (["fork"], 1)
    assert last["lane"] == 0
    assert forked["siblings"] == [last["checkpoint"]]


def test_a_rewind_parts_from_before_what_it_took_back(
    world: World, sessions: list[str]
) -> None:
    """`/rewind` runs no hook: the transcript alone tells of it."""
    session = sessions[0]
    client = world.client()
    client.start(session)
    for prompts in ((), ("the wrong way",)):
        write_session(world, session, ASKED, *prompts)
        client.hook("PreCompact", session, trigger="manual")
    write_session(world, session, ASKED, "the wrong way", "the right way")
    path = world.transcript(session)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    right = next(n for n, one in enumerate(lines) if "right" in json.dumps(one))
    wrong = next(n for n, one in enumerate(lines) if "wrong" in json.dumps(one))
    lines[right]["parentUuid"] = lines[wrong]["parentUuid"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    client.end(session, "prompt_input_exit")

    first, left, last = rows(world)

    assert [left["taken_back"], last["taken_back"]] == [True, False]
    assert (last["how"], last["parents"]) == (["rewind"], [first["checkpoint"]])
    assert last["siblings"] == [left["checkpoint"]]


def test_a_crash_is_told(world: World, sessions: list[str]) -> None:
    """The client is gone without an end, and the next start saves it."""
    old, new = sessions[:2]
    client = world.client()
    client.start(old)
    write_session(world, old, ASKED)
    client.kill()

    world.client().start(new)
    world.settle()

    (row,) = rows(world)
    assert (row["made_by"], row["parents"]) == ("crash", [])


def test_what_hooks_cost_and_told_is_in_the_numbers(
    world: World, sessions: list[str]
) -> None:
    """H11: a clear conscience is one that counts."""
    old, new = sessions[:2]
    client = world.client()
    client.start(old)
    write_session(world, old, ASKED)
    client.end(old, "clear")
    client.start(new, "clear")
    client.prompt(new, "go on")
    write_session(world, new, "now the middleware")
    client.end(new, "prompt_input_exit")

    own = world.cli("stats")["holdfast"]

    assert own["saves"] == 2
    assert own["hook_events"] >= 3
    assert sum(own["told"].values()) == 1
    assert own["told_tokens"] > 0
