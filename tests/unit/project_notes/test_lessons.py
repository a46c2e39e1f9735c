"""`lessons.md`: S1's header, a line of trust, older lessons untouched."""

from functools import partial

from hypothesis import given, strategies as st

from holdfast.project_notes.memory.entries import Trust
from holdfast.project_notes.memory.lessons import (
    find,
    lessons_in,
    moved,
    observed,
    violated,
    with_lesson,
    with_trust,
)

TODAY = "2026-01-18"
OLD = "# Lessons\n\n### [2025-01-01] Never force push\nIt lost work.\n"
HEADER = (
    "# Lessons\n"
    "<!-- conf scale: 0.3 (tentative) → 0.5 (moderate) → 0.7+ (verified) -->\n"
    "<!-- Format: ### [YYYY-MM-DD] Title / > conf: X · seen: YYYY-MM-DD · obs: N / body"
    " -->\n"
)


def test_the_first_lesson_makes_the_file_with_the_header() -> None:
    """S1 gives both to the letter."""
    text, outcome = with_lesson(None, "run the tests first", "", TODAY)

    assert text == (
        f"{HEADER}\n### [2026-01-18] run the tests first\n"
        "> conf: 0.5 · seen: 2026-01-18 · obs: 1\nrun the tests first\n"
    )
    assert outcome.did == "added"


def test_a_lesson_seen_again_is_counted_in_its_line() -> None:
    """Only the line of trust changes."""
    text, _ = with_lesson(OLD, "run the tests first", "", "2025-12-31")
    assert text
    lesson = find(text, "Run the tests first!")
    assert lesson

    after = with_trust(text, lesson, "", partial(observed, today=TODAY))

    assert after == text.replace(
        "> conf: 0.5 · seen: 2025-12-31 · obs: 1",
        "> conf: 0.5 · seen: 2026-01-18 · obs: 2",
    )


def test_a_session_judges_a_lesson_once() -> None:
    """Writing the handoff twice must not lower trust twice."""
    text, _ = with_lesson(None, "run the tests first", "7670db3a", TODAY)
    assert text
    judge = partial(violated, today=TODAY)

    same = with_trust(text, lessons_in(text)[0], "7670db3a", judge)
    other = with_trust(text, lessons_in(text)[0], "91e0cc11", judge)

    assert same is None
    (lesson,) = lessons_in(other)
    assert lesson.trust == Trust(0.4, TODAY, 1)
    assert lesson.owners == ("7670db3a", "91e0cc11")


def test_a_judged_lesson_by_hand_gets_its_count_below_its_trust() -> None:
    """A person's lesson has no comment yet, and may have no body."""
    text = "### [2026-01-01] Ask first\n> conf: 0.7 · seen: 2026-01-01 · obs: 5"

    after = with_trust(
        text, lessons_in(text)[0], "7670db3a", partial(observed, today=TODAY)
    )

    assert after == (
        "### [2026-01-01] Ask first\n> conf: 0.8 · seen: 2026-01-18 · obs: 6\n"
        "<!-- hf 7670db3a -->\n"
    )


def test_lessons_from_before_stay_as_they_are() -> None:
    """S1: lessons without the line are unchanged."""
    (lesson,) = lessons_in(OLD)

    assert (lesson.title, lesson.trust) == ("Never force push", None)
    assert with_trust(OLD, lesson, "", partial(observed, today=TODAY)) is None
    assert with_lesson(OLD, "never force push", "", TODAY)[0] is None


def test_an_archived_lesson_moves_whole_and_once() -> None:
    """A move that a crash cut short is finished by the next, without a second copy."""
    text, _ = with_lesson(OLD, "run the tests first", "", TODAY)
    assert text
    lesson = lessons_in(text)[1]

    rest, archive = moved(text, None, [lesson])
    again, same = moved(text, archive, [lesson])

    assert rest.startswith(OLD)
    assert [each.title for each in lessons_in(rest)] == ["Never force push"]
    assert [each.title for each in lessons_in(archive)] == ["run the tests first"]
    assert (again, same) == (rest, archive)


def test_a_heading_in_a_code_block_ends_no_lesson() -> None:
    """Bodies quote files."""
    text = f"{OLD}```\n### [2025-02-02] not one\n```\nafter\n"

    (lesson,) = lessons_in(text)

    assert lesson.body.endswith("after")


@given(
    lines=st.lists(
        st.sampled_from(
            ["", "# L", "### [2025-01-01] Old", "> conf: 0.5 · seen: 2025-01-01 · obs: 1",
             "body", "```", "### not dated", "한국어\x0b"]
        ),
        max_size=8,
    ),
    newline=st.sampled_from(["\n", "\r\n"]),
    ends=st.booleans(),
)  # fmt: skip
def test_a_new_lesson_goes_below_whatever_is_there(
    *, lines: list[str], newline: str, ends: bool
) -> None:
    """Every byte of a person stays where it was, and the lesson is found again."""
    text = newline.join(lines) + (newline if ends else "")

    after, _ = with_lesson(text, "run the tests first", "", TODAY)

    assert after is not None
    assert after.startswith(text)
    assert with_lesson(after, "run the tests first", "", TODAY)[0] is None
