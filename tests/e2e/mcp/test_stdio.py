"""The server as a client starts it: a process, stdin and stdout."""

import io
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from mcp import Client

from holdfast.surfaces.mcp.stdio import (
    AnswerStream,
    OpenRequests,
    RequestStream,
    refusal_of,
    whole_pairs,
)
from tests.e2e.mcp.world import SESSION, World

_ASKED = b'{"jsonrpc":"2.0","id":1,"method":"m"}'
_HOLDFAST = str(Path(sys.executable).parent / "holdfast")
# The server as it is, but for how long it waits for a client that has left.
_IMPATIENT = """
from holdfast.surfaces.cli.main import main
from holdfast.surfaces.mcp import stdio
begun = stdio.OpenRequests
stdio.OpenRequests = lambda: begun(patience=0.5)
import sys
sys.argv = ["holdfast", "mcp"]
main()
"""
_HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "raw", "version": "1"},
}
_OPENING = (
    json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": _HELLO}),
    json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
)


def raw(world: World, *lines: str) -> tuple[int, list[dict[str, object]]]:
    """Say raw lines after the handshake, close stdin, and read what came."""
    with subprocess.Popen(
        [_HOLDFAST, "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=world.environ,
        cwd=world.project,
        text=True,
        encoding="utf-8",
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        answers = []
        for line in (*_OPENING, *lines):
            process.stdin.write(line + "\n")
            process.stdin.flush()
            if '"id"' in line:
                answers.append(json.loads(process.stdout.readline()))
        process.stdin.close()
        return process.wait(30), answers


def _call(number: int, tool: str, arguments: str) -> str:
    return (
        f'{{"jsonrpc":"2.0","id":{number},"method":"tools/call","params":'
        f'{{"name":"{tool}","arguments":{arguments}}}}}'
    )


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_official_client_saves_and_resumes_over_stdio(
    world: World, mode: str
) -> None:
    """The parent process is the client, and its session is the one that is saved."""

    async def words(client: Client) -> tuple[object, object]:
        saved = await client.call_tool("checkpoint_save", {"title": "over a pipe"})
        resumed = await client.call_tool("checkpoint_resume", {})
        return saved.structured_content, resumed.structured_content

    saved, resumed = world.talk(words, to=world.stdio(), mode=mode)

    assert isinstance(saved, dict)
    assert isinstance(resumed, dict)
    assert saved["checkpoint"]["session_id"] == SESSION
    assert resumed["checkpoint"]["content"]["title"] == "over a pipe"


def test_all_tools_are_there_when_asked_for(world: World) -> None:
    """`--tools all` reaches the server."""
    listed = world.talk(
        lambda client: client.list_tools(), to=world.stdio("--tools", "all")
    )

    assert "checkpoint_configure" in [tool.name for tool in listed.tools]


def test_half_a_surrogate_pair_is_answered(world: World) -> None:
    """The SDK drops such a message without a word, and the agent would wait for ever."""
    call = _call(1, "checkpoint_save", '{"title":"half \\ud800 pair"}')

    status, answers = raw(world, call)

    assert status == 0
    saved = answers[1]["result"]["structuredContent"]  # type: ignore[index]  # read as JSON
    assert (
        saved["checkpoint"]["content"]["title"] == "half \N{REPLACEMENT CHARACTER} pair"
    )


def test_garbage_between_calls_is_answered_and_does_not_end_the_server(
    world: World,
) -> None:
    """As JSON-RPC has it: what is no JSON, and what is no message. The SDK is silent."""
    lines = (
        *_OPENING,
        "not json",
        "",
        "[1,2,3]",
        '{"jsonrpc":"2.0"}',
        '{"jsonrpc":"2.0","id":6,"method":5}',
        _call(7, "checkpoint_list", "{}"),
    )

    done = subprocess.run(
        [_HOLDFAST, "mcp"],
        input="".join(f"{line}\n" for line in lines),
        env=world.environ,
        cwd=world.project,
        capture_output=True,
        text=True,
        check=True,
    )

    answers = [json.loads(line) for line in done.stdout.splitlines()]
    told = [(said["id"], said.get("error", {}).get("code")) for said in answers]
    expected = [(None, -32700), (None, -32600), (None, -32600), (6, -32600)]
    assert [one for one in told if one[1]] == expected
    assert [one[0] for one in told if not one[1]] == [0, 7]


@pytest.mark.parametrize("said", ["questions", "garbage"])
def test_a_client_that_leaves_and_does_not_read_ends_the_server(
    world: World, said: str
) -> None:
    """A full pipe held the server for ever; what it had saved before is saved."""
    many = {
        "questions": [
            json.dumps({"jsonrpc": "2.0", "id": n, "method": "tools/list"})
            for n in range(2, 60)
        ],
        "garbage": ["not json"] * 2000,
    }
    saving = (*_OPENING, _call(1, "checkpoint_save", '{"title":"kept"}'))
    with subprocess.Popen(
        [sys.executable, "-c", _IMPATIENT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=world.environ,
        cwd=world.project,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write("".join(f"{line}\n" for line in saving))
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.stdin.write("".join(f"{line}\n" for line in many[said]))
        process.stdin.close()

        assert process.wait(30) == 0
        assert process.stderr.read() == ""

    found = world.answer("checkpoint_list")["checkpoints"]
    saved = answers[1]["result"]["structuredContent"]["checkpoint"]
    assert [one["id"] for one in found] == [saved["id"]]


def test_a_client_that_reads_late_gets_every_byte() -> None:
    """While it has not left, it may take its time."""
    reader, writer = os.pipe()
    said = [json.dumps({"id": n, "result": "x" * 100_000}).encode() for n in range(3)]
    with os.fdopen(writer, "wb") as wire, os.fdopen(reader, "rb") as client:
        answered = AnswerStream(wire, OpenRequests(patience=0), lambda: False)
        speaking = threading.Thread(
            target=lambda: answered.write(b"".join(line + b"\n" for line in said))
        )
        speaking.start()
        waiting = threading.Event()
        waiting.wait(0.5)  # more than one look at whether it has left
        heard = [client.readline() for _ in said]
        speaking.join()

    assert heard == [line + b"\n" for line in said]


def test_a_client_that_leaves_without_a_word_ends_the_server(world: World) -> None:
    """No server may stay behind."""
    with subprocess.Popen(
        [_HOLDFAST, "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=world.environ,
        cwd=world.project,
    ) as process:
        assert process.stdin is not None
        process.stdin.close()

        assert process.wait(30) == 0


@pytest.mark.parametrize("attempt", range(4))
def test_a_client_that_closes_behind_its_last_word_is_answered(
    world: World, attempt: int
) -> None:
    """The SDK drops calls in flight at the end of stdin: one run in seven lost this save."""
    lines = (
        *_OPENING,
        _call(1, "checkpoint_save", f'{{"title":"last word {attempt}"}}'),
        _call(2, "checkpoint_list", "{}"),
    )

    done = subprocess.run(
        [_HOLDFAST, "mcp"],
        input="".join(f"{line}\n" for line in lines),
        env=world.environ,
        cwd=world.project,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )

    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted(answer["id"] for answer in answers) == [0, 1, 2]
    assert f"last word {attempt}" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("asked", "answered", "all_answered"),
    [
        pytest.param(b"", b"", True, id="nothing asked"),
        pytest.param(_ASKED, b"", False, id="no answer"),
        pytest.param(_ASKED, b'{"id":1,"result":{}}', True, id="one"),
        pytest.param(_ASKED, b'{"id":1,"method":"ask"}', False, id="a question"),
        pytest.param(
            b'{"jsonrpc":"2.0","id":"a","method":"m"}\n'
            b'{"method":"notifications/cancelled","params":{"requestId":"a"}}',
            b"",
            True,
            id="no longer wanted",
        ),
        pytest.param(
            b'{"method":"notifications/cancelled","params":7}', b"", True, id="garbled"
        ),
        pytest.param(
            b'{"jsonrpc":"2.0","id":[1],"method":"m"}',
            b"",
            True,
            id="no id that can be",
        ),
        pytest.param(
            b'{"jsonrpc":"2.0","id":true,"method":"m"}', b"", True, id="a truth as id"
        ),
        pytest.param(b'{"id":1,"method":"m"}', b"", True, id="no version"),
        pytest.param(b'{"jsonrpc":"2.0","id":1,"method":5}', b"", True, id="no method"),
        pytest.param(
            _ASKED + b"\n" + _ASKED, b'{"id":1,"result":{}}', False, id="one id twice"
        ),
        pytest.param(b"[1]\nnot json\n" + b"[" * 9999, b"", True, id="no message"),
    ],
)
def test_the_end_waits_for_what_can_still_be_answered(
    asked: bytes, answered: bytes, *, all_answered: bool
) -> None:
    """A request counts until it is answered or taken back, and nothing else does."""
    unanswered = OpenRequests(patience=0)
    for line in asked.split(b"\n"):
        unanswered.asked(line)
    for line in answered.split(b"\n"):
        unanswered.answered(line)

    assert unanswered.wait() is all_answered


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        pytest.param(rb'"\ud83d\ude00"', rb'"\ud83d\ude00"', id="a whole pair"),
        pytest.param(rb'"\ud83d"', rb'"\ufffd"', id="a first half"),
        pytest.param(rb'"\ude00"', rb'"\ufffd"', id="a second half"),
        pytest.param(rb'"\ud83dx\ude00"', rb'"\ufffdx\ufffd"', id="two halves apart"),
        pytest.param(rb'"\\ud83d"', rb'"\\ud83d"', id="an escaped backslash"),
        pytest.param(rb'"\\\ud83d"', rb'"\\\ufffd"', id="a half behind a backslash"),
        pytest.param('"ไทย"'.encode(), '"ไทย"'.encode(), id="no escapes at all"),
    ],
)
def test_only_half_pairs_are_replaced(line: bytes, kept: bytes) -> None:
    """What is whole stays as it was, byte for byte."""
    assert whole_pairs(line) == kept


def test_a_request_with_carriage_returns_for_blanks_is_one_line() -> None:
    """Whoever reads on would end it at each of them, and answer none of the pieces."""
    said = b'{"jsonrpc":"2.0",\r"id":1,\r"method":"ping"}\r\n'
    asked = RequestStream(io.BytesIO(said), OpenRequests(patience=0), lambda _: None)
    lines = io.TextIOWrapper(io.BufferedReader(asked), encoding="utf-8").readlines()
    assert [json.loads(line)["id"] for line in lines] == [1]


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        (b'{"jsonrpc":"2.0","id":1.0,"method":"ping"}', None),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', None),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', None),
        (b'{"jsonrpc":"2.0","id":[1],"method":"ping"}', None),
        (
            b'{"jsonrpc":"2.0","id":9,"method":"m","error":{"code":1,"message":"x"}}',
            9,
        ),
    ],
)
def test_a_question_that_nobody_would_answer_is_refused(
    line: bytes, asked: int | None
) -> None:
    """The SDK takes it for a notification or an answer, and its client waits."""
    refusal = json.loads(refusal_of(line))
    assert (refusal["id"], refusal["error"]["code"]) == (asked, -32600)


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":1,"method":"ping"}',
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
        b'{"jsonrpc":"2.0","id":"a","result":{}}',
        b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
    ],
)
def test_messages_are_passed_on(line: bytes) -> None:
    """Requests, notifications and answers."""
    assert refusal_of(line) == b""


def test_no_other_command_pays_for_the_sdk(world: World) -> None:
    """Its import takes about a second."""
    code = (
        "import sys; from holdfast.surfaces.cli.main import run;"
        "run(['doctor']); print('mcp' in sys.modules, 'pydantic' in sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-c", code],
        env=world.environ,
        cwd=world.project,
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.splitlines()[-1] == "False False"
