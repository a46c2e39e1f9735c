"""What whoever continues must know: is it done, how to begin, where was it left."""

import pytest

from holdfast.domain.fact import Failure
from holdfast.domain.session import Inherited
from holdfast.facts.content import content_of
from holdfast.project_notes.handoff.handover import (
    Handover,
    before_own_call,
    handover_of,
)
from tests.sessions import Step, asks, edits, interrupts, lists, runs, says, session


def left(*steps: Step) -> Handover:
    state = session(*steps)
    return handover_of(state, content_of(state))


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        pytest.param([says("Done, all tests pass now.")], "", id="answered"),
        pytest.param([], "the agent had not answered yet", id="not answered"),
        pytest.param(
            [says("Working on it now."), interrupts()],
            "the user stopped the agent",
            id="stopped",
        ),
        pytest.param(
            [says("Let me look at it."), edits("a.py")],
            "the agent was still at work",
            id="cut off",
        ),
        pytest.param(
            [says("Should the token live 7 or 30 days?")],
            "a question to the user is open",
            id="asked",
        ),
        pytest.param(
            [lists(("write docs", "pending")), says("The code is there now.")],
            "tasks are left",
            id="tasks left",
        ),
        pytest.param(
            [runs("pytest -q", fails="1 failed"), says("One test is still red.")],
            "a command still fails",
            id="a test is red",
        ),
    ],
)
def test_a_request_is_done_or_it_is_known_why_not(steps: list[Step], why: str) -> None:
    """The user's last request is complete, or it is recorded."""
    found = left(asks("add refresh tokens"), *steps)

    assert found.why_open == why
    assert found.request is not None
    assert found.request.text == "add refresh tokens"


def test_the_command_to_start_with_is_the_one_that_fails() -> None:
    """It shows at once where the work stands."""
    found = left(
        asks("go"),
        runs("ruff check ."),
        runs("pytest -q tests/test_a.py", fails="1 failed"),
        says("One test is still red."),
    )

    assert found.start == "pytest -q tests/test_a.py"
    assert found.red == ("pytest -q tests/test_a.py",)


def test_without_a_failure_it_is_how_the_work_is_tested() -> None:
    """Better than nothing to run."""
    found = left(asks("go"), runs("ruff check ."), runs("pytest -q"), says("All good."))

    assert (found.start, found.red) == ("pytest -q", ())


def test_only_what_was_changed_after_the_last_commit_is_in_progress() -> None:
    """What is committed is in the history, not in the handoff."""
    found = left(
        asks("go"),
        edits("old.py"),
        runs('git commit -m "old"'),
        edits("a.py", "def rotate(token):\n    pass"),
        edits("b.py", "x = 1"),
    )

    assert found.changed == (("b.py", ""), ("a.py", "rotate"))


def test_a_name_that_was_cut_off_is_none() -> None:
    """A transcript's excerpt may end in the middle of a word."""
    found = left(asks("go"), edits("a.go", "func findTranscr"))

    assert found.changed == (("a.go", ""),)


def test_what_was_finished_is_known() -> None:
    """Tasks completed, and commands that went well after they failed."""
    found = left(
        asks("go"),
        lists(("write docs", "completed"), ("ship", "pending")),
        runs("pytest -q", fails="1 failed"),
        runs("pytest -q", "3 passed"),
        says("Green again, all tests pass."),
    )

    assert (found.done, found.mended) == (("write docs",), ("pytest -q",))


OWN_CALL = runs("cd /x && holdfast handoff write", outcome="pending")


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        pytest.param([asks("/holdfast:handoff", via="command")], "", id="by the skill"),
        pytest.param([asks("write the handoff")], "", id="asked for in words"),
        pytest.param(
            [asks("rename it"), edits("a.py"), says("Renamed it everywhere.")],
            "",
            id="at the end of other work",
        ),
        pytest.param(
            [asks("rename it"), edits("a.py")],
            "the agent had not answered yet",
            id="in the middle of other work",
        ),
    ],
)
def test_handing_over_is_not_being_cut_off(steps: list[Step], why: str) -> None:
    """The command that looks at the session runs inside it, without a result yet."""
    state = before_own_call(
        session(asks("add tokens"), says("Tokens are there now."), *steps, OWN_CALL)
    )

    found = handover_of(state, content_of(state))

    assert found.why_open == why


@pytest.mark.parametrize(
    "last",
    [
        pytest.param(runs("make serve", outcome="pending"), id="another command"),
        pytest.param(runs("holdfast handoff write"), id="one that is over"),
    ],
)
def test_other_calls_stay_as_they_are(last: Step) -> None:
    """Only what runs right now is ours."""
    state = session(asks("go"), last)

    assert before_own_call(state) is state
    assert before_own_call(session()) == session()


def test_an_empty_session_leaves_nothing() -> None:
    """Nobody asked for anything."""
    found = left()

    assert (found.request, found.why_open, found.changed) == (None, "", ())


def test_a_nod_is_not_what_is_to_be_continued() -> None:
    """The goal is, with what was added to it."""
    ahead = left(
        asks("rewrite the date parser for ISO weeks"),
        lists(("parse the week", "pending")),
        says("Begun."),
        asks("yes, continue"),
        says("Going on."),
    )

    assert ahead.request is not None
    assert ahead.request.text == "rewrite the date parser for ISO weeks"


def test_what_goes_well_now_is_mended_whoever_met_it() -> None:
    """F1: an error of the session before does not stand in the handoff for good."""
    error = Failure(command="make lint", line="E501", state="open")
    before = Inherited("errors", "make lint fails", "tool", fact=error)
    state = session(asks("go on"), runs("pytest -q", "3 passed"), inherited=(before,))
    content = content_of(session(asks("go on"), runs("pytest -q", "3 passed")))

    assert handover_of(state, content).mended == ("make lint", "pytest -q")
