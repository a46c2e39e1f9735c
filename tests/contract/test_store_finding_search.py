"""Search: words of any language, filters that hold, best first."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from holdfast.domain.checkpoint import CommandRef, Detail, FileRef, Item, Plan, ToolRef
from holdfast.domain.code import CodeState
from holdfast.domain.query import Passage, Query, Scope
from holdfast.store.port import Store
from tests.builders import (
    NOON,
    OTHER_PROJECT,
    OTHER_SESSION,
    PROJECT,
    SESSION,
    WORKSPACE,
    a_draft,
    session_number,
)

EVERYWHERE = Scope()


def titles(
    store: Store, scope: Scope = EVERYWHERE, limit: int = 10, **asked: Any
) -> list[str]:
    query = Query(**asked)
    return [
        hit.checkpoint.draft.content.title for hit in store.search(query, scope, limit)
    ]


@pytest.mark.parametrize(
    ("part", "value"),
    [
        pytest.param("summary", "zebra", id="summary"),
        pytest.param("topics", ("zebra",), id="topic"),
        pytest.param("requests", (Item("zebra"),), id="request"),
        pytest.param("instructions", (Item("zebra"),), id="instruction"),
        pytest.param("decisions", (Item("zebra"),), id="decision"),
        pytest.param("errors", (Item("zebra"),), id="error"),
        pytest.param("dead_ends", (Item("zebra"),), id="dead end"),
        pytest.param("key_outcomes", (Item("zebra"),), id="outcome"),
        pytest.param("discoveries", (Item("zebra"),), id="discovery"),
        pytest.param("pending", (Item("zebra"),), id="pending"),
        pytest.param("next_steps", (Item("zebra"),), id="next step"),
        pytest.param("open_questions", (Item("zebra"),), id="question"),
        pytest.param("in_flight", (Item("zebra"),), id="in flight"),
        pytest.param("last_words", "zebra", id="last words"),
        pytest.param("mental_model", "zebra", id="mental model"),
        pytest.param("names", ("zebra",), id="identifier"),
        pytest.param("files", (FileRef("src/zebra.py", "read"),), id="file"),
        pytest.param("commands", (CommandRef("make zebra", 0),), id="command"),
        pytest.param("commands", (CommandRef("make", 1, "zebra"),), id="output"),
        pytest.param("plan", Plan("zebra.md"), id="plan"),
        pytest.param("tags", ("zebra",), id="tag"),
        pytest.param("details", (Detail("x", "zebra"),), id="detail"),
    ],
)
def test_a_word_is_found_wherever_it_stands(
    store: Store, part: str, value: object
) -> None:
    """What a checkpoint says can be found by what it says."""
    store.put(a_draft("Wanted", **{part: value}))
    store.put(a_draft("Other"))

    assert titles(store, words=("zebra",)) == ["Wanted"]


@pytest.mark.parametrize(
    ("title", "word"),
    [
        pytest.param("Tokens rotate on use", "ROTATE", id="another case"),
        pytest.param("Fix parseNestedQuotes today", "nested", id="part of a name"),
        pytest.param("Fix parse_nested_quotes today", "quotes", id="part of a snake"),
        pytest.param("ตรวจสอบรหัสผ่านก่อนบันทึก", "รหัสผ่าน", id="Thai"),
        pytest.param("세션 저장을 고쳤다", "저장", id="Korean"),
        pytest.param("検索の索引を作り直す", "索引", id="Japanese"),
        pytest.param("修复会话恢复的错误", "恢复", id="Chinese"),
        pytest.param("Le café est fermé", "cafe", id="without its accent"),
        pytest.param("Fehler in C++ Templates", "C++", id="identity of another syntax"),
    ],
)
def test_words_are_found_in_any_language(store: Store, title: str, word: str) -> None:
    """Names and languages without spaces are found by their parts."""
    store.put(a_draft("Something else"))
    store.put(a_draft(title))

    assert titles(store, words=(word,)) == [title]


def test_all_words_come_before_some(store: Store) -> None:
    """Also where the partial match is newer and says the word more often."""
    store.put(a_draft("Both", summary="the parser reads quotes"))
    store.put(a_draft("Parser parser parser"))
    store.put(a_draft("Neither"))

    found = store.search(Query(words=("parser", "quotes")), EVERYWHERE, 10)

    assert [hit.checkpoint.draft.content.title for hit in found] == [
        "Both",
        "Parser parser parser",
    ]
    assert found[0].score > found[1].score


def test_a_title_counts_more_than_a_passing_mention(store: Store) -> None:
    """What a checkpoint is about comes before what it touches."""
    store.put(a_draft("Zebra crossing"))
    store.put(a_draft("Something else", summary="there was a zebra in it"))

    assert titles(store, words=("zebra",)) == ["Zebra crossing", "Something else"]


def test_ties_go_to_the_newer(store: Store) -> None:
    """Of two that say the same, the last word counts."""
    old, new = (store.put(a_draft("Zebra")).checkpoint for _ in range(2))

    found = store.search(Query(words=("zebra",)), EVERYWHERE, 10)

    assert [hit.checkpoint.number for hit in found] == [new.number, old.number]


def test_a_phrase_must_occur_as_it_is(store: Store) -> None:
    """Quotes mean: in this order, side by side."""
    store.put(a_draft("Nested quotes work"))
    store.put(a_draft("Quotes are nested"))

    assert titles(store, phrases=("nested quotes",)) == ["Nested quotes work"]
    assert titles(store, phrases=("nested quotes",), words=("absent",)) == []


def test_a_phrase_that_nothing_has_is_its_words_beside_others(store: Store) -> None:
    """A question names a title nearly right; alone, a phrase is meant as it is."""
    store.put(a_draft("Quotes that are nested in the parser"))

    beside = titles(store, phrases=("nested quotes",), words=("parser",))
    alone = titles(store, phrases=("nested quotes",))

    assert beside == ["Quotes that are nested in the parser"]
    assert alone == []


def test_a_question_is_not_answered_by_words_that_are_far_apart(store: Store) -> None:
    """In a long record most words are somewhere; what answers has them together."""
    filler = ["something of another kind"] * 4
    said = [
        text
        for word in ("parser", "hang", "midnight", "tokens")
        for text in (word, *filler)
    ]
    apart = [Item(text, "user") for text in said]
    store.put(a_draft("Short", summary="lost tokens make the parser hang at midnight"))
    store.put(a_draft("Long", requests=tuple(apart)))

    question = ("why", "parser", "hang", "midnight", "tokens")

    assert titles(store, words=question) == ["Short", "Long"]


def test_irregular_forms_find_each_other(store: Store) -> None:
    """Who wrote `threw` is found by who asks for `throw`."""
    store.put(a_draft("The parser threw and nobody caught it"))

    assert len(titles(store, words=("throws",))) == 1
    assert len(titles(store, words=("catch",))) == 1


def test_an_excluded_word_excludes(store: Store) -> None:
    """With words, with filters, and alone."""
    store.put(a_draft("Parser", tags=("x",)))
    store.put(a_draft("Parser with quotes", tags=("x",)))

    assert titles(store, words=("parser",), excluded=("quotes",)) == ["Parser"]
    assert titles(store, tags=("x",), excluded=("quotes",)) == ["Parser"]
    assert titles(store, excluded=("quotes",)) == ["Parser"]
    assert titles(store, excluded=("with quotes",)) == ["Parser"]
    here = Scope(project_id=PROJECT)
    assert titles(store, here, excluded=("quotes",)) == ["Parser"]


def test_without_words_the_newest_comes_first(store: Store) -> None:
    """Filters alone make a list, not a ranking."""
    for title in ("First", "Second", "Third"):
        store.put(a_draft(title, tags=("x",)))

    assert titles(store) == ["Third", "Second", "First"]
    assert titles(store, tags=("x",), limit=2) == ["Third", "Second"]
    assert titles(store, limit=0) == []
    assert titles(store, limit=-1, words=("first",)) == []


def test_text_without_a_word_in_it_finds_nothing(store: Store) -> None:
    """Not everything: nobody who types `***` asks for the whole list."""
    store.put(a_draft("Parser"))

    assert titles(store, words=("***",)) == []
    assert titles(store, phrases=("?!",)) == []
    assert titles(store, words=("***", "parser")) == ["Parser"]
    assert titles(store, excluded=("***",)) == ["Parser"]


@pytest.mark.parametrize("sort", ["asc", "desc"])
def test_an_order_that_was_asked_for_beats_the_ranking(store: Store, sort: str) -> None:
    """By the order of keeping."""
    store.put(a_draft("Zebra"))
    store.put(a_draft("Second", summary="zebra"))
    store.put(a_draft("Third zebra"))

    found = titles(store, words=("zebra",), sort=sort)

    oldest_first = ["Zebra", "Second", "Third zebra"]
    assert found == (oldest_first if sort == "asc" else oldest_first[::-1])


def test_latest_is_the_newest_that_matches(store: Store) -> None:
    """Not the best, and not the newest of all."""
    store.put(a_draft("Zebra zebra"))
    store.put(a_draft("Second", summary="zebra"))
    store.put(a_draft("Third"))

    assert titles(store, words=("zebra",), latest=True) == ["Second"]
    assert titles(store, latest=True) == ["Third"]
    assert titles(store, latest=True, sort="asc") == ["Third"]
    assert titles(store, latest=True, limit=0) == []


@pytest.fixture
def filled(store: Store) -> Store:
    """One checkpoint that each filter is meant to find, and others around it."""
    child = session_number(1)
    store.put(
        a_draft(
            "Wanted",
            name="api-design",
            session_id=child,
            parent_session=SESSION,
            type="before-clear",
            created_at=NOON + 1000,
            tags=("Checkpoint", "สวัสดี"),
            topics=("authentication",),
            files=(FileRef("/code/tokens/src/auth/Refresh.py", "edited"),),
            tools=(ToolRef("Edit", 1, NOON, NOON),),
            code=CodeState(branch="spike/redis"),
        )
    )
    store.put(a_draft("Parent", files=(FileRef("src/other/refresh.py.orig", "read"),)))
    store.put(a_draft("Stranger", session_id=OTHER_SESSION, tags=("checkpoint-2",)))
    return store


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param({"checkpoint": f"ccp-{session_number(1)}"}, id="checkpoint"),
        pytest.param({"session": session_number(1)}, id="session"),
        pytest.param({"session": "00000001"}, id="beginning of a session"),
        pytest.param({"parent": SESSION}, id="parent"),
        pytest.param({"parent": SESSION[:8]}, id="beginning of a parent"),
        pytest.param({"tags": ("checkpoint",)}, id="tag in another case"),
        pytest.param({"tags": ("checkpoint", "สวัสดี")}, id="two tags"),
        pytest.param({"type": "before-clear"}, id="type"),
        pytest.param({"files": ("refresh.py",)}, id="file name"),
        pytest.param({"files": ("auth/refresh.py",)}, id="end of a path"),
        pytest.param({"files": ("/code/tokens/src/auth/Refresh.py",)}, id="path"),
        pytest.param({"files": ("./auth//refresh.py",)}, id="path spelled oddly"),
        pytest.param({"tools": ("edit",)}, id="tool"),
        pytest.param({"branch": "spike/redis"}, id="branch"),
        pytest.param({"topics": ("Authentication",)}, id="topic"),
        pytest.param({"name": "API-design"}, id="name"),
        pytest.param({"name": "api"}, id="beginning of a name"),
        pytest.param({"after": NOON + 1000}, id="after, inclusive"),
        pytest.param({"words": ("wanted",), "tags": ("checkpoint",)}, id="with a word"),
        pytest.param(
            {"session": session_number(1), "parent": SESSION, "lineage": SESSION},
            id="session, parent and lineage",
        ),
    ],
)
def test_a_filter_finds_exactly_what_it_names(
    filled: Store, asked: dict[str, Any]
) -> None:
    """All filters must hold."""
    assert titles(filled, **asked) == ["Wanted"]


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param({"checkpoint": "ccp-f"}, id="checkpoint"),
        pytest.param({"session": "none"}, id="session"),
        pytest.param({"parent": OTHER_SESSION}, id="parent"),
        pytest.param({"lineage": "none"}, id="lineage"),
        pytest.param({"tags": ("check",)}, id="part of a tag"),
        pytest.param({"tags": ("checkpoint", "checkpoint-2")}, id="tags of two"),
        pytest.param({"type": "auto"}, id="type"),
        pytest.param({"files": ("fresh.py",)}, id="part of a file name"),
        pytest.param({"files": ("src/refresh.py",)}, id="another path"),
        pytest.param({"files": ("auth",)}, id="a folder"),
        pytest.param({"files": ("/",)}, id="no file at all"),
        pytest.param({"tools": ("Ed",)}, id="part of a tool"),
        pytest.param({"branch": "spike"}, id="part of a branch"),
        pytest.param({"topics": ("auth",)}, id="part of a topic"),
        pytest.param({"name": "design"}, id="end of a name"),
        pytest.param({"after": NOON + 1001}, id="after"),
        pytest.param({"before": NOON}, id="before, exclusive"),
        pytest.param({"session": OTHER_SESSION, "parent": SESSION}, id="no such child"),
        pytest.param({"words": ("wanted",), "tags": ("none",)}, id="word but no tag"),
    ],
)
def test_a_filter_that_nothing_fits_finds_nothing(
    filled: Store, asked: dict[str, Any]
) -> None:
    """A filter is exact; words are for guessing."""
    assert titles(filled, **asked) == []


def test_a_lineage_spans_the_family(filled: Store) -> None:
    """`lineage:` finds every checkpoint of the chain, whichever member is named."""
    for member in (SESSION, session_number(1)):
        assert titles(filled, lineage=member) == ["Parent", "Wanted"]
    assert titles(filled, before=NOON + 1000) == ["Stranger", "Parent"]


def test_a_scope_is_kept(filled: Store) -> None:
    """Ranked or not, another project's work stays out."""
    filled.put(a_draft("Wanted abroad", project_id=OTHER_PROJECT, workspace="/abroad"))
    here = Scope(project_id=PROJECT)
    abroad = Scope(project_id=OTHER_PROJECT)

    assert titles(filled, here, words=("wanted",)) == ["Wanted"]
    assert titles(filled, abroad, words=("wanted",)) == ["Wanted abroad"]
    assert titles(filled, abroad) == ["Wanted abroad"]
    assert titles(filled, Scope(workspace=WORKSPACE), words=("wanted",)) == ["Wanted"]
    assert titles(filled, Scope(project_id=""), words=("wanted",)) == []
    assert titles(filled, Scope(project_id="")) == []


