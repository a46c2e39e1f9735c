"""The steps of a plan that are still to come, for the end of a brief."""

from collections.abc import Sequence

from holdfast.brief.phrases import plain, spanned
from holdfast.domain.checkpoint import Plan
from holdfast.domain.fact import PlanStep, plan_shown, step_in_hand
from holdfast.domain.text import one_line, tokens

_MOST_STEP = 160


def plan_part(plan: Plan, steps: Sequence[PlanStep], budget: int) -> str:
    """Return the plan from the step in hand on, as far as `budget` tokens go.

    Without steps, or without room for one, nothing is said: the brief names the plan.
    """
    start = _in_hand(plan, steps)
    where = f" (step {start} of {len(steps)})" if start else ""
    part = f"\n## The plan, from {spanned(plan_shown(plan.path))}{where}\n"
    told = 0
    first = (start or 1) - 1
    for number, step in enumerate(steps[first:], first + 1):
        done = " (done)" if step.done else ""
        line = f"{number}. {one_line(_bare(step.text), _MOST_STEP)}{done}\n"
        if tokens(part + line) > budget:
            break
        part, told = part + line, told + 1
    return part if told else ""


def _in_hand(plan: Plan, steps: Sequence[PlanStep]) -> int | None:
    """The plan's own ticks tell best; else the agent's count, if it counted the same."""
    return step_in_hand(steps) or (plan.step if plan.of == len(steps) else None)


def _bare(text: str) -> str:
    """The number is ours; a heading's or a list's own would stand there twice."""
    flattened = plain(text)
    number, _, rest = flattened.partition(" ")
    return rest if number.rstrip(".)").isdigit() and rest else flattened
