"""One point after the other, each in a scene of its own: what came of all of them."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from tests.faults.injecting import Ended
from tests.faults.verbs import Verb

_UNREACHED = 0.04  # what comes and goes with the time of day, or with how pipes fill
Point = TypeVar("Point")


def sweep(
    verb: Verb, points: Sequence[Point], strike: Callable[[Point], Ended], what: str
) -> int:
    """Let every point happen to a verb; return how many were reached.

    All are tried, so that one run tells every failure.
    """
    unreached, failed = list[Point](), list[str]()
    for point in points:
        verb.scene.renew()
        ended = strike(point)
        if not ended.struck:
            unreached.append(point)
        try:
            verb.survives(ended, (verb.name, what, point))
        except AssertionError as failure:
            failed.append(str(failure))
    assert not failed, "\n".join(failed)
    assert len(unreached) <= 1 + len(points) * _UNREACHED, unreached
    return len(points) - len(unreached)


def spread(points: Sequence[Point], wanted: int) -> Sequence[Point]:
    """Return some of the points, spread evenly."""
    return points[:: max(1, len(points) // wanted)]
