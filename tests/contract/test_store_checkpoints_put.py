"""Keeping a draft: once, completely, with numbers that never lie."""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from holdfast.domain.checkpoint import Detail, Draft, Item
from holdfast.domain.client import Switch
from holdfast.domain.code import CodeState
from holdfast.domain.query import Scope
from holdfast.kernel.errors import NameTaken, SaveFailed
from holdfast.kernel.ids import is_checkpoint_id, reference
from holdfast.store.port import Store
from tests.builders import (
    NOON,
    OTHER_PROJECT,
    OTHER_SESSION,
    PROJECT,
    SESSION,
    a_draft,
    a_full_draft,
    session_number,
)
from tests.strategies import drafts

OpenStore = Callable[..., Store]
HERE = Scope(project_id=PROJECT)


def test_what_was_put_can_be_got(store: Store) -> None:
    """The record read back is the record that was written."""
    draft = a_full_draft(name="api-design")

    kept = store.put(draft)

    assert kept.outcome == "saved"
    assert store.get(kept.checkpoint.checkpoint_id) == kept.checkpoint
    assert kept.checkpoint.draft.content == draft.content
    assert kept.checkpoint.name == "api-design"


# The factory makes a store per example, so sharing the fixture shares nothing.
@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(drafts)
def test_any_draft_survives_the_store(open_store: OpenStore, draft: Draft) -> None:
    """Whatever a transcript holds, in any language, comes back as it was."""
    store = open_store()

    kept = store.put(draft).checkpoint

    assert store.get(kept.checkpoint_id) == kept
    assert replace(kept.draft, details=draft.details) == draft


def test_words_about_a_nul_are_not_one(store: Store) -> None:
    """Whoever works on a parser says backslash, u and four zeros, and must be saved."""
    kept = store.put(a_draft(title=r"reads \u0000 and \\u0000 again")).checkpoint

    assert store.get(kept.checkpoint_id).draft.content.title == (
        r"reads \u0000 and \\u0000 again"
    )


def test_putting_the_same_key_again_changes_nothing(store: Store) -> None:
    """A retried save must not fail and must not duplicate."""
    first = store.put(a_draft(key="retry-1"))
    again = store.put(a_draft("Another title", key="retry-1"))

    assert again.outcome == "repeated"
    assert again.checkpoint == first.checkpoint
    assert len(store.list(HERE)) == 1


def test_a_repeated_save_shows_the_record_as_it_stands_now(store: Store) -> None:
    """A retry that comes late is told what followed."""
    first = store.put(a_draft(key="retry-1")).checkpoint
    later = store.put(a_draft()).checkpoint

    again = store.put(a_draft(key="retry-1")).checkpoint

    assert again.checkpoint_id == first.checkpoint_id
    assert again.next_checkpoint == later.checkpoint_id
    assert not again.latest_checkpoint


def test_code_that_changed_is_something_new(store: Store) -> None:
    """Work by hand leaves no word in a transcript."""
    code = CodeState(branch="main", tree="1" * 40)
    first = store.put(a_draft(state_key="same", code=code))
    again = store.put(a_draft(state_key="same", code=code))
    without = store.put(a_draft(state_key="same", code=replace(code, tree=None)))

    changed = store.put(a_draft(state_key="same", code=replace(code, tree="2" * 40)))

    assert (first.outcome, again.outcome) == ("saved", "unchanged")
    assert without.outcome == "unchanged"
    assert changed.outcome == "saved"


def test_a_draft_that_adds_nothing_makes_no_record(store: Store) -> None:
    """Saving twice in a row must not fill the list with copies."""
    first = store.put(a_draft(state_key="same"))

    second = store.put(a_draft(state_key="same"))

    assert second.outcome == "unchanged"
    assert second.checkpoint == first.checkpoint
    assert len(store.list(HERE)) == 1


@pytest.mark.parametrize(
    "given_with_it",
    [
        pytest.param({"title": "Chosen", "given_title": True}, id="another title"),
        pytest.param({"name": "chosen"}, id="a name"),
        pytest.param({"given_notes": True}, id="notes"),
        pytest.param({"tags": ("chosen",)}, id="a tag"),
        pytest.param({"merged_from": ("ccp-x",)}, id="a merge"),
    ],
)
def test_anything_given_makes_a_record_of_its_own(
    store: Store, given_with_it: dict[str, Any]
) -> None:
    """What a person says counts even if the session stood still."""
    store.put(a_draft(state_key="same"))

    kept = store.put(a_draft(**{"state_key": "same", **given_with_it}))

    assert kept.outcome == "saved"
    assert kept.checkpoint.sequence == 2


def test_only_the_sessions_last_checkpoint_is_compared(store: Store) -> None:
    """Work that went there and back is work."""
    store.put(a_draft(state_key="a"))
    store.put(a_draft(state_key="b"))

    assert store.put(a_draft(state_key="a")).outcome == "saved"
    assert (
        store.put(a_draft(state_key="a", session_id=OTHER_SESSION)).outcome == "saved"
    )


