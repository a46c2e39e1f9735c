"""One grammar of references, wherever a checkpoint is named."""

import pytest

from holdfast.domain.query import Scope
from holdfast.domain.text import visible
from holdfast.kernel.errors import CheckpointNotFound, ReferenceAmbiguous
from holdfast.kernel.ids import checkpoint_id, reference
from holdfast.store.port import Store
from tests.builders import (
    NOON,
    OTHER_PROJECT,
    OTHER_SESSION,
    PROJECT,
    SESSION,
    a_draft,
    session_number,
)

HERE = Scope(project_id=PROJECT)
EVERYWHERE = Scope()


@pytest.fixture
def filled(store: Store) -> Store:
    """Three checkpoints here, two elsewhere; the newest of all is elsewhere."""
    store.put(a_draft("First", name="api-design"))
    store.put(a_draft("Second", name="api-client"))
    store.put(a_draft("Third", session_id=OTHER_SESSION))
    store.put(a_draft("Fourth", project_id=OTHER_PROJECT, name="api-design"))
    store.put(a_draft("Fifth", project_id=OTHER_PROJECT, session_id=OTHER_SESSION))
    return store


def title(store: Store, text: str, scope: Scope = HERE) -> str:
    return store.find(reference(text), scope).draft.content.title


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("latest", "Third", id="the newest"),
        pytest.param("latest~2", "First", id="counted back"),
        pytest.param("2", "Second", id="a number"),
        pytest.param("CHECKPOINT-00002", "Second", id="a label"),
        pytest.param("checkpoint-00002", "Second", id="a label in lower case"),
        pytest.param("2@desk", "Second", id="a number of this machine"),
        pytest.param("2@DESK", "Second", id="a machine in another case"),
        pytest.param("api-design", "First", id="a name"),
        pytest.param("API-Design", "First", id="a name in another case"),
        pytest.param("api-c", "Second", id="the beginning of a name"),
        pytest.param(f"ccp-{SESSION}-02-{NOON}", "Second", id="an id"),
        pytest.param(f"ccp-{SESSION}-02", "Second", id="the beginning of an id"),
        pytest.param(f"CCP-{SESSION}-02".upper(), "Second", id="an id in upper case"),
        pytest.param(f"ccp-{SESSION}-03", "Fourth", id="an id of another project"),
        pytest.param(f"session:{SESSION}", "Fourth", id="a session's newest"),
        pytest.param("session:91e0", "Fifth", id="the beginning of a session"),
    ],
)
def test_a_reference_finds_its_checkpoint(
    filled: Store, text: str, expected: str
) -> None:
    """`latest`, numbers and names look in the project; ids and sessions everywhere."""
    assert title(filled, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("latest~3", id="counted back too far"),
        pytest.param("4", id="a number of nothing"),
        pytest.param("2@laptop", id="another machine"),
        pytest.param("refresh", id="a name of nothing"),
        pytest.param("ccp-0", id="an id of nothing"),
        pytest.param("session:0", id="a session of nothing"),
        pytest.param("session:", id="no session at all"),
        pytest.param("", id="nothing at all"),
        pytest.param("%", id="a wildcard of another language"),
        pytest.param("api_design", id="another wildcard"),
        pytest.param("half \ud800 pair", id="text that is no text"),
        pytest.param("'; DROP TABLE checkpoint; --", id="an attack"),
        pytest.param("\U0010ffff", id="the last character there is"),
        pytest.param("\x1b[31mred", id="a command to the terminal"),
    ],
)
def test_an_unknown_reference_finds_nothing_and_says_what_to_do(
    filled: Store, text: str
) -> None:
    """Exit 12, with a hint that works if pasted."""
    with pytest.raises(CheckpointNotFound) as missing:
        filled.find(reference(text), HERE)

    assert missing.value.exit_status == 12
    assert missing.value.hint == "see the checkpoints with `holdfast list`"
    assert missing.value.message == visible(missing.value.message)


def test_an_empty_store_says_how_to_begin(store: Store) -> None:
    """The first command a user tries is often `resume`."""
    with pytest.raises(CheckpointNotFound) as missing:
        store.find(reference("latest"), HERE)

    assert missing.value.message == "there is no checkpoint here yet"
    assert (
        missing.value.hint
        == "a `/clear` or the end of a session makes one, and so does `holdfast save`"
    )


def test_an_ambiguous_name_lists_the_names(store: Store) -> None:
    """The error is the menu."""
    for name in ("api-design", "api-client", "api-limits"):
        store.put(a_draft(name=name))

    with pytest.raises(ReferenceAmbiguous) as ambiguous:
        store.find(reference("api"), HERE)

    assert ambiguous.value.exit_status == 12
    assert ambiguous.value.message == "`api` is ambiguous: 3 checkpoints start with it"
    assert ambiguous.value.hint == (
        "use more of the name: `api-limits`, `api-client`, `api-design`"
    )


