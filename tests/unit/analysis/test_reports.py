"""What a sub-agent's report says about the files of the work."""

from holdfast.analysis.content import content_of
from holdfast.analysis.reports import with_files
from holdfast.analysis.turns import answered
from holdfast.domain.event import Origin, ToolReturned
from holdfast.domain.session import Call
from tests.sessions import HOME, asks, reads, session, uses

_REPORT = (
    f"All 6 tests pass.\n\n- `{HOME}/src/store.py`: a field\n- `docs/plan.md`: read"
)


def _files(report: str) -> list[str]:
    state = session(
        asks("x"),
        reads("src/store.py"),
        *(reads(f"src/other{number}.py") for number in range(12)),
        uses("Task", "Add the field", outcome="ok", output=report),
        reads("src/last.py"),
    )
    return [file.path for file in content_of(state).files]


def test_a_file_that_a_sub_agent_reports_on_is_at_hand() -> None:
    """It was read long ago, but the work was in it a moment ago."""
    told = with_files("All 6 tests pass.", _REPORT)
    assert _files(told)[:2] == ["src/last.py", "src/store.py"]
    assert _files("All 6 tests pass.")[-1] == "src/store.py"


def test_a_report_makes_no_file_known() -> None:
    """What a tool printed is no proof that there is such a file."""
    assert "docs/plan.md" not in _files(with_files("", _REPORT))


def test_the_paths_of_a_report_are_kept_with_its_result() -> None:
    """Nothing else is left of it once the transcript is folded."""
    origin = Origin("u", None, 1, "")
    call = Call("c", "Task", "Add the field", "u", 1)
    result = answered(call, ToolReturned(origin, "c", "ok", None, _REPORT))
    assert result.output == f"All 6 tests pass.\nnames {HOME}/src/store.py docs/plan.md"
