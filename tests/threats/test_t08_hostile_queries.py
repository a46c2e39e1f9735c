"""T8. Any string is a query: none is an error, none is a slow path."""

import time
from collections.abc import Iterator

import pytest

from holdfast.domain.checkpoint import Item
from holdfast.domain.query import Scope
from holdfast.search.query import parse
from holdfast.store.sqlite.store import SqliteStore, open_store
from tests.builders import NOON, a_draft, session_number

_WORDS = [
    "parser", "quotes", "nested", "token", "refresh", "session", "index", "rotate", "C++",
    "a-b", "ตรวจสอบ", "索引",
]  # fmt: skip
_MOST_CPU = 0.5  # seconds: a loop that grows with the square of its text takes minutes


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    with open_store(str(tmp_path_factory.mktemp("store")), create=True) as store:
        for number in range(60):
            words = " ".join(_WORDS[number % 7 :] + _WORDS[: number % 5])
            store.put(
                a_draft(
                    f"Record {number}",
                    requests=(Item(words, "user"), Item("nothing here", "user")),
                    session_id=session_number(number),
                )
            )
        yield store


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("C++", id="signs that are not words"),
        pytest.param("a-b", id="a hyphen"),
        pytest.param('"', id="one quote"),
        pytest.param('""""', id="only quotes"),
        pytest.param('"parser', id="an open phrase"),
        pytest.param("NEAR(parser quotes, 2)", id="the engine's NEAR"),
        pytest.param("parser AND NOT quotes OR (", id="the engine's operators"),
        pytest.param("*", id="a star"),
        pytest.param("a* b* c* par*", id="short beginnings"),
        pytest.param("{words facets}: parser", id="the engine's columns"),
        pytest.param("^parser", id="the engine's caret"),
        pytest.param("search_index : parser", id="a table's name"),
        pytest.param("par\x00ser \x00", id="NUL"),
        pytest.param("\ud800 parser \udfff", id="half a surrogate pair"),
        pytest.param("parser\x80 \x9eproject quotes\x9f", id="the index's own marks"),
        pytest.param("🙂 👩‍👩‍👧‍👦 🇹🇭", id="emoji"),
        pytest.param("(a+)+$ " * 200 + "a" * 5000 + "!", id="a regex bomb"),
        pytest.param("parser " * 15_000, id="100 kB of one word"),
        pytest.param("ก" * 100_000, id="100 kB without a space"),
        pytest.param("a_b.C-d/" * 12_500, id="100 kB of an identifier"),
        pytest.param("'; DROP TABLE checkpoint; --", id="another language's quote"),
        pytest.param("session:" * 5000 + '"' * 5000, id="filters without values"),
        pytest.param("a\u0301" * 30_000, id="a pile of accents"),
    ],
)
def test_t08_no_query_fails_or_takes_long(store: SqliteStore, text: str) -> None:
    """Agents paste anything; a search that hangs is a session that hangs."""
    before = time.thread_time()

    hits = store.search(parse(text, NOON), Scope(), 10)

    assert time.thread_time() - before < _MOST_CPU
    assert len(hits) <= 10
    assert store.search(parse("parser", NOON), Scope(), 1)
