"""The table of a run tells each goal once, and what was not measured."""

import json
from pathlib import Path

import pytest

from tests.faults.figures import GOALS, Figure, Trials, figure, table


def test_the_whole_stands_for_its_sample_and_nothing_is_left_unsaid() -> None:
    """Both are run by `make faults`, in any order."""
    whole = Figure("F1", "`save`", 909, "lost 0")
    sample = Figure("F1", "`save`", 19, "lost 0")

    lines = list(table([whole, sample]))

    assert [line for line in lines if "`save`" in line] == [
        "| | `save` | 909 | lost 0 |"
    ]
    unmeasured = [line for line in lines if "not measured" in line]
    assert len(unmeasured) == len(GOALS) - 1
    assert not any("**F1**" in line for line in unmeasured)


def test_what_was_lost_is_told_before_it_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that only successes reach would say `lost 0` whatever happened."""
    monkeypatch.setattr("tests.faults.figures._told", [])
    monkeypatch.setenv("HOLDFAST_FIGURES", str(tmp_path / "figures"))
    trials = Trials()
    for number in range(5):
        with trials.one():
            assert number % 2 == 0, f"number {number} is gone"

    with pytest.raises(AssertionError, match="number 3 is gone"):
        figure("F1", "`save`", 5, trials.lost(), "\n".join(trials.failed), kills=9)

    [line] = (tmp_path / "figures").read_text().splitlines()
    assert json.loads(line) == ["F1", "`save`", 5, "kills 9, lost 2", True]


def test_no_later_success_hides_a_loss() -> None:
    """A sample may lose what the whole, at another moment, did not."""
    whole = Figure("F1", "`save`", 909, "lost 0")
    sample = Figure("F1", "`save`", 19, "lost 1", is_wrong=True)

    assert "| | `save` | 19 | lost 1 |" in table([sample, whole])
