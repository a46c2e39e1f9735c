"""Whatever somebody wrote has a meaning, or is told: no text makes a reader fail."""

from datetime import timedelta, timezone

import pytest
from hypothesis import given, settings, strategies as st

from holdfast.neighbours import (
    auto_memory,
    codesearch,
    contextd,
    entire,
    goldfish,
    guardz,
)
from holdfast.neighbours.front_matter import front_matter
from holdfast.neighbours.place import SourcePlace
from holdfast.neighbours.record import NeighbourRecord, Unread, reading_of
from holdfast.neighbours.texts import entries, first_line, moment, sections
from tests.neighbours import (
    CODESEARCH_TEXT,
    GOLDFISH,
    GOLDFISH_DAY,
    GUARDZ,
    MEMORY_FACT,
    NOON_MS,
)
from tests.unit.neighbours.conftest import a_file

EAST = timezone(timedelta(hours=9))
_PIECES = st.sampled_from(
    [
        "---", "\n", "\n\n", "id: checkpoint_", "timestamp: 2026-04-16", "- ", "  - ",
        "git:", "tags: [a, ", '"', "'", "# Checkpoint: ", "- **Saved:** 2026-04-16 12:00",
        "## ", "## 09:30 - x", "**CHECKPOINT-", "00042**", "Created: ", "```", "\u202e",
        "# Checkpoints for 2026-04-15", '{"memories": [', "{", "[", "}", "\ud800", "x" * 99,
        '"session_id"', ":", ",", "null", "1e999", "\\u0000", "9" * 30, "0" * 5_000,
    ]
)  # fmt: skip
hostile = st.one_of(
    st.text(max_size=200),
    st.lists(_PIECES, max_size=30).map("".join),
    st.tuples(
        st.sampled_from([GOLDFISH, GOLDFISH_DAY, GUARDZ, MEMORY_FACT, CODESEARCH_TEXT]),
        st.integers(0, 700),
        st.lists(_PIECES, max_size=3).map("".join),
    ).map(lambda cut: cut[0][: cut[1]] + cut[2] + cut[0][cut[1] :]),
)


@settings(max_examples=150, deadline=None)
@given(hostile)
def test_no_text_makes_a_reader_fail(text: str) -> None:
    place, file = SourcePlace("/there", EAST), a_file(text)

    found = [
        *goldfish.parsed(file),
        guardz.parsed(file, place),
        auto_memory.parsed(file),
        *contextd.parsed(file),
        *codesearch.of_backup(file),
        codesearch.of_markdown(file),
        entire.parsed("a/0", text, text, "/there"),
    ]

    for each in found:
        assert isinstance(each, NeighbourRecord | Unread)
        assert isinstance(each, Unread) or (each.title and each.created_at > 0)


@pytest.mark.parametrize(
    ("told", "unix_ms"),
    [
        ("2026-04-16T12:00:00.000Z", NOON_MS),
        ("2026-04-16T12:00:00.1234567Z", NOON_MS + 123),
        ("2026-04-16T14:00:00+02:00", NOON_MS),
        ("2026-04-16 21:00", NOON_MS),  # in the zone that is given
        ("2026-04-16T21:00:00", NOON_MS),
        (NOON_MS, NOON_MS),
        (NOON_MS / 1000, NOON_MS),
        (NOON_MS * 1000, NOON_MS),
        (str(NOON_MS), NOON_MS),
        ("", 0),
        ("yesterday", 0),
        ("0001-01-01T00:00:00", 0),
        (None, 0),
        (True, 0),
        (float("nan"), 0),
        (float("inf"), 0),
        (-5, 0),
        pytest.param(10**400, 0, id="a large number"),
        pytest.param("9" * 400, 0, id="a long number"),
        ([], 0),
    ],
)
def test_a_moment_is_utc_however_it_was_written(told: object, unix_ms: int) -> None:
    assert moment(told, EAST) == unix_ms


@pytest.mark.parametrize(
    ("head", "name", "texts"),
    [
        ("a: b", "a", ("b",)),
        ("a: 'it''s'", "a", ("it's",)),
        ('a: "x\\ny"', "a", ("x\ny",)),
        ("a: [x, 'y z']", "a", ("x", "y z")),
        ("a:\n- x\n- y", "a", ("x", "y")),
        ("a:\n  - x\n    more\n  - y", "a", ("x more", "y")),
        ("a: one\n  two: three", "a", ("one two: three",)),
        ("a: >-\n  one\n  two", "a", ("one two",)),
        ("g:\n  b: main\n  f:\n    - x\n    - y\nz: 1", "g.f", ("x", "y")),
        ("g:\n  b: main\n  f:\n    - x\nz: 1", "g.b", ("main",)),
        ("g:\n  b: main\nz: 1", "z", ("1",)),
        ("# a: b", "a", ()),
        ("nothing here", "a", ()),
    ],
)
def test_the_head_of_a_file_is_what_programs_write(
    head: str, name: str, texts: tuple[str, ...]
) -> None:
    found = front_matter(f"---\n{head}\n---\nbody\n")

    assert found is not None
    assert (found.texts(name), found.body) == (texts, "body")


@pytest.mark.parametrize("text", ["", "---", "--- \nx: 1\n", "x\n---\ny\n---\n"])
def test_a_text_without_a_head_has_none(text: str) -> None:
    assert front_matter(text) is None


def test_a_fence_holds_no_heading() -> None:
    found = sections("# One\na\n```\n# no heading\n```\n## Two:\nb")

    assert found == {"": "", "one": "a\n```\n# no heading\n```", "two": "b"}


def test_entries_have_their_lines_and_none_is_nothing() -> None:
    assert entries("- [x] a\n  b\n* c\n\n2. d\nNone.") == ("a b", "c", "d None.")
    assert entries("- None\n- n/a") == ()
    assert entries("one\n\ntwo") == ("one", "two")


def test_a_title_is_a_line_without_marks() -> None:
    assert first_line("\n\n## **Quotes**\nmore") == "Quotes"


def test_a_record_comes_once_and_the_oldest_first() -> None:
    late = NeighbourRecord(record="b", path="", title="b", created_at=2)
    early = NeighbourRecord(record="a", path="", title="a", created_at=1)

    reading = reading_of("goldfish", [late, early, late, Unread("c", "why")])

    assert reading.records == (early, late)
