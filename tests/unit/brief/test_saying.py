"""What was said last keeps its point when it is cut."""

from holdfast.brief.last_said import last_said, said_forms
from holdfast.facts.content import content_of
from tests.sessions import asks, says, session

_DONE = "Last said: The import is written and `load()` calls it for each file."
_WELL = "\n  ".join(
    f"- ✅ Step {n} works as it should and is covered" for n in range(9)
)
_OPEN = (
    "Remaining issues:\n  - `load()` loses the last row\n  - no test for empty files"
)


def test_what_is_ticked_off_goes_before_what_is_open() -> None:
    """The next session works on what is left, not on what is well."""
    (told,) = said_forms(f"{_DONE}\n  {_WELL}\n  {_OPEN}", 260)

    assert told == f"{_DONE}\n  {_OPEN}"


def test_what_is_open_has_its_share_of_a_long_message() -> None:
    """It stands at the end, where a text is cut."""
    details = "\n  ".join(
        f"- Reader {n} was moved to a file of its own" for n in range(9)
    )

    (told,) = said_forms(f"{_DONE}\n  {details}\n  {_OPEN}", 330)

    assert told.startswith(_DONE)
    assert told.endswith(_OPEN)
    assert "Reader 0" in told


def test_a_message_that_has_room_is_told_whole() -> None:
    """Nothing is left out that costs nothing."""
    whole = f"{_DONE}\n  {_WELL}\n  {_OPEN}"

    assert said_forms(whole, 2000) == (whole,)


def test_little_room_goes_to_how_a_message_begins() -> None:
    """Two halves of a line each tell nothing."""
    (told,) = said_forms(f"{_DONE}\n  {_OPEN}\n  {_WELL}", 100)

    assert told == f"{_DONE} […]"


def test_a_cut_message_keeps_its_point_and_its_end() -> None:
    """Who cuts at the end loses what the reader is asked to do."""
    middle = "\n".join(
        f"Part {n}:\n- detail {n} a, which is long enough\n- detail {n} b, as long as that"
        for n in range(6)
    )
    said = f"I have the full picture.\nThe import reads `orders.csv` now.\n{middle}\nStart `make load` and tell me what it prints."

    (told,) = said_forms(said, 330)

    assert told.startswith("The import reads `orders.csv` now.")
    assert told.endswith("\n  Start `make load` and tell me what it prints.")
    assert "Part 4:\n  - detail 4 a, which is long enough […]" in told
    assert "detail 1 b" not in told  # the outline comes first


def test_a_heading_without_its_steps_is_not_told() -> None:
    """They stand under "Next"; what announced them announces nothing."""
    state = session(
        asks("load the orders"),
        says(
            "The import is written.\n\nNext steps:\n- write the test for `load()`\n\n"
            "The old table stays as it was."
        ),
    )
    told = " ".join(last_said(content_of(state), 700))

    assert "Next steps" not in told
    assert "The old table stays as it was." in told


def test_an_entry_is_not_told_without_the_sentence_above_its_list() -> None:
    """What begins with a dash begins in the middle."""
    entries = "\n".join(f"- branch `feature-{n}` holds the change" for n in range(9))

    (told,) = said_forms(f"Committed.\n{entries}", 120)

    assert told.startswith("Committed.\n  - branch `feature-0` holds the change")


def test_an_ornament_is_nothing_that_was_said() -> None:
    """A line of dashes costs a line."""
    state = session(
        asks("commit it"),
        says("`★ Insight ─────────`\nThe commit holds `a.py`.\n`─────────────────`"),
    )

    assert content_of(state).last_words == "The commit holds `a.py`."
