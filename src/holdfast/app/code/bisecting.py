"""Which checkpoint to try next, and which was the first bad one?

Pure: verdicts in, a place out. The first place is good and the last is bad.
"""

from collections.abc import Sequence
from typing import Literal

Verdict = Literal["good", "bad", "skip"]
_SKIP = 125
_TOO_HIGH = 128  # a signal, or a shell that could not run it: nothing about the code


def verdict_of(exit_status: int) -> Verdict | None:
    """Return what an exit status says, as for `git bisect run`; None: nothing at all."""
    if exit_status == 0:
        return "good"
    if exit_status == _SKIP:
        return "skip"
    return "bad" if 0 < exit_status < _TOO_HIGH else None


def next_place(verdicts: Sequence[Verdict | None]) -> int | None:
    """Return the place to try next; None: there is none left between good and bad."""
    good, bad = bounds(verdicts)
    untried = [place for place in range(good + 1, bad) if verdicts[place] is None]
    middle = (good + bad) / 2
    return min(untried, key=lambda place: (abs(place - middle), place), default=None)


def bounds(verdicts: Sequence[Verdict | None]) -> tuple[int, int]:
    """Return the last good place before the first bad one, and that one."""
    bad = next(place for place, verdict in enumerate(verdicts) if verdict == "bad")
    good = max(place for place in range(bad) if verdicts[place] == "good")
    return good, bad
