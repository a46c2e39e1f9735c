"""Two machines as networks of their own, and a host that both reach until a wire is pulled.

What crosses a wire is encrypted: a remote over SSH and over HTTPS, a database over TLS; and
MCP over HTTP, which another program would encrypt.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.apart import WAYS, Apart, sharing
from tests.faults.sweeping import spread
from tests.network import SERVER, Network, network
from tests.over_http import Office

pytestmark = [pytest.mark.process, pytest.mark.timeout(300)]
_STEPS_IN_CI = 4


@pytest.fixture
def net() -> Iterator[Network]:
    with network("laptop", "desk") as made:
        yield made


@pytest.fixture(params=WAYS)
def apart(
    request: pytest.FixtureRequest,
    net: Network,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Apart]:
    with sharing(request.param, net, tmp_path, capsys) as made:
        yield made


def test_cut_off_for_a_while_both_work_on_and_both_agree(apart: Apart) -> None:
    """The same twice, one renamed, one forgotten, and a clock that is a day wrong."""
    laptop, desk = apart.laptop, apart.desk
    first = apart.saves(laptop, "parser", "--name", "quotes")
    unwanted = apart.saves(laptop, "a mistake")
    lexer = apart.saves(desk, "lexer")
    apart.converge()

    apart.net.cut("laptop", "desk")
    ahead = apart.saves(laptop, "tomorrow", days=1)
    behind = apart.saves(desk, "yesterday", days=-1)
    renamed = apart.saves(laptop, "parser again", "--name", "quotes", "--force")
    assert apart.do(laptop, "forget", unwanted, "--yes").status == 0
    alone = [apart.syncs_alone(machine) for machine in (laptop, desk)]
    apart.net.mend("laptop", "desk")
    apart.converge()
    apart.converge()

    assert [ran.status for ran in alone] == [3, 3], alone
    assert laptop.knows() == desk.knows()
    assert set(desk.knows()) == {first, lexer, ahead, behind, renamed}
    assert desk.knows()[first] == ("parser", None)
    assert desk.knows()[renamed] == ("parser again", "quotes")


def test_a_wire_that_is_pulled_in_a_sync_costs_a_sentence(apart: Apart) -> None:
    """Whatever the step: nothing is lost, nothing is twice, and the next sync ends it."""
    made = set[str]()

    def both_work_on(when: str) -> None:
        made.add(apart.saves(apart.laptop, f"the laptop's {when}"))
        made.add(apart.saves(apart.desk, f"the desk's {when}"))
        assert apart.syncs(apart.desk).status == 0

    both_work_on("first")
    steps = spread(range(1, apart.steps() + 1), _STEPS_IN_CI)
    cut = []
    for step in steps:
        both_work_on(f"at step {step}")
        cut.append(apart.is_cut_at(step))
        apart.converge()

        assert apart.laptop.knows() == apart.desk.knows()
        assert set(apart.laptop.knows()) == made, step

    # What is left to do after its last question needs no wire.
    assert {ran.status for ran in cut} <= {0, 3}, cut
    assert cut[0].status == 3, cut


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


def _asks(net: Network, secret: str, use: str) -> str:
    """Ask from the other end of a wire; return what came of it."""
    inside = [*net.command("laptop"), sys.executable, "-c", _ASKS]
    call = [*inside, SERVER, secret, use]
    ran = subprocess.run(call, check=True, capture_output=True, text=True)
    return ran.stdout.strip()


def test_over_http_what_was_answered_is_kept_once_though_the_wire_was_cut(
    net: Network, tmp_path: Path
) -> None:
    """What was not answered is said again."""
    office = Office(tmp_path, "eve")
    there = ("--host", SERVER, "--port", "4653")
    told = []
    with office.serving(*there, inside=net.command("server")):
        told.append(_asks(net, office.secret, "one"))
        net.cut("laptop")
        told.append(_asks(net, office.secret, "two"))
        net.mend("laptop")
        told += [_asks(net, office.secret, use) for use in ("two", "two", "one")]

    assert told == ["saved", "cut off", "saved", "saved", "saved"]
    kept = [one.draft.content.title for one in office.told()]
    assert kept == ["Said by one.", "Said by two."]
