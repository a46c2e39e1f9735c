"""Mirrors as a user has them: the real claude-mem and the real Memora beside holdfast."""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from holdfast.app.sharing.mirroring import mirror_to
from holdfast.bootstrap import Container
from holdfast.bootstrap.mirrors import mirror_setting, open_mirror
from holdfast.mirrors.claude_mem import ClaudeMem
from holdfast.mirrors.memora import Memora
from holdfast.mirrors.port import Delivered, Mirror
from holdfast.mirrors.web import Web, web_address
from holdfast.surfaces.cli import save as save_command
from tests.e2e.conftest import Cli
from tests.e2e.mirroring import GRAPH, LONG, MEM, saving, set_up, settle
from tests.e2e.work import SESSION, Work
from tests.missing import without
from tests.peers import Peer, PeerMissing, claude_mem, memora

_MOST_POLLS, _POLL = 1_200, 0.1
pytestmark = [pytest.mark.process, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def mem_worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Peer]:
    try:
        with claude_mem(tmp_path_factory.mktemp("claude-mem")) as peer:
            yield peer
    except PeerMissing as missing:
        without(f"no claude-mem to test with: {missing}")


@pytest.fixture
def mem_peer(mem_worker: Peer) -> Peer:
    if mem_worker.running is None:  # another test stopped it
        mem_worker.start()
    return mem_worker


@pytest.fixture(scope="module")
def graph_peer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Peer]:
    try:
        with memora(tmp_path_factory.mktemp("memora")) as peer:
            yield peer
    except PeerMissing as missing:
        without(f"no Memora to test with: {missing}")


@pytest.fixture(autouse=True)
def _settled() -> Iterator[None]:
    yield
    settle()


@pytest.fixture
def work(cli: Cli) -> Work:
    work = Work(cli)
    work.asks("Let the parser accept nested quotes.")
    work.edits("src/parser.py", "QUOTES = 1\n")
    work.says("The parser accepts nested quotes.")
    return work


def there(peer: Peer, word: str) -> list[str]:
    """Return the ids of checkpoints of ours that claude-mem itself finds."""
    hits = ClaudeMem(Web(web_address(peer.url))).search(word, 50)
    return [hit.checkpoint_id for hit in hits if word in hit.title]


def remotes(cli: Cli, ref: str) -> Any:
    return cli("show", ref, "--json").json["observations"]["mirrors"]


def test_a_save_reaches_both_and_its_ids_are_shown(
    cli: Cli, work: Work, mem_peer: Peer, graph_peer: Peer
) -> None:
    """Nobody ran a command for it: the save started it, and did not wait."""
    graph = {"kind": GRAPH, "url": f"{graph_peer.url}/mcp"}
    set_up(cli, {"kind": MEM, "url": mem_peer.url}, graph)

    record = work.saves("Parser wozzlebeck")
    settle()

    assert there(mem_peer, "wozzlebeck") == [record["id"]]
    found = Memora(Web(web_address(f"{graph_peer.url}/mcp"))).search("wozzlebeck", 5)
    assert record["id"] in {hit.checkpoint_id for hit in found}
    known = remotes(cli, "latest")
    numbers = known[MEM]["observations"]
    assert len(numbers) == record["observations"]["total_count"] == 2
    assert type(known[MEM]["summary"]) is int
    assert known[GRAPH]["memories"]
    shown = cli("show", "latest").out
    assert f"claude-mem: Observation #{numbers[0]}, #{numbers[1]}" in shown
    assert re.search(r"memora: Memory #\d+", shown)
    told = cli("sync", "--json")
    assert (told.status, told.json["sent"], told.json["waiting"]) == (0, 0, 0)
    checks = {c["name"]: c for c in cli("doctor", "--json").json["checks"]}
    assert checks["mirror claude-mem"]["state"] == "ok"
    assert "13.25.3" in checks["mirror claude-mem"]["message"]
    assert checks["mirror memora"]["state"] == "ok"


