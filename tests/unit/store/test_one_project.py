"""A store with one project in it: every other is not there, whatever is asked for. T22."""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast.domain.checkpoint import Detail
from holdfast.domain.client import HookCost
from holdfast.domain.query import Query, Scope
from holdfast.kernel.errors import (
    AccessRefused,
    CheckpointNotFound,
    ReferenceAmbiguous,
)
from holdfast.kernel.ids import reference
from holdfast.store.one_project import one_project
from holdfast.store.outbox_port import Outbox
from holdfast.store.port import Store
from holdfast.store.sqlite.store import open_store
from tests.builders import (
    NOON,
    OTHER_PROJECT,
    OTHER_SESSION,
    PROJECT,
    SESSION,
    a_draft,
    a_session,
    identity,
)

_SPANS = "5ba35000-0000-4000-8000-000000000003"  # a session that was in both projects
_HERS = (
    "7670ffff-0000-4000-8000-000000000004"  # begins like SESSION, and is of the other
)
_THEIRS = "salamander"  # every text of the other project has it


@pytest.fixture
def both(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "home"), create=True) as store:
        store.put(a_draft("First", name="api"))
        store.put(a_draft("Second", session_id=_SPANS, parent_session=SESSION))
        for session in (OTHER_SESSION, _HERS, _SPANS):
            store.put(
                a_draft(
                    f"{_THEIRS} {session}",
                    project_id=OTHER_PROJECT,
                    session_id=session,
                    project_root=f"/{_THEIRS}",
                    workspace=f"/{_THEIRS}",
                    name=f"{_THEIRS}-{session[:4]}",
                )
            )
        gone = store.put(a_draft(_THEIRS, project_id=OTHER_PROJECT)).checkpoint
        store.remove([gone.checkpoint_id], _THEIRS)
        store.put(a_draft("Third"))
        for session in (SESSION, OTHER_SESSION):
            store.add_cost(session, HookCost(events=1))
        yield store


@pytest.fixture
def limited(both: Store) -> Store:
    return one_project(both, PROJECT)


def _theirs(store: Store) -> list[Any]:
    return list(store.list(Scope(project_id=OTHER_PROJECT)))


def _texts(value: Any) -> str:
    return repr([*value]) if isinstance(value, Iterator) else repr(value)


EVERY = Scope()
THEIRS = Scope(project_id=OTHER_PROJECT)
# How everything is asked for that can be asked; what names something names the other's.
ASKED: dict[str, Callable[[Store, Any], Any]] = {
    "list": lambda s, _: [s.list(EVERY, limit=99), s.list(THEIRS), s.list(EVERY, session=_HERS), s.list(EVERY, lineage=_HERS)],
    "count": lambda s, _: [s.count(THEIRS), s.count(EVERY, session=_HERS)],
    "merged_into": lambda s, _: s.merged_into(_HERS),
    "every": lambda s, _: [*s.every(EVERY), *s.every(THEIRS)],
    "outlines": lambda s, _: [*s.outlines(EVERY), *s.outlines(THEIRS), *s.outlines(EVERY, session=_HERS)],
    "damaged": lambda s, other: s.damaged([other.checkpoint_id]),
    "several": lambda s, other: s.several([other.checkpoint_id]),
    "tallies": lambda s, _: [*s.tallies(EVERY), *s.tallies(THEIRS)],
    "search": lambda s, _: [s.search(Query(words=(_THEIRS,)), each, 99) for each in (EVERY, THEIRS)]
    + [s.search(Query(session=_HERS), EVERY, 9), s.search(Query(lineage=_HERS), EVERY, 9)],
    "session": lambda s, _: [s.session(_HERS), s.session(_SPANS)],
    "sessions_like": lambda s, _: [s.sessions_like("7670f"), s.sessions_like("91e0")],
    "lineage": lambda s, _: [s.lineage(_HERS), s.lineage(SESSION)],
    "sessions": lambda s, _: [s.sessions(EVERY, 99), s.sessions(THEIRS, 99)],
    "parents": lambda s, _: s.parents(),
    "known_project": lambda s, _: s.known_project(identity(f"/{_THEIRS}")),
    "projects": lambda s, _: s.projects(),
    "fold": lambda s, _: s.fold(_HERS),
    "offered": lambda s, _: s.offered(_HERS),
    "deliveries": lambda s, _: s.deliveries(),
    "hook_costs": lambda s, _: s.hook_costs(),
    "switches": lambda s, _: s.switches(),
    "moment": lambda s, _: s.moment,
    "machine": lambda s, _: s.machine,
}  # fmt: skip


@pytest.mark.parametrize("name", ASKED)
def test_t22_nothing_that_is_asked_for_tells_of_another_project(
    both: Store, limited: Store, name: str
) -> None:
    """Not its words, its ids, its sessions or how many there are."""
    for other in _theirs(both):
        told = _texts(ASKED[name](limited, other))

        assert _THEIRS not in told
        assert OTHER_PROJECT not in told
        assert _HERS not in told
        assert other.checkpoint_id not in told


CHANGED: dict[str, Callable[[Store, Any], Any]] = {
    "put": lambda s, _: s.put(a_draft(project_id=OTHER_PROJECT)),
    "put_unless_off": lambda s, _: s.put_unless_off(a_draft(session_id=_HERS), NOON),
    "get": lambda s, other: s.get(other.checkpoint_id),
    "rename": lambda s, other: s.rename(other.checkpoint_id, "mine"),
    "consume": lambda s, other: s.consume(other.checkpoint_id),
    "note_session": lambda s, _: s.note_session(a_session(_HERS, cleared=True)),
    "project": lambda s, _: s.project(identity("/new")),
    "find": lambda s, other: s.find(reference(other.checkpoint_id), THEIRS),
}


