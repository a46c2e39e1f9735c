"""contextd and codesearch: what tools answered with, and backups."""

import json
from typing import Any

import pytest

from tests.neighbours import CODESEARCH, CODESEARCH_TEXT, CONTEXTD, NOON_MS
from tests.unit.neighbours.conftest import Make, only, read_at, whys

_PAYLOAD = {**CONTEXTD, "created_at": NOON_MS // 1000, "auto_created": "true"}


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(CONTEXTD, id="one"),
        pytest.param([CONTEXTD], id="a list"),
        pytest.param({"checkpoints": [CONTEXTD], "count": 1}, id="checkpoint_list"),
        pytest.param(
            {"content": [{"type": "text", "text": json.dumps([CONTEXTD])}]},
            id="a tool's answer",
        ),
        pytest.param(
            {"structuredContent": {"checkpoints": [CONTEXTD]}}, id="a structured answer"
        ),
        pytest.param(
            {"result": {"points": [{"id": CONTEXTD["id"], "payload": _PAYLOAD}]}},
            id="points of a vector store",
        ),
    ],
)
def test_a_checkpoint_of_contextd_is_found_wherever_it_stands(
    make: Make, value: Any
) -> None:
    record = only(read_at(make(**{"c.json": json.dumps(value)}), "contextd"))

    assert (record.record, record.created_at) == (CONTEXTD["id"], NOON_MS)
    assert (record.title, record.summary) == ("Nested quotes", CONTEXTD["summary"])
    assert (record.project, record.session) == ("/nowhere/else", "session_123")
    assert record.tags == ("auto",)
    told = {remark.topic: remark.text for remark in record.remarks}
    assert told["full state"] == CONTEXTD["full_state"]
    assert told["context"] == CONTEXTD["context"]


def test_lines_of_json_are_read_and_a_cut_one_costs_a_line(make: Make) -> None:
    other = {**CONTEXTD, "id": "2"}
    lines = f"{json.dumps(CONTEXTD)}\n{json.dumps(other)}\n{json.dumps(CONTEXTD)[:40]}"

    reading = read_at(make(**{"c.jsonl": lines}) / "c.jsonl")

    assert reading.kind == "contextd"
    assert [record.record for record in reading.records] == ["2", CONTEXTD["id"]]
    assert whys(reading) == ["a line is not a checkpoint of contextd"]


def test_a_checkpoint_without_an_id_is_known_by_its_words(make: Make) -> None:
    bare = {name: CONTEXTD[name] for name in ("session_id", "summary", "created_at")}
    files = {"a.json": json.dumps(bare), "b.json": json.dumps([bare])}

    record = only(read_at(make(**files), "contextd"))

    assert record.title == CONTEXTD["summary"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param('{"a": ', "it is not JSON, or ends in the middle", id="cut"),
        pytest.param("[" * 100_000, "it is not JSON, or ends in the middle", id="deep"),
        pytest.param('{"a": 1}', "no checkpoints of contextd in it", id="another"),
        pytest.param(
            json.dumps({"session_id": "s", "summary": "  "}),
            "it says nothing",
            id="empty",
        ),
        pytest.param(
            json.dumps({**CONTEXTD, "created_at": "soon"}),
            "it has no valid time",
            id="time",
        ),
        pytest.param(
            json.dumps({**CONTEXTD, "created_at": 1e300}),
            "it has no valid time",
            id="late",
        ),
    ],
)
def test_what_contextd_never_wrote_is_told(make: Make, text: str, why: str) -> None:
    reading = read_at(make(**{"c.json": text}), "contextd")

    assert (reading.records, whys(reading)) == ((), [why])


def test_a_backup_of_codesearch_gives_checkpoints_and_sessions(make: Make) -> None:
    name = ".codesearch/backups/memories_20260416_130000.json"
    reading = read_at(make(**{name: json.dumps(CODESEARCH)}))

    by_id, without, newest = reading.records
    assert (newest.record, newest.number) == ("CHECKPOINT-00042", 42)
    assert newest.created_at == NOON_MS + 123
    assert newest.title == "The parser accepts nested quotes."
    assert newest.done == ("Stack of quotes",)
    assert newest.next_steps == ("Fix the linter", "Write the docs")
    assert newest.files == ("src/lexer.py", "src/parser.py")
    assert [remark.topic for remark in newest.remarks] == ["current state"]
    assert (by_id.record, by_id.number) == ("f00", 0)
    assert by_id.created_at == 1_776_060_000_000  # of a zone, two hours before
    assert without.title == "Session Checkpoint"
    assert without.created_at == 1_776_153_600_000  # without a zone it is UTC
    assert whys(reading) == ["memories of other types are left"]


def test_a_checkpoint_as_markdown_is_read(make: Make) -> None:
    path = make(**{"CHECKPOINT-00042.md": CODESEARCH_TEXT}) / "CHECKPOINT-00042.md"

    reading = read_at(path)

    assert reading.kind == "codesearch"
    assert (only(reading).number, only(reading).created_at) == (42, NOON_MS)


def test_a_moment_in_the_id_is_no_number(make: Make) -> None:
    """`CHECKPOINT-1754252680` is what its design falls back to."""
    text = CODESEARCH_TEXT.replace("CHECKPOINT-00042", "CHECKPOINT-1754252680")

    record = only(read_at(make(**{"c.md": text}) / "c.md"))

    assert (record.record, record.number) == ("CHECKPOINT-1754252680", 0)


def test_memories_of_any_shape_are_told(make: Make) -> None:
    memories = [3, None, {"type": "Checkpoint"}, {"type": "Checkpoint", "content": "x"}]
    text = json.dumps({"memories": memories})

    reading = read_at(make(**{"m.json": text}) / "m.json", "codesearch")

    assert reading.records == ()
    assert whys(reading) == [
        "a memory is not an object",
        "a memory is not an object",
        "it says nothing",
        "it has no valid time",
    ]
