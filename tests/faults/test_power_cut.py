"""A power cut at any moment: every snapshot that was acknowledged is whole afterwards.

The snapshots lie on a file system of their own that is shut down without writing its
journal, as a power cut does. Wants root and a loop device.
"""

import fcntl
import os
import signal
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from holdfast.snapshot.taking import GitSnapshots
from tests.unit.snapshot.world import World

_SHUTDOWN = 0x8004587D  # FS_IOC_SHUTDOWN
_NO_JOURNAL = struct.pack("I", 2)
_ROUNDS = 10
_ACKNOWLEDGED = 12  # before the cut

# Edits a file, takes a snapshot, and says its tree; without end.
_VICTIM = """
import os, sys
from pathlib import Path
from holdfast.domain.snapshot import Limits
from holdfast.snapshot import objects
from holdfast.snapshot.taking import GitSnapshots

place, scratch, careless = Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "careless"
if careless:
    os.fsync = lambda descriptor: None
    objects._CONFIG = objects._CONFIG.replace(b"fsync = all", b"fsync = none")
number = 0
while True:
    number += 1
    (place / f"{number % 50}.txt").write_text(f"{number}\\n" * 100)
    taken = GitSnapshots(scratch, dict(os.environ)).take(str(place), Limits())
    print(taken.tree or "", flush=True)
"""


@contextmanager
def _disk(root: Path) -> Iterator[Path]:
    """Lend a mounted file system of our own."""
    image, mount = root / "image", root / "mount"
    mount.mkdir(exist_ok=True)
    subprocess.run(["truncate", "-s", "64M", image], check=True)
    subprocess.run(["mkfs.ext4", "-q", "-F", image], check=True, capture_output=True)
    _mount(image, mount)
    try:
        yield mount
    finally:
        subprocess.run(["umount", mount], check=True)


def _mount(image: Path, mount: Path) -> None:
    done = subprocess.run(
        ["mount", "-o", "loop", image, mount], check=False, capture_output=True
    )
    if done.returncode:
        pytest.skip("this machine lends no loop device")


def _cut(mount: Path) -> None:
    descriptor = os.open(mount, os.O_RDONLY)
    try:
        fcntl.ioctl(descriptor, _SHUTDOWN, _NO_JOURNAL)
    finally:
        os.close(descriptor)


def _acknowledged(world: World, place: Path, mount: Path, manner: str) -> list[str]:
    """Let a process take snapshots, cut the power, and return what it was promised."""
    victim = subprocess.Popen(
        [sys.executable, "-c", _VICTIM, str(place), str(mount / "ours"), manner],
        env={**world.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert victim.stdout is not None
    trees = [victim.stdout.readline().strip() for _ in range(_ACKNOWLEDGED)]
    _cut(mount)
    victim.send_signal(signal.SIGKILL)
    victim.communicate()
    return [tree for tree in trees if tree]


def _lost(root: Path, round_: int, manner: str) -> tuple[int, int]:
    """Return how many trees one round acknowledged, and how many of them it lost."""
    where = root / f"{manner}{round_}"
    where.mkdir()
    world = World(where)
    place = world.repository("project")
    world.commit(place)
    with _disk(where) as mount:
        trees = _acknowledged(world, place, mount, manner)
        subprocess.run(["umount", mount], check=True)
        _mount(where / "image", mount)
        snapshots = GitSnapshots(str(mount / "ours"), world.environ)
        lost = set(trees) - set(snapshots.held()) | set(snapshots.damage(trees))
    return len(trees), len(lost)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_no_acknowledged_snapshot_is_lost(tmp_path: Path) -> None:
    """And a control that flushes nothing does lose some: the cut is a real one."""
    if os.geteuid() != 0:
        pytest.skip("mounting wants root")

    careful = [_lost(tmp_path.resolve(), n, "careful") for n in range(_ROUNDS)]
    careless = [_lost(tmp_path.resolve(), n, "careless") for n in range(2)]

    assert all(kept == _ACKNOWLEDGED for kept, _ in careful)
    assert sum(lost for _, lost in careful) == 0
    assert sum(lost for _, lost in careless) > 0
