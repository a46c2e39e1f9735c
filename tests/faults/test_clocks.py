"""A clock that is wrong, far ahead or stepped back: what was saved last is the latest.

Each command runs in a process whose clock lies (libfaketime). Order is counted in the
store, never taken from a time.
"""

import glob
import json
import os
import subprocess
import sys
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import SAMPLE
from tests.faults.figures import figure
from tests.faults.scene import Scene
from tests.missing import without

_LIBRARIES = ("/usr/lib/*/faketime/libfaketime.so.1", "/usr/lib/faketime/libfaketime*")


@pytest.fixture
def library() -> str:
    found = [path for pattern in _LIBRARIES for path in glob.glob(pattern)]  # noqa: PTH207  # no directory to start from
    if not found:
        without("there is no libfaketime here")
    return found[0]


class Machine:
    """Runs commands as a user does, with the clock set to something."""

    def __init__(self, scene: Scene, library: str) -> None:
        self._project = scene.project
        self._library = library

    def __call__(self, clock: str, *words: str) -> Any:
        lying = {"LD_PRELOAD": self._library, "FAKETIME": clock} if clock else {}
        command = [sys.executable, "-m", "holdfast", *words, "--json"]
        done = subprocess.run(
            [*command, "--project", str(self._project)],
            env={**os.environ, **lying, "FAKETIME_DONT_FAKE_MONOTONIC": "1"},
            capture_output=True,
            check=False,
        )
        # libfaketime breaks a wait for git, so that a snapshot may be missing: told as 3.
        assert done.returncode in (0, 3), (clock, words, done)
        return json.loads(done.stdout)

    def save(self, clock: str, title: str) -> Any:
        words = ("--transcript", str(SAMPLE), "--title", title, "--key", title)
        return self(clock, "save", *words)["checkpoint"]


@pytest.mark.parametrize(
    "clocks",
    [
        pytest.param(("", "-2d", "-4d"), id="stepping back"),
        pytest.param(("", "+10y", ""), id="ten years ahead and back"),
        pytest.param(("+10y", "-2d", "-30y", ""), id="everywhere"),
    ],
)
def test_order_is_that_of_saving_whatever_the_clock_says(
    scene: Scene, library: str, clocks: tuple[str, ...]
) -> None:
    """A session that is resumed must be the last one, not the one from the future."""
    machine = Machine(scene, library)
    titles = [
        f"save {number} at {clock or 'now'}" for number, clock in enumerate(clocks)
    ]

    kept = [machine.save(*pair) for pair in zip(clocks, titles, strict=True)]
    times = [record["created_at_unix"] for record in kept]
    found = machine("", "list")["checkpoints"]
    resumed = machine(clocks[-1], "resume", "latest")["checkpoint"]

    told = [c["content"]["title"] for c in found]
    strays = sum(one != other for one, other in zip_longest(told, titles[::-1]))
    stepped = ", ".join(clock or "now" for clock in clocks)
    figure("F6", f"saves at {stepped}", len(clocks), {"out_of_order": strays}, told)
    assert times != sorted(times)  # the clocks did lie
    assert [c["sequence"] for c in found] == list(range(len(clocks), 0, -1))
    assert resumed["content"]["title"] == titles[-1]
    scene.assert_whole("clocks")


def test_a_retry_is_the_same_save_at_another_time(scene: Scene, library: str) -> None:
    """The key says what is the same, no clock."""
    machine = Machine(scene, library)
    machine.save("+10y", "one")

    machine.save("-2d", "one")

    assert scene.titles() == ["one"]


def test_pruning_by_a_clock_far_ahead_keeps_the_latest(
    scene: Scene, library: str
) -> None:
    """A clock that is wrong for an hour must not cost what was saved before."""
    machine = Machine(scene, library)
    for number in range(3):
        machine.save("", f"save {number}")

    machine("+10y", "prune")

    assert Path(scene.home / "holdfast.db").exists()
    assert scene.titles()[0] == "save 2"
