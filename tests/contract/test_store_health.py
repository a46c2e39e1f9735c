"""A store that says how it is."""

from collections.abc import Callable

from holdfast.store.port import Store
from tests.builders import a_draft

OpenStore = Callable[..., Store]


def test_a_store_in_use_is_whole(store: Store) -> None:
    """Saves, removals and names in any order leave a chain that can be verified."""
    kept = [store.put(a_draft()).checkpoint for _ in range(4)]
    store.remove([kept[3].checkpoint_id, kept[0].checkpoint_id], "test")
    store.rename(kept[1].checkpoint_id, "api")
    store.put(a_draft(name="api", replace_name=True))

    findings = list(store.check())

    assert {finding.state for finding in findings} == {"ok"}
    chain = next(finding for finding in findings if finding.name == "chain")
    assert chain.message == "3 checkpoints, chain whole"


def test_an_empty_store_is_whole(store: Store) -> None:
    """The first `doctor` must not alarm anyone."""
    assert {finding.state for finding in store.check()} == {"ok"}


def test_the_moment_is_another_after_every_change(open_store: OpenStore) -> None:
    """A page that stands open asks this, and reads on only when something is new."""
    store, other = open_store("home"), open_store("home")
    seen = [store.moment]

    kept = store.put(a_draft()).checkpoint.checkpoint_id
    seen.append(store.moment)
    other.put(a_draft("of another process"))
    seen.append(store.moment)
    other.rename(kept, "api")
    seen.append(store.moment)
    other.remove([kept], "test")
    seen.append(store.moment)

    assert len(set(seen)) == len(seen)
    assert store.moment == seen[-1]


def test_a_store_knows_its_machine(store: Store) -> None:
    """A number belongs to the store that made it."""
    assert store.machine == "desk"


def test_a_store_has_a_key_of_its_own(open_store: OpenStore) -> None:
    """The same secret gets the same placeholder here, and another one elsewhere."""
    here = open_store("home").redaction_key

    assert len(here) == 32
    assert open_store("home").redaction_key == here
    assert open_store("other").redaction_key != here


def test_closing_twice_is_fine(store: Store) -> None:
    """A surface closes in a `finally`, whatever happened before."""
    store.put(a_draft())

    store.close()
    store.close()
