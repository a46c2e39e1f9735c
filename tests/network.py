"""A server and machines around it, each a network of its own, with wires that can be pulled.

    with network("laptop", "desk") as net:
        with net.inside("laptop"): ...   # this thread, and what it starts, is there
        net.cut("laptop")

A network namespace each, and a pair of virtual wires to the server: what needs root.
"""

import ctypes
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import pytest

from tests.missing import without

SERVER = "10.213.77.1"
MACHINES = "10.213.77.0/24"
_CLONE_NEWNET = 0x40000000
_NUMBERS = count()


class Network:
    """Where each machine is called by its name, and the server `server`."""

    def __init__(self, *machines: str) -> None:
        self._prefix = f"hf{os.getpid() % 10**6}-{next(_NUMBERS)}"
        self._machines = machines
        self._made: list[str] = []

    def make(self) -> None:
        self._add("server")
        for number, machine in enumerate(self._machines):
            self._add(machine)
            here, there = self._end(machine), f"{self._prefix}s{number}"
            _ip("link", "add", here, "type", "veth", "peer", "name", there)
            _ip("link", "set", here, "netns", self._namespace(machine))
            _ip("link", "set", there, "netns", self._namespace("server"))
            address = f"10.213.77.{number + 2}"
            self._has(machine, here, address, SERVER)
            self._has("server", there, SERVER, address)

    def gone(self) -> None:
        for each in self._made:
            _ip("netns", "del", self._namespace(each))

    def cut(self, *machines: str) -> None:
        for machine in machines:
            self._set(machine, self._end(machine), "down")

    def mend(self, *machines: str) -> None:
        for machine in machines:
            self._set(machine, self._end(machine), "up")

    def command(self, place: str) -> tuple[str, ...]:
        """Return what stands before a command that is to run there."""
        return ("ip", "netns", "exec", self._namespace(place))

    @contextmanager
    def inside(self, place: str) -> Iterator[None]:
        """Be there: sockets that this thread opens, and programs that it starts."""
        own = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        try:
            _enter(f"/run/netns/{self._namespace(place)}")
            yield
        finally:
            _enter_open(own)
            os.close(own)

    def _namespace(self, place: str) -> str:
        return f"{self._prefix}-{place}"

    def _end(self, machine: str) -> str:
        return f"{self._prefix}m{self._machines.index(machine)}"

    def _add(self, place: str) -> None:
        _ip("netns", "add", self._namespace(place))
        self._made.append(place)
        self._set(place, "lo", "up")

    def _has(self, place: str, end: str, own: str, peer: str) -> None:
        _ip("-n", self._namespace(place), "addr", "add", own, "peer", peer, "dev", end)
        self._set(place, end, "up")

    def _set(self, place: str, end: str, state: str) -> None:
        _ip("-n", self._namespace(place), "link", "set", end, state)


@contextmanager
def network(*machines: str) -> Iterator[Network]:
    """Lend a network. Where this machine has none to give, the test is left out."""
    if os.geteuid() != 0:
        pytest.skip("networks of machines' own need root")
    if shutil.which("ip") is None:
        without("`ip` is not installed: machines were not cut off from each other")
    made = Network(*machines)
    try:
        try:
            made.make()
        except subprocess.CalledProcessError as problem:
            pytest.skip(f"no networks of their own here: {problem.stderr.decode()}")
        yield made
    finally:
        made.gone()


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def _enter(path: str) -> None:
    there = os.open(path, os.O_RDONLY)
    try:
        _enter_open(there)
    finally:
        os.close(there)


def _enter_open(descriptor: int) -> None:
    if ctypes.CDLL(None, use_errno=True).setns(descriptor, _CLONE_NEWNET):
        why = ctypes.get_errno()
        raise OSError(why, os.strerror(why))
