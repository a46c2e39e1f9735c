"""What is worth keeping of a session, each with its evidence."""

from holdfast.facts.content import content_of
from holdfast.project_notes.memory.entries import MemoryEntry
from holdfast.project_notes.memory.worth_keeping import entries_of
from tests.sessions import (
    Step,
    asks,
    edits,
    follows,
    interrupts,
    lists,
    runs,
    says,
    session,
)


def kept(*steps: Step) -> list[MemoryEntry]:
    state = session(*steps)
    return list(entries_of(state, content_of(state)))


def texts(found: list[MemoryEntry], kind: str) -> list[str]:
    return [entry.text for entry in found if entry.kind == kind]


def test_the_users_rules_are_kept_in_their_own_words() -> None:
    """Feedback is saved verbatim, with the line it was said in."""
    (rule,) = kept(asks("Never use sleep in tests."), says("Understood, none it is."))

    assert (rule.kind, rule.text) == ("rule", "Never use sleep in tests.")
    assert rule.evidence


def test_feedback_on_the_work_at_hand_is_an_episode() -> None:
    """It is kept, and expires: not every wish is a rule of the project."""
    found = kept(
        asks("Make the button blue. Don't touch the session table."),
        says("The button is blue now."),
    )

    assert [(e.label, e.text) for e in found] == [
        ("FEEDBACK", "Don't touch the session table.")
    ]


def test_a_correction_is_a_rule_that_followed_a_mistake() -> None:
    """Lessons come only from real mistakes."""
    found = kept(
        asks("Never use sleep in tests."),
        edits("a.py"),
        says("Added a sleep to the test."),
        interrupts(),
        asks("Don't ever commit without asking me first."),
    )

    assert texts(found, "correction") == ["Don't ever commit without asking me first."]
    assert texts(found, "rule") == ["Never use sleep in tests."]


def test_commands_that_work_are_facts_and_parts_of_them_are_not() -> None:
    """How the project is tested is still true next session."""
    found = kept(
        asks("go"),
        runs("pytest -q -k one"),
        runs("pytest -q", fails="1 failed"),
        runs("pytest -q", "3 passed"),
        *(runs("make lint"), runs("make lint")),
        *(runs("make build", fails="boom"), runs("make build", fails="boom")),
        says("Two of three work."),
    )

    assert texts(found, "fact") == [
        "Test command: `pytest -q`",
        "Check command: `make lint`",
    ]


def test_a_command_that_was_meant_for_once_is_no_fact() -> None:
    """Next session nobody wants that binary again."""
    away = "go build -o /tmp/try ./cmd/app"
    found = kept(
        asks("does it build for Windows?"),
        runs("GOOS=windows go build -o app.exe ./cmd/app"),
        *(runs(away), runs(away)),
        says("It does."),
    )

    assert texts(found, "fact") == []


def test_what_was_installed_is_a_fact_only_if_it_was() -> None:
    """S1: confirm installed."""
    found = kept(
        asks("go"),
        runs("pip install -q httpx 'rich>=13'"),
        runs("npm install left-pad", fails="404"),
        runs("pip install -r requirements.txt"),
        says("httpx is there now."),
    )

    assert "`httpx` is installed" in texts(found, "fact")
    assert not [text for text in texts(found, "fact") if "left-pad" in text]
    assert not [text for text in texts(found, "fact") if "requirements" in text]


def test_commits_are_completions_and_a_plan_is_a_plan() -> None:
    """Episodes with their type; the type decides how long they last."""
    found = kept(
        asks("go"),
        follows("/home/me/.claude/plans/p.md"),
        lists(("one", "completed"), ("two", "pending")),
        runs('git commit -m "Rotate tokens"', "1 file changed"),
        says("Committed the first step."),
    )

    episodes = [(e.label, e.text) for e in found if e.kind == "episode"]
    assert ("COMPLETION", "committed: Rotate tokens") in episodes
    assert ("PLAN", "plan `/home/me/.claude/plans/p.md` has 2 steps") in episodes


def test_what_the_user_decided_is_an_episode() -> None:
    """S1: permanent; a report that says "instead of" decides nothing, nor an agent that
    tells what it will use."""
    found = kept(
        asks("let's use sqlite instead of postgres for the first release"),
        says("I decided to keep the schema in one file because it is small."),
        asks("The value becomes 2 instead of 1 when the file has no ending."),
    )

    assert [(e.kind, e.label, e.text) for e in found] == [
        (
            "episode",
            "DECISION",
            "let's use sqlite instead of postgres for the first release",
        ),
    ]


def test_a_quiet_session_leaves_nothing() -> None:
    """Nothing is invented."""
    assert kept(asks("what is this?"), says("A parser for nested quotes.")) == []


def test_a_mistake_that_was_made_again_is_a_lesson() -> None:
    """S1: in the user's words; a bare remark with what it was said to."""
    found = kept(
        asks("add the login form"),
        runs("npm install", "added 3 packages"),
        asks("you did that again"),
        asks("I told you already: use pnpm, not npm."),
    )

    assert texts(found, "correction") == [
        "you did that again (after: npm install)",
        "I told you already: use pnpm, not npm.",
    ]
    assert texts(found, "rule") == []
    assert all(entry.evidence for entry in found if entry.kind == "correction")
