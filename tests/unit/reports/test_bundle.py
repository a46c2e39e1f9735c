"""A report for a bug says nothing about anyone."""

import pytest

from holdfast.reports.bundle import HarmlessNames, log_lines, without_names

KNOWN = HarmlessNames(
    events=frozenset(["Stop"]),
    codes=frozenset(["CKPT_001"]),
    files=frozenset(["holdfast/app/checkpoints/save.py"]),
    exceptions=frozenset(["KeyError", "apsw.BusyError"]),
)
MOMENT = "2026-01-18T12:00:00.000Z"


@pytest.mark.parametrize(
    "message",
    [
        pytest.param("others may reach `/home/Anna Maria Berg/x`", id="spaces"),
        pytest.param("look at `/home/Anna`Berg/x` and `/home/Anna/y`", id="backticks"),
        pytest.param("cannot read /home/Anna Maria Berg/x", id="unquoted"),
        pytest.param("look at ~/Anna Berg", id="a home"),
        pytest.param("hooks do not answer: Anna has no such file", id="their words"),
        pytest.param("`Anna` has `holdfast doctor` and `Berg`", id="between commands"),
        pytest.param(r"cannot read C:\Users\Anna Berg", id="another system"),
    ],
)
def test_no_name_in_a_message_gets_into_a_report(message: str) -> None:
    """A directory may be called like a person, with whatever characters."""
    told = without_names(message)

    assert [name for name in ("Anna", "Maria", "Berg") if name in told] == []
    assert "…" in told


def test_a_message_keeps_what_is_ours() -> None:
    """A report must still say what is wrong, and which command helps."""
    told = without_names("2 saves wait; finish with `holdfast doctor --repair`")

    assert told == "2 saves wait; finish with holdfast doctor --repair"


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("AnnaZ Stop: CKPT_001: x", id="a moment that is none"),
        pytest.param(f"x{MOMENT} Stop: x", id="before the moment"),
        pytest.param("AnnaBergError: x", id="an exception of theirs"),
        pytest.param("AnnaBergError", id="without a text"),
        pytest.param('  File "/h/holdfast/anna.py", line 1, in x', id="their module"),
        pytest.param('  File "/Anna/other.py", line 1, in x', id="their file"),
        pytest.param("    use('Anna')", id="a line of code"),
    ],
)
def test_a_line_of_a_log_that_is_not_ours_is_left_out(line: str) -> None:
    """An error may quote anything, also what looks like a line of ours."""
    assert log_lines([line], KNOWN) == []


def test_of_a_log_only_known_names_are_told() -> None:
    """Enough to find the place in our code, and nothing else."""
    lines = [
        f"{MOMENT} Stop: CKPT_001: `Anna` cannot be read",
        f"{MOMENT} Anna: ANNA_001: x",
        f"{MOMENT} Stop: Traceback (most recent call last):",
        '  File "/home/Anna Berg/holdfast/app/checkpoints/save.py", line 12, in anna',
        "KeyError: 'Anna'",
        "apsw.BusyError: Anna",
    ]

    assert log_lines(lines, KNOWN) == [
        f"- {MOMENT} Stop CKPT_001",
        f"- {MOMENT} …",
        f"- {MOMENT} Stop",
        "  - holdfast/app/checkpoints/save.py:12",
        "  - KeyError",
        "  - apsw.BusyError",
    ]
