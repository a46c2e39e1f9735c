"""The steps of a plan file, and which of them comes next."""

from collections.abc import Sequence

from holdfast.domain.text import visible
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

# Agents keep plans in a directory of their own below the user's: `~/.agent/plans/`.
_KEPT = pattern(r"/\.[\w-]+/plans/")


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
    """Return a plan's path as people write it, from the user's directory on."""
    shown = visible(path)
    found = [each.start() for each in _KEPT.finditer(shown)]
    return f"~{shown[found[-1] :]}" if found else shown
