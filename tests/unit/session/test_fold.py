"""What the fold makes of a session's events."""

import json
from typing import Any

import pytest

from holdfast.domain.event import (
    AgentSaid,
    AgentSpent,
    Clipped,
    Compacted,
    ContextAdded,
    Event,
    Interrupted,
    Located,
    Origin,
    Passed,
    Planned,
    Recapped,
    RequestFailed,
    Summarised,
    Titled,
    Todo,
    Tokens,
    ToolCalled,
    ToolReturned,
    Unrecognised,
    UserSaid,
)
from holdfast.domain.session import Inherited, SessionState, ToolUse
from holdfast.session.fold import begin, fold
from holdfast.session.state_codec import decode_head, encode_head
from tests.conversation import BEGAN, Conversation


def folded(talk: Conversation) -> SessionState:
    return fold(begin("s", "claude-code"), talk.events)


def test_a_session_begins_with_what_its_parent_left_open() -> None:
    """What was inherited is there before the first line is read, and stays as it was."""
    left = Inherited("pending", "write the docs", "agent", origin="ccp-1")

    state = fold(begin("s", "codex", [left]), [Titled("a title")])

    assert (state.session_id, state.agent) == ("s", "codex")
    assert state.inherited == (left,)


def test_each_prompt_begins_a_turn() -> None:
    """A rewind takes back whole turns, so they must end where the user spoke."""
    talk = Conversation()
    talk.asks("one")
    talk.says("done")
    talk.asks("ls", via="shell")
    talk.asks("/review", via="command")

    turns = folded(talk).turns

    assert [(turn.via, turn.prompt) for turn in turns] == [
        ("typed", "one"),
        ("shell", "ls"),
        ("command", "/review"),
    ]
    assert [said.text for said in turns[0].said] == ["done"]
    assert turns[0].at == BEGAN
    assert turns[0].ended_at == BEGAN + 1000


def test_what_happens_before_the_first_prompt_has_a_turn_of_its_own() -> None:
    """A session after `/clear` begins with lines that no user typed."""
    talk = Conversation()
    talk.adds("caveat")
    talk.asks("go on")

    turns = folded(talk).turns

    assert [turn.via for turn in turns] == [None, "typed"]
    assert turns[0].context == ("caveat",)


def test_lines_that_say_nothing_begin_no_turn() -> None:
    """Most transcripts open with bookkeeping, which is nothing that happened."""
    talk = Conversation()
    talk.passes("attachment")
    talk.passes("attachment")

    state = folded(talk)

    assert state.turns == ()
    assert state.counts.passed == (("attachment", 2),)
    assert state.counts.lines == 2


@pytest.mark.parametrize(
    ("command", "messages"),
    [
        pytest.param("/clear", 0, id="clear"),
        pytest.param("/compact keep the decisions", 0, id="compact with words"),
        pytest.param("/model opus", 0, id="model"),
        pytest.param("/exit", 0, id="exit"),
        pytest.param("/review the api", 1, id="a skill speaks to the agent"),
        pytest.param("/clearance", 1, id="a name that only begins like one"),
    ],
)
def test_a_command_that_steers_the_client_is_a_turn_but_no_message(
    command: str, messages: int
) -> None:
    """C6: a message is a prompt to the agent or an answer of it."""
    talk = Conversation()
    talk.asks(command, via="command")

    state = folded(talk)

    assert len(state.turns) == 1
    assert state.message_count() == messages


def test_the_lines_of_one_message_are_one_message() -> None:
    """The agent writes one line per block; tool results between them change nothing."""
    talk = Conversation()
    talk.asks("look")
    talk.says("I will look", message="m1")
    call = talk.starts("Read", "a.py", message="m1")
    talk.returns(call)
    talk.starts("Read", "b.py", message="m1")
    talk.says("seen", message="m2")

    assert folded(talk).message_count() == 3


def test_an_agent_that_gives_no_message_ids_is_counted_by_what_it_says() -> None:
    """Another agent's transcript has messages, too."""
    talk = Conversation()
    talk.asks("hello")
    origin = talk.line()
    events: list[Event] = [*talk.events, AgentSaid(origin, "", "hi", 2)]

    assert fold(begin("s", "codex"), events).message_count() == 2


