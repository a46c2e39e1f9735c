"""A call of any length is answered at once, and one that is too long says so."""

import io
import json
from typing import Any

import pytest

from holdfast.surfaces.mcp.long_lines import MOST_BYTES, LongLine, read_line
from tests.e2e.mcp.test_stdio import raw
from tests.e2e.mcp.world import World

_LONG = "x " * 40_000_000


def _call(text: str, *, id_last: bool = False, method: str = "tools/call") -> str:
    """A call as clients write it: some name the id first, some last."""
    arguments = {"title": "one", "full_state": text}
    params = {"name": "checkpoint_save", "arguments": arguments}
    said: dict[str, Any] = {"method": method, "params": params, "jsonrpc": "2.0"}
    told = {**said, "id": 7} if id_last else {"jsonrpc": "2.0", "id": 7, **said}
    return json.dumps(told)


@pytest.mark.parametrize("id_last", [False, True], ids=["id first", "id last"])
def test_a_call_of_80_megabytes_is_refused_at_once(
    world: World, *, id_last: bool
) -> None:
    """It took a minute and a half, and the store kept what nobody can read."""
    status, answers = raw(world, _call(_LONG, id_last=id_last), _call("short"))

    refused: Any = answers[1]
    assert status == 0
    assert refused["id"] == 7
    assert refused["result"]["isError"] is True
    assert refused["result"]["structuredContent"]["code"] == "USE_002"
    assert f"at most {MOST_BYTES:,}" in refused["result"]["content"][0]["text"]
    saved: Any = answers[2]  # the server goes on
    assert saved["result"]["structuredContent"]["type"] == "saved"


def test_the_longest_call_that_is_taken_is_saved(world: World) -> None:
    """The bound is on the line, so nothing below it is refused for its length."""
    room = MOST_BYTES - len(_call("")) - 1

    _, answers = raw(world, _call("y" * room))

    saved: Any = answers[1]
    assert saved["result"]["structuredContent"]["type"] == "saved"


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        pytest.param(b'{"jsonrpc":"2.0","id":3,"params":"%s"}', 3, id="first"),
        pytest.param(b'{"id":"a\\"b","params":"%s"}', 'a"b', id="a text"),
        pytest.param(b'{"params":{"id":4,"x":"%s"},"id":5}', 5, id="last"),
        pytest.param(b'{"params":{"x":"%s","id":4}}', None, id="of something inside"),
        pytest.param(b'{"params":"%s \\"id\\":4"}', None, id="in a text"),
        pytest.param(b'{"params":"%s","id":6,"jsonrpc":"2.0"}\r\n', 6, id="not quite"),
        pytest.param(b"%s!", None, id="no message"),
    ],
)
def test_a_long_line_is_answered_under_its_own_id(
    line: bytes, asked: int | str | None
) -> None:
    """An id of another request would answer that one."""
    whole = line.replace(b"%s", b"z" * MOST_BYTES)

    read = read_line(io.BytesIO(whole))

    assert isinstance(read, LongLine)
    assert read.size == len(whole)
    assert json.loads(read.refusal())["id"] == asked


def test_what_comes_after_a_long_line_is_read_as_it_is() -> None:
    """Only the long line is read past."""
    wire = io.BytesIO(b"a" * (3 * MOST_BYTES) + b'\n{"next":1}\nlast')

    read = [read_line(wire) for _ in range(4)]

    assert isinstance(read[0], LongLine)
    assert read[1:] == [b'{"next":1}\n', b"last", b""]


def test_what_is_no_tool_call_gets_a_protocol_error(world: World) -> None:
    """There is no tool to answer for."""
    _, answers = raw(world, _call(_LONG[:2_000_000], method="resources/read"))

    refused: Any = answers[1]
    assert refused["error"]["code"] == -32600
    assert "USE_002" in refused["error"]["message"]
