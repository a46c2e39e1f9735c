"""What a mirror promises, kept by the real systems: claude-mem's worker and Memora."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest

from holdfast.domain.checkpoint import Checkpoint, Item
from holdfast.domain.outbox import Parcel, ParcelAction
from holdfast.kernel.errors import MirrorDown
from holdfast.mirrors.claude_mem import ClaudeMem
from holdfast.mirrors.memora import Memora
from holdfast.mirrors.port import Mirror, MirrorEntry, MirrorHit
from holdfast.mirrors.web import Web, web_address
from holdfast.reports.observations import mirrored_texts
from tests.builders import a_full_draft, session_number
from tests.memory_store.store import MemoryStore
from tests.missing import without
from tests.peers import Peer, PeerMissing, claude_mem, memora

pytestmark = [pytest.mark.process, pytest.mark.timeout(900)]

_PEERS: dict[str, tuple[Any, Callable[[str], Mirror]]] = {
    "claude-mem": (claude_mem, lambda url: ClaudeMem(Web(web_address(url)))),
    "memora": (memora, lambda url: Memora(Web(web_address(f"{url}/mcp")))),
}
_serials = count(1)


@pytest.fixture(scope="module", params=_PEERS)
def named_peer(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Peer]]:
    begin, _ = _PEERS[request.param]
    try:
        with begin(tmp_path_factory.mktemp(request.param)) as peer:
            yield request.param, peer
    except PeerMissing as missing:
        without(f"no {request.param} to test with: {missing}")


@pytest.fixture
def peer(named_peer: tuple[str, Peer]) -> Peer:
    return named_peer[1]


@pytest.fixture
def mirror(named_peer: tuple[str, Peer]) -> Mirror:
    name, peer = named_peer
    return _PEERS[name][1](peer.url)


@pytest.fixture
def word() -> str:
    """A word that only this test's checkpoints say."""
    return f"word{next(_serials)}quux"


def kept(title: str, store: MemoryStore | None = None, **changes: Any) -> Checkpoint:
    """Return a checkpoint of a session of its own, or of a store that has one already."""
    given = {"session_id": session_number(next(_serials))} if store is None else {}
    draft = a_full_draft(title=title, **{**given, **changes})
    return (store or MemoryStore()).put(draft).checkpoint


def entry(
    checkpoint: Checkpoint, action: ParcelAction = "send", remote: str = ""
) -> MirrorEntry:
    is_gone = action == "remove"
    return MirrorEntry(
        parcel=Parcel(
            checkpoint_id=checkpoint.checkpoint_id,
            position=1,
            action=action,
            remote=remote,
        ),
        checkpoint=None if is_gone else checkpoint,
        texts=() if is_gone else mirrored_texts(checkpoint),
    )


def found(mirror: Mirror, word: str, checkpoint: Checkpoint) -> list[MirrorHit]:
    wanted = checkpoint.checkpoint_id
    hits = [hit for hit in mirror.search(word, 20) if hit.checkpoint_id == wanted]
    return [hit for hit in hits if word in f"{hit.title} {hit.text}"]


def test_it_says_which_version_answers(mirror: Mirror) -> None:
    """Doctor names it."""
    assert mirror.check()[0].isdigit()
    assert mirror.most_at_once > 0


def test_what_is_sent_is_found_there_by_its_words(mirror: Mirror, word: str) -> None:
    """Whoever uses the other system finds the work in it."""
    checkpoint = kept(f"Parser accepts {word}")

    (done,), refused = mirror.deliver([entry(checkpoint)])

    assert not refused
    assert done.parcel.checkpoint_id == checkpoint.checkpoint_id
    hits = found(mirror, word, checkpoint)
    assert any("CHECKPOINT-00001" in hit.title for hit in hits)


def test_what_is_sent_again_is_there_once(mirror: Mirror, word: str) -> None:
    """A drain that was killed after sending sends again."""
    checkpoint = kept(f"Sent twice {word}")

    (first,), _ = mirror.deliver([entry(checkpoint)])
    before = len(found(mirror, word, checkpoint))
    (again,), _ = mirror.deliver([entry(checkpoint)])

    assert again.remote == first.remote != ""
    assert len(found(mirror, word, checkpoint)) == before


def test_two_with_one_title_and_text_are_two(mirror: Mirror, word: str) -> None:
    """Equal words are no copy: they were saved at two moments."""
    store, own = MemoryStore(), session_number(next(_serials))
    one, other = (kept(f"Same {word}", store, session_id=own) for _ in range(2))

    done, _ = mirror.deliver([entry(one), entry(other)])

    assert len({each.remote for each in done}) == 2
    assert found(mirror, word, one)
    assert found(mirror, word, other)


def test_what_is_replaced_says_only_the_new_text(mirror: Mirror, word: str) -> None:
    """What was taken out of a record must go there, too."""
    gone, own = f"secret{word}", session_number(next(_serials))
    decided = (Item(f"use {gone}", "agent"),)
    before = kept(f"Said {gone}", session_id=own, decisions=decided)
    (sent,), _ = mirror.deliver([entry(before)])
    after = kept(f"Said nothing {word}", session_id=own)
    assert after.checkpoint_id == before.checkpoint_id

    (done,), _ = mirror.deliver([entry(after, "replace", sent.remote)])

    assert not found(mirror, gone, before)
    assert found(mirror, word, after)
    assert done.remote not in ("", sent.remote)


def test_what_is_removed_is_gone_and_removing_it_again_is_done(
    mirror: Mirror, word: str
) -> None:
    """Forgetting reaches every copy, also if nobody kept what it is called there."""
    checkpoint = kept(f"Forget {word}")
    (sent,), _ = mirror.deliver([entry(checkpoint)])
    assert found(mirror, word, checkpoint)

    for remote in ("", sent.remote):
        (done,), refused = mirror.deliver([entry(checkpoint, "remove", remote)])
        assert (done.remote, refused) == ("", {})

    assert not found(mirror, word, checkpoint)


def test_a_mirror_that_is_down_says_so_and_catches_up(
    mirror: Mirror, peer: Peer, word: str
) -> None:
    """Killed in the middle and begun again, it has everything, once."""
    one, other = (kept(f"Down {word} {place}") for place in "ab")
    mirror.deliver([entry(one)])
    peer.stop()

    for ask in (mirror.check, lambda: mirror.deliver([entry(other)])):
        with pytest.raises(MirrorDown):
            ask()
    peer.start()

    done, refused = mirror.deliver([entry(one), entry(other)])
    assert (len(done), refused) == (2, {})
    assert found(mirror, word, other)


def test_a_search_finds_as_many_as_were_asked_for(mirror: Mirror, word: str) -> None:
    """A mirror that answers with everything it has does not fill a screen."""
    mirror.deliver([entry(kept(f"Many {word} {place}")) for place in range(3)])

    assert len(mirror.search(word, 2)) == 2
