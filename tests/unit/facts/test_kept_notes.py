"""What the agent noted stays with the later checkpoints of its session and of its heirs."""

from typing import Any

from holdfast.domain.checkpoint import Checkpoint, Content, note_fact
from holdfast.domain.session import SessionState
from holdfast.facts.content import content_of
from holdfast.facts.statements.notes import parse_notes
from holdfast.facts.work.inheritance import inherited_from
from tests.sessions import (
    SESSION,
    Step,
    a_checkpoint,
    a_draft,
    asks,
    edits,
    lists,
    runs,
    says,
    session,
)

_ASKED = (asks("add refresh tokens to the login"), edits("src/auth.py"), says("Done."))
_NOTES: dict[str, Any] = {
    "title": "Tokens rotate on use",
    "summary": "Refresh tokens rotate; reuse is detected.",
    "decisions": ["Keep the old table for a month"],
    "next_steps": ["Rehearse the migration on staging"],
    "mental_model": "a token is a row",
}


def noted(*steps: Step, **notes: Any) -> Checkpoint:
    """Return the checkpoint of a session for which these notes were written."""
    content = content_of(session(*steps), parse_notes(notes))
    return a_checkpoint(a_draft(content), number=7)


def later(before: Checkpoint, *steps: Step) -> Content:
    """Return the content of a later checkpoint of the same session."""
    return content_of(session(*_ASKED, *steps), before=before)


def heir(parent: Checkpoint, *steps: Step) -> SessionState:
    return session(*steps, session_id="heir", inherited=inherited_from(parent))


def texts(content: Content, kind: str) -> list[str]:
    return [item.text for item in getattr(content, kind)]


def part(content: Content, name: str) -> list[str]:
    return [n.text for n in content.notes if note_fact(n).part == name]


def test_a_later_checkpoint_of_the_session_has_the_notes() -> None:
    """A clear right after them, or hours of work later, loses none."""
    content = later(
        noted(*_ASKED, **_NOTES), asks("continue"), edits("src/b.py"), says("On.")
    )

    assert content.title == "Tokens rotate on use"
    assert content.summary.startswith("Refresh tokens rotate; reuse is detected.")
    assert "src/b.py" in content.summary
    assert texts(content, "decisions") == ["Keep the old table for a month"]
    assert texts(content, "next_steps") == ["Rehearse the migration on staging"]
    assert content.mental_model == "a token is a row"
    assert {note_fact(note).number for note in content.notes} == {7}


def test_notes_are_inherited_with_their_origin_through_five_sessions() -> None:
    """Each of them is asked to go on, and none writes notes of its own."""
    first = checkpoint = noted(*_ASKED, **_NOTES)
    for _ in range(5):
        state = heir(checkpoint, asks("continue"), edits("src/b.py"), says("Going on."))
        checkpoint = a_checkpoint(a_draft(content_of(state)))
    content = checkpoint.draft.content

    assert content.title == "Tokens rotate on use"
    assert "Keep the old table for a month" in texts(content, "decisions")
    assert "Rehearse the migration on staging" in texts(content, "next_steps")
    assert content.mental_model == "a token is a row"
    assert {note.origin for note in content.notes} == {first.checkpoint_id}
    assert {note_fact(note).session for note in content.notes} == {SESSION}


def test_the_title_is_of_the_goal_it_was_written_under() -> None:
    """Another request is other work: its title is its own, the notes stay notes."""
    state = heir(
        noted(*_ASKED, **_NOTES),
        asks("translate the error messages to Thai"),
        edits("src/th.py"),
    )
    content = content_of(state)

    assert "Thai" in content.title
    assert "Tokens rotate" not in content.summary
    assert part(content, "title") == ["Tokens rotate on use"]


def test_newer_notes_take_the_place_of_older_ones() -> None:
    """A list of next steps tells how it stands; a decision is not taken back by another."""
    before = noted(*_ASKED, **_NOTES)
    notes = parse_notes({"next_steps": ["Deploy"], "decisions": ["No cron"]})

    content = content_of(session(*_ASKED), notes, before)

    assert texts(content, "next_steps") == ["Deploy"]
    assert texts(content, "decisions") == ["No cron", "Keep the old table for a month"]
    assert content.title == "Tokens rotate on use"


def test_a_title_that_a_run_contradicts_says_so() -> None:
    """ "All tests pass" over a red run is the worst thing to tell."""
    before = noted(*_ASKED, runs("pytest"), title="All tests pass")
    red = later(before, runs("pytest"), asks("go on"), runs("pytest", fails="1 failed"))

    assert before.draft.content.title == "All tests pass"
    assert red.title == ("All tests pass (doubtful: the last run of `pytest` failed)")
    assert red.summary_doubt


def test_an_heirs_run_contradicts_an_inherited_title_and_takes_that_back() -> None:
    parent = noted(*_ASKED, runs("pytest"), title="All tests pass")
    red = content_of(heir(parent, asks("go on"), runs("pytest", fails="1 failed")))
    again = a_checkpoint(a_draft(red))

    assert "(doubtful: the last run of `pytest` failed)" in red.title
    assert "doubtful" in content_of(heir(again, asks("go on"))).title
    green = content_of(heir(again, asks("go on"), runs("pytest")))
    assert green.title == "All tests pass"


def test_a_commit_that_an_heir_did_not_make_contradicts_nothing() -> None:
    """The parent's transcript had it."""
    parent = noted(
        *_ASKED, runs('git commit -m "tokens"'), key_outcomes=["The work is committed"]
    )
    content = content_of(heir(parent, asks("go on"), edits("src/b.py")))

    (outcome,) = (n for n in content.notes if note_fact(n).part == "key_outcomes")
    assert outcome.doubt == ""


def test_a_step_that_was_done_is_none_any_more() -> None:
    before = noted(*_ASKED, next_steps=["write the docs", "Rehearse it on staging"])

    ticked = later(before, lists(("write the docs", "completed")))
    committed = later(before, runs('git commit -m "Rehearse it on staging"'))

    assert part(ticked, "next_steps") == ["Rehearse it on staging"]
    assert part(committed, "next_steps") == ["write the docs"]


def test_a_question_is_open_until_the_user_speaks() -> None:
    """What is answered must not be told as open."""
    asked = {"open_questions": ["30 days or 7?"]}
    before = noted(*_ASKED, **asked)

    assert part(later(before), "open_questions") == ["30 days or 7?"]
    assert part(later(before, asks("7 days, please")), "open_questions") == []
    nodded = content_of(heir(before, asks("continue"), says("Going on.")))
    assert part(nodded, "open_questions") == ["30 days or 7?"]
    answered = content_of(heir(before, asks("7 days, please")))
    assert part(answered, "open_questions") == []
