"""One line, decoded by two decoders."""

import json

import pytest

from holdfast.agents.claude_code.transcript import bulk_lines, lines
from holdfast.agents.claude_code.transcript.lines import (
    Attachment,
    Line,
    Message,
    MessageBlock,
    Result,
    Usage,
    is_whole,
    keys_of,
    objects,
)
from holdfast.domain.event import Unrecognised


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        pytest.param(b"", [], id="nothing"),
        pytest.param(b" \t\r", [], id="spaces"),
        pytest.param(b'{"uuid":"a"}\r', ["a"], id="a line that ends as on Windows"),
        pytest.param(b'{"uuid":"a"}{"uuid":"b"}', ["a", "b"], id="glued"),
        pytest.param(b'{"uuid":"a"} {"uuid":"b"}', ["a", "b"], id="glued with a space"),
        pytest.param(b'{"uuid":"a"}oops{"uuid":"b"}', ["a", "!not-json"], id="garbage after"),
        pytest.param(b'\x00\x00{"uuid":"a"}', ["!nul-bytes", "a"], id="NUL before"),
        pytest.param(b"\x00\x00\x00", ["!nul-bytes"], id="NUL only"),
        pytest.param(b'\xef\xbb\xbf{"uuid":"a"}', ["a"], id="byte order mark"),
        pytest.param(b'{"uuid":"a', ["!not-json"], id="cut off"),
        pytest.param(b"[1]", ["!not-an-object"], id="a list"),
        pytest.param(b"NaN", ["!not-an-object"], id="not a number"),
        pytest.param(b'{"x":NaN,"uuid":"a"}', ["a"], id="not a number inside"),
        pytest.param(b'{"x":' + b"9" * 9_000 + b',"uuid":"a"}', ["a"], id="a huge number"),
        pytest.param(b'{"uuid":"\xff"}', ["\N{REPLACEMENT CHARACTER}"], id="invalid UTF-8"),
        pytest.param(b'{"uuid":"\\ud800"}', ["\ud800"], id="half a surrogate pair"),
        pytest.param(b'{"uuid":"a\x01b"}', ["a\x01b"], id="a raw control character"),
        pytest.param(b'{"uuid":"a","uuid":"b"}', ["b"], id="a name twice"),
        pytest.param(b'{"uuid":7}', [None], id="a field of another type"),
        pytest.param(b"{}" * 5_000, [None] * 1_000 + ["!not-json"], id="a gluing bomb"),
        pytest.param(b'{"x":' + b"[" * 100_000, ["!too-deep"], id="a nesting bomb"),
    ],
)  # fmt: skip
def test_whatever_is_on_a_line_is_counted(raw: bytes, found: list[str | None]) -> None:
    """The transcript belongs to someone else: one bad line costs one line."""
    told = [
        f"!{item.kind}" if isinstance(item, Unrecognised) else item.uuid
        for item in objects(raw)
    ]

    assert told == found


@pytest.mark.parametrize(
    ("raw", "whole"),
    [
        pytest.param(b'{"a":1}', True, id="an object"),
        pytest.param(b'{"a":1} ', True, id="an object and a space"),
        pytest.param(b'{"a":1}{"b":2}', True, id="two objects"),
        pytest.param(b'{"a":1}{"b":2', False, id="one and a half"),
        pytest.param(b'{"a":{}', False, id="ends like one"),
        pytest.param(b"12", False, id="a number may grow"),
        pytest.param(b"", False, id="nothing"),
    ],
)
def test_a_line_without_its_newline_is_whole_if_it_cannot_grow(
    raw: bytes, *, whole: bool
) -> None:
    """Half a line must wait; a whole one must not."""
    assert is_whole(raw) is whole


def test_the_bulk_decoder_has_every_field() -> None:
    """The interpreter reads both without knowing which decoder made them."""
    everything = {
        "message": {"content": [{"content": "x"}], "usage": {}},
        "attachment": {},
        "toolUseResult": {},
    }
    raw = json.dumps(everything).encode()

    assert _shape(bulk_lines.BULK.decode(raw)) == _shape(lines.STANDARD.decode(raw))


@pytest.mark.parametrize(
    "field",
    [
        pytest.param({"uuid": 5}, id="an id"),
        pytest.param({"message": "text"}, id="a message"),
        pytest.param({"message": {"content": [5]}}, id="a block"),
        pytest.param({"toolUseResult": 5}, id="a result"),
        pytest.param({"toolUseResult": {"file": "x"}}, id="a file"),
        pytest.param({"message": {"usage": []}}, id="a usage"),
    ],
)
def test_a_field_of_another_type_is_left_to_the_standard_decoder(
    field: dict[str, object],
) -> None:
    """So that both always agree."""
    raw = json.dumps({"type": "user"} | field).encode()

    with pytest.raises(bulk_lines.BULK.failures):
        bulk_lines.BULK.decode(raw)
    assert isinstance(lines.STANDARD.decode(raw), Line)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b'"plain"', id="text"),
        pytest.param(b'"\xff"', id="invalid UTF-8"),
        pytest.param(b'[{"text":"\xff\xfe"}]', id="invalid UTF-8 in a block"),
        pytest.param(b'[{"text":"a","n":' + b"9" * 9_000 + b"}]", id="a huge number"),
        pytest.param(b"null", id="nothing"),
    ],
)
def test_what_a_tool_printed_is_decoded_alike_when_it_is_asked_for(
    content: bytes,
) -> None:
    """The bulk decoder leaves it as bytes until then."""
    raw = b'{"message":{"content":[{"type":"tool_result","content":' + content + b"}]}}"

    assert _shape(bulk_lines.BULK.decode(raw)) == _shape(_only(objects(raw)))


def _only(found: list[Line | Unrecognised]) -> Line | Unrecognised:
    (item,) = found
    return item


def _shape(part: object) -> object:
    """Everything the fields of a part hold, all the way down."""
    if isinstance(part, list):
        return [_shape(item) for item in part]
    for known in (Line, Message, MessageBlock, Usage, Result, Attachment):
        if type(part).__name__ == known.__name__:
            return {name: _shape(getattr(part, name)) for name in keys_of(known)}
    return part