def test_a_hit_shows_the_words_that_answered(store: Store) -> None:
    """So that "where did we decide X" finds the moment, not only the record."""
    store.put(
        a_draft(
            "Sessions",
            requests=(Item("please be quick", "user"), Item("and careful", "user")),
            decisions=(
                Item("tokens live a week", "agent", ("uuid-1",)),
                Item("tokens rotate on use", "agent", ("uuid-2",)),
            ),
        )
    )

    (hit,) = store.search(Query(words=("where", "tokens", "rotate")), EVERYWHERE, 10)

    assert hit.passage == Passage("decisions", "tokens rotate on use", ("uuid-2",))


@pytest.mark.parametrize(
    ("asked", "is_shown"),
    [
        pytest.param({"words": ("rotate",), "sort": "desc"}, True, id="in order"),
        pytest.param({"words": ("rotate",), "latest": True}, True, id="the latest"),
        pytest.param({"phrases": ("on use",)}, True, id="a phrase"),
        pytest.param({"words": ("rot*",)}, True, id="a beginning"),
        pytest.param({"tags": ("checkpoint",)}, False, id="filters alone"),
    ],
)
def test_a_passage_is_shown_where_text_was_asked_for(
    store: Store, asked: dict[str, Any], *, is_shown: bool
) -> None:
    """In every order; what answered by filters alone has no words to show."""
    store.put(a_draft("A title", summary="tokens rotate on use", tags=("checkpoint",)))

    (hit,) = store.search(Query(**asked), EVERYWHERE, 10)

    told = None if hit.passage is None else hit.passage.text
    assert told == ("tokens rotate on use" if is_shown else None)


