"""Machines that are cut off from each other: both work on, and both agree afterwards.

By a git remote and by a database: test_sync_git, test_sync_team. Here by files, with clocks
that are a day wrong; and over HTTP, between two machines with a wire that is pulled out.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.fellows import Fellows, fellows, team_server
from tests.e2e.team import Machine, Team, team
from tests.over_http import Office

__all__ = ["fellows", "team", "team_server"]
_DAY_NS = 86_400 * 10**9
_CAN_HAVE_WIRES = os.geteuid() == 0 and shutil.which("ip") is not None


def _with_clock(machine: Machine, days: int, patch: pytest.MonkeyPatch) -> None:
    now = time.time_ns
    patch.setattr(time, "time_ns", lambda: now() + days * _DAY_NS)
    machine.saves(f"{machine.name} {days:+} days")


def _hands_over(sender: Machine, receiver: Machine, root: Path) -> None:
    """Carry all that a machine made itself to another one, as a file."""
    rows = sender("list", "--all", "--limit", "100", "--json").json["checkpoints"]
    own = [row["id"] for row in rows if not row.get("machine")]
    path = root / f"{sender.name}-{time.monotonic_ns()}.zip"
    assert sender("export", *own, "-o", str(path), "--yes").status == 0
    assert receiver("import", str(path)).status == 0


def test_by_files_both_agree_though_clocks_are_a_day_wrong(
    team: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same twice, a renamed one, one that was forgotten, and clocks that are wrong."""
    laptop, desk = team.laptop, team.desk
    first = laptop.saves("parser", "--name", "quotes")
    _hands_over(laptop, desk, tmp_path)
    unwanted = laptop.saves("a mistake")
    _hands_over(laptop, desk, tmp_path)
    for machine, days in ((laptop, 1), (desk, -1)):
        with monkeypatch.context() as patch:
            _with_clock(machine, days, patch)
    renamed = laptop.saves("parser again", "--name", "quotes", "--force")
    desk("forget", unwanted, "--yes")
    laptop("forget", unwanted, "--yes")

    for _ in range(2):
        _hands_over(laptop, desk, tmp_path)
        _hands_over(desk, laptop, tmp_path)

    assert laptop.knows() == desk.knows()
    assert len(laptop.knows()) == 4
    assert desk.knows()[renamed] == ("parser again", "quotes")
    assert desk.knows()[first] == ("parser", None)
    assert unwanted not in desk.knows()


def test_by_the_team_a_clock_that_is_a_day_wrong_changes_nothing(
    fellows: Fellows, monkeypatch: pytest.MonkeyPatch
) -> None:
    for machine, days in ((fellows.laptop, 1), (fellows.desk, -1), (fellows.laptop, 0)):
        with monkeypatch.context() as patch:
            _with_clock(machine, days, patch)

    fellows.converge()

    assert fellows.laptop.knows() == fellows.desk.knows()
    assert len(fellows.kept()) == 3


class Wire:
    """Two machines, each a network of its own, and the wire between them."""

    def __init__(self, name: str) -> None:
        self.office, self.home = f"{name}-o", f"{name}-h"
        for each in (self.office, self.home):
            _ip("netns", "add", each)
        ends = (f"{name}0", f"{name}1")
        _ip("link", "add", ends[0], "type", "veth", "peer", "name", ends[1])
        for machine, end, number in zip(
            (self.office, self.home), ends, (1, 2), strict=True
        ):
            _ip("link", "set", end, "netns", machine)
            inside = ("-n", machine)
            _ip(*inside, "addr", "add", f"10.213.77.{number}/24", "dev", end)
            _ip(*inside, "link", "set", end, "up")
            _ip(*inside, "link", "set", "lo", "up")
        self._end = ends[1]

    def is_plugged(self, *, in_: bool) -> None:
        _ip("-n", self.home, "link", "set", self._end, "up" if in_ else "down")

    def gone(self) -> None:
        for each in (self.office, self.home):
            _ip("netns", "del", each)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@pytest.fixture
def wire() -> Iterator[Wire]:
    made = Wire(f"hf{os.getpid() % 10**6}")
    yield made
    made.gone()


_ASKS = """
import http.client, json, sys
address, token, use = sys.argv[1:]
params = {"name": "checkpoint_save", "arguments": {"summary": f"Said by {use}."},
          "_meta": {"claudecode/toolUseId": use}}
body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json",
           "Accept": "application/json, text/event-stream"}
try:
    wire = http.client.HTTPConnection(address, 4653, timeout=4)
    wire.request("POST", "/mcp", json.dumps(body), headers)
    print(json.loads(wire.getresponse().read())["result"]["structuredContent"]["type"])
except OSError as why:
    print("cut off")
"""


def _asks(wire: Wire, secret: str, use: str) -> str:
    """Ask from the other end of the wire; return what came of it."""
    inside = ["ip", "netns", "exec", wire.home, sys.executable, "-c", _ASKS]
    call = [*inside, "10.213.77.1", secret, use]
    ran = subprocess.run(call, check=True, capture_output=True, text=True)
    return ran.stdout.strip()


@pytest.mark.process
@pytest.mark.timeout(120)
@pytest.mark.skipif(not _CAN_HAVE_WIRES, reason="needs root and `ip`")
def test_over_http_what_was_answered_is_kept_once_though_the_wire_was_cut(
    wire: Wire, tmp_path: Path
) -> None:
    """Two machines as networks of their own: what was not answered is said again."""
    office = Office(tmp_path, "eve")
    there = ("--host", "10.213.77.1", "--port", "4653")
    told = []
    with office.serving(*there, inside=("ip", "netns", "exec", wire.office)):
        told.append(_asks(wire, office.secret, "one"))
        wire.is_plugged(in_=False)
        told.append(_asks(wire, office.secret, "two"))
        wire.is_plugged(in_=True)
        told += [_asks(wire, office.secret, use) for use in ("two", "two", "one")]

    assert told == ["saved", "cut off", "saved", "saved", "saved"]
    kept = [one.draft.content.title for one in office.told()]
    assert kept == ["Said by one.", "Said by two."]
