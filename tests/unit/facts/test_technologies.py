"""What a session worked with, what holds it up, and how its code reads."""

from holdfast.facts.content import content_of, details_of
from tests.sessions import asks, creates, edits, reads, runs, says, session


def test_technologies_are_told_by_files_and_commands() -> None:
    """C4: what a colleague needs to have, the most used first."""
    state = session(
        asks("add refresh tokens"),
        edits("src/auth/refresh.py"),
        reads("src/auth/login.py"),
        runs("uv run pytest -q", "3 passed"),
        runs("docker compose up -d"),
        says("Done."),
    )

    assert content_of(state).technologies == ("Python", "uv", "Docker")


def test_a_blocker_is_what_only_somebody_else_can_take_away() -> None:
    """C4: a missing right and an open question, and no test that is merely red."""
    state = session(
        asks("release it"),
        runs("pytest -q", fails="AssertionError: 1 != 2"),
        runs("npm publish", fails="npm ERR! 403 Forbidden - you may not publish"),
        says("Shall I bump the major or the minor version?"),
    )

    blocked = content_of(state).blockers

    assert [item.text.partition(":")[0] for item in blocked] == [
        "`npm publish` → exit 1",
        "Shall I bump the major or the minor version?",
    ]
    assert all(item.evidence for item in blocked)


def test_an_observation_keeps_the_code_with_its_file() -> None:
    """C5: compaction destroys snippets first."""
    state = session(
        asks("add a way to rotate the tokens"),
        creates("src/rotate.py", "def rotate(token):\n    return token[::-1]\n"),
        says("Added rotate(), which turns a token round."),
    )

    (detail,) = details_of(state, content_of(state))

    assert detail.snippets == (
        ("src/rotate.py", "def rotate(token):\n    return token[::-1]"),
    )
