"""What was said last keeps its point when it is cut."""

from holdfast.brief.standing import said_forms

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
