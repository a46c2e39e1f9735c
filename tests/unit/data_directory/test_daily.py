"""Once a day, whatever the clock does."""

from pathlib import Path

from holdfast.data_directory.markers import claim_daily_run

NOON, HOUR = 1_768_737_600_000, 3_600_000


def test_it_is_due_once_a_day(tmp_path: Path) -> None:
    """The first call does it; the next day's does it again."""
    path = str(tmp_path / "pruned")

    due = [claim_daily_run(path, NOON + hours * HOUR) for hours in (0, 1, 23, 24, 25)]

    assert due == [True, False, False, True, False]
    assert (tmp_path / "pruned").stat().st_mode & 0o777 == 0o600


def test_a_clock_set_back_makes_it_due(tmp_path: Path) -> None:
    """A file from the far future must not stop retention for years."""
    path = str(tmp_path / "pruned")
    claim_daily_run(path, NOON + 10 * 365 * 24 * HOUR)

    assert claim_daily_run(path, NOON)
    assert not claim_daily_run(path, NOON + 1)


def test_what_cannot_be_remembered_is_not_done(tmp_path: Path) -> None:
    """Or it would be done at every end of a session."""
    assert not claim_daily_run(str(tmp_path / "missing" / "pruned"), NOON)