def test_its_port_is_found_by_its_own_files(
    cli: Cli, work: Work, mem_peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The usual port may be another program's, so it is never assumed."""
    monkeypatch.setenv("HOME", str(mem_peer.home))
    set_up(cli, {"kind": MEM})

    record = work.saves("Parser grumbleflax")
    settle()

    assert there(mem_peer, "grumbleflax") == [record["id"]]


def test_what_was_kept_before_is_sent_on_request(
    cli: Cli, work: Work, mem_peer: Peer
) -> None:
    """A mirror that is set up today gets what is new, and the past when asked."""
    old = work.saves("Parser zyzzyvine old")
    set_up(cli, {"kind": MEM, "url": mem_peer.url})
    assert cli("sync", MEM, "--json").json["sent"] == 0

    told = cli("sync", MEM, "--all", "--json").json

    assert (told["target"], told["sent"], told["waiting"]) == (MEM, 1, 0)
    assert there(mem_peer, "zyzzyvine") == [old["id"]]
    assert cli("sync", MEM, "--all", "--json").json["sent"] == 0


def test_what_is_forgotten_goes_there_too(
    cli: Cli, work: Work, mem_peer: Peer, graph_peer: Peer
) -> None:
    """Forgetting reaches every copy by itself."""
    graph = {"kind": GRAPH, "url": f"{graph_peer.url}/mcp"}
    set_up(cli, {"kind": MEM, "url": mem_peer.url}, graph)
    record = work.saves("Parser plinthorax")
    settle()
    assert there(mem_peer, "plinthorax")

    done = cli("forget", record["id"], "--yes")
    settle()

    assert "claude-mem, memora has of it is removed there" in done.err
    assert cli("sync", "--json").json["waiting"] == 0
    assert there(mem_peer, "plinthorax") == []
    found = Memora(Web(web_address(f"{graph_peer.url}/mcp"))).search("plinthorax", 9)
    assert record["id"] not in {hit.checkpoint_id for hit in found}


def test_what_a_hook_saves_gets_there_by_itself(
    cli: Cli, work: Work, mem_peer: Peer
) -> None:
    """The client waits for the hook, and the hook for nobody."""
    set_up(cli, {"kind": MEM, "url": mem_peer.url})
    first = work.saves("Parser hookwinked")
    settle()
    work.says("And one thing more, before it is compacted.")
    work.saves("Parser hookwinked again")  # writes the transcript
    settle()
    work.says("Then the context was full.")
    given = {
        "session_id": SESSION,
        "transcript_path": str(work.written()),
        "cwd": str(cli.project),
        "trigger": "auto",
    }

    hook = [sys.executable, "-P", "-m", "holdfast", "hook", "PreCompact"]
    told = json.dumps(given)
    subprocess.run(hook, input=told, text=True, check=True, capture_output=True)

    newest = cli("show", "latest", "--json").json
    assert newest["sequence"] == 3
    polling = threading.Event()
    for _ in range(_MOST_POLLS):
        if MEM in remotes(cli, newest["id"]):
            break
        polling.wait(_POLL)
    assert remotes(cli, newest["id"])[MEM]["observations"]
    assert remotes(cli, first["id"])[MEM]["observations"]


class Dying:
    """A mirror whose caller is killed after it took what it was sent."""

    def __init__(self, real: Mirror) -> None:
        self._real = real
        self.most_at_once = 2

    def check(self) -> str:
        return self._real.check()

    def deliver(self, entries: Any) -> Delivered:
        self._real.deliver(entries)
        os._exit(9)

    def search(self, words: str, limit: int) -> Any:
        return self._real.search(words, limit)


def test_a_drain_that_is_killed_goes_on_and_doubles_nothing(
    cli: Cli, work: Work, mem_peer: Peer
) -> None:
    """The mirror had taken two, and nobody had written that down."""
    ids = [work.saves(f"Parser brackenmole {place}")["id"] for place in range(3)]
    set_up(cli, {"kind": MEM, "url": mem_peer.url})
    child = os.fork()
    if child == 0:
        container = Container(environ=os.environ, project=str(cli.project))
        real = open_mirror(container, mirror_setting(container, MEM))
        mirror_to(MEM, lambda: Dying(real), container.ports(), everything=True)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    assert sorted(there(mem_peer, "brackenmole")) == sorted(ids[:2])

    told = cli("sync", MEM, "--json").json

    assert (told["sent"], told["waiting"]) == (3, 0)
    assert sorted(there(mem_peer, "brackenmole")) == sorted(ids)
    assert len(remotes(cli, ids[0])[MEM]["observations"]) == 2


def test_a_mirror_that_is_down_costs_nothing_and_catches_up(
    cli: Cli, work: Work, mem_peer: Peer
) -> None:
    """A save is what it always is; what it left waiting arrives once."""
    set_up(cli, {"kind": MEM, "url": mem_peer.url})
    first = work.saves("Parser fnordwick one")
    settle()
    mem_peer.stop()

    second = work.saves("Parser fnordwick two")
    settle()
    down = cli("sync", "--json")

    assert (first["sequence"], second["sequence"]) == (1, 2)
    assert (down.status, down.json["sent"], down.json["waiting"]) == (3, 0, 1)
    assert "nobody answers" in down.json["targets"][0]["problem"]
    checks = {c["name"]: c for c in cli("doctor", "--json").json["checks"]}
    assert checks["mirror claude-mem"]["state"] == "warn"
    mem_peer.start()
    third = work.saves("Parser fnordwick three")
    settle()
    assert cli("sync", MEM, "--json").json["waiting"] == 0
    found = there(mem_peer, "fnordwick")
    assert sorted(found) == [each["id"] for each in (first, second, third)]


def test_the_fallback_of_the_document_says_the_truth(
    cli: Cli, work: Work, mem_peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S0's fallback: the right sequence, no mock output, nothing to migrate by hand."""
    monkeypatch.setattr(save_command, "_MIRROR_SECONDS", LONG)
    set_up(cli, {"kind": MEM, "url": mem_peer.url})
    record = work.saves("Parser quixotrombone")
    settle()
    mem_peer.stop()

    told = saving(cli, "--verbose", "--title", "Test")

    assert told.status == 0
    head, _, rest = told.out.partition("Checkpoint ID: ")
    assert (
        head
        == f"""\
{"=" * 62}
Checkpoint Created (Fallback Mode - claude-mem unavailable)
{"=" * 62}

⚠  WARNING: claude-mem: nobody answers at 127.0.0.1:{mem_peer.port}

"""
    )
    assert record["id"] not in rest
    assert re.match(
        rf"ccp-{SESSION}-02-\d+\nSession ID: {SESSION}\nSequence: 2\n", rest
    )
    assert "The checkpoint is complete here" in rest
    assert "Waiting for claude-mem: 1" in rest
    assert "2. Or send it now: holdfast sync claude-mem" in rest
    assert "claude-mem is down (nobody answers" in told.err
