"""A process that may write no larger file, or open no more files: nothing is lost.

A file that would grow beyond the limit takes the bytes up to it and no more, which is a
real short write followed by an error, in our own writes and in the engine's.
"""

import resource
from collections.abc import Sequence

import pytest

from tests.faults.figures import Trials, figure
from tests.faults.injecting import run_limited
from tests.faults.scene import Scene
from tests.faults.verbs import VERBS, Verb

_SIZES = (0, 1, 100, 600, 4096, 5000, 20_000, 40_000, 100_000, 200_000, 1_000_000)
_OPEN = range(3, 19)  # the last are more than any verb wants
_IN_CI = 4  # of each, spread evenly; `make faults` takes them all

verbs = pytest.mark.parametrize("kind", [pytest.param(v, id=v.name) for v in VERBS])
share = pytest.mark.parametrize(
    "every",
    [
        pytest.param(_IN_CI, id="a sample"),
        pytest.param(1, id="all", marks=pytest.mark.slow),
    ],
)


def _sweep(verb: Verb, limit: int, values: Sequence[int], what: str) -> None:
    told, trials, about = 0, Trials(), f"`{verb.name}`: limits of {what}"
    for value in values:
        verb.scene.renew()
        ended = run_limited(verb.work, limit, value)
        with trials.one():
            verb.survives(ended, (about, value))
            assert ended.status == 0 or ended.out, (value, "failed without a word")
        told += ended.status != 0 and bool(ended.out)
    why = "\n".join(trials.failed)
    figure("F4", about, len(values), trials.lost(), why, told=told)


@verbs
@share
@pytest.mark.timeout(600)
def test_a_file_that_may_not_grow_loses_nothing(
    scene: Scene, kind: type[Verb], every: int
) -> None:
    """`ulimit -f`, or a file system that has only small files."""
    _sweep(kind(scene), resource.RLIMIT_FSIZE, _SIZES[::every], "a file's size")


@verbs
@share
@pytest.mark.timeout(600)
def test_too_many_open_files_lose_nothing(
    scene: Scene, kind: type[Verb], every: int
) -> None:
    """`ulimit -n`, or whoever started us leaks."""
    _sweep(kind(scene), resource.RLIMIT_NOFILE, _OPEN[::every], "open files")
