"""One point after the other, each in a scene of its own: what came of all of them."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from tests.faults.figures import Trials, figure
from tests.faults.injecting import Ended
from tests.faults.verbs import Verb

_UNREACHED = 0.04  # what comes and goes with the time of day, or with how pipes fill
Point = TypeVar("Point")


def sweep(
    verb: Verb,
    points: Sequence[Point],
    strike: Callable[[Point], Ended],
    goal: str,
    what: str,
    **more: int,
) -> None:
    """Let every point happen to a verb, and tell what came of those that were reached."""
    unreached, trials = list[Point](), Trials()
    for point in points:
        verb.scene.renew()
        ended = strike(point)
        if not ended.struck:
            unreached.append(point)
        with trials.one():
            verb.survives(ended, (what, point))
    reached = len(points) - len(unreached)
    figure(goal, what, reached, trials.lost(), "\n".join(trials.failed), **more)
    assert len(unreached) <= 1 + len(points) * _UNREACHED, unreached


def spread(points: Sequence[Point], wanted: int) -> Sequence[Point]:
    """Return some of the points, spread evenly."""
    return points[:: max(1, len(points) // wanted)]
