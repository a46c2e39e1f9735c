"""contextd's own store: documents of a vector store in Go's own form."""

import gzip

import pytest
from hypothesis import given, settings, strategies as st

from holdfast.neighbours import contextd
from holdfast.neighbours.gob import gob_value
from tests.gobs import POINT, document
from tests.neighbours import CONTEXTD, NOON_MS
from tests.unit.neighbours.conftest import Make, only, read_at, whys

_METADATA = {
    name: str(value)
    for name, value in CONTEXTD.items()
    if name not in ("metadata", "created_at", "auto_created")
} | {"created_at": str(NOON_MS // 1000), "auto_created": "true"}
DOCUMENT = document(str(CONTEXTD["id"]), _METADATA, "Nested quotes\n\nThe parser …")
PLACE = "vectorstore/me/app/5f4dcc3b/0a1b2c3d.gob"


def test_the_example_of_the_format_is_read() -> None:
    """As its documentation prints it, byte by byte."""
    assert gob_value(POINT) == {"X": 22, "Y": 33}


def test_a_document_is_read_whole() -> None:
    found = gob_value(DOCUMENT)

    assert found["ID"] == CONTEXTD["id"]
    assert found["Metadata"] == _METADATA
    assert found["Embedding"] == [0.5, -1.25]
    assert found["Content"].startswith("Nested quotes")


@pytest.mark.parametrize(
    ("name", "data"),
    [(PLACE, DOCUMENT), (f"{PLACE}.gz", gzip.compress(DOCUMENT))],
    ids=["plain", "packed"],
)
def test_a_checkpoint_of_the_store_is_the_one_its_tools_tell(
    make: Make, name: str, data: bytes
) -> None:
    reading = read_at(make(**{name: data, "vectorstore/registry.json": "{}"}))

    record = only(reading)
    assert reading.kind == "contextd"
    assert (record.record, record.created_at) == (CONTEXTD["id"], NOON_MS)
    assert (record.title, record.project) == ("Nested quotes", "/nowhere/else")
    assert record.tags == ("auto",)
    assert [remark.topic for remark in record.remarks] == [
        "description",
        "context",
        "full state",
    ]
    assert all(each.is_left for each in reading.unread)


def test_other_collections_are_left(make: Make) -> None:
    data = document("m1", {"title": "a memory", "content": "x"})

    reading = read_at(make(**{PLACE: data}))

    assert (reading.records, whys(reading)) == (
        (),
        ["documents of other collections are left"],
    )
    assert reading.unread[0].is_left


def test_a_document_that_was_cut_is_told(make: Make) -> None:
    reading = read_at(make(**{PLACE: DOCUMENT[:-20]}))

    assert (reading.records, whys(reading)) == ((), ["it is damaged"])


def test_wherever_a_stream_ends_it_is_no_value() -> None:
    assert {gob_value(DOCUMENT[:end]) is None for end in range(len(DOCUMENT) - 1)} == {
        True
    }


def test_what_unpacks_without_end_is_cut(make: Make) -> None:
    bomb = gzip.compress(b"\x00" * 50_000_000)

    assert whys(read_at(make(**{f"{PLACE}.gz": bomb}))) == ["it is damaged"]


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=60),
        st.tuples(
            st.integers(0, len(DOCUMENT)), st.binary(max_size=6), st.integers(0, 6)
        ).map(lambda c: DOCUMENT[: c[0]] + c[1] + DOCUMENT[c[0] + c[2] :]),
    )
)
def test_no_bytes_make_it_fail(data: bytes) -> None:
    contextd.document(data)
