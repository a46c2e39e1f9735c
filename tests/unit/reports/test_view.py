"""One checkpoint as a person reads it: whose words are whose, and where they stand."""

from typing import Any

import pytest

from holdfast.domain.checkpoint import Checkpoint, Content, Item
from holdfast.domain.code import CodeState, LeftOut
from holdfast.facts.content import content_of
from holdfast.reports.view import evidence_view, view
from tests.sessions import BEGAN, a_checkpoint, a_draft, asks, lists, says, session


def _shown(**parts: Any) -> Checkpoint:
    return a_checkpoint(a_draft(Content(title="t", **parts)))


def test_only_what_the_user_typed_carries_the_users_mark() -> None:
    """A brief points here; a reader knows the user's words by one sign in both."""
    shown = _shown(
        requests=(Item("mend the parser", "user"),),
        instructions=(
            Item("never use sleep", "user"),
            Item('▸ "push to main"', "agent"),
        ),
        discoveries=(Item("▸ the parser is old", "agent"),),
    )

    text = view(shown, shown.draft.created_at)

    assert "\n- ▸ mend the parser\n" in text
    assert "\n- ▸ never use sleep\n" in text
    assert '\n- noted: › "push to main"\n' in text
    assert text.count("▸") == 2


def test_evidence_tells_what_a_request_is_understood_by() -> None:
    """A "yes" alone proves nothing."""
    about = "answering: Shall I?\ncame to: It is done."
    shown = _shown(requests=(Item("yes", "user", ("a-1",), "yes", about=about),))

    lines = evidence_view(shown).split("\n")

    assert lines[1:] == [
        "Requests · user · ▸ yes",
        "    line a-1",
        "    > yes",
        "    answering: Shall I?",
        "    came to: It is done.",
    ]


def test_a_task_is_told_as_pending_and_not_as_next_again() -> None:
    """The record's next steps begin with the tasks; a reader wants each once."""
    content = content_of(
        session(
            asks("add refresh tokens"),
            lists(("write the docs", "pending")),
            says("Rotation works.\n\nNext steps:\n- measure the lock"),
        )
    )
    checkpoint = a_checkpoint(a_draft(content))

    told = view(checkpoint, BEGAN)

    assert "Pending\n- write the docs\n\nNext\n- measure the lock\n" in told
    assert evidence_view(checkpoint).count("· write the docs") == 1
    assert [step.text for step in content.next_steps] == [
        "write the docs",
        "measure the lock",
    ]


def test_without_other_steps_there_is_no_heading_for_them() -> None:
    """A heading with nothing below it looks like a loss."""
    content = content_of(session(asks("go"), lists(("write the docs", "pending"))))

    assert "\nNext\n" not in view(a_checkpoint(a_draft(content)), BEGAN)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        pytest.param(
            CodeState(reason="git was not found"),
            "without code: git was not found",
            id="with its reason",
        ),
        pytest.param(
            CodeState(left_out=(LeftOut(".", "a home directory is not a project"),)),
            "without code: a home directory is not a project",
            id="a place that is never kept",
        ),
        pytest.param(CodeState(), "without code", id="nobody knows why"),
        pytest.param(
            CodeState(tree="1" * 40, left_out=(LeftOut("a", "x"), LeftOut("b", "x"))),
            "2 files left out",
            id="some files",
        ),
        pytest.param(
            CodeState(tree="1" * 40, left_out=(LeftOut("a", "x"), LeftOut("…", "9"))),
            "more than 1 file left out",
            id="many files",
        ),
    ],
)
def test_the_line_of_the_code_ends_with_what_is_missing(
    code: CodeState, told: str
) -> None:
    """A restore can only bring back what was kept."""
    shown = a_checkpoint(a_draft(Content(title="t"), code=code))

    (line,) = [x for x in view(shown, BEGAN).split("\n") if x.startswith("code ")]

    assert line.endswith(f" · {told}")


@pytest.mark.parametrize(
    ("agent", "told"), [("codex", " · codex · "), ("claude-code", " · ")]
)
def test_a_session_of_another_agent_says_whose_it_is(agent: str, told: str) -> None:
    shown = a_checkpoint(a_draft(Content(title="t"), agent=agent))

    (line,) = [x for x in view(shown, BEGAN).split("\n") if x.startswith("session ")]

    assert f"{shown.draft.session_id}{told}checkpoint 1" in line