def test_what_stands_beside_the_words_ranks_higher(store: Store) -> None:
    """Of two sessions that mention it once, the one that went on about it is meant."""
    store.put(
        a_draft("Meant", requests=(Item("the quotes", "user"), Item("parser", "user")))
    )
    store.put(
        a_draft(
            "Other", requests=(Item("the quotes", "user"),), errors=(Item("parser"),)
        )
    )

    assert titles(store, words=("quotes", "parser"))[0] == "Meant"


def test_a_word_that_nothing_has_is_taken_as_a_beginning(store: Store) -> None:
    """People type `auth` and mean authentication; what is exact comes alone."""
    store.put(a_draft("Authentication works"))
    store.put(a_draft("Something else"))

    assert titles(store, words=("auth",)) == ["Authentication works"]

    store.put(a_draft("The auth module"))

    assert titles(store, words=("auth",)) == ["The auth module"]
    assert titles(store, words=("auth*",)) == [
        "The auth module",
        "Authentication works",
    ]


@pytest.mark.parametrize(
    ("title", "asked"),
    [
        pytest.param("数据库连接在半夜断开", "连接断开", id="Chinese"),
        pytest.param("โทเค็นแบบหมุนเวียน", "โทเค็นหมุนเวียน", id="Thai"),
        pytest.param("the name of the user", "userName", id="an identifier"),
    ],
)
def test_a_word_that_nothing_has_whole_is_looked_for_by_its_parts(
    store: Store, title: str, asked: str
) -> None:
    """Without spaces nobody can tell that two words were typed."""
    store.put(a_draft("Something else"))
    store.put(a_draft(title))

    assert titles(store, words=(asked,)) == [title]