def test_numbers_count_within_a_project_and_sequences_within_a_session(
    store: Store,
) -> None:
    """The newest of a project has its highest number, whatever session it is of."""
    puts = [
        (PROJECT, SESSION),
        (PROJECT, OTHER_SESSION),
        (OTHER_PROJECT, OTHER_SESSION),
        (PROJECT, SESSION),
    ]

    kept = [
        store.put(a_draft(project_id=project, session_id=session)).checkpoint
        for project, session in puts
    ]

    assert [c.number for c in kept] == [1, 2, 1, 3]
    assert [c.sequence for c in kept] == [1, 1, 2, 2]


def test_numbers_and_sequences_are_never_reused(store: Store) -> None:
    """A reference written down yesterday must not mean something else today."""
    store.put(a_draft())
    second = store.put(a_draft()).checkpoint
    store.remove([second.checkpoint_id], "test")

    third = store.put(a_draft()).checkpoint

    assert (third.number, third.sequence) == (3, 3)


def test_a_refused_save_leaves_no_gap(store: Store) -> None:
    """A number is given only to what is kept."""
    store.put(a_draft(name="api"))
    with pytest.raises(NameTaken):
        store.put(a_draft(name="api"))

    kept = store.put(a_draft()).checkpoint

    assert (kept.number, kept.sequence, kept.master_summary_id) == (2, 2, 2)


def test_threads_that_save_at_once_get_numbers_of_their_own(store: Store) -> None:
    """A server shares one store between its threads."""
    threads = [
        threading.Thread(
            target=lambda n=n: [
                store.put(a_draft(key=f"{n}-{i}", state_key=f"{n}-{i}"))
                for i in range(5)
            ]
        )
        for n in range(8)
    ]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    kept = store.list(HERE, limit=100)
    assert [c.number for c in kept] == list(range(40, 0, -1))
    assert sorted(c.sequence for c in kept) == list(range(1, 41))


def test_an_id_tells_session_sequence_and_time(store: Store) -> None:
    """`ccp-<session>-<sequence>-<ms>` is what people paste."""
    kept = store.put(a_draft()).checkpoint

    assert kept.checkpoint_id == f"ccp-{SESSION}-01-{NOON}"


def test_an_agent_with_ids_of_its_own_gets_a_checkpoint_id_that_is_one(
    store: Store,
) -> None:
    """Ids that are no UUIDs stand as a UUID inside, and as given everywhere else."""
    kept = store.put(a_draft(session_id="Run_7", agent="codex")).checkpoint

    assert is_checkpoint_id(kept.checkpoint_id)
    assert kept.draft.session_id == "Run_7"
    assert store.find(reference("session:run_7"), Scope()) == kept


def test_order_does_not_depend_on_the_clock(store: Store) -> None:
    """A clock that jumps back breaks nothing."""
    first = store.put(a_draft(created_at=NOON)).checkpoint
    second = store.put(a_draft(created_at=NOON - 172_800_000)).checkpoint

    assert store.list(HERE) == (
        second,
        replace(first, latest_checkpoint=False, next_checkpoint=second.checkpoint_id),
    )
    assert store.find(reference("latest"), HERE) == second


def test_each_checkpoint_knows_its_neighbours(store: Store) -> None:
    """A session can be walked in both directions."""
    first, second = (store.put(a_draft()).checkpoint for _ in range(2))
    other = store.put(a_draft(session_id=OTHER_SESSION)).checkpoint

    first_now = store.get(first.checkpoint_id)
    assert first_now.previous_checkpoint is None
    assert first_now.next_checkpoint == second.checkpoint_id
    assert not first_now.latest_checkpoint
    assert second.previous_checkpoint == first.checkpoint_id
    assert second.next_checkpoint is None
    assert second.latest_checkpoint
    assert other.previous_checkpoint is None


def test_observations_have_ids_of_the_whole_store(store: Store) -> None:
    """A mirror refers to the master summary and each detail by one number."""
    details = (Detail("auth", "tokens rotate"), Detail("tests", "one is flaky"))

    first = store.put(a_draft(details=details)).checkpoint
    second = store.put(
        a_draft(session_id=OTHER_SESSION, details=details[:1])
    ).checkpoint

    assert first.master_summary_id == 1
    assert [d.detail_id for d in first.draft.details] == [2, 3]
    assert second.master_summary_id == 4
    assert [d.detail_id for d in second.draft.details] == [5]


def test_a_taken_name_is_refused(store: Store) -> None:
    """Nothing is overwritten unless someone said so."""
    store.put(a_draft(name="api-design"))

    with pytest.raises(NameTaken) as refused:
        store.put(a_draft(name="api-design"))

    assert "`api-design`" in refused.value.message
    assert "CHECKPOINT-00001" in refused.value.message
    assert "--force" in refused.value.hint


def test_a_replaced_name_moves(store: Store) -> None:
    """The name belongs to its newest owner; the old record stays, unnamed."""
    old = store.put(a_draft(name="api")).checkpoint

    new = store.put(a_draft(name="api", replace_name=True)).checkpoint

    assert store.find(reference("api"), HERE) == new
    assert store.get(old.checkpoint_id).name is None
    assert store.get(old.checkpoint_id).content_hash == old.content_hash


