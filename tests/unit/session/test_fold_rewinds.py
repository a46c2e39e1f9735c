"""Which turns are left behind when the user goes back."""

from holdfast.domain.event import Origin, UserSaid
from holdfast.domain.session import SessionState
from holdfast.session.fold import begin, fold
from holdfast.session.look_back import holds
from tests.conversation import Conversation


def folded(talk: Conversation) -> SessionState:
    return fold(begin("s", "claude-code"), talk.events)


def live(talk: Conversation) -> list[str]:
    return [turn.prompt for turn in folded(talk).live_turns()]


def two_turns() -> Conversation:
    talk = Conversation()
    talk.asks("one")
    talk.says("answer one")
    talk.asks("two")
    talk.says("answer two")
    return talk


def test_a_prompt_after_an_older_line_leaves_the_turns_between_behind() -> None:
    """No hook tells of a rewind; the abandoned branch stays in the file."""
    talk = two_turns()
    talk.asks("two, better", after=talk.lines[1])
    talk.says("answer")

    state = folded(talk)

    assert [turn.prompt for turn in state.live_turns()] == ["one", "two, better"]
    assert state.abandoned == ((1, 2),)
    assert state.turns[2].after == 0
    assert state.message_count() == 4


def test_a_rewind_into_the_middle_of_a_turn_keeps_that_turn_whole() -> None:
    """Calls after that point stay: what was done there is done in the work tree."""
    talk = Conversation()
    talk.asks("one")
    talk.says("first half")
    talk.calls("Bash", "make")
    talk.asks("two")
    talk.asks("two, better", after=talk.lines[1])

    state = folded(talk)

    assert [turn.prompt for turn in state.live_turns()] == ["one", "two, better"]
    assert len(state.turns[0].calls) == 1


def test_going_back_twice_leaves_both_branches_behind() -> None:
    """A user may try a third way."""
    talk = two_turns()
    talk.asks("second way", after=talk.lines[1])
    talk.asks("third way", after=talk.lines[1])

    assert live(talk) == ["one", "third way"]
    assert folded(talk).abandoned == ((1, 3),)


def test_a_branch_that_is_taken_up_again_is_live_again() -> None:
    """Two windows may write one session in turn; the path of the last line counts."""
    talk = two_turns()
    last_of_two = talk.lines[3]
    talk.asks("other window", after=talk.lines[1])
    talk.says("answer")
    talk.asks("two, again", after=last_of_two)

    assert live(talk) == ["one", "two", "two, again"]


def test_a_prompt_that_was_taken_back_before_any_answer_is_left_behind() -> None:
    """Escape during the model's call puts the prompt back into the input."""
    talk = two_turns()
    leaf = talk.lines[-1]
    talk.asks("too early")
    talk.asks("three", after=leaf)

    assert live(talk) == ["one", "two", "three"]


def test_a_rewind_to_the_very_start_begins_again() -> None:
    """The first prompt has no parent, and so has the one that replaces it."""
    talk = two_turns()
    talk.asks("one, better", after=None)

    assert live(talk) == ["one, better"]


def test_what_came_before_the_first_prompt_stays_after_a_rewind_to_the_start() -> None:
    """Hook context of the session's start holds for every branch."""
    talk = Conversation()
    talk.adds("hook")
    talk.asks("one", after=None)
    talk.says("answer")
    talk.asks("one, better", after=None)

    assert folded(talk).abandoned == ((1, 2),)


def test_a_rewind_to_a_line_that_says_nothing_is_known_by_the_prompt_it_repeats() -> (
    None
):
    """Lines before the first turn are not kept, but prompts name their parents."""
    talk = Conversation()
    before = talk.passes()
    talk.asks("one")
    talk.says("answer")
    talk.asks("two")
    talk.asks("one, better", after=before)

    assert live(talk) == ["one, better"]


def test_a_rewind_before_a_slash_command_is_seen_in_its_caveat() -> None:
    """The command's parent is the caveat line; only the caveat names the older line."""
    talk = two_turns()
    talk.adds("caveat", after=talk.lines[1])
    talk.asks("/model opus", via="command")

    assert live(talk) == ["one", "/model opus"]


def test_several_injected_lines_after_a_rewind_change_nothing() -> None:
    """A client may put more than one line between."""
    talk = two_turns()
    talk.adds("caveat", after=talk.lines[1])
    talk.passes()
    talk.asks("/model opus", via="command")

    assert live(talk) == ["one", "/model opus"]


def test_a_compaction_is_no_rewind() -> None:
    """A boundary begins a new chain; nothing before it was taken back."""
    talk = two_turns()
    leaf = talk.lines[-1]
    talk.compacts()
    talk.adds("caveat", after=leaf)
    talk.asks("/compact", via="command")
    talk.asks("three")
    talk.asks("four", after=None)

    assert live(talk) == ["one", "two", "/compact", "three", "four"]


def test_a_rewind_after_a_compaction_is_seen() -> None:
    """Only the boundary itself may not be taken for one."""
    talk = two_turns()
    talk.compacts()
    talk.asks("three")
    leaf = talk.says("answer three")
    talk.asks("four")
    talk.asks("four, better", after=leaf)

    assert live(talk) == ["one", "two", "three", "four, better"]


def test_a_parent_that_nobody_knows_is_no_rewind() -> None:
    """It may be a line that was too long to be read."""
    talk = two_turns()
    talk.asks("three", after="00000000-0000-4000-8000-000000000000")

    assert live(talk) == ["one", "two", "three"]


def test_branches_inside_of_a_turn_are_no_rewind() -> None:
    """Parallel calls and retries have older lines of the same turn as parents."""
    talk = Conversation()
    talk.asks("one")
    said = talk.says("both at once")
    talk.passes(after=said)
    talk.passes(after=said)
    talk.asks("two", after=said)

    assert live(talk) == ["one", "two"]


def test_a_transcript_without_parents_has_no_rewinds() -> None:
    """Another agent's lines may not name their parents at all."""
    events = [
        UserSaid(Origin(f"id-{number}", None, number), f"prompt {number}", 8)
        for number in range(3)
    ]

    assert fold(begin("s", "codex"), events).abandoned == ()


def test_clearing_without_a_new_session_is_no_rewind() -> None:
    """B2: a host that keeps its id has one session with a boundary."""
    talk = two_turns()
    talk.asks("/clear", via="command", after=None)
    talk.asks("three", after=None)
    talk.says("answer")
    talk.asks("four", after=None)

    assert live(talk) == ["one", "two", "/clear", "three", "four"]


def test_prompts_without_an_id_continue_the_last_turn() -> None:
    """A line without id has no place in the chain to go back from."""
    talk = two_turns()
    talk.events.append(UserSaid(Origin("", None, 9), "three", 5))

    assert live(talk) == ["one", "two", "three"]


def test_a_key_is_not_found_across_two_others() -> None:
    """Keys stand side by side without a separator."""
    lines = "aaaabbbb" + "ccccdddd" + "eeeeffff"

    assert holds(lines, "ccccdddd")
    assert holds(lines, "eeeeffff")
    assert not holds(lines, "bbbbcccc")
    assert not holds(lines, "00000000")


def test_a_key_is_found_behind_a_match_across_two_others() -> None:
    """The first place it seems to be at may be the wrong one."""
    lines = "0000abab" + "abab0000" + "abababab"

    assert holds(lines, "abababab")