def test_words_that_say_nothing_do_not_decide(store: Store) -> None:
    """A question is found by what it is about; alone, its small words still find."""
    store.put(a_draft("Where the wild things are and what they did to us"))
    store.put(a_draft("Lifetime of tokens"))

    question = "what did we do about the lifetime of tokens"

    assert titles(store, words=tuple(question.split())) == ["Lifetime of tokens"]
    assert titles(store, words=("what", "are")) == [
        "Where the wild things are and what they did to us"
    ]


def test_indexing_again_changes_nothing(store: Store) -> None:
    """`reindex` repairs what is found, and must not change it."""
    for title in ("First parser", "Second parser"):
        store.put(a_draft(title))
    before = store.search(Query(words=("parser",)), EVERYWHERE, 10)
    told: list[tuple[int, int]] = []

    missing = store.reindex()
    again = store.reindex(lambda done, many: told.append((done, many)), anew=True)

    assert (missing, again) == (0, 2)
    assert told[-1] == (2, 2)
    assert store.search(Query(words=("parser",)), EVERYWHERE, 10) == before


HOSTILE = st.text(max_size=30) | st.sampled_from(
    [
        '"', '""', "'", 'a"b', "*", "a*", "NEAR(a b)", "AND", "a AND b", "NOT", "OR",
        "title:", "{title}: x", "^a", "a-b", "-", "(", ")", "a:b", "C++", "\x00",
        "\ud800", "facet : all", "%", "_", "'; DROP TABLE checkpoint; --", "\\", ":p",
    ]
)  # fmt: skip