def test_a_call_gets_its_result() -> None:
    """A command is worth keeping for what came of it."""
    talk = Conversation()
    talk.asks("test")
    talk.calls(
        "Bash",
        "pytest -q",
        outcome="failed",
        exit_status=1,
        output="..F\nE   assert 1 == 2\n1 failed in 0.1s",
    )
    talk.calls("Edit", "a.py", added=3, removed=1, output="The file has been updated")
    talk.calls("Read", "a.py", output="1: import os")

    test, edit, read = folded(talk).turns[0].calls

    assert (test.outcome, test.exit_status) == ("failed", 1)
    assert test.output == "E assert 1 == 2\n1 failed in 0.1s"
    assert (edit.added, edit.removed, edit.output) == (3, 1, "")
    assert (read.outcome, read.output) == ("ok", "")


def test_a_read_that_failed_says_why() -> None:
    """A missing file is news, its content is not."""
    talk = Conversation()
    talk.asks("look")
    talk.calls("Read", "a.py", outcome="failed", output="File does not exist.")

    assert folded(talk).turns[0].calls[0].output == "File does not exist."


def test_a_result_finds_its_call_in_an_earlier_turn() -> None:
    """A prompt that was queued is heard between a call and its result."""
    talk = Conversation()
    talk.asks("test")
    call = talk.starts("Bash", "make test")
    talk.asks("and hurry")
    talk.says("I will")
    talk.returns(call, output="ok")

    state = folded(talk)

    assert state.turns[0].calls[0].outcome == "ok"
    assert state.turns[1].calls == ()
    assert state.counts.unmatched == 0


def test_the_first_result_of_a_call_wins() -> None:
    """A line that is written twice must not change what happened."""
    talk = Conversation()
    talk.asks("test")
    call = talk.starts("Bash", "make")
    talk.returns(call, outcome="failed", exit_status=2)
    talk.returns(call, outcome="ok", exit_status=0)
    talk.asks("next")
    talk.returns(call, outcome="ok", exit_status=0)

    state = folded(talk)

    assert state.turns[0].calls[0].exit_status == 2
    assert state.counts.unmatched == 2


def test_a_call_that_is_written_twice_is_one_call() -> None:
    """The second time must not take its result away, nor count as use."""
    talk = Conversation()
    talk.asks("test")
    call = talk.starts("Bash", "make")
    talk.returns(call, exit_status=0)
    talk.starts("Bash", "make", call=call)

    (turn,) = folded(talk).turns

    assert [call.outcome for call in turn.calls] == ["ok"]
    assert turn.tools[0].count == 1


@pytest.mark.parametrize("passes", [1, 2])
def test_a_result_that_stands_above_its_call_is_the_calls(passes: int) -> None:
    """Some clients write them in this order, and a hook may read between the two."""
    talk = Conversation()
    talk.asks("tidy")
    talk.returns("toolu_1", output="tidied", exit_status=0)
    above = len(talk.events)
    talk.starts("Bash", "make tidy", call="toolu_1")
    first, second = talk.events[:above], talk.events[above:]

    state = fold(begin("s", "claude-code"), talk.events if passes == 1 else first)
    if passes > 1:
        head = json.loads(json.dumps(encode_head(state)))
        state = fold(decode_head(head, state.turns), second)

    (call,) = state.turns[0].calls
    assert (call.outcome, call.output) == ("ok", "tidied")
    assert state.counts.unmatched == 0
    assert state.early == ()


def test_results_without_a_call_are_kept_within_bounds() -> None:
    """A hostile transcript answers what nobody asked, line after line."""
    talk = Conversation()
    talk.asks("test")
    for number in range(100):
        talk.returns(f"call_{number}", output="boom")

    state = folded(talk)

    assert len(state.early) == 16
    assert state.counts.unmatched == 100


def test_a_result_without_a_call_is_counted_and_otherwise_ignored() -> None:
    """Nothing may be lost silently, and nothing may be made up."""
    talk = Conversation()
    talk.asks("test")
    talk.returns("call_of_nobody", output="boom")

    state = folded(talk)

    assert state.turns[0].calls == ()
    assert state.counts.unmatched == 1


