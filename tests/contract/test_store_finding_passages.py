"""The passage of a hit: the words that answered, as the record has them."""

from typing import Any

import pytest

from holdfast.domain.checkpoint import Detail, FileRef, Item
from holdfast.domain.query import Passage, Query, Scope
from holdfast.store.port import Store
from tests.builders import a_draft


def passage(store: Store, **asked: Any) -> Passage | None:
    (hit,) = store.search(Query(**asked), Scope(), 10)
    return hit.passage


@pytest.mark.parametrize(
    ("part", "value", "kind", "text", "evidence"),
    [
        pytest.param("requests", (Item("feed the zebra", "user", ("l1",)),), "requests", "feed the zebra", ("l1",), id="request"),
        pytest.param("decisions", (Item("no"), Item("a zebra it is", "agent", ("l2",))), "decisions", "a zebra it is", ("l2",), id="second decision"),
        pytest.param("errors", (Item("zebra not found", "tool", ("l3", "l4")),), "errors", "zebra not found", ("l3", "l4"), id="error"),
        pytest.param("details", (Detail("Animals", "the zebra eats", evidence=("l5",)),), "details", "Animals\nthe zebra eats", ("l5",), id="observation"),
        pytest.param("files", (FileRef("src/zebra.py", "read"),), "files", "src/zebra.py", (), id="file"),
        pytest.param("summary", "There was a zebra.", "summary", "There was a zebra.", (), id="summary"),
    ],
)  # fmt: skip
def test_a_hit_quotes_what_answered_and_where_it_can_be_read(
    store: Store, part: str, value: object, kind: str, text: str, evidence: object
) -> None:
    """ "Where did we decide X" is answered by the moment, not by a title."""
    store.put(a_draft("Something else", **{part: value}))

    found = passage(store, words=("zebra",))

    assert found == Passage(kind, text, evidence)  # type: ignore[arg-type]  # as the table says
    assert passage(store, words=("zebra",), latest=True) == found
    assert passage(store, words=("zebra",), sort="asc") == found


def test_a_phrase_is_quoted_like_a_word(store: Store) -> None:
    """Quotes ask for words side by side, in one passage."""
    store.put(a_draft("Other", decisions=(Item("nested"), Item("nested quotes work"))))

    found = passage(store, phrases=("nested quotes",))

    assert found is not None
    assert found.text == "nested quotes work"


def test_filters_quote_nothing(store: Store) -> None:
    """There are no words to point at."""
    store.put(a_draft("Zebra", tags=("x",)))

    assert passage(store, tags=("x",)) is None
    assert passage(store, excluded=("lion",)) is None


def test_of_several_passages_the_best_is_quoted(store: Store) -> None:
    """One that has all the words before one that has some."""
    items = (Item("the parser"), Item("the parser owns nested quotes"), Item("quotes"))
    store.put(a_draft("Other", decisions=items))

    found = passage(store, words=("parser", "quotes"))

    assert found is not None
    assert found.text == "the parser owns nested quotes"