# The factory makes a store per example, so sharing the fixture shares nothing.
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.builds(
        Query,
        words=st.lists(HOSTILE, max_size=3).map(tuple),
        phrases=st.lists(HOSTILE, max_size=2).map(tuple),
        excluded=st.lists(HOSTILE, max_size=2).map(tuple),
        checkpoint=st.none() | HOSTILE,
        session=st.none() | HOSTILE,
        parent=st.none() | HOSTILE,
        lineage=st.none() | HOSTILE,
        tags=st.lists(HOSTILE, max_size=1).map(tuple),
        type=st.none() | HOSTILE,
        files=st.lists(HOSTILE, max_size=1).map(tuple),
        tools=st.lists(HOSTILE, max_size=1).map(tuple),
        branch=st.none() | HOSTILE,
        topics=st.lists(HOSTILE, max_size=1).map(tuple),
        name=st.none() | HOSTILE,
        latest=st.booleans(),
        sort=st.sampled_from(["relevance", "asc", "desc"]),
    )
)
@example(Query(words=('"',), phrases=('" OR "a',), excluded=("NOT",)))
def test_no_text_is_a_syntax_error(
    open_store: Callable[..., Store], query: Query
) -> None:
    """Any string is a valid query, and none is a way into the engine."""
    store = open_store("one for all examples")
    if not store.list(EVERYWHERE):
        store.put(a_draft("a b c", tags=("a",)))

    assert len(store.search(query, EVERYWHERE, 10)) <= 1
