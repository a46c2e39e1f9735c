"""Suggestions: what matters to the work at hand, why, and silence otherwise."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from holdfast.app.checkpoints.search import AtWork, Suggestion, matters
from holdfast.domain.checkpoint import Content, FileRef, Item
from holdfast.domain.query import Scope
from holdfast.domain.record_legacy import with_legacy_fact
from holdfast.store.port import Store
from holdfast.store.sqlite.store import open_store
from tests.builders import (
    OTHER_PROJECT,
    PROJECT,
    SESSION,
    a_draft,
    session_number,
)
from tests.memory_store.store import MemoryStore

HERE = Scope(project_id=PROJECT)
LABELLED = json.loads(
    (Path(__file__).parents[2] / "fixtures" / "suggesting.json").read_text("utf-8")
)
_REFUSED = (
    "`make` → exit 1: redis.exceptions.ConnectionError: Error 61 connecting to"
    " localhost:6380"
)
CASES = [pytest.param(case, id=case["id"]) for case in LABELLED["cases"]]


def parts(told: dict[str, Any]) -> dict[str, Any]:
    """Return parts of a `Content` from their short form."""
    items = ("requests", "decisions", "errors", "dead_ends")
    return {
        **{
            kind: tuple(
                with_legacy_fact(kind, Item(text)) for text in told.get(kind, ())
            )
            for kind in items
        },
        "files": tuple(FileRef(path, "edited") for path in told.get("files", ())),
        "names": tuple(told.get("names", ())),
    }


def content(told: dict[str, Any]) -> Content:
    return Content(title="Now", **parts(told))


def filled(store: Store) -> Store:
    """Return a store with the labelled past, each checkpoint a session of its own."""
    for number, told in enumerate(LABELLED["past"]):
        store.put(
            a_draft(
                told["title"],
                session_id=session_number(number),
                tags=(told["id"],),
                **parts(told),
            )
        )
    return store


@pytest.fixture(scope="module", params=["sqlite", "memory"])
def store(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """Return one store for all tests: nothing here writes to it."""
    if request.param == "memory":
        yield filled(MemoryStore())
        return
    home = tmp_path_factory.mktemp("suggest")
    with open_store(str(home), create=True) as opened:
        yield filled(opened)


Suggests = Callable[[dict[str, Any]], tuple[Suggestion, ...]]


@pytest.fixture
def suggests(store: Store) -> Suggests:
    return lambda told: matters(AtWork(SESSION, content(told)), store, HERE)


def ids(found: tuple[Suggestion, ...]) -> list[str]:
    return [suggestion.checkpoint.draft.tags[0] for suggestion in found]


@dataclass
class Tally:
    wanted: int = 0
    told: int = 0
    right: int = 0
    first_right: int = 0
    quiet: int = 0
    quiet_kept: int = 0


def test_suggestions_are_precise_and_miss_little(suggests: Suggests) -> None:
    """The labelled set as a whole: 27 situations with an answer, 18 without."""
    tally = Tally()

    for case in LABELLED["cases"]:
        told, wanted = ids(suggests(case)), set(case["wanted"])
        tally.wanted += len(wanted)
        tally.told += len(told)
        tally.right += len(wanted & set(told))
        tally.first_right += told[:1] != [] and told[0] in wanted
        tally.quiet += not wanted
        tally.quiet_kept += not wanted and not told

    with_answer = len(LABELLED["cases"]) - tally.quiet
    assert tally.right >= 0.9 * tally.told  # precision
    assert tally.right >= 0.9 * tally.wanted  # recall
    assert tally.first_right == with_answer
    assert tally.quiet_kept == tally.quiet


@pytest.mark.parametrize("case", CASES)
def test_a_suggestion_says_why_or_nothing_is_said(
    suggests: Suggests, case: dict[str, Any]
) -> None:
    """Each by itself, so that a failure names the situation."""
    found = suggests(case)

    assert all(suggestion.why for suggestion in found)
    assert set(ids(found)) <= set(case["wanted"])
    assert bool(found) == bool(case["wanted"])


def test_the_reasons_are_the_strongest_first(suggests: Suggests) -> None:
    """An error that came back says more than a file."""
    found = suggests(
        {
            "files": ["src/limits/redis_store.py"],
            "errors": [_REFUSED],
        }
    )

    assert [why.partition(":")[0] for why in found[0].why] == [
        "met the same error",
        "changed redis_store.py too",
    ]


def test_its_own_checkpoints_are_never_suggested(store: Store) -> None:
    """A session knows what it did."""
    own = session_number(0)
    work = content(LABELLED["past"][0])

    found = matters(AtWork(own, work), store, HERE)

    assert "jwt" not in ids(found)
    assert "jwt-reuse" in ids(found)


def test_what_it_began_from_is_not_suggested(store: Store) -> None:
    """Its brief was read already."""
    work = content({"files": ["src/auth/refresh.py"]})
    first = matters(AtWork(SESSION, work), store, HERE)[0].checkpoint

    again = matters(
        AtWork(SESSION, work, frozenset([first.checkpoint_id])), store, HERE
    )

    assert first.checkpoint_id not in [s.checkpoint.checkpoint_id for s in again]


def test_of_one_session_one_checkpoint_is_suggested() -> None:
    """Ten saves of one afternoon are one piece of news, and the last tells most."""
    store = filled(MemoryStore())
    for title in ("Early", "Late"):
        store.put(
            a_draft(
                title,
                session_id=session_number(99),
                files=(FileRef("src/wishlist/views.py", "edited"),),
                tags=(title,),
            )
        )

    found = matters(
        AtWork(SESSION, content({"files": ["src/wishlist/views.py"]})), store, HERE
    )

    assert ids(found) == ["Late"]


def test_another_project_s_work_is_not_suggested(store: Store) -> None:
    """Finding spans the project, and no more."""
    work = content({"files": ["src/auth/refresh.py"]})

    found = matters(AtWork(SESSION, work), store, Scope(project_id=OTHER_PROJECT))

    assert found == ()


def test_no_more_than_asked_for_are_suggested(store: Store) -> None:
    """The strongest stay."""
    work = AtWork(SESSION, content({"files": ["src/auth/refresh.py"]}))

    every, one = matters(work, store, HERE), matters(work, store, HERE, 1)

    assert len(every) == 2
    assert one == every[:1]