def test_a_created_task_learns_its_id_from_the_result() -> None:
    """Later changes name the task by that id only."""
    talk = Conversation()
    talk.asks("plan")
    call = talk.starts("TaskCreate", "T1", todos=(Todo("", "T1", "pending"),))
    talk.returns(call, reference="7")
    update = talk.starts("TaskUpdate", "7", todos=(Todo("7", "", "completed"),))
    talk.returns(update, reference="8")

    created, updated = folded(talk).turns[0].calls

    assert created.todos == (Todo("7", "T1", "pending"),)
    assert updated.todos == (Todo("7", "", "completed"),)


def test_tools_are_counted_with_their_first_and_last_use() -> None:
    """C3: name, count, first and last used."""
    talk = Conversation()
    talk.asks("look")
    talk.calls("Read", "a.py")
    talk.calls("Read", "b.py")

    assert folded(talk).turns[0].tools == (
        ToolUse("Read", 2, BEGAN + 1000, BEGAN + 3000, "read"),
    )


def test_a_sub_agent_s_work_is_kept_apart() -> None:
    """H3: its prompt is not the user's, and its calls are not the agent's."""
    talk = Conversation()
    talk.asks("explore")
    talk.calls("Grep", "TODO", agent="b2")
    talk.says("found it", agent="a1")
    prompt = UserSaid(talk.line(agent="b2"), "you are an explorer", 19)
    events = [*talk.events, prompt]

    state = fold(begin("s", "claude-code"), events)

    assert [work.agent for work in state.agents] == ["a1", "b2"]
    assert [call.target for call in state.agents[1].turn.calls] == ["TODO"]
    assert state.agents[1].turn.prompt == ""
    assert len(state.turns) == 1
    assert list(state.live_calls()) == []
    assert state.message_count() == 1
    assert state.model == ""


def test_model_and_context_come_from_the_main_conversation() -> None:
    """A sub-agent runs another model in a context of its own."""
    here, there = Origin("u1", None, 0), Origin("u2", None, 0, "a1")
    events: list[Event] = [
        AgentSpent(here, "m1", "big", 90_000),
        AgentSpent(there, "m2", "small", 5_000),
        AgentSpent(here, "m3", "", 0),
    ]

    state = fold(begin("s", "claude-code"), events)

    assert (state.model, state.context_tokens) == ("big", 90_000)


def test_what_a_message_cost_is_counted_once() -> None:
    """Each of its lines repeats it, and the last has the most words."""
    here, there = Origin("u1", None, 0), Origin("u2", None, 0, "a1")
    events: list[Event] = [
        AgentSpent(here, "m1", "big", 0, Tokens(5, 10, 100, 1)),
        AgentSpent(there, "n1", "small", 0, Tokens(7, 0, 0, 2)),
        AgentSpent(here, "m1", "big", 0, Tokens(5, 10, 100, 40)),
        AgentSpent(here, "m2", "big", 0, Tokens(1, 0, 110, 3, 250_000)),
        AgentSpent(here, "m3", "big", 0),
    ]

    whole = fold(begin("s", "claude-code"), events)
    parts = begin("s", "claude-code")
    for event in events:
        parts = fold(parts, [event])

    assert whole.turns[0].spent == Tokens(6, 10, 210, 43, 250_000)
    assert whole.agents[0].turn.spent == Tokens(7, 0, 0, 2)
    assert parts == whole


def test_where_the_session_runs_is_known_first_and_last() -> None:
    """It is checkpointed where it is now, and found where it began."""
    events: list[Event] = [
        Located("other", "/home/me/shop", "main", "2.1.0", "cli"),
        Located("other", "/home/me/shop/api", "", "2.1.1", ""),
    ]

    state = fold(begin("mine", "claude-code"), events)

    assert state.session_id == "mine"
    assert (state.cwd, state.last_cwd) == ("/home/me/shop", "/home/me/shop/api")
    assert (state.branch, state.version, state.entrypoint) == ("main", "2.1.1", "cli")
    assert state.turns == ()


