"""Find documents with the product's own text analysis, index and ranking.

    python benchmarks/retrieval.py docs.jsonl queries.jsonl

Both files hold lines `{"id", "text"}`. Each document is kept as a prompt of one session
in a store of its own, in order, so that the documents around it are its context; each
query goes through the query language. One line `{"id": query, "ids": [document, …]}`,
best first, is printed per query.
"""

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # run as a script: what is imported stands beside it
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from holdfast.domain.checkpoint import Content, Draft, Item
from holdfast.domain.query import Scope
from holdfast.search.passages import placed_passages
from holdfast.search.query import parse
from holdfast.search.ranking import NEIGHBOURS, row_of
from holdfast.store.sqlite.search.searching import best
from holdfast.store.sqlite.store import SqliteStore, open_store

_NOW = 1_768_737_600_000
_SESSION = "7670db3a-62b2-4f0e-9c1d-3f2a1b4c5d6e"
_LIMIT = 20
_PASSAGES = 900  # of one checkpoint; it has room for some more


def main() -> None:
    documents, queries = (_lines(name) for name in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as scratch:
        store = open_store(scratch, create=True)
        rows = keep(store, [str(document["text"]) for document in documents])
        for query in queries:
            found = search(store, str(query["text"]), rows)
            ids = [documents[number]["id"] for number in found]
            print(json.dumps({"id": query["id"], "ids": ids}))
        store.close()


def keep(store: SqliteStore, texts: Sequence[str]) -> dict[int, int]:
    """Keep texts as the prompts of a session, and return the text of each row."""
    rows: dict[int, int] = {}
    for first, draft in _drafts(texts):
        store.put(draft)
        position = store._database.head().position  # noqa: SLF001  # rows are the store's own
        for place, statement, _ in placed_passages(draft):
            rows[row_of(position, place)] = first + statement - 1
    return rows


def search(store: SqliteStore, text: str, rows: dict[int, int]) -> list[int]:
    """Return the numbers of the texts that a query finds, best first."""
    database = store._database  # noqa: SLF001  # the port ranks checkpoints, not texts
    found = best(
        database,
        parse(text, _NOW),
        Scope(),
        _LIMIT,
        lambda row: rows.get(row, -1),
        beside=len(NEIGHBOURS),
    )
    return [each.group for each in found if each.group >= 0]


def _drafts(texts: Sequence[str]) -> Iterator[tuple[int, Draft]]:
    """Yield drafts with as many texts as one holds, each with its first one's number."""
    first, held, passages = 0, 0, 0
    for number, text in enumerate(texts):
        more = len(placed_passages(_draft(0, [text])))
        if held and passages + more > _PASSAGES:
            yield first, _draft(first, texts[first:number])
            first, held, passages = number, 0, 0
        held, passages = held + 1, passages + more
    yield first, _draft(first, texts[first:])


def _draft(number: int, texts: Sequence[str]) -> Draft:
    return Draft(
        key=f"{number}",
        session_id=_SESSION,
        agent="claude-code",
        agent_version="2.1.197",
        type="manual",
        created_at=_NOW,
        working_directory="/code",
        hostname="desk",
        project_id="0123456789abcdef",
        project_root="/code",
        workspace="/code",
        content=Content(
            title="", requests=tuple(Item(text or " ", "user") for text in texts)
        ),
    )


def _lines(name: str) -> list[dict[str, Any]]:
    with Path(name).open(encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


if __name__ == "__main__":
    main()
