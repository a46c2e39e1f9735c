"""Work done the same way again and again."""

import pytest

from holdfast.project_notes.memory.entries import Workflow
from holdfast.project_notes.memory.workflows import (
    is_covered,
    proposed_name,
    proposed_triggers,
    workflows_of,
    worth_remembering,
)
from tests.sessions import (
    Step,
    asks,
    creates,
    edits,
    reads,
    runs,
    says,
    searches,
    session,
)


def reviewed(what: str) -> list[Step]:
    return [
        asks(f"review the {what} module"),
        reads(f"{what}.py"),
        edits(f"{what}.py"),
        runs("pytest -q"),
        says("Reviewed it and fixed one thing."),
    ]


def test_the_same_way_of_working_is_counted() -> None:
    """Intent, tools in order, and what comes out."""
    state = session(*reviewed("auth"), *reviewed("billing"), *reviewed("search"))

    ((flow, requests),) = workflows_of(state)

    assert flow.signature == "review + Read → Edit → test + code change"
    assert (flow.here, len(flow.evidence)) == (3, 3)
    assert requests[0] == "review the auth module"


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param(
            [asks("review a"), searches("x"), reads("a.py")], id="looking around"
        ),
        pytest.param([asks("hm ok"), reads("a.py"), edits("a.py")], id="no intent"),
        pytest.param([asks("review a"), edits("a.py")], id="one tool"),
        pytest.param([asks("/clear", via="command")], id="a command of the client"),
    ],
)
def test_what_is_no_workflow_is_not_counted(steps: list[Step]) -> None:
    """One-off exploration and what is too generic."""
    assert workflows_of(session(*steps)) == ()


def test_another_outcome_is_another_workflow() -> None:
    """A report is not a code change."""
    state = session(
        *reviewed("auth"),
        asks("review the docs"), reads("a.md"), runs("pytest -q"), says("Fine."),
        asks("review by a new file"), reads("a.md"), creates("r.md"), says("Written."),
    )  # fmt: skip

    assert [flow.shape for flow, _ in workflows_of(state)] == [
        "code change",
        "report",
        "file creation",
    ]


def test_long_requests_that_share_no_word_are_not_the_same() -> None:
    """A paragraph that happens to hold "review" asks for something of its own."""
    steps = [
        step
        for words in (
            "review these lines on how a parser nests quotes and where it gives up",
            "review invoice totals: is tax rounded once at the end or per position",
        )
        for step in (
            asks(words), reads("a.py"), edits("a.py"), runs("pytest -q"), says("Done so."),
        )
    ]  # fmt: skip

    assert [flow.here for flow, _ in workflows_of(session(*steps))] == [1, 1]


def test_short_requests_need_share_no_word() -> None:
    """Where the intent is all there is, it is enough."""
    steps = [
        step
        for words in ("review auth.py", "review billing", "review it")
        for step in (
            asks(words), reads("a.py"), edits("a.py"), runs("pytest -q"), says("Done so."),
        )
    ]  # fmt: skip

    assert [flow.here for flow, _ in workflows_of(session(*steps))] == [3]


def test_a_name_and_three_triggers_are_proposed() -> None:
    """F3: snake_case, three phrases, the user's own first."""
    flow = Workflow("review", ("Read", "Edit", "test"), "code change", 3)
    requests = ("review the auth module", "review the billing module")

    assert proposed_name(flow, requests) == "review_module"
    assert proposed_triggers(flow, requests) == (
        "review the auth module",
        "review the billing module",
        "review module",
    )
    assert proposed_name(flow, ()) == "review_code_change"


@pytest.mark.parametrize(
    ("skill", "expected"),
    [
        pytest.param(
            ("pr-review", "Reviews code and runs every test"), True, id="covers"
        ),
        pytest.param(
            ("deploy", "Deploys code after the test"), False, id="other intent"
        ),
        pytest.param(("review-prose", "Reviews an essay"), False, id="other subject"),
    ],
)
def test_an_installed_skill_that_covers_it_is_known(
    skill: tuple[str, str], *, expected: bool
) -> None:
    """Nothing is proposed that is there already."""
    flow = Workflow("review", ("Read", "Edit", "test"), "code change", 3)

    assert is_covered(flow, [skill]) is expected


def test_only_telling_workflows_are_remembered() -> None:
    """The log must not fill with every edit."""
    plain = Workflow("fix", ("Read", "Edit"), "code change", 9)
    telling = Workflow("fix", ("Read", "Edit", "test"), "code change", 1)

    assert worth_remembering([plain, telling]) == (telling,)


def test_looking_something_up_the_same_way_again_is_a_workflow() -> None:
    """F3: a report that is made by the same look-ups each time changes no file."""
    looked = [
        step
        for day in ("monday", "tuesday", "friday")
        for step in (
            asks(f"analyze the error log of {day}"),
            searches("ERROR"),
            reads(f"logs/{day}.txt"),
            says("Three errors, all of them known."),
        )
    ]

    ((flow, _),) = workflows_of(session(*looked))

    assert flow.signature == "analyze + Search → Read + report"
    assert flow.here == 3
