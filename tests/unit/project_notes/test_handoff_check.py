"""The preservation check: computed, never claimed."""

from typing import Any

import pytest

from holdfast.project_notes.handoff.check import Check, CheckInput, checks_of, status_of
from holdfast.project_notes.handoff.document import digest, parse

NAMES = {
    "decisions": "open decisions are in the handoff",
    "feedback": "session feedback is saved to memory",
    "start": "the next session can start from the handoff alone",
    "changes": "in-progress changes are described",
    "request": "the user's last request is complete or recorded",
    "state": "STATE.md is reviewed",
    "forward": "nothing finished is left in the handoff",
    "size": "the handoff has at most 200 lines",
    "single": "there is one handoff file",
}


def line(text: str, ident: str = "3f2c1a9b", mark: str = "- ") -> str:
    return f"{mark}{text} <!-- hf {ident} {digest(text)} 7670db3a -->\n"


def checked(name: str, text: str = "", **changes: Any) -> Check:
    document = parse(text)
    values: dict[str, Any] = {
        "document": document,
        "lines": text.count("\n"),
        "questions": (),
        "feedback": 0,
        "unsaved_feedback": (),
        "request": None,
        "was_asked": True,
        "finished": frozenset(),
        "uncommitted": (),
        "stale_state": None,
        "has_state_change": False,
    }
    seen = CheckInput(**{**values, **changes})
    found = {
        c.check: c for c in checks_of(seen, {"make test", "src/a.py"}.__contains__)
    }
    return found[NAMES[name]]


QUESTION = (("3f2c1a9b", "7 or 30 days?"),)
NEXT = "## Next Actions\n"


@pytest.mark.parametrize(
    ("name", "text", "seen", "result"),
    [
        pytest.param("decisions", "", {}, "skipped", id="no question"),
        pytest.param(
            "decisions", line("x"), {"questions": QUESTION}, "yes", id="question told"
        ),
        pytest.param(
            "decisions", "", {"questions": QUESTION}, "no", id="question lost"
        ),
        pytest.param("feedback", "", {}, "skipped", id="no feedback"),
        pytest.param("feedback", "", {"feedback": 2}, "yes", id="feedback kept"),
        pytest.param(
            "feedback",
            "",
            {"feedback": 2, "unsaved_feedback": ("no sleeps",)},
            "no",
            id="feedback lost",
        ),
        pytest.param("start", "", {}, "skipped", id="nothing to do"),
        pytest.param(
            "start", "", {"request": ("1", "go")}, "no", id="work without an action"
        ),
        pytest.param(
            "start", NEXT + line("fix (start: `make test`)"), {}, "yes", id="a command"
        ),
        pytest.param(
            "start", NEXT + "1. Anna said: src/a.py\n", {}, "yes", id="a person's file"
        ),
        pytest.param(
            "start", NEXT + line("fix `gone.py`"), {}, "no", id="a file that is gone"
        ),
        pytest.param("changes", "", {}, "skipped", id="all committed"),
        pytest.param("changes", "", {"uncommitted": None}, "skipped", id="no git"),
        pytest.param(
            "changes", line("`a.py`: x"), {"uncommitted": ("a.py",)}, "yes", id="named"
        ),
        pytest.param(
            "changes",
            line("`gen/`"),
            {"uncommitted": ("gen/a/b.py",)},
            "yes",
            id="named by its directory",
        ),
        pytest.param(
            "changes", line("`a.py`"), {"uncommitted": ("b.py",)}, "no", id="not named"
        ),
        pytest.param("request", "", {"was_asked": False}, "skipped", id="not asked"),
        pytest.param("request", "", {}, "yes", id="request done"),
        pytest.param(
            "request", line("x"), {"request": ("3f2c1a9b", "go")}, "yes", id="recorded"
        ),
        pytest.param(
            "request", "", {"request": ("3f2c1a9b", "go")}, "no", id="request lost"
        ),
        pytest.param("state", "", {}, "skipped", id="no STATE.md"),
        pytest.param("state", "", {"stale_state": ()}, "skipped", id="no state change"),
        pytest.param(
            "state",
            "",
            {"stale_state": (), "has_state_change": True},
            "yes",
            id="STATE.md is true",
        ),
        pytest.param(
            "state",
            "",
            {"stale_state": ("old",), "has_state_change": True},
            "no",
            id="STATE.md is stale",
        ),
        pytest.param("forward", line("x"), {}, "yes", id="all open"),
        pytest.param(
            "forward", line("x"), {"finished": {"3f2c1a9b"}}, "no", id="one is done"
        ),
        pytest.param("forward", line("x", mark="- [x] "), {}, "no", id="one is ticked"),
        pytest.param("size", "", {"lines": 200}, "yes", id="just fits"),
        pytest.param("size", "", {"lines": 201}, "no", id="too long"),
        pytest.param("single", "", {}, "yes", id="one file"),
        pytest.param(
            "single", "", {"other_handoffs": ("session-handoff-v2.md",)}, "no", id="two"
        ),
    ],
)
def test_each_line_is_computed(
    name: str, text: str, seen: dict[str, Any], result: str
) -> None:
    """F4: none self-reported; what does not apply is skipped and says why."""
    found = checked(name, text, **seen)

    assert found.result == result
    assert bool(found.reason) == (result != "yes")


def test_an_item_a_person_took_out_counts_as_seen() -> None:
    """They read it, and decided."""
    text = "<!-- hf wrote ; 3f2c1a9b -->\n"

    assert checked("decisions", text, questions=QUESTION).result == "yes"


def test_the_gaps_are_named_and_many_are_counted() -> None:
    """A gap nobody can find cannot be closed."""
    paths = tuple(f"f{n}.py" for n in range(8))

    found = checked("changes", "", uncommitted=paths)

    assert found.reason == (
        "not named in the file: f0.py; f1.py; f2.py; f3.py; f4.py and 3 more"
    )


@pytest.mark.parametrize(
    ("results", "status"),
    [
        pytest.param(["yes", "skipped"], "WORKING", id="nothing is missing"),
        pytest.param(["yes", "no"], "PARTIAL", id="a gap"),
    ],
)
def test_one_gap_makes_it_partial(results: list[Any], status: str) -> None:
    """Compaction is advised only when every line passes."""
    assert status_of([Check("x", result) for result in results]) == status
