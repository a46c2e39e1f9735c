"""Memory stays flat, however long a session is."""

from holdfast.domain.event import (
    Event,
    Interrupted,
    Passed,
    RequestFailed,
    Unrecognised,
)
from holdfast.domain.session import SessionState, Turn
from holdfast.session.fold import LIMITS, begin, fold
from holdfast.session.turns import LAST_SAID_CHARS, LINE_WIDTH, SAID_CHARS, StateLimits
from tests.conversation import Conversation
from tests.event_strategies import TIGHT


def folded(talk: Conversation, limits: StateLimits = LIMITS) -> SessionState:
    return fold(begin("s", "claude-code"), talk.events, limits)


def turn_of(talk: Conversation, limits: StateLimits = LIMITS) -> Turn:
    return folded(talk, limits).turns[-1]


def test_calls_that_only_look_are_let_go_first() -> None:
    """Of 400 calls in a turn, the edits and commands are what mattered."""
    talk = Conversation()
    talk.asks("work")
    talk.calls("Edit", "a.py")
    talk.calls("Read", "b.py")
    talk.calls("Bash", "make")
    talk.calls("Grep", "x")
    talk.calls("Bash", "make test")

    turn = turn_of(talk, TIGHT)

    assert [call.target for call in turn.calls] == ["a.py", "make", "make test"]
    assert turn.dropped == 2
    assert [use.tool for use in turn.tools] == ["Edit", "Read", "Bash", "Grep"]


def test_the_oldest_call_goes_where_none_only_looks() -> None:
    """The end of a turn says more about where work stands than its beginning."""
    talk = Conversation()
    talk.asks("work")
    for number in range(5):
        talk.calls("Bash", f"step {number}")

    turn = turn_of(talk, TIGHT)

    assert [call.target for call in turn.calls] == ["step 2", "step 3", "step 4"]
    assert turn.dropped == 2


def test_a_result_of_a_call_that_was_let_go_is_not_called_unmatched() -> None:
    """It is our own bound that lost it, not the transcript."""
    talk = Conversation()
    talk.asks("work")
    first = talk.starts("Bash", "slow")
    for number in range(5):
        talk.calls("Bash", f"step {number}")
    talk.returns(first)

    assert folded(talk, TIGHT).counts.unmatched == 0


def test_what_was_said_first_and_last_in_a_turn_stays() -> None:
    """A turn opens with the intent and ends with the result."""
    talk = Conversation()
    talk.asks("work")
    for number in range(40):
        talk.says(f"remark {number}")

    turn = turn_of(talk)

    kept = [said.text for said in turn.said]
    assert len(kept) == 30
    assert kept[:6] == [*(f"remark {number}" for number in range(5)), "remark 15"]
    assert kept[-1] == "remark 39"
    assert turn.dropped == 10


def test_the_last_words_of_a_turn_are_kept_at_length() -> None:
    """They are what the next session reads; what came before is context."""
    talk = Conversation()
    talk.asks("work")
    talk.says("begin " + "a " * 5_000 + "end")
    talk.says("begin " + "b " * 5_000 + "end")

    first, last = turn_of(talk).said

    for said, most in ((first, SAID_CHARS), (last, LAST_SAID_CHARS)):
        assert most - 20 < len(said.text) <= most
        assert said.text.startswith("begin ")
        assert said.text.endswith(" end")


def test_an_agent_that_speaks_on_was_not_stopped() -> None:
    """Who was stopped and answered then in full has no turn to finish."""
    talk = Conversation()
    talk.asks("work")
    talk.says("I begin.")
    talk.add(Interrupted(talk.line()))
    assert turn_of(talk).interrupted
    talk.says("All is done.")
    assert not turn_of(talk).interrupted


