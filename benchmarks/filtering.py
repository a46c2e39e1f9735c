"""What each filter of a search costs as the store grows, as a ratio of CPU time.

Goal: at 40 times the records ≤ 3 × for a filter that names a few of them. A filter by
dates reads the moments it spans, so `before:` is shown beside, without a goal.
"""

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks.saving import in_one_transaction
from holdfast.domain.checkpoint import Draft, FileRef, Item, ToolRef
from holdfast.domain.code import CodeState
from holdfast.domain.query import Query, Scope
from holdfast.search.query import parse
from holdfast.store.sqlite.store import SqliteStore, open_store
from tests.builders import NOON, PROJECT, a_draft, session_number

_SMALL, _LARGE = 500, 20_000
_ROUNDS = 40
_BATCH = 250
_SESSION = 5  # checkpoints of each
_FAMILY = 10  # sessions of each lineage
_NARROW = (
    "session:{session}",
    "session:{session} parser",
    "parent:{session}",
    "lineage:{session}",
    "checkpoint:ccp-{session}",
    "name:name-7-x",
    "name:name-7-x parser",
    "file:module_7.py tag:tag-7",
    "branch:branch-7 topic:topic-7 -tool:Bash",
    "-session:{session} -tag:none",
    "after:2026-01-18T12:00:01Z before:2026-01-18T12:00:02Z",
    "latest sort:desc",
    "latest type:manual",
)
_WIDE = ("before:2026-01-19", "before:2026-01-19 parser")


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        stores = [_filled(Path(scratch) / str(n), n) for n in (_SMALL, _LARGE)]
        print(f"{'CPU ms at':>55}{_SMALL:>8,}{_LARGE:>8,}   ratio")
        for text in (*_NARROW, *_WIDE):
            query = parse(text.format(session=session_number(7)), NOON)
            small, large = _measured(stores, query)
            shown = text.format(session="…")
            print(f"{shown:>55}{small:>8.2f}{large:>8.2f}{large / small:>8.1f}")
        for store in stores:
            store.close()


def _measured(stores: list[SqliteStore], query: Query) -> list[float]:
    """Return milliseconds of CPU for each store, asked in turn."""
    taken: list[list[float]] = [[] for _ in stores]
    here = Scope(project_id=PROJECT)
    for _ in range(_ROUNDS):
        for store, times in zip(stores, taken, strict=True):
            before = time.process_time()
            found = store.search(query, here, 10)
            times.append((time.process_time() - before) * 1e3)
            if not found:
                sys.exit(f"nothing answers {query}")
    return [median(times) for times in taken]


def _filled(home: Path, size: int) -> SqliteStore:
    store = open_store(str(home), create=True)
    for first in range(0, size, _BATCH):
        with in_one_transaction(store):
            for number in range(first, min(size, first + _BATCH)):
                store.put(_draft(number))
    return store


def _draft(number: int) -> Draft:
    session = number // _SESSION
    place = session % _FAMILY
    return a_draft(
        f"Parser {number}",
        session_id=session_number(session),
        parent_session=session_number(session - 1) if place else None,
        name=f"name-{number}-x" if number % 50 == 7 else None,
        created_at=NOON + number * 100,
        decisions=(Item(f"decision {number} about module {number % 97}"),),
        tags=("checkpoint", f"tag-{number % 97}"),
        topics=(f"topic-{number % 89}",),
        files=(FileRef(f"src/module_{number % 97}.py", "edited"),),
        tools=(ToolRef("Edit", 1, NOON, NOON),),
        code=CodeState(branch=f"branch-{number % 89}"),
    )


if __name__ == "__main__":
    main()