def test_a_directory_of_windows_is_one_however_it_is_written() -> None:
    """What ran in `C:\\shop` ran where the session began, in `c:\\shop`."""
    talk = Conversation()
    talk.calls("Bash", "rm notes.md")
    where = [Located("s", place, "", "", "") for place in ("c:\\shop", "C:\\shop")]

    state = fold(begin("s", "claude-code"), [*where, *talk.events])

    assert [call.place for call in state.live_calls()] == [""]


def test_a_session_without_an_id_takes_the_transcript_s() -> None:
    """A file given by its path says itself whose it is."""
    state = fold(begin("", "claude-code"), [Located("told", "/", "", "", "")])

    assert state.session_id == "told"


def test_a_boundary_and_its_summary_are_one_compaction() -> None:
    """What the summary lost is looked for by comparing with it."""
    talk = Conversation()
    talk.asks("one")
    talk.says("done")
    talk.compacts("we did one")

    state = folded(talk)

    (compaction,) = state.compactions
    assert (compaction.trigger, compaction.tokens_before) == ("manual", 150_000)
    assert (compaction.summary, compaction.turn) == ("we did one", 0)
    assert state.context_tokens == 0


def test_a_summary_without_a_boundary_is_a_compaction_all_the_same() -> None:
    """Older clients wrote no boundary."""
    origin = Origin("u1", None, 5)
    events: list[Event] = [Summarised(origin, "so far", 6), Summarised(origin, "on", 2)]

    state = fold(begin("s", "claude-code"), events)

    assert [c.summary for c in state.compactions] == ["so far", "on"]


def test_a_sub_agent_s_compaction_is_not_the_session_s() -> None:
    """Sub-agents compact by themselves, and nobody loses anything."""
    origin = Origin("u1", None, 5, "a1")
    events: list[Event] = [Compacted(origin, "auto", 1), Summarised(origin, "x", 1)]

    assert fold(begin("s", "claude-code"), events).compactions == ()


def test_what_a_turn_came_to_is_kept_until_it_goes_on() -> None:
    """The client tells it while nobody is there; what happens then is not in it."""
    talk = Conversation()
    talk.asks("free some space")
    talk.says("Two files are large.")
    left = [*talk.events, Recapped(talk.line(), "Found two files. Next: remove them.")]
    state = fold(begin("s", "claude-code"), left)
    talk.calls("Bash", "rm core", outcome="ok")

    assert state.turns[0].recap == "Found two files. Next: remove them."
    assert fold(state, talk.events[-2:]).turns[0].recap == ""


def test_what_befell_a_turn_is_kept_with_it() -> None:
    """An interrupted or failed turn is unfinished work."""
    talk = Conversation()
    talk.asks("plan it")
    events: list[Event] = [
        *talk.events,
        Planned(talk.line(), "/plans/x.md"),
        RequestFailed(talk.line(), "overloaded"),
        RequestFailed(talk.line(), "overloaded"),
        ContextAdded(talk.line(), "hook"),
        ContextAdded(talk.line(), "hook"),
        Interrupted(talk.line()),
        Titled("Plans"),
    ]

    state = fold(begin("s", "claude-code"), events)

    (turn,) = state.turns
    assert turn.plan == "/plans/x.md"
    assert turn.request_errors == ("overloaded", "overloaded")
    assert turn.context == ("hook",)
    assert turn.interrupted
    assert state.title == "Plans"


@pytest.mark.parametrize(
    ("told", "ended"),
    [
        pytest.param("<status>completed</status>", ("b1",), id="done"),
        pytest.param("<status>failed</status>", ("b1",), id="failed"),
        pytest.param("<status>killed</status>", ("b1",), id="killed"),
        pytest.param(
            "<output-file>/tmp/b1.log</output-file>\n<status>stopped</status>",
            ("b1",),
            id="with more fields",
        ),
        pytest.param("<status>running</status>", (), id="still at it"),
        pytest.param("<summary>waits for input</summary>", (), id="no status"),
        pytest.param(
            "<status>running</status>\n<result><status>completed</status></result>",
            (),
            id="quoted by the work",
        ),
    ],
)
def test_the_client_tells_the_end_of_background_work(
    told: str, ended: tuple[str, ...]
) -> None:
    """What is over must not be told as running, and only the client knows."""
    talk = Conversation()
    talk.asks("go")
    note = f"<task-notification>\n<task-id>b1</task-id>\n{told}\n</task-notification>"
    talk.notifies(note)
    talk.notifies(note)
    talk.add(ContextAdded(talk.line(), "hook", note.replace("b1", "b2")))

    assert fold(begin("s", "claude-code"), talk.events).ended == ended


