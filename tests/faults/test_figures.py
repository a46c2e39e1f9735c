"""The table of a run tells each goal once, and what was not measured."""

from tests.faults.figures import GOALS, Figure, table


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
