"""Resuming looks a record up once, by whatever way somebody names it."""

from typing import Any

import pytest

from holdfast.app.checkpoints.find import find
from holdfast.app.checkpoints.resume import resume
from holdfast.app.notes.named import resume_named
from holdfast.domain.query import Scope
from holdfast.kernel.errors import CheckpointNotFound
from holdfast.kernel.ids import reference
from tests.builders import OTHER_PROJECT, WORKSPACE, a_draft
from tests.fakes import CountingStore, Workbench


@pytest.fixture
def store() -> CountingStore:
    return CountingStore()


@pytest.fixture
def bench(store: CountingStore) -> Workbench:
    made = Workbench(store)
    made.keep(a_draft(name="api-design", title="An earlier one"))
    return made


def elsewhere(bench: Workbench) -> Scope:
    """A place where nothing of the code is compared: the record is what counts here."""
    return Scope(project_id=bench.scope().project_id)


@pytest.mark.parametrize("way", [resume, resume_named])
@pytest.mark.parametrize("words", ["1", "api-design", "api-des", "latest"])
def test_a_record_is_looked_up_once(
    bench: Workbench, store: CountingStore, way: Any, words: str
) -> None:
    scope = elsewhere(bench)
    store.lookups = 0

    told = way(reference(words), scope, bench.ports, budget=1000)

    assert told.checkpoint.draft.content.title == "An earlier one"
    assert store.lookups == 1


def test_what_is_not_there_is_said_with_what_is(bench: Workbench) -> None:
    with pytest.raises(CheckpointNotFound, match="the newest are `api-design`"):
        resume_named(reference("nothing"), elsewhere(bench), bench.ports, budget=1000)


def test_another_project_is_not_looked_into(bench: Workbench) -> None:
    there = Scope(project_id=OTHER_PROJECT)

    with pytest.raises(CheckpointNotFound):
        resume_named(reference("api-design"), there, bench.ports, budget=1000)


def test_latest_is_this_worktrees_first(bench: Workbench) -> None:
    """Next door somebody saved after us: that is not what `latest` means here."""
    bench.keep(a_draft(workspace="/code/next-door", title="A later one"))
    project = bench.scope().project_id

    here = find(bench.store, reference("latest"), bench.scope())
    empty = Scope(project_id=project, workspace="/code/empty")
    other = find(bench.store, reference("latest"), empty)

    assert here.draft.content.title == "An earlier one"
    assert other.draft.content.title == "A later one"


def test_what_is_of_another_worktree_says_so(bench: Workbench) -> None:
    """A brief that speaks of files next door names the place in its second line."""
    bench.keep(a_draft(workspace="/code/next-door", title="A later one"))
    asked_in = Scope(workspace=WORKSPACE)

    told = resume(reference("2"), asked_in, bench.ports, budget=1000)

    assert told.brief.splitlines()[1] == "Of another worktree: `/code/next-door`"
