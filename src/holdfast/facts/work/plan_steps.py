"""The steps of a plan file, in whichever form it lists them."""

import re

from holdfast.domain.plan import Step
from holdfast.kernel.lazy_patterns import pattern

_BOX = pattern(r"^ {0,3}[-*+] \[([ xX])\] +(\S.*)$", re.MULTILINE)
_HEADED = pattern(
    r"^#{2,4} +((?:step|task|phase|part) +\d+\b.*|\d+[.)] +\S.*)$",
    re.MULTILINE | re.IGNORECASE,
)
_NUMBERED = pattern(r"^(\d+[.)] +\S.*)$", re.MULTILINE)


def plan_steps(text: str) -> tuple[Step, ...]:
    """Return a plan's steps: its boxes to tick, else its numbered headings or lines."""
    boxes = [Step(found[2], found[1] != " ") for found in _BOX.finditer(text)]
    if boxes:
        return tuple(boxes)
    for form in (_HEADED, _NUMBERED):
        if steps := [Step(found[1], None) for found in form.finditer(text)]:
            return tuple(steps)
    return ()
