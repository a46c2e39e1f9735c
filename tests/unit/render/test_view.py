"""One checkpoint as a person reads it: whose words are whose, and where they stand."""

from typing import Any

from holdfast.domain.checkpoint import Checkpoint, Content, Item
from holdfast.render.view import evidence_view, view
from tests.sessions import a_checkpoint, a_draft


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
