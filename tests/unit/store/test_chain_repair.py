"""Mending a chain: the next entry tells a damaged hash from a damaged text."""

import pytest

from holdfast.domain.forgetting import Rewrite
from holdfast.store.chain import (
    GENESIS,
    ChainEntry,
    RepairDecision,
    link,
    repair_decisions,
)


def chain(*texts: str) -> list[ChainEntry]:
    """Return a whole chain of records that say these texts."""
    entries, before = list[ChainEntry](), GENESIS
    for position, text in enumerate(texts, start=1):
        before = link(before, text)
        name = f"ccp-{position}"
        entries.append(ChainEntry(position, "record", name, before, text, name))
    return entries


def decided(entries: list[ChainEntry], *heads: str) -> list[RepairDecision]:
    at = {entry.position: entry for entry in entries}
    return list(
        repair_decisions(len(entries), lambda position: at[position], set(heads))
    )


def verdicts(entries: list[ChainEntry], *heads: str) -> list[str]:
    return [decision.verdict for decision in decided(entries, *heads)]


def test_a_whole_chain_stays_as_it_is() -> None:
    """Nothing to do is the usual case."""
    assert verdicts(chain("a", "b", "c")) == ["keep", "keep", "keep"]
    assert verdicts([]) == []


def test_a_damaged_text_is_buried_and_the_rest_stays() -> None:
    """Its hash is right: the next entry was made from it."""
    entries = chain("a", "b", "c")
    entries[1] = entries[1]._replace(text="x")

    assert verdicts(entries) == ["keep", "bury", "keep"]
    assert decided(entries)[1].hash == entries[1].hash


def test_a_damaged_hash_is_set_right() -> None:
    """The next entry was made from the true one."""
    entries = chain("a", "b", "c")
    true = entries[1].hash
    entries[1] = entries[1]._replace(hash="f" * 64)

    assert decided(entries)[1] == RepairDecision(2, "rehash", true)
    assert verdicts(entries) == ["keep", "rehash", "keep"]


def test_the_newest_hash_is_proved_by_the_head() -> None:
    """Nothing follows it; the head file was written after it."""
    entries = chain("a", "b")
    true = entries[1].hash
    entries[1] = entries[1]._replace(hash="f" * 64)

    assert verdicts(entries, true) == ["keep", "rehash"]
    assert verdicts(entries) == ["keep", "bury"]


def test_a_missing_entry_is_made_from_its_text() -> None:
    """The record is there, only its line in the chain is gone."""
    entries = chain("a", "b", "c")
    true = entries[1].hash
    entries[1] = entries[1]._replace(hash="")

    assert decided(entries)[1] == RepairDecision(2, "rehash", true)


def test_where_text_and_hash_are_lost_the_chain_goes_on_anew() -> None:
    """What follows can be read, and so it stays, with new hashes."""
    entries = chain("a", "b", "c", "d")
    entries[1] = entries[1]._replace(hash="", text=None)

    got = decided(entries)

    assert [decision.verdict for decision in got] == [
        "keep",
        "bury",
        "rehash",
        "rehash",
    ]
    assert got[2].hash == link(got[1].hash, "c")
    assert got[3].hash == link(got[2].hash, "d")


@pytest.mark.parametrize(
    ("buried", "hashed", "verdict"),
    [
        pytest.param(True, True, "keep", id="removed long ago"),
        pytest.param(True, False, "rehash", id="its entry is damaged"),
        pytest.param(False, True, "bury", id="its tombstone is damaged"),
    ],
)
def test_a_removed_record_is_told_from_a_lost_one(
    *, buried: bool, hashed: bool, verdict: str
) -> None:
    """Its tombstone knows its hash."""
    entries = chain("a", "b", "c")
    true = entries[1].hash
    entries[1] = entries[1]._replace(
        text=None,
        found_id=None,
        hash=true if hashed else "f" * 64,
        buried_hash=true if buried else "e" * 64,
    )

    assert verdicts(entries)[1] == verdict
    assert decided(entries)[1].hash == true


def test_an_entry_that_its_text_proves_stays_whatever_id_is_beside_it() -> None:
    """The id in the chain is in no hash: it can be damaged alone."""
    entries = chain("a", "b", "c")
    entries[1] = entries[1]._replace(checkpoint_id="ccp-x")

    assert verdicts(entries) == ["keep", "keep", "keep"]


def test_a_text_that_nothing_proves_and_another_id_are_buried() -> None:
    """The row is somebody else's."""
    entries = chain("a", "b", "c")
    entries[1] = entries[1]._replace(text="x", found_id="ccp-x")

    assert verdicts(entries) == ["keep", "bury", "keep"]


def test_a_rewritten_record_is_proved_by_its_rewrites() -> None:
    """What its entry was made from is gone; the first rewrite knows the entry's hash."""
    entries = chain("a", "b", "c")
    true = entries[1].hash
    done = Rewrite("ccp-2", true, link(true, "new"), "test")
    entries[1] = entries[1]._replace(text="new", rewrites=(done,))
    damaged = entries[1]._replace(hash="f" * 64)

    assert verdicts(entries) == ["keep", "keep", "keep"]
    assert verdicts([entries[0], damaged, entries[2]]) == ["keep", "rehash", "keep"]
    wrong = entries[1]._replace(text="other")
    assert verdicts([entries[0], wrong, entries[2]]) == ["keep", "bury", "keep"]
