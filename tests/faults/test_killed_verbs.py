"""`kill -9` at every line of a verb that something was written before.

What was there stays, nothing is half visible, and a retry ends as if nothing had happened.
More of `save`, `restore`, named checkpoints and snapshots: `test_killed_*.py`.
"""

from collections.abc import Sequence

import pytest

from holdfast.app.notes import save_named
from holdfast.data_directory import spool
from tests.faults.dying import (
    Moment,
    Point,
    dies_at,
    moments_of,
    points_in,
    points_of,
)
from tests.faults.injecting import Ended
from tests.faults.scene import Scene
from tests.faults.sweeping import spread, sweep
from tests.faults.verbs import VERBS, Drain, Verb

_IN_CI = 14  # points of each, spread evenly; `make faults` takes them all
_SPOOLING = (spool, save_named)
_FEWEST = 60  # lines of them that a save runs where something waits
_KILLED = Ended(status=None, out="", err="", struck=True)

verbs = pytest.mark.parametrize("kind", [pytest.param(v, id=v.name) for v in VERBS])


def _points(verb: Verb) -> list[Point]:
    found = points_of(verb.work)
    verb.scene.renew()
    assert len(found) > 150
    return found


def _sweep(verb: Verb, moments: Sequence[Moment], **more: int) -> None:
    def strike(moment: Moment) -> Ended:
        died = dies_at(moment.point, verb.work, visit=moment.visit)
        return _KILLED._replace(struck=died)

    sweep(verb, moments, strike, "F2", f"`{verb.name}`", **more)


@verbs
@pytest.mark.timeout(300)
def test_killed_at_a_sample_of_its_lines_it_loses_nothing(
    scene: Scene, kind: type[Verb]
) -> None:
    """The sample of every run; the whole is `make faults`."""
    verb = kind(scene)
    points = _points(verb)

    _sweep(verb, [Moment(point, 1) for point in spread(points, _IN_CI)])


@verbs
@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_killed_at_any_moment_it_loses_nothing(scene: Scene, kind: type[Verb]) -> None:
    """After each write it makes, at the next line it runs."""
    verb = kind(scene)
    moments, lines = moments_of(verb.work)

    _sweep(verb, moments, of_lines=lines)


@pytest.mark.timeout(600)
def test_killed_at_any_line_that_touches_the_spool_it_loses_nothing(
    scene: Scene,
) -> None:
    """What waits is in the spool or in the store at every moment, and goes in once."""
    verb = Drain(scene)
    points = points_in(_SPOOLING, _points(verb))

    assert len(points) > _FEWEST
    _sweep(verb, [Moment(point, 1) for point in points])
