"""What Memora makes of checkpoints: a graph, whose parts know where they belong."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from holdfast.domain.checkpoint import Checkpoint, Item
from holdfast.domain.outbox import Parcel
from holdfast.mirrors.mcp_calls import ToolServer
from holdfast.mirrors.memora import Memora
from holdfast.mirrors.port import MirrorEntry
from holdfast.mirrors.web import Web, web_address
from holdfast.reports.observations import mirrored_texts
from tests.builders import a_full_draft, session_number
from tests.memory_store.store import MemoryStore
from tests.missing import without
from tests.peers import Peer, PeerMissing, memora

pytestmark = [pytest.mark.process, pytest.mark.timeout(900)]


@pytest.fixture(scope="module", params=[True, False], ids=["any tag", "its own tags"])
def peer(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Peer]:
    place = tmp_path_factory.mktemp("memora")
    try:
        with memora(place, takes_any_tag=request.param) as peer:
            yield peer
    except PeerMissing as missing:
        without(f"no Memora to test with: {missing}")


@pytest.fixture
def graph(peer: Peer) -> Iterator[ToolServer]:
    server = ToolServer(Web(web_address(f"{peer.url}/mcp")))
    server.begin()
    yield server
    server.end()


def sent(peer: Peer, *checkpoints: Checkpoint) -> list[list[int]]:
    """Send checkpoints; return the memories of each, its own first."""
    entries = [
        MirrorEntry(
            parcel=Parcel(
                checkpoint_id=each.checkpoint_id, position=place, action="send"
            ),
            checkpoint=each,
            texts=mirrored_texts(each),
        )
        for place, each in enumerate(checkpoints, 1)
    ]
    done, refused = Memora(Web(web_address(f"{peer.url}/mcp"))).deliver(entries)
    assert not refused

    return [json.loads(each.remote)["memories"] for each in done]


def memory(graph: ToolServer, number: int) -> Any:
    return graph.call("memory_get", memory_id=number)["memory"]


def edges(graph: ToolServer, number: int) -> set[tuple[int, str]]:
    related = memory(graph, number)["related"]
    return {(each["id"], each["edge_type"]) for each in related} - {
        (each["id"], "related_to") for each in related
    }


def test_parts_reference_their_checkpoint_and_that_extends_the_one_before(
    peer: Peer, graph: ToolServer
) -> None:
    """Decisions, open work and errors are found from where they were made."""
    store, own = MemoryStore(), session_number(1)
    work = {"session_id": own, "pending": (Item("write the docs", "agent"),)}
    first, second = (store.put(a_full_draft(**work)).checkpoint for _ in range(2))

    one, other = sent(peer, first, second)

    assert len(one) == len(other) == 4  # itself, a decision, a task, an error
    assert (one[0], "extends") in edges(graph, other[0])
    for part in other[1:]:
        assert (other[0], "references") in edges(graph, part)
    kept = memory(graph, other[1])
    assert kept["content"].startswith("Decision: rotate instead of renewing")
    told = kept["metadata"]
    assert told["holdfast_id"] == second.checkpoint_id
    assert (told["section"], told["subsection"]) == ("holdfast", "tokens")


def test_a_part_that_is_missing_is_made_and_no_other(
    peer: Peer, graph: ToolServer
) -> None:
    """Killed between two of its memories, a checkpoint is completed, not doubled."""
    checkpoint = (
        MemoryStore().put(a_full_draft(session_id=session_number(2))).checkpoint
    )
    ((master, *parts),) = sent(peer, checkpoint)
    graph.call("memory_delete_batch", ids=parts[:1])

    ((again, *completed),) = sent(peer, checkpoint)

    assert again == master
    assert len(completed) == len(parts)
    assert set(parts[1:]) < set(completed)
