"""Every system call of a verb fails once, or is its last: nothing acknowledged is lost.

{openat, write, pwrite64, fsync, …} × {SIGKILL, EIO, ENOSPC} by strace, short writes by
a write that takes half: exit status and message are right, no file is half written,
and a retry with the same key ends with exactly one checkpoint.
"""

from collections.abc import Sequence

import pytest

from tests.faults.figures import Trials, figure
from tests.faults.injecting import FAULTS, calls_of, need_strace, strike, write_short
from tests.faults.scene import Scene
from tests.faults.sweeping import spread, sweep
from tests.faults.verbs import VERBS, Verb

_IN_CI = 18  # points of each verb, spread evenly; `make faults` takes them all
Point = tuple[str, str, int]

verbs = pytest.mark.parametrize("kind", [pytest.param(v, id=v.name) for v in VERBS])


def _points(verb: Verb) -> list[Point]:
    calls = calls_of(verb.work)
    verb.scene.renew()
    return [
        (call, fault, number)
        for call, count in sorted(calls.items())
        for fault in FAULTS
        for number in range(1, count + 1)
    ]


def _sweep(verb: Verb, points: Sequence[Point]) -> None:
    what = f"`{verb.name}`: calls that failed or were the last"
    sweep(verb, points, lambda point: strike(verb.work, *point), "F1", what)


@verbs
@pytest.mark.timeout(600)
def test_a_sample_of_failing_calls_loses_nothing(
    scene: Scene, kind: type[Verb]
) -> None:
    """The sample of every run; the whole is `make faults`."""
    need_strace()
    verb = kind(scene)
    points = _points(verb)

    assert len(points) > 100
    _sweep(verb, spread(points, _IN_CI))


@verbs
@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_no_failing_call_loses_anything(scene: Scene, kind: type[Verb]) -> None:
    """Every call, every fault."""
    need_strace()
    verb = kind(scene)

    _sweep(verb, _points(verb))


@verbs
@pytest.mark.timeout(600)
def test_a_write_that_takes_half_is_continued(scene: Scene, kind: type[Verb]) -> None:
    """The kernel may take fewer bytes than it is given; none may be missing after."""
    verb = kind(scene)
    number, struck, trials = 0, True, Trials()
    what = f"`{verb.name}`: writes that took half"

    while struck:
        number += 1
        scene.renew()
        ended = write_short(verb.work, number)
        struck = ended.struck
        with trials.one():
            assert ended.status == 0, (number, ended)
            verb.survives(ended, (what, number))

    figure("F1", what, number - 1, trials.lost(), "\n".join(trials.failed))
    assert number > 1 or kind.name in ("migrate", "resume")
