"""A power cut at any moment: whatever was acknowledged is there and whole afterwards.

Records, saves that wait, files that people read and snapshots lie on a file system of
their own that is shut down without writing its journal. `kill -9` can never show this.
"""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from holdfast.data_directory.spool import DirectorySpool
from holdfast.domain.checkpoint import Draft
from holdfast.domain.query import Scope
from holdfast.kernel.errors import HoldfastError
from holdfast.snapshot.take.snapshots import GitSnapshots
from holdfast.store.sqlite.store import open_store
from tests.faults.disks import disk
from tests.faults.figures import figure
from tests.faults.power_victim import LINES, NOTES
from tests.unit.snapshot.world import World

_ROOT = Path(__file__).parents[2]
_IN_CI, _ROUNDS, _CARELESS = 4, 100, 3
_FEWEST, _MORE = 9, 37  # acknowledgements before the cut, of all kinds
Said = list[tuple[str, str]]


@contextmanager
def _victim(
    world: World, place: Path, mount: Path, manner: str
) -> Iterator["subprocess.Popen[str]"]:
    """Lend a process that keeps things until it is killed."""
    with subprocess.Popen(
        [
            *(sys.executable, "-m", "tests.faults.power_victim"),
            *(str(mount), str(place), manner),
        ],
        cwd=_ROOT,
        env={**world.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # it may live to see its disk fail
        text=True,
    ) as victim:
        try:
            yield victim
        finally:
            victim.kill()


def _acknowledged(victim: "subprocess.Popen[str]") -> Said:
    """Return what it says, up to some moment."""
    assert victim.stdout is not None
    wanted = _FEWEST + int.from_bytes(os.urandom(2)) % _MORE
    lines = [victim.stdout.readline().split() for _ in range(wanted)]
    return [(kind, what) for kind, what in lines]


def _round(root: Path, manner: str) -> tuple[Counter[str], Counter[str]]:
    """Return how much one round acknowledged of each kind, and how much of it is lost."""
    root.mkdir()
    world = World(root)
    place = world.repository("project")
    world.commit(place)
    with disk(root) as lent:
        with _victim(world, place, lent.mount, manner) as victim:
            said = _acknowledged(victim)
            lent.cut_power()
        lent.start_again()
        lost = _lost(lent.mount, said, world)
    return Counter(kind for kind, _ in said), lost


def _lost(mount: Path, said: Said, world: World) -> Counter[str]:
    promised: dict[str, set[str]] = {}
    for kind, what in said:
        promised.setdefault(kind, set()).add(what)
    missing = Counter[str]()
    missing["record"] = len(promised["record"] - _records(mount))
    missing["waiting"] = len(promised["waiting"] - _waiting(mount))
    newest = max(int(turn) for turn in promised["file"])
    missing["file"] = int(_turn_in(mount) < newest)
    trees = promised.get("snapshot", set())
    snapshots = GitSnapshots(str(mount / "ours"), world.environ)
    missing["snapshot"] = len(
        trees - set(snapshots.held()) | set(snapshots.damage(trees))
    )
    return missing


def _records(mount: Path) -> set[str]:
    try:
        with open_store(str(mount / "home"), create=False) as store:
            kept = {c.draft.key for c in store.list(Scope(), limit=10_000)}
            bad = [f for f in store.check() if f.state == "fail"]
    except HoldfastError:
        return set()
    return set() if bad else kept


def _waiting(mount: Path) -> set[str]:
    found: list[Draft] = []
    DirectorySpool(str(mount / "home" / "spool")).drain(found.append)
    return {draft.key for draft in found}


def _turn_in(mount: Path) -> int:
    """Return which turn the file says; a file that is not whole says none."""
    try:
        lines = (mount / "project" / NOTES).read_text("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return 0
    is_whole = len(lines) == LINES and len(set(lines)) == 1
    return int(lines[0].split()[1]) if is_whole else 0


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    "rounds",
    [
        pytest.param(_IN_CI, id="a few rounds"),
        pytest.param(_ROUNDS, id="100 rounds", marks=pytest.mark.slow),
    ],
)
def test_nothing_acknowledged_is_lost_when_the_power_goes(
    tmp_path: Path, rounds: int
) -> None:
    """Whoever was told "saved" may pull the plug."""
    kept, lost = Counter[str](), Counter[str]()
    for number in range(rounds):
        acknowledged, missing = _round(tmp_path.resolve() / str(number), "careful")
        kept += acknowledged
        lost += missing

    wrong = {"lost": lost.total()}
    figure("F3", "rounds", rounds, wrong, lost, acknowledged=dict(kept))
    assert min(kept[kind] for kind in ("record", "waiting", "file", "snapshot")) > 0


@pytest.mark.timeout(600)
def test_the_cut_bites_where_nobody_waits_for_the_disk(tmp_path: Path) -> None:
    """A test that finds nothing must be able to find something, of each kind."""
    lost = Counter[str]()
    for number in range(_CARELESS):
        lost += _round(tmp_path.resolve() / str(number), "careless")[1]

    spared = {"record", "waiting", "file", "snapshot"} - set(lost)
    wrong = {"kinds_not_lost": len(spared)}
    what = "rounds without waiting (must lose)"
    figure("F3", what, _CARELESS, wrong, spared, lost=dict(lost))
