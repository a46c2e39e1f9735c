"""File systems of our own: one whose power can be cut, one that is full, one read-only.

All of them want root, and some a loop device; a test that gets none says so and skips.
"""

import fcntl
import os
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_SHUTDOWN = 0x8004587D  # FS_IOC_SHUTDOWN
_NO_JOURNAL = struct.pack("I", 2)
_MOST_TRIES = 50  # a process that was just killed may hold the mount for a moment


class Disk:
    """An ext4 file system in an image, mounted."""

    def __init__(self, root: Path) -> None:
        self._image, self.mount = root / "image", root / "mount"
        self.mount.mkdir(exist_ok=True)
        subprocess.run(["truncate", "-s", "64M", self._image], check=True)
        _quietly("mkfs.ext4", "-q", "-F", str(self._image))
        self._attach()

    def cut_power(self) -> None:
        """Stop the disk as a power cut does: what was not flushed is gone."""
        descriptor = os.open(self.mount, os.O_RDONLY)
        try:
            fcntl.ioctl(descriptor, _SHUTDOWN, _NO_JOURNAL)
        finally:
            os.close(descriptor)

    def start_again(self) -> None:
        unmount(self.mount)
        self._attach()

    def _attach(self) -> None:
        if _quietly("mount", "-o", "loop", str(self._image), str(self.mount)):
            pytest.skip("this machine lends no loop device")


@contextmanager
def disk(root: Path) -> Iterator[Disk]:
    need_root()
    lent = Disk(root)
    try:
        yield lent
    finally:
        unmount(lent.mount)


@contextmanager
def small_disk(mount: Path, size: str) -> Iterator[None]:
    """Mount a file system in memory that is soon full."""
    need_root()
    mount.mkdir(exist_ok=True)
    if _quietly("mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(mount)):
        pytest.skip("this machine mounts no tmpfs")
    try:
        yield
    finally:
        unmount(mount)


@contextmanager
def read_only(mount: Path) -> Iterator[None]:
    """Make a mounted file system read-only for the length of a `with`."""
    assert not _quietly("mount", "-o", "remount,ro", str(mount))
    try:
        yield
    finally:
        assert not _quietly("mount", "-o", "remount,rw", str(mount))


def need_root() -> None:
    if os.geteuid() != 0:
        pytest.skip("mounting wants root")


def unmount(mount: Path) -> None:
    for _ in range(_MOST_TRIES):
        if not _quietly("umount", str(mount)):
            return
    assert not _quietly("umount", "-l", str(mount))


def _quietly(*words: str) -> int:
    try:
        return subprocess.run(words, capture_output=True, check=False).returncode
    except FileNotFoundError:
        pytest.skip(f"there is no {words[0]} here")
