"""Do two statements say the same, or the opposite?"""

import pytest

from holdfast.project_notes.memory.entries import alike, contradicts


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param("Use tabs.", "use `tabs`", True, id="marks and case"),
        pytest.param(
            "the store keeps every checkpoint in one file",
            "the store keeps each checkpoint in one file",
            True,
            id="one small word",
        ),
        pytest.param("retry 3 times on a timeout", "retry 5 times on a timeout", False, id="numbers"),
        pytest.param("use tabs", "use spaces", False, id="short and different"),
        pytest.param("never use sleep in tests", "use sleep in tests", False, id="the opposite"),
        pytest.param("ห้ามใช้ sleep", "ห้ามใช้ sleep", True, id="Thai"),
    ],
)  # fmt: skip
def test_near_duplicates_are_known(first: str, second: str, *, expected: bool) -> None:
    """No duplicates, also near ones; but a number is not a detail."""
    assert alike(first, second) is expected
    assert alike(second, first) is expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param("Test command: `make test`", "Test command: `pytest`", True, id="two values"),
        pytest.param("port is 8080", "Port is 9090", True, id="is"),
        pytest.param("port is 8080", "port is 8080 in production", False, id="one says more"),
        pytest.param("port is 8080", "host is 9090", False, id="two subjects"),
        pytest.param("never use sleep in tests", "use sleep in tests", True, id="forbidden and wanted"),
        pytest.param("Decided: use sqlite", "Decided: rotate tokens", False, id="a label is no subject"),
        pytest.param("plain words here", "other words there", False, id="nothing in common"),
    ],
)  # fmt: skip
def test_contradictions_are_known(first: str, second: str, *, expected: bool) -> None:
    """Stale facts are fixed, not kept beside the new ones."""
    assert contradicts(first, second) is expected
    assert contradicts(second, first) is expected