def test_a_name_is_taken_within_its_project_only(store: Store) -> None:
    """Two projects may each have an `api-design`."""
    store.put(a_draft(name="api"))

    other = store.put(a_draft(name="api", project_id=OTHER_PROJECT))

    assert other.checkpoint.name == "api"


def test_a_consumed_name_still_finds_its_record_until_a_new_save_takes_it(
    store: Store,
) -> None:
    """Resuming frees the name, yet loses nothing."""
    old = store.put(a_draft(name="api")).checkpoint
    store.consume(old.checkpoint_id)
    assert store.find(reference("api"), HERE).checkpoint_id == old.checkpoint_id

    new = store.put(a_draft(name="api")).checkpoint

    assert store.find(reference("api"), HERE) == new
    assert store.get(old.checkpoint_id).name is None


def test_text_that_no_store_takes_is_replaced_at_the_door(store: Store) -> None:
    """Half a surrogate pair and NUL come from transcripts and file names."""
    draft = a_draft(
        "half \ud800 pair",
        requests=(Item("nul \x00 byte", "user"),),
        tags=("\udfff",),
        working_directory="/bytes/\udcff",
    )

    kept = store.put(draft).checkpoint

    assert kept.draft.content.title == "half � pair"
    assert kept.draft.content.requests[0].text == "nul � byte"
    assert kept.draft.tags == ("�",)
    assert kept.draft.working_directory == "/bytes/�"
    assert store.get(kept.checkpoint_id) == kept


def test_a_draft_without_a_json_form_is_refused(store: Store) -> None:
    """Nothing is stored, and the message says what was wrong."""
    with pytest.raises(SaveFailed, match="JSON"):
        store.put(a_draft(context_percent=float("nan")))

    assert store.session(SESSION) is None
    assert store.put(a_draft()).checkpoint.number == 1


def test_a_save_brings_the_sessions_record_up_to_date(store: Store) -> None:
    """The record is there as soon as the checkpoint is, never later."""
    draft = a_draft(
        message_count=12, started_at=NOON - 5000, parent_session=OTHER_SESSION
    )

    kept = store.put(draft).checkpoint

    record = store.session(SESSION)
    assert record is not None
    assert record.checkpoints == (kept.checkpoint_id,)
    assert record.message_count == 12
    assert record.started_at == NOON - 5000
    assert record.parent_session == OTHER_SESSION
    assert record.root_session == OTHER_SESSION
    assert record.project_id == PROJECT
    assert record.transcript == draft.transcript
    assert (record.ended_at, record.cleared) == (None, False)


def test_a_save_at_a_clear_ends_the_session(store: Store) -> None:
    """The next session asks whether this one was seen to end, and how."""
    store.put(a_draft(trigger="clear", type="before-clear", started_at=NOON - 9000))

    record = store.session(SESSION)
    assert record is not None
    assert (record.ended_at, record.cleared) == (NOON, True)
    assert record.duration_seconds == 9


@pytest.mark.local  # a team's chain is a project's
def test_hashes_chain_each_record_to_the_one_before(open_store: OpenStore) -> None:
    """The same record after another history has another hash."""
    draft = a_draft()
    alone = open_store().put(draft).checkpoint
    store = open_store()
    store.put(a_draft(session_id=OTHER_SESSION, project_id=OTHER_PROJECT))

    second = store.put(replace(draft, content=draft.content)).checkpoint

    assert second.checkpoint_id == alone.checkpoint_id
    assert second.content_hash != alone.content_hash


@pytest.mark.local
@pytest.mark.parametrize(
    "switch",
    [
        pytest.param(Switch("all"), id="everything"),
        pytest.param(Switch("project", PROJECT), id="its project"),
        pytest.param(Switch("session", session_number(1)), id="its session"),
        pytest.param(Switch("session", session_number(1), 501), id="for a while"),
    ],
)
def test_a_save_by_itself_is_not_put_where_it_is_off(
    store: Store, switch: Switch
) -> None:
    """Whoever turns it off, or forgets a session, must not find it recorded after."""
    store.switch_off(switch)

    kept = store.put_unless_off(a_draft(session_id=session_number(1)), 500)

    assert kept is None
    assert store.list(Scope()) == ()


@pytest.mark.local
@pytest.mark.parametrize(
    "switch",
    [
        pytest.param(Switch("project", "another"), id="another project"),
        pytest.param(Switch("session", session_number(2)), id="another session"),
        pytest.param(Switch("all", "", 500), id="only until now"),
    ],
)
def test_a_save_by_itself_is_put_where_something_else_is_off(
    store: Store, switch: Switch
) -> None:
    """One session that is off costs no other one a thing."""
    store.switch_off(switch)

    kept = store.put_unless_off(a_draft(session_id=session_number(1)), 500)

    assert kept is not None
    assert kept.outcome == "saved"
