"""The models' services of other agents on loopback: they answer from a script.

`model.will(call("exec_command", cmd="ls"), say("done"))` answers the next two requests of
a conversation; an empty script answers "ok". What a client asks for itself, such as a
title, takes nothing from the script.
"""

import itertools
import json
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.e2e.client.stub import Call, Say, call, loopback, say

__all__ = ["Model", "Patch", "call", "patch", "say", "serving_model"]

_ASIDE = "Generate a concise, single-line task title"
SUMMARY = "The conversation so far, as the model sums it up."


@dataclass(frozen=True, slots=True)
class Patch:
    """A call of a tool that takes one raw text."""

    tool: str
    text: str


def patch(text: str) -> Patch:
    return Patch("apply_patch", text)


Answer = Say | Call | Patch


@dataclass(slots=True)
class Model:
    """The script to answer by, and what the clients sent."""

    port: int = 0
    told: list[str] = field(default_factory=list)  # every text of each conversation
    _script: deque[Answer] = field(default_factory=deque)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def will(self, *answers: Answer) -> None:
        with self._lock:
            self._script.extend(answers)

    @property
    def last(self) -> str:
        """What the last request told the model."""
        return self.told[-1]

    def answer(self, body: Mapping[str, Any]) -> tuple[Answer, int]:
        """Log a request, and return what answers it with a number."""
        text = "\n".join(_texts(body.get("input") or body.get("contents")))
        with self._lock:
            number = next(self._ids)
            if _ASIDE in text:
                return Say("A title"), number
            self.told.append(text)
            is_scripted = bool(self._script) and _has_tools(body)
            return self._script.popleft() if is_scripted else Say("ok"), number


@contextmanager
def serving_model() -> Iterator[Model]:
    """Serve a model on a free port of the loopback until the block ends."""
    model = Model()
    with loopback(_handler_of(model)) as port:
        model.port = port
        yield model


def _has_tools(body: Mapping[str, Any]) -> bool:
    """A conversation always has tools; a compaction may not, and is scripted, too."""
    return bool(body.get("tools")) or "input" in body


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, dict):
        for key in (
            "text",
            "content",
            "parts",
            "output",
            "response",
            "functionResponse",
        ):
            yield from _texts(value.get(key))


def _openai(answer: Answer, number: int) -> bytes:
    made: dict[str, Any]
    if isinstance(answer, Say):
        content = [{"type": "output_text", "text": answer.text}]
        made = {"type": "message", "role": "assistant", "content": content}
    elif isinstance(answer, Patch):
        made = {"type": "custom_tool_call", "name": answer.tool, "input": answer.text}
    else:
        arguments = json.dumps(dict(answer.arguments))
        space, _, name = answer.tool.rpartition("::")  # of a server's tool
        made = {"type": "function_call", "name": name, "arguments": arguments}
        made |= {"namespace": space} if space else {}
    made |= {"id": f"item_{number}"}
    if not isinstance(answer, Say):
        made |= {"call_id": f"call_{number}"}
    usage = {"input_tokens": 1000, "output_tokens": 5, "total_tokens": 1005}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": {"id": f"resp_{number}"}},
        {"type": "response.output_item.done", "item": made},
        {
            "type": "response.completed",
            "response": {"id": f"resp_{number}", "usage": usage},
        },
    ]
    lines = (f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events)
    return "".join(lines).encode()


def _google(answer: Answer, _number: int) -> bytes:
    part: dict[str, Any]
    if isinstance(answer, Call):
        part = {"functionCall": {"name": answer.tool, "args": dict(answer.arguments)}}
    else:
        part = {"text": answer.text}
    content = {"role": "model", "parts": [part]}
    usage = {
        "promptTokenCount": 1000,
        "candidatesTokenCount": 5,
        "totalTokenCount": 1005,
    }
    candidate = {"content": content, "finishReason": "STOP", "index": 0}
    made = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "stub"}
    return json.dumps(made).encode()


def _google_stream(answer: Answer, number: int) -> bytes:
    return b"data: " + _google(answer, number) + b"\n\n"


_SERVICES = {
    "/responses": ("text/event-stream", _openai),
    ":streamGenerateContent": ("text/event-stream", _google_stream),
    ":generateContent": ("application/json", _google),
}


def _body(request: BaseHTTPRequestHandler) -> bytes:
    if "chunked" not in (request.headers.get("Transfer-Encoding") or ""):
        return request.rfile.read(int(request.headers.get("Content-Length") or 0))
    body = b""
    while size := int(request.rfile.readline().strip(), 16):
        body += request.rfile.read(size)
        request.rfile.readline()
    request.rfile.readline()
    return body


def _handler_of(model: Model) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(_body(self) or b"{}")
            path = self.path.partition("?")[0]
            found = next((end for end in _SERVICES if path.endswith(end)), None)
            if found is None:
                self._send("application/json", b"{}", 404)
            else:
                kind, made = _SERVICES[found]
                self._send(kind, made(*model.answer(body)))

        def do_GET(self) -> None:
            self._send("application/json", b'{"models": []}')

        def log_message(self, *_: object) -> None:
            """What was asked is in `model.told`; nothing belongs on stderr."""

        def _send(self, kind: str, data: bytes, status: int = 200) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    return Handler