def test_old_turns_keep_what_still_matters() -> None:
    """A thousand turns later, a prompt, an edit, a todo or a failure still does."""
    talk = Conversation()
    talk.asks("long ago")
    talk.calls("Read", "a.py")
    talk.calls("Edit", "a.py", added=1)
    talk.calls("Bash", "make", outcome="failed", output="make: *** [all] Error 2")
    talk.calls("Bash", "make")
    talk.says("done")
    for number in range(3):
        talk.asks(f"later {number}")
        talk.says("fine")

    old, *newer = folded(talk, LIMITS._replace(detailed_turns=3)).turns

    assert old.prompt == "long ago"
    assert [call.tool for call in old.calls] == ["Edit", "Bash"]
    assert old.calls[1].output == "make: *** [all] Error 2"
    assert (old.said, old.lines) == ((), "")
    assert old.dropped == 3
    assert old.messages == 6
    assert all(turn.said for turn in newer)


def test_a_late_result_looks_back_so_far_and_no_further() -> None:
    """Results without a call must not cost a walk through a whole session."""
    talk = Conversation()
    calls = []
    for number in range(4):
        talk.asks(f"prompt {number}")
        calls.append(talk.starts("Bash", f"step {number}"))
    for call in calls:
        talk.returns(call)

    state = folded(talk, TIGHT)

    outcomes = [turn.calls[0].outcome for turn in state.turns]
    assert outcomes == ["pending", "ok", "ok", "ok"]
    assert state.counts.unmatched == 1


def test_the_sub_agent_that_was_silent_longest_is_let_go() -> None:
    """A session may start hundreds of them."""
    talk = Conversation()
    talk.asks("explore")
    for agent in ("a1", "a2", "a1", "a3"):
        talk.calls("Bash", "find", agent=agent)

    assert [work.agent for work in folded(talk, TIGHT).agents] == ["a1", "a3"]


def test_the_lines_of_a_turn_are_the_last_ones() -> None:
    """A rewind goes back a little far more often than a lot."""
    talk = Conversation()
    talk.asks("work")
    for _ in range(10):
        talk.passes()

    lines = turn_of(talk, TIGHT).lines

    assert lines == "".join(uuid[:LINE_WIDTH] for uuid in talk.lines[-5:])


def test_a_very_long_turn_keeps_the_lines_it_promises() -> None:
    """Keys are joined in batches on the way; none may be lost at the seams."""
    talk = Conversation()
    talk.asks("work")
    for _ in range(21_000):
        talk.passes()

    lines = turn_of(talk).lines

    assert lines == "".join(uuid[:LINE_WIDTH] for uuid in talk.lines[-20_000:])


def test_kinds_and_errors_without_end_are_bounded() -> None:
    """A hostile transcript names a new kind on every line."""
    talk = Conversation()
    talk.asks("work")
    events: list[Event] = [*talk.events]
    for number in range(300):
        events += [
            Passed(f"kind {number}"),
            Unrecognised(f"kind {number}"),
            RequestFailed(talk.line(), f"error {number}" + "x" * 1_000),
        ]

    state = fold(begin("s", "claude-code"), events)

    assert len(state.counts.passed) == 101
    assert dict(state.counts.passed)["other"] == 200
    assert dict(state.counts.unrecognised)["other"] == 200
    errors = state.turns[0].request_errors
    assert len(errors) == 10
    assert errors[-1].startswith("error 299")
    assert max(map(len, errors)) == 300


def test_tools_and_context_without_end_are_bounded() -> None:
    """The same for the names of tools and of injected text."""
    talk = Conversation()
    talk.asks("work")
    for number in range(150):
        talk.starts(f"mcp__server__{number}", "x")
        talk.adds(f"context {number}")

    turn = turn_of(talk)

    assert len(turn.tools) == 100
    assert len(turn.context) == 50


def test_only_the_last_summary_is_kept_at_length() -> None:
    """What a compaction lost is asked about the last one."""
    talk = Conversation()
    talk.asks("work")
    talk.compacts("a" * 30_000)
    talk.compacts("b" * 30_000)

    sizes = [len(c.summary) for c in folded(talk).compactions]

    assert sizes == [1_500, 20_000]


def test_the_bounds_are_the_promised_ones() -> None:
    """They are part of the format: another bound makes another state."""
    assert LIMITS.main == (400, 5, 25, 20_000)
    assert LIMITS.detailed_turns == 1_000
