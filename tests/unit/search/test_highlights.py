"""What is marked in a passage is what the query found there."""

import pytest
from hypothesis import given, strategies as st

from holdfast.domain.query import Query
from holdfast.search.highlights import spans
from holdfast.search.query import parse


def marked(text: str, query: str) -> str:
    """Return the text with what is marked in brackets."""
    shown, end = "", 0
    for start, stop in spans(text, parse(query, 0)):
        shown += text[end:start] + f"[{text[start:stop]}]"
        end = stop
    return shown + text[end:]


@pytest.mark.parametrize(
    ("text", "query", "shown"),
    [
        pytest.param("Tokens rotate on use", "rotate", "Tokens [rotate] on use", id="word"),
        pytest.param("Tokens rotate", "ROTATING token", "[Tokens] [rotate]", id="other forms"),
        pytest.param("the lexer and the parser", "the parser", "the lexer and the [parser]", id="not its fillers"),
        pytest.param("to be or not", "to be", "[to] [be] or not", id="fillers if nothing else"),
        pytest.param("fix parseNestedQuotes", "nested", "fix parse[Nested]Quotes", id="part of a name"),
        pytest.param("see token_store.py", "store", "see token_[store].py", id="part of a path"),
        pytest.param("see token_store.py", "tokenstore", "see [token_store.py]", id="joined"),
        pytest.param("le café fermé", "cafe", "le [café] fermé", id="without its accent"),
        pytest.param("ตรวจสอบรหัสผ่านก่อน", "รหัสผ่าน", "ตรวจสอบ[รหัสผ่าน]ก่อน", id="Thai"),
        pytest.param("修复会话恢复的错误", "会话恢复", "修复[会话恢复]的错误", id="Chinese"),
        pytest.param("会话已恢复", "会话恢复", "[会话]已[恢复]", id="Chinese in parts"),
        pytest.param("API索引の再構築", "索引 api", "[API索引]の再構築", id="mixed scripts"),
        pytest.param("nothing here", "zebra", "nothing here", id="nothing"),
        pytest.param("a tag here", "tag:tag", "a tag here", id="a filter marks nothing"),
        pytest.param("the authentication of an author", "authent", "the [authentication] of an author", id="a beginning"),
        pytest.param("the auth of an author", "auth", "the [auth] of an author", id="the whole before beginnings"),
        pytest.param("alpha beta", '"alpha beta"', "[alpha] [beta]", id="phrase"),
    ],
)  # fmt: skip
def test_what_was_asked_for_is_marked(text: str, query: str, shown: str) -> None:
    """A reader sees at once why this passage is an answer."""
    assert marked(text, query) == shown


@given(st.text(max_size=60), st.lists(st.text(max_size=8), max_size=4))
def test_marks_are_in_order_and_inside(text: str, words: list[str]) -> None:
    """Whatever stands in a transcript, a mark is a part of it."""
    found = spans(text, Query(words=tuple(words)))

    places = [place for span in found for place in span]
    assert places == sorted(places)
    assert all(0 <= start < end <= len(text) for start, end in found)
