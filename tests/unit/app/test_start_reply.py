"""What a start prints fits the client, whatever it is about."""

from typing import Any

from hypothesis import HealthCheck, example, given, settings, strategies as st

from holdfast.app.hooks.start_reply import room_beside
from holdfast.brief.brief import brief, subject_of_checkpoint
from holdfast.brief.card import MOST_CARD_TOKENS, card, drift_note
from holdfast.brief.fit import fit
from holdfast.domain.checkpoint import CommandRef, Content, FileRef, Item
from holdfast.domain.text import tokens
from tests.builders import NOON
from tests.sessions import a_checkpoint, a_draft

LIMIT = 9_900  # UTF-16 units; a client replaces more than 10,000 by a preview

texts = st.text(max_size=400)
long_texts = st.builds(lambda text, times: text * times, texts, st.integers(1, 60))
item_lists = st.lists(
    st.builds(Item, long_texts, st.sampled_from(["user", "tool", "engine"])), max_size=8
)
contents = st.builds(
    Content,
    title=texts,
    summary=long_texts,
    requests=item_lists.map(tuple),
    instructions=item_lists.map(tuple),
    pending=item_lists.map(tuple),
    errors=item_lists.map(tuple),
    dead_ends=item_lists.map(tuple),
    files=st.lists(
        st.builds(FileRef, texts, st.sampled_from(["edited", "read"])), max_size=30
    ).map(tuple),
    commands=st.lists(st.builds(CommandRef, long_texts, st.none()), max_size=8).map(
        tuple
    ),
)
changes = st.lists(
    st.tuples(texts, st.sampled_from(["changed", "gone"])), min_size=1, max_size=40
)


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "replace")) // 2


@settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)
@example(
    Content(
        title="full",
        requests=tuple(Item(f"{n} " + "word " * 90, "user") for n in range(99)),
    ),
    [(f"some/long/path/to/file{n}.py", "changed") for n in range(40)],
    100_000,
)
@given(contents, changes, st.integers(100, 100_000))
def test_a_brief_with_its_drift_note_fits_the_client(
    content: Content, changed: list[Any], budget: int
) -> None:
    """A longer one reaches the model as the first 2 KB of itself."""
    subject = subject_of_checkpoint(a_checkpoint(a_draft(content)))
    note = drift_note(changed) + "\n"
    room = room_beside(note, budget)

    told = brief(subject, budget=room, now_ms=NOON, fit=fit).text + note
    alone = brief(subject, budget=room_beside("", budget), now_ms=NOON, fit=fit).text

    assert units(told) <= LIMIT
    assert units(alone) <= LIMIT
    assert tokens(told) <= max(budget, 100 + tokens(note))


@settings(max_examples=100, deadline=None)
@given(texts, texts, st.sampled_from(["continuing", "answering", "naming"]))
def test_a_card_is_two_lines_of_at_most_120_tokens(
    title: str, note: str, wants: Any
) -> None:
    """What a session pays that does not resume."""
    checkpoint = a_checkpoint(a_draft(Content(title=title)))

    text = card(checkpoint, NOON, note=" ".join(note.split()), wants=wants)

    assert tokens(text) <= MOST_CARD_TOKENS
    assert text.count("\n") == 1