@pytest.mark.parametrize("name", CHANGED)
def test_t22_nothing_of_another_project_is_changed_or_had_by_its_name(
    both: Store, limited: Store, name: str
) -> None:
    before = _texts(_theirs(both))

    for other in _theirs(both):
        with pytest.raises((AccessRefused, CheckpointNotFound)) as refused:
            CHANGED[name](limited, other)
        assert _THEIRS not in f"{refused.value.message} {refused.value.hint}"

    assert _texts(_theirs(both)) == before


def test_t22_removing_removes_only_what_is_of_the_project(
    both: Store, limited: Store
) -> None:
    (theirs, *_), own = _theirs(both), limited.find(reference("1"), EVERY)

    gone = limited.remove([theirs.checkpoint_id, own.checkpoint_id], "asked")

    assert [each.checkpoint_id for each in gone] == [own.checkpoint_id]
    assert both.get(theirs.checkpoint_id) == theirs


def test_t22_what_nobody_has_thought_about_is_refused(limited: Store) -> None:
    """A role that is new in the port is not open by itself."""
    methods = {
        name for name, _ in inspect.getmembers(Store) if not name.startswith("_")
    }
    thought_of = {*ASKED, *CHANGED, "remove", "redaction_key", "outbox", "close"}

    assert methods - thought_of >= {"wipe", "rewrite", "reindex", "own_tombstones"}
    for name in methods - thought_of:
        with pytest.raises(AccessRefused):
            getattr(limited, name)


def test_t22_of_the_outbox_there_is_only_what_a_save_needs(
    both: Store, limited: Store
) -> None:
    """A mirror has what is saved; nobody reads, gives up or acknowledges its parcels."""
    limited.outbox.follow("claude-mem")

    assert [state.target for state in both.outbox.states()] == ["claude-mem"]
    for name, _ in inspect.getmembers(Outbox):
        if not name.startswith("_") and name != "follow":
            with pytest.raises(AccessRefused):
                getattr(limited.outbox, name)
    with pytest.raises(TypeError):  # nor is a mirror given what was kept before
        limited.outbox.follow("claude-mem", everything=True)


def test_t22_a_key_of_another_project_is_no_way_to_what_it_kept(
    both: Store, limited: Store
) -> None:
    """A retry is answered with the checkpoint of its key: not with one elsewhere."""
    key = _theirs(both)[0].draft.key

    with pytest.raises(AccessRefused):
        limited.put(a_draft(key=key, session_id=SESSION))
    with pytest.raises(AccessRefused):
        limited.put_unless_off(a_draft(key=key, session_id=SESSION), NOON)


def test_t22_observations_are_counted_by_themselves(
    both: Store, limited: Store
) -> None:
    """Their numbers run through the store, and would tell how much is kept in it."""
    kept = limited.put(a_draft(details=(Detail("a", "b"), Detail("c", "d"))))
    whole = both.get(kept.checkpoint.checkpoint_id)

    for told in (kept.checkpoint, limited.get(whole.checkpoint_id)):
        assert told.master_summary_id == 0
        assert [each.detail_id for each in told.draft.details] == [1, 2]
    assert whole.draft.details[0].detail_id > whole.master_summary_id > 1


def test_t22_a_reference_to_another_project_is_missed_as_what_never_was(
    both: Store, limited: Store
) -> None:
    """By the words of the refusal nobody learns what is there."""
    ids = [each.checkpoint_id for each in _theirs(both)]
    names = [each.name or "" for each in _theirs(both)]
    for known in (*ids, ids[-1][:30], *names, "session:91e0", f"session:{_HERS}"):
        never = f"{known[:-1]}{'0' if known[-1] != '0' else '1'}"
        with pytest.raises(CheckpointNotFound) as there:
            limited.find(reference(known), EVERY)
        with pytest.raises(CheckpointNotFound) as nowhere:
            limited.find(reference(never), EVERY)

        bare, never_was = known.removeprefix("session:"), never.removeprefix("session:")
        assert there.value.message.replace(bare, "") == (
            nowhere.value.message.replace(never_was, "")
        )
        assert there.value.hint == nowhere.value.hint


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("latest", "Third"), ("latest~1", "Second"), ("1", "First"), ("api", "First"),
        (f"ccp-{SESSION}-01-{NOON}", "First"), (f"ccp-{SESSION}-01", "First"),
        (f"session:{SESSION}", "Third"), ("session:5ba3", "Second"), ("session:7670", "Third"),
    ],
)  # fmt: skip
def test_what_is_of_the_project_is_found_as_ever(
    limited: Store, text: str, expected: str
) -> None:
    """`session:7670` begins two sessions, of which one is not there."""
    for scope in (EVERY, Scope(project_id=PROJECT)):
        found = limited.find(reference(text), scope)

        assert found.draft.content.title == expected


def test_what_is_ambiguous_names_only_what_is_of_the_project(limited: Store) -> None:
    with pytest.raises(ReferenceAmbiguous) as several:
        limited.find(reference(f"ccp-{SESSION}"), EVERY)

    assert _THEIRS not in several.value.hint
    assert "2 checkpoints" in several.value.message
