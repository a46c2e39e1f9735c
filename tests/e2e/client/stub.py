"""The Messages API on loopback: answers from a script, and remembers what it was told.

`stub.will(call("Bash", command="ls"), say("done"))` answers the next two requests; an
empty script answers "ok". A request for a compaction summary never takes from the script,
nor does one that the client makes beside the conversation, such as for a title.
"""

import itertools
import json
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_SUMMARY_ASKED = "Your task is to create a detailed summary"
_PATIENCE = 60.0  # seconds until a request that does not come counts as missing
SUMMARY = (
    "<summary>The conversation so far, as the client's own summary has it.</summary>"
)


@dataclass(frozen=True, slots=True)
class Say:
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    tool: str
    arguments: Mapping[str, Any]


Block = Say | Call
Reply = Block | tuple[Block, ...]


def say(text: str) -> Say:
    return Say(text)


def call(tool: str, **arguments: Any) -> Call:
    return Call(tool, arguments)


@dataclass(frozen=True, slots=True)
class Request:
    """One request for a message, as the client sent it."""

    session_id: str
    body: Mapping[str, Any]

    @property
    def conversation(self) -> str:
        """Every text of the messages: what this request tells the model, in order."""
        return "\n".join(_texts(self.body["messages"]))

    @property
    def first_prompt(self) -> str:
        return "\n".join(_texts(self.body["messages"][:1]))

    @property
    def tool_results(self) -> tuple[str, ...]:
        """What the tools answered since the model last spoke."""
        # The client may add a message of its own after the tools' answers.
        latest = itertools.takewhile(
            lambda message: message["role"] != "assistant",
            reversed(self.body["messages"]),
        )
        contents = [message["content"] for message in latest]
        return tuple(
            "\n".join(_texts(block.get("content")))
            for content in reversed(contents)
            for block in (content if isinstance(content, list) else [])
            if block.get("type") == "tool_result"
        )

    @property
    def is_aside(self) -> bool:
        """The client asks for itself: a conversation always has tools."""
        return not self.body.get("tools") and not self.asks_for_summary

    @property
    def asks_for_summary(self) -> bool:
        messages = self.body["messages"]
        return any(_SUMMARY_ASKED in text for text in _texts(messages[-1:]))


@dataclass(slots=True)
class Stub:
    """The script to answer by, and the log to read afterwards."""

    port: int = 0
    requests: list[Request] = field(default_factory=list)
    asides: list[Request] = field(default_factory=list)
    input_tokens: int = 1000
    _script: deque[tuple[Block, ...]] = field(default_factory=deque)
    _lock: threading.Condition = field(default_factory=threading.Condition)
    _ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def will(self, *replies: Reply) -> None:
        """Append replies; each answers one request."""
        with self._lock:
            self._script.extend(r if isinstance(r, tuple) else (r,) for r in replies)

    @property
    def last(self) -> Request:
        return self.requests[-1]

    def request_with(self, text: str) -> Request:
        """Return the first request whose conversation begins with a prompt, or wait."""
        with self._lock:
            found = self._lock.wait_for(lambda: self._begun_with(text), _PATIENCE)
        assert found, f"nobody asked {text!r}"
        return found

    def _begun_with(self, text: str) -> Request | None:
        begun = (r for r in self.requests if text in r.first_prompt)
        return next(begun, None)

    def answer(self, request: Request) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Log a request and return the events that answer it."""
        with self._lock:
            blocks: tuple[Block, ...] = (Say("ok"),)
            (self.asides if request.is_aside else self.requests).append(request)
            if request.asks_for_summary:
                blocks = (Say(SUMMARY),)
            elif self._script and not request.is_aside:
                blocks = self._script.popleft()
            number = next(self._ids)
            self._lock.notify_all()
        return _events(blocks, number, str(request.body["model"]), self.input_tokens)


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """A client that was killed hangs up in the middle; that is part of a test."""


@contextmanager
def serving() -> Iterator[Stub]:
    """Serve a stub on a free port of the loopback until the block ends."""
    stub = Stub()
    with loopback(_handler_of(stub)) as port:
        stub.port = port
        yield stub


@contextmanager
def loopback(handler: type[BaseHTTPRequestHandler]) -> Iterator[int]:
    """Serve on a free port of the loopback, which is given, until the block ends."""
    server = _Server(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _texts(value: Any) -> Iterator[str]:
    """Yield every text in message content, tool results included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, dict):
        yield from _texts(value.get("text"))
        yield from _texts(value.get("content"))


def _events(
    blocks: tuple[Block, ...], number: int, model: str, input_tokens: int
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    usage = {"input_tokens": input_tokens, "output_tokens": 5}
    message: dict[str, Any] = {
        "id": f"msg_stub_{number:04d}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    yield "message_start", {"message": message}
    for index, block in enumerate(blocks):
        start, delta = _block(block, f"toolu_stub_{number:04d}_{index}")
        yield "content_block_start", {"index": index, "content_block": start}
        yield "content_block_delta", {"index": index, "delta": delta}
        yield "content_block_stop", {"index": index}
    called = any(isinstance(block, Call) for block in blocks)
    ended = {"stop_reason": "tool_use" if called else "end_turn", "stop_sequence": None}
    yield "message_delta", {"delta": ended, "usage": usage}
    yield "message_stop", {}


def _block(block: Block, tool_id: str) -> tuple[dict[str, Any], dict[str, Any]]:
    if isinstance(block, Say):
        return {"type": "text", "text": ""}, {"type": "text_delta", "text": block.text}
    start = {"type": "tool_use", "id": tool_id, "name": block.tool, "input": {}}
    arguments = json.dumps(dict(block.arguments))
    return start, {"type": "input_json_delta", "partial_json": arguments}


def _handler_of(stub: Stub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if (
                not self.path.startswith("/v1/messages?")
                and self.path != "/v1/messages"
            ):
                self._json(404, {"type": "error", "error": {"type": "not_found_error"}})
                return
            session = self.headers.get("X-Claude-Code-Session-Id", "")
            self._stream(stub.answer(Request(session, json.loads(body))))

        def do_GET(self) -> None:
            self._json(404, {"type": "error", "error": {"type": "not_found_error"}})

        do_HEAD = do_GET  # noqa: N815  # the name http.server calls

        def log_message(self, *_: object) -> None:
            """Requests are in `stub.requests`; nothing belongs on stderr."""

        def _json(self, status: int, value: Mapping[str, Any]) -> None:
            data = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def _stream(self, events: Iterator[tuple[str, Mapping[str, Any]]]) -> None:
            data = "".join(
                f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n"
                for kind, fields in events
            ).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    return Handler
