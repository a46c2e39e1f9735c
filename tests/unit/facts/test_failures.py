"""What became of what failed: what is told as open must be so."""

import pytest

from holdfast.domain.checkpoint import is_open
from holdfast.facts.content import content_of
from tests.sessions import Step, asks, creates, runs, says, session

_TEXT = "UnicodeEncodeError: 'charmap' codec can't encode character"


def _open(*steps: Step) -> list[str]:
    return [item.text for item in content_of(session(*steps)).errors if is_open(item)]


def test_a_script_written_to_look_at_one_thing_is_over_once_that_was_answered() -> None:
    """Nobody mends it: another look, or a word, took its place."""
    tried = (
        asks("check the data"),
        creates("check_all.py"),
        runs("python check_all.py", fails=_TEXT),
        says("All eight files load; only the tick could not be printed."),
    )

    assert len(_open(*tried)) == 1
    assert _open(*tried, asks("now draw the chart")) == []


def test_a_script_that_was_there_before_stays_red() -> None:
    """It judges the work, and will again."""
    tried = (
        asks("check the data"),
        runs("python check_all.py", fails=_TEXT),
        says("One file does not load."),
    )

    assert len(_open(*tried, asks("now draw the chart"))) == 1


@pytest.mark.parametrize(
    ("check", "writes"),
    [
        ("ruff format --check src/a.py tests/b.py", "ruff format src/a.py"),
        ("prettier --check web", "prettier --write web"),
        ("cargo fmt --check", "cargo fmt"),
    ],
)
def test_what_only_checked_is_mended_by_the_same_program_that_writes(
    check: str, writes: str
) -> None:
    """A formatter is given what it found, not all that was checked."""
    red = runs(check, fails="2 files would be reformatted")

    assert len(_open(asks("tidy up"), red)) == 1
    assert _open(asks("tidy up"), red, runs(writes, "2 files reformatted")) == []


@pytest.mark.parametrize(
    ("writes", "still_open"),
    [
        ("ruff format tests", 1),
        ("ruff format srcs", 1),
        ("ruff format src/a.py", 0),
        ("ruff format ./src/", 0),
        ("ruff format .", 0),
        ("ruff format", 0),
    ],
)
def test_a_formatter_mends_only_what_it_was_given(writes: str, still_open: int) -> None:
    """What it was not given still is as the check found it."""
    red = runs("ruff format --check src", fails="1 file would be reformatted")

    tidied = _open(asks("tidy up"), red, runs(writes, "1 file reformatted"))

    assert len(tidied) == still_open


def test_tests_that_count_with_a_hash_end_well_behind_a_pipe() -> None:
    """`npm test | tail` has the status of `tail`; what is counted there tells."""
    red = runs("npm test 2>&1 | tail -3", "# tests 9\n# pass 7\n# fail 2")
    green = runs("npm test 2>&1 | tail -3", "# tests 12\n# pass 12\n# fail 0")

    assert len(_open(asks("add a limit"), red)) == 1
    assert _open(asks("add a limit"), red, green) == []
