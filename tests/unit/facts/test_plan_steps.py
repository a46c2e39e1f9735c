"""The steps of a plan, in each form that plans have."""

import pytest

from holdfast.domain.fact import step_in_hand
from holdfast.facts.work.open_work import plan_steps


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
