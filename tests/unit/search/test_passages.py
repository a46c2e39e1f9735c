"""Passages: the pieces in which a checkpoint is searched and quoted."""

from hypothesis import given, strategies as st

from holdfast.domain.checkpoint import CommandRef, Detail, FileRef, Item
from holdfast.kernel.lazy_values import replace
from holdfast.search.passages import GAP, LAST_PLACE, placed_passages
from tests.builders import a_draft, a_full_draft


def texts(kind: str, **parts: object) -> list[str]:
    return [
        passage.text
        for _, _, passage in placed_passages(a_draft("Title", **parts))
        if passage.kind == kind
    ]


def test_a_passage_says_what_it_is_and_where_it_was_said() -> None:
    """A result shows the words, their kind, and the line that proves them."""
    draft = a_draft("Title", decisions=(Item("use WAL", "agent", ("uuid-1",)),))

    found = [passage for _, _, passage in placed_passages(draft)]

    assert [(p.kind, p.text, p.evidence) for p in found[:2]] == [
        ("title", "Title", ()),
        ("decisions", "use WAL", ("uuid-1",)),
    ]


def test_statements_of_one_kind_are_neighbours_and_kinds_are_not() -> None:
    """A prompt explains the next prompt; a title does not explain the first file."""
    draft = a_draft(
        "Title",
        requests=(Item("one", "user"), Item("two", "user")),
        files=(FileRef("a.py", "read"),),
    )

    places = {p.text: place for place, _, p in placed_passages(draft)}

    assert places["two"] == places["one"] + 1
    assert places["one"] - places["Title"] > GAP
    assert places["a.py"] - places["two"] > GAP


def test_topics_are_told_once_and_without_our_own_tags() -> None:
    """A passage is read by people: ids of ours mean nothing to them."""
    ours = ("checkpoint", "session-7670db3a", "session-20260118")
    draft = replace(
        a_draft("Title", topics=("auth",)), tags=(*ours, "auth", "before the demo")
    )

    [found] = [p.text for _, _, p in placed_passages(draft) if p.kind == "topics"]

    assert found == "auth, before the demo"


def test_a_long_text_is_cut_at_lines_then_at_sentences() -> None:
    """What is found should fit on a screen, and end where the writer paused."""
    sentence = "The parser reads nested quotes and gives them back. "
    long_line = (sentence * 20).strip()

    found = texts("summary", summary=f"First line.\n\n{long_line}\nLast line.")

    assert found[0] == "First line."
    assert found[-1] == "Last line."
    assert all(len(piece) <= 480 and piece.endswith(".") for piece in found)
    assert "".join(found).replace(" ", "").count("parser") == 20


def test_a_line_without_a_pause_is_cut_all_the_same() -> None:
    """Minified code and base64 have neither spaces nor sentences."""
    found = texts("summary", summary="x" * 2000)

    assert "".join(found) == "x" * 2000
    assert max(map(len, found)) <= 480


def test_commands_are_quoted_with_what_came_of_them() -> None:
    """The output is what people remember of a command."""
    ran = CommandRef("pytest -k quotes", 1, "1 failed", "uuid-2")

    assert texts("commands", commands=(ran,)) == ["pytest -k quotes → 1 failed"]


def test_every_observation_can_be_found() -> None:
    """A detailed observation is searched by its topic and its text."""
    assert texts("details", details=(Detail("Caching", "keys rotate"),)) == [
        "Caching\nkeys rotate"
    ]


@given(st.lists(st.text(max_size=600), max_size=12))
def test_places_rise_and_stay_within_bounds(said: list[str]) -> None:
    """Rows of the index are made of them."""
    draft = a_full_draft(requests=tuple(Item(text, "user") for text in said))

    places = [place for place, _, _ in placed_passages(draft)]

    assert places == sorted(set(places))
    assert places[0] >= GAP
    assert places[-1] <= LAST_PLACE


def test_what_exceeds_the_bounds_is_left_out() -> None:
    """Ten thousand prompts must not cost a save its time, nor another its rows."""
    draft = a_draft("Title", requests=(Item("again", "user"),) * 10_000)

    assert placed_passages(draft)[-1].place == LAST_PLACE
