"""What an agent said last says where the work stands."""

from holdfast.brief.brief import brief, subject_of_session
from holdfast.brief.fit import fit
from holdfast.facts.content import content_of
from tests.sessions import Step, asks, edits, runs, says, session

_LONG = "`rotate()` is written and the middleware calls it at each request."


def test_what_closes_a_turn_is_told_before_what_says_more() -> None:
    """Without "Committed and pushed." the work reads as undone."""
    state = session(
        asks("add tokens"),
        says(_LONG),
        runs("git push"),
        says("Committed and pushed."),
    )

    assert content_of(state).last_words == f"Committed and pushed.\n{_LONG}"


def test_what_closes_the_last_turn_is_not_said_before_it_was_asked() -> None:
    """Only what it stands before is."""
    state = session(
        asks("add tokens"),
        says(_LONG),
        asks("push it"),
        runs("git push"),
        says("Done."),
    )
    content = content_of(state)

    told = brief(
        subject_of_session(state, content), budget=1000, now_ms=state.ended_at, fit=fit
    ).text

    assert f"Last said: Done.\n  Said before this was asked: {_LONG}" in told
    assert "said last" not in content.summary


def test_an_announcement_closes_nothing() -> None:
    """The agent was about to do something when the session ended."""
    state = session(asks("add tokens"), says(_LONG), says("Now let me run the tests."))

    assert content_of(state).last_words == _LONG


def test_few_words_on_the_way_are_not_where_it_stands() -> None:
    """Words such as "the file is cut off" tells nobody what came of the work."""
    state = session(
        asks("add tokens"),
        says(_LONG),
        asks("compare the two directories"),
        says("I see that it is cut off."),
        runs("ls"),
    )

    assert content_of(state).said_before == _LONG


_FOUND = (
    "The plugin finds the loop; the gate of the simulator does not filter, so the log has"
    " every instruction. Against the simulator two issues are to be filed."
)


def _brief(*steps: Step) -> str:
    state = session(*steps)
    subject = subject_of_session(state, content_of(state))
    return brief(subject, budget=1000, now_ms=state.ended_at, fit=fit).text


def test_before_few_last_words_stands_what_was_said_before_them() -> None:
    """ "Written to the file" does not say what was found."""
    told = _brief(
        asks("verify both tools on the kernels"),
        says(_FOUND),
        asks("write it into a file"),
        edits("tmp.md"),
        says("Written to `tmp.md`."),
    )

    assert "Last said: Written to `tmp.md`.\n" in told
    assert "  Said before this was asked: The plugin finds the loop" in told


def test_an_answer_is_told_with_its_question_and_not_with_what_was_before_it() -> None:
    """The same twice is the same."""
    told = _brief(
        asks("plan the work on the kernels"),
        says(f"{_FOUND} Shall I file the two issues in one ticket?"),
        asks("yes, in one"),
        says("Filed as `SIM-12`."),
    )

    assert "Said before" not in told


def test_what_is_told_at_length_needs_nothing_before_it() -> None:
    """It says itself what it came to."""
    told = _brief(
        asks("verify both tools on the kernels"),
        says(_FOUND),
        asks("and the third kernel?"),
        says(f"{_LONG} The third kernel runs as the first one does, in 40 ms each."),
    )

    assert "Said before" not in told


def test_the_point_of_an_answer_is_no_question() -> None:
    """Who answers often says first what was asked."""
    answer = (
        "A good question: can `fp4` and `mxfp8` be mixed? In short: no, the blocks are of"
        " 16 and of 32. Each of the two goes its own way. Both are fast in all of that."
    )
    more = "\n\n".join(
        f"The part {n} of it reads {n} blocks at once." for n in range(140)
    )
    told = _brief(asks("can I mix them?"), says(f"{answer}\n\n{more}"))

    assert "Last said: In short: no, the blocks are of 16 and of 32." in told
