"""`kill -9` at every distinct source line of what has no file of its own here.

What was there stays, nothing is half visible, and a retry ends as if nothing had happened.
`save`, `restore`, named checkpoints and snapshots: `test_killed_*.py`.
"""

import pytest

from tests.faults.dying import Point, dies_at, points_of
from tests.faults.figures import figure
from tests.faults.injecting import Ended
from tests.faults.scene import Scene
from tests.faults.verbs import Drain, Handoff, Hook, Migrate, Resume, Verb

_IN_CI = 20  # points of each, spread evenly; `make faults` takes them all
_UNREACHED = 2  # lines that depend on how long ago something was
_SPOOLING = ("/storage/spool.py", "/app/naming.py")
_FEWEST = 60  # lines of them that a save runs where something waits
_KILLED = Ended(status=None, out="", err="", struck=True)

verbs = pytest.mark.parametrize(
    "kind",
    [pytest.param(v, id=v.name) for v in (Resume, Migrate, Handoff, Hook, Drain)],
)


def _points(verb: Verb) -> list[Point]:
    found = points_of(verb.work)
    verb.scene.renew()
    assert len(found) > 150
    return found


def _sweep(verb: Verb, points: list[Point]) -> None:
    unreached, failed = 0, list[str]()
    for point in points:
        verb.scene.renew()
        unreached += not dies_at(point, verb.work)
        try:
            verb.survives(_KILLED, point)
        except AssertionError as failure:
            failed.append(str(failure))
    assert not failed, "\n".join(failed)
    assert unreached <= _UNREACHED
    figure(f"{verb.name}: killed at {len(points) - unreached} lines, nothing lost")


@verbs
@pytest.mark.timeout(300)
def test_killed_at_a_sample_of_its_lines_it_loses_nothing(
    scene: Scene, kind: type[Verb]
) -> None:
    """The sample of every run; the whole is `make faults`."""
    verb = kind(scene)
    points = _points(verb)

    _sweep(verb, points[:: max(1, len(points) // _IN_CI)])


@verbs
@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_killed_at_any_of_its_lines_it_loses_nothing(
    scene: Scene, kind: type[Verb]
) -> None:
    """Every distinct line it runs."""
    verb = kind(scene)

    _sweep(verb, _points(verb))


@pytest.mark.timeout(600)
def test_killed_at_any_line_that_touches_the_spool_it_loses_nothing(
    scene: Scene,
) -> None:
    """What waits is in the spool or in the store at every moment, and goes in once."""
    verb = Drain(scene)
    points = [point for point in _points(verb) if point[0].endswith(_SPOOLING)]

    assert len(points) > _FEWEST
    _sweep(verb, points)