def test_the_reading_itself_is_counted() -> None:
    """`doctor` tells how much of a transcript was understood."""
    talk = Conversation()
    talk.asks("one")
    talk.says("two events of one line")
    later = Origin(talk.line().uuid, None, 0)
    events: list[Event] = [
        *talk.events,
        Passed("mode"),
        Passed("mode"),
        Unrecognised("new-thing"),
        Unrecognised("newer-thing"),
        Passed("unrecognised", later),  # the same line as the one before
        Clipped(70),
        Clipped(30),
    ]

    counts = fold(begin("s", "claude-code"), events).counts

    assert counts.lines == 6
    assert counts.passed == (("mode", 2),)
    assert counts.unrecognised == (("new-thing", 1), ("newer-thing", 1))
    assert (counts.clipped_lines, counts.clipped_bytes) == (2, 100)


def test_a_line_with_a_reminder_and_a_prompt_is_one_line() -> None:
    """The client puts its own words before the user's on one line."""
    talk = Conversation()
    talk.asks("first")
    origin = talk.line()
    events: list[Event] = [
        *talk.events,
        ContextAdded(origin, "reminder"),
        UserSaid(origin, "second", 6),
    ]

    state = fold(begin("s", "claude-code"), events)

    assert state.counts.lines == 2
    assert [turn.prompt for turn in state.turns] == ["first", "second"]
    assert state.abandoned == ()


def test_a_line_read_twice_begins_one_turn() -> None:
    """A client may write the same line again."""
    talk = Conversation()
    talk.asks("first")

    state = fold(begin("s", "claude-code"), [*talk.events, *talk.events])

    assert len(state.turns) == 1
    assert state.counts.lines == 1


def test_a_queued_prompt_is_heard_though_it_has_no_line_of_its_own() -> None:
    """It is told with the id of the line before it, which may be a prompt's."""
    talk = Conversation()
    talk.asks("first")
    leaf = talk.lines[-1]
    queued = UserSaid(Origin(leaf, leaf, BEGAN), "and this, too", 13)

    state = fold(begin("s", "claude-code"), [*talk.events, queued])

    assert [turn.prompt for turn in state.turns] == ["first", "and this, too"]
    assert state.abandoned == ()


def test_the_session_spans_its_earliest_and_latest_line() -> None:
    """Clocks jump and files are read one after the other; order is not time."""
    events: list[Event] = [
        AgentSaid(Origin("u1", None, 500), "m", "x", 1),
        AgentSaid(Origin("u2", None, 0), "m", "x", 1),
        ToolReturned(Origin("u3", None, 900, "a1"), "c", "ok"),
        AgentSaid(Origin("u4", None, 300), "m", "x", 1),
    ]

    state = fold(begin("s", "claude-code"), events)

    assert (state.started_at, state.ended_at) == (300, 900)


@pytest.mark.parametrize(
    ("answer", "counted"),
    [
        pytest.param({}, (3, 2), id="the answer does not tell"),
        pytest.param({"added": 5, "removed": 1, "is_counted": True}, (5, 1), id="it tells"),
        pytest.param({"is_counted": True}, (0, 0), id="it tells that nothing changed"),
        pytest.param({"outcome": "failed"}, (0, 0), id="the edit failed"),
    ],
)  # fmt: skip
def test_lines_are_counted_from_the_edit_where_the_answer_does_not_tell(
    answer: dict[str, Any], counted: tuple[int, int]
) -> None:
    """A changed file must not look as if nothing had happened to it."""
    talk = Conversation()
    talk.asks("go")
    talk.add(
        ToolCalled(talk.line(), "m", "c", "Edit", "edit", "/a.py", added=3, removed=2)
    )
    talk.returns("c", **answer)

    [call] = folded(talk).live_calls()

    assert (call.added, call.removed) == counted
