"""The steps of a plan file, and which of them comes next."""

from collections.abc import Sequence

from holdfast.domain.text import visible
from holdfast.kernel.lazy_tuples import NamedTuple

_PLANS = "/.claude/plans/"


class Step(NamedTuple):
    text: str
    done: bool | None  # None: the plan does not say


def step_in_hand(steps: Sequence[Step]) -> int | None:
    """Return the number of the first step that is not ticked; the last if all are."""
    if not steps or steps[0].done is None:
        return None
    undone = (place for place, step in enumerate(steps, 1) if not step.done)
    return next(undone, len(steps))


def plan_shown(path: str) -> str:
    """Return a plan's path as people write it: `~/.claude/plans/x.md`."""
    _, found, rest = visible(path).rpartition(_PLANS)
    return f"~{found}{rest}" if found else visible(path)
