"""The steps of a plan, in each form that plans have."""

import pytest

from holdfast.domain.fact import step_in_hand
from holdfast.facts.content import content_of
from holdfast.facts.work.tasks import plan_steps
from tests.sessions import Step, asks, edits, reads, says, session


@pytest.mark.parametrize(
    ("text", "count", "in_hand"),
    [
        pytest.param("# P\n- [x] a\n- [X] b\n- [ ] c\n", 3, 3, id="boxes"),
        pytest.param("- [x] a\n* [x] b\n", 2, 2, id="all ticked"),
        pytest.param("## Step 1: a\ntext\n### Step 2: b\n", 2, None, id="headings"),
        pytest.param(
            "## Context\n1. a\n2. b\n   1. inner\n3) c\n", 3, None, id="numbers"
        ),
        pytest.param("## 1. a\n1. detail\n## 2. b\n", 2, None, id="numbered headings"),
        pytest.param("Just think.\n", 0, None, id="no steps"),
        pytest.param("", 0, None, id="empty"),
    ],
)
def test_a_plan_tells_its_steps(text: str, count: int, in_hand: int | None) -> None:
    """ "Step N of M" is told only where the plan itself or a task list says N."""
    steps = plan_steps(text)

    assert len(steps) == count
    assert step_in_hand(steps) == in_hand


@pytest.mark.parametrize(
    ("prompt", "opened", "found"),
    [
        pytest.param("follow docs/plan.md", [reads("docs/plan.md")], True, id="read"),
        pytest.param("go through docs/plan.md", [edits("docs/plan.md")], True, id="edit"),
        pytest.param("implement @docs/plan.md", [], True, id="given with a mark"),
        pytest.param("the plan is in `docs/plan.md`.", [reads("docs/plan.md")], True, id="quoted"),
        pytest.param("follow docs/plan.md", [], False, id="never opened"),
        pytest.param("explain docs/api.md", [reads("docs/api.md")], False, id="no plan"),
        pytest.param("mend explanation.md", [reads("explanation.md")], False, id="a word in a word"),
    ],
)  # fmt: skip
def test_a_plan_that_a_prompt_names_is_the_plan(
    prompt: str,
    opened: list[Step],
    found: bool,  # noqa: FBT001  # pytest passes values by name
) -> None:
    """C10: not only the client's own plan mode makes plans."""
    state = session(asks(prompt), *opened, says("Begun."))

    plan = content_of(state).plan

    assert (plan.path if plan else "") == (
        "/home/me/shop/docs/plan.md" if found else ""
    )