def test_an_exact_name_wins_over_longer_ones(store: Store) -> None:
    """`api` must stay reachable when `api-design` comes along."""
    store.put(a_draft("Short", name="api"))
    store.put(a_draft("Long", name="api-design"))

    assert title(store, "api") == "Short"


def test_an_ambiguous_id_shows_ids_with_label_and_title(store: Store) -> None:
    """A person recognises the title; the id is what works if pasted."""
    store.put(a_draft("First"))
    store.put(a_draft("Second", name="api"))

    with pytest.raises(ReferenceAmbiguous) as ambiguous:
        store.find(reference(f"ccp-{SESSION[:8]}"), HERE)

    assert ambiguous.value.message == (
        f"`ccp-{SESSION[:8]}` is ambiguous: 2 checkpoints start with it"
    )
    assert ambiguous.value.hint == (
        f"use one of the ids: `ccp-{SESSION}-02-{NOON}` (CHECKPOINT-00002, api),"
        f" `ccp-{SESSION}-01-{NOON}` (CHECKPOINT-00001, First)"
    )


def test_at_most_five_candidates_are_named(store: Store) -> None:
    """A list that scrolls away helps nobody."""
    for number in range(7):
        store.put(a_draft(name=f"api-{number}"))

    with pytest.raises(ReferenceAmbiguous, match="7 checkpoints") as ambiguous:
        store.find(reference("api"), HERE)

    assert ambiguous.value.hint.count("`") == 10


def test_an_ambiguous_session_shows_the_newest_of_each(store: Store) -> None:
    """A session prefix names sessions, so each is told by its newest checkpoint."""
    for number in (0x10, 0x11):
        store.put(a_draft("Old", session_id=session_number(number)))
        store.put(a_draft(f"New {number}", session_id=session_number(number)))

    with pytest.raises(ReferenceAmbiguous) as ambiguous:
        store.find(reference("session:0000001"), HERE)

    assert "New 17" in ambiguous.value.hint
    assert "New 16" in ambiguous.value.hint
    assert "Old" not in ambiguous.value.hint


def test_a_session_without_a_checkpoint_is_not_in_the_way(store: Store) -> None:
    """Sessions are noted before they save anything."""
    wanted = store.put(a_draft(session_id=session_number(0x10))).checkpoint
    gone = store.put(a_draft(session_id=session_number(0x11))).checkpoint
    store.remove([gone.checkpoint_id], "test")

    assert store.find(reference("session:0000001"), HERE).checkpoint_id == (
        wanted.checkpoint_id
    )


def test_everywhere_a_number_may_be_ambiguous(filled: Store) -> None:
    """`--all` leaves the project: two checkpoints have the number 1."""
    with pytest.raises(ReferenceAmbiguous, match="in different projects"):
        filled.find(reference("1"), EVERYWHERE)
    with pytest.raises(ReferenceAmbiguous) as ambiguous:
        filled.find(reference("api-design"), EVERYWHERE)

    assert "use one of the ids" in ambiguous.value.hint
    assert title(filled, "3", EVERYWHERE) == "Third"
    assert title(filled, "latest", EVERYWHERE) == "Fifth"
    assert title(filled, "latest~4", EVERYWHERE) == "First"


def test_finding_spans_the_project_whatever_the_workspace(filled: Store) -> None:
    """Only resuming without a reference stays inside a worktree."""
    other_worktree = Scope(project_id=PROJECT, workspace="/code/other-tree")

    assert title(filled, "latest", other_worktree) == "Third"
    assert title(filled, "2", other_worktree) == "Second"


def test_a_removed_checkpoint_says_that_it_was_removed(store: Store) -> None:
    """A user who wrote the number down learns why it finds nothing."""
    kept = store.put(a_draft(name="api")).checkpoint
    store.remove([kept.checkpoint_id], "retention")

    for text in ("1", kept.checkpoint_id):
        with pytest.raises(CheckpointNotFound) as missing:
            store.find(reference(text), HERE)
        assert missing.value.message == "CHECKPOINT-00001 was removed: retention"
    with pytest.raises(CheckpointNotFound, match="was removed: retention"):
        store.get(kept.checkpoint_id)
    with pytest.raises(CheckpointNotFound, match="no checkpoint is named"):
        store.find(reference("api"), HERE)


def test_getting_needs_the_whole_id(store: Store) -> None:
    """Exact look-up never goes through search."""
    kept = store.put(a_draft()).checkpoint

    with pytest.raises(CheckpointNotFound, match="there is no checkpoint"):
        store.get(kept.checkpoint_id[:-1])
    with pytest.raises(CheckpointNotFound):
        store.get(checkpoint_id(SESSION, 9, NOON))
