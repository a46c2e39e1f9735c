"""Two engines, one answer: what SQLite's index finds, a plain walk finds as well."""

from pathlib import Path

from hypothesis import HealthCheck, given, settings, strategies as st

from holdfast.domain.checkpoint import Draft, FileRef, Item
from holdfast.domain.query import Hit, Passage, Query, Scope
from holdfast.store.sqlite.store import open_store
from tests.builders import OTHER_PROJECT, PROJECT, a_draft, session_number
from tests.memory_store.store import MemoryStore

WORDS = (
    "parser", "nested", "quotes", "getUserName", "user", "name", "ตรวจสอบ", "สอบ", "検索",
    "索", "索引", "저장을", "저장", "café", "cafe", "401", "x", "v2.1", "snake_case",
)  # fmt: skip
word = st.sampled_from(WORDS)
sentence = st.lists(word, min_size=1, max_size=4).map(" ".join)
few = st.lists(word, max_size=2).map(tuple)
drafts = st.builds(
    lambda title, request, path, tag, session, project: a_draft(
        title,
        requests=(Item(request, "user"),),
        files=(FileRef(path.replace(" ", "/"), "edited"),),
        tags=(tag,),
        session_id=session_number(session),
        parent_session=session_number(session - 1) if session > 1 else None,
        project_id=project,
    ),
    sentence,
    sentence,
    sentence,
    word,
    st.integers(1, 3),
    st.sampled_from([PROJECT, OTHER_PROJECT]),
)
queries = st.builds(
    Query,
    words=few,
    phrases=st.lists(sentence, max_size=1).map(tuple),
    excluded=few,
    tags=st.lists(word, max_size=1).map(tuple),
    files=st.lists(word, max_size=1).map(tuple),
    session=st.none() | st.sampled_from(["0000000", session_number(2)]),
    lineage=st.none() | st.just(session_number(1)),
    latest=st.booleans(),
    sort=st.sampled_from(["relevance", "asc", "desc"]),
)
scopes = st.sampled_from([Scope(), Scope(project_id=PROJECT)])


# Each example has a directory of its own, so sharing the fixture shares nothing.
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.lists(drafts, min_size=3, max_size=8),
    st.lists(st.tuples(queries, scopes), min_size=12, max_size=12),
)
def test_both_engines_find_the_same(
    tmp_path: Path, kept: list[Draft], asked: list[tuple[Query, Scope]]
) -> None:
    """Also in the same order, with the same scores and the same passage to show."""
    memory = MemoryStore()
    home = tmp_path / f"store-{len(list(tmp_path.iterdir()))}"
    with open_store(str(home), create=True) as sqlite:
        for draft in kept:
            memory.put(draft)
            sqlite.put(draft)

        for query, scope in asked:
            plain = told(memory.search(query, scope, 100))
            indexed = told(sqlite.search(query, scope, 100))

            assert indexed == plain


def told(hits: tuple[Hit, ...]) -> list[tuple[str, float, Passage | None]]:
    return [(hit.checkpoint.checkpoint_id, hit.score, hit.passage) for hit in hits]
