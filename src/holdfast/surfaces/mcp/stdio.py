"""The server on stdin and stdout: the lines both ways, whatever a client sends."""

import io
import json
import os
import re
import select
import sys
import threading
from collections.abc import Callable, Mapping
from typing import IO, TYPE_CHECKING, Any

from mcp.types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    JSONRPCRequest,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from holdfast.kernel.lazy_patterns import pattern
from holdfast.surfaces.mcp.calls import calls_from
from holdfast.surfaces.mcp.long_lines import LongLine, read_line
from holdfast.surfaces.mcp.server import Offer, server

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

# An escaped backslash, a whole pair, or half of one.
_ESCAPES = pattern(
    rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)
_HALF_PAIR = len(rb"\ud800")
PATIENCE = 10.0  # seconds; a call that asked its user is never answered now
_LOOK_UP = 0.2  # seconds between looks whether a client that does not read has left
_AT_ONCE = select.PIPE_BUF  # what a wire with room takes without making anybody wait


def serve(
    environ: Mapping[str, str],
    *,
    offer: Offer,
    project: str | None,
    store: str | None,
    agent: str,
) -> None:
    """Answer the client that started this process, until it closes stdin."""
    ours = server(calls_from(environ, project=project, store=store, agent=agent), offer)
    unanswered = OpenRequests()
    asking, answering = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    _keep_children_off_the_wire()
    answered = AnswerStream(answering, unanswered, hung_up(asking))
    asked = RequestStream(asking, unanswered, answered.say)
    sys.stdin = io.TextIOWrapper(
        io.BufferedReader(asked), encoding="utf-8", errors="replace"
    )
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(answered), encoding="utf-8")
    try:
        ours.run("stdio")
    except* (BrokenPipeError, ConnectionResetError):
        pass  # the client is gone
    finally:
        sys.stdin, sys.stdout = sys.__stdin__, sys.__stdout__


def _keep_children_off_the_wire() -> None:
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    try:
        os.dup2(2, 1)
    except OSError:  # started without a stderr
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


class OpenRequests:
    """The requests that were asked and not answered yet."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self.patience = patience
        self.are_all = False  # nothing more will be asked
        self._open: list[int | str] = []  # an id may be used twice
        self._changed = threading.Condition()

    def asked(self, line: bytes) -> None:
        """Note what the client says: a request, or that it no longer wants one."""
        said = _message(line)
        if said.get("method") == "notifications/cancelled":
            params = said.get("params")
            self._close(params.get("requestId") if isinstance(params, dict) else None)
        elif _is_request(said):
            with self._changed:
                self._open.append(said["id"])

    def answered(self, line: bytes) -> None:
        """Note what the server says."""
        said = _message(line)
        if "method" not in said:
            self._close(said.get("id"))

    def was_taken(self) -> None:
        """Note that the client took a piece of an answer: somebody reads."""
        with self._changed:
            self._changed.notify_all()

    def wait(self) -> bool:
        """Nothing more will be asked: return whether everything was answered.

        Waits as long as there is news: an answer that is given, a piece that is taken.
        """
        self.are_all = True
        with self._changed:
            while self._open and self._changed.wait(self.patience):
                pass
            return not self._open

    def _close(self, request: object) -> None:
        with self._changed:
            if request in self._open:
                self._open.remove(request)
                self._changed.notify_all()


class RequestStream(io.RawIOBase):
    """Lines from the client, each of them one that the SDK understands.

    In what it passes on, half a surrogate pair is a replacement character. The SDK drops
    what it cannot read and answers nothing, and the agent would wait: such a line is
    answered here. It also drops every call in flight when stdin ends, so the end waits
    for them: a client that says its last word and closes is answered, and its save is
    made.
    """

    def __init__(
        self,
        wire: IO[bytes],
        unanswered: OpenRequests,
        reply: Callable[[bytes], object],
    ) -> None:
        self._wire = wire
        self._unanswered = unanswered
        self._reply = reply
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        if not self._rest:
            self._rest = self._line()
        count = min(len(view), len(self._rest))
        view[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count

    def _line(self) -> bytes:
        while line := read_line(self._wire):
            if isinstance(line, LongLine):
                self._reply(line.refusal())
                continue
            # The SDK ends a line at a carriage return, too, where JSON has a blank.
            line = whole_pairs(line).replace(b"\r", b" ")
            if refusal := refusal_of(line):
                self._reply(refusal)
            elif line.strip():
                self._unanswered.asked(line)
                return line
        self._unanswered.wait()
        return b""


class AnswerStream(io.RawIOBase):
    """Whole lines to the client; each is an answer only once it is written.

    A client that has left and does not read is given up: the SDK cannot let go of a
    write that waits, and the server would outlive everybody.
    """

    def __init__(
        self,
        wire: IO[bytes],
        unanswered: OpenRequests,
        hung_up: Callable[[], bool],
    ) -> None:
        self._wire = wire
        self._unanswered = unanswered
        self._hung_up = hung_up
        self._rest = b""
        self._in_turn = threading.Lock()
        self._is_given_up = False

    def writable(self) -> bool:
        return True

    def write(self, data: "ReadableBuffer") -> int:
        written = bytes(data)
        *lines, self._rest = (self._rest + written).split(b"\n")
        for line in lines:
            self.say(line)
            self._unanswered.answered(line)
        return len(written)

    def say(self, line: bytes) -> None:
        """Write a line, between others.

        Raises:
            BrokenPipeError: the client is gone, or as good as gone.
        """
        with self._in_turn:
            left = memoryview(line + b"\n")
            while left:
                self._wait_for_room()
                self._wire.write(left[:_AT_ONCE])
                self._wire.flush()
                self._unanswered.was_taken()
                left = left[_AT_ONCE:]

    def _wait_for_room(self) -> None:
        stalled = 0.0
        while not self._is_given_up:
            if select.select([], [self._wire], [], _LOOK_UP)[1]:
                return
            stalled += _LOOK_UP
            self._is_given_up = stalled >= self._unanswered.patience and (
                self._unanswered.are_all or self._hung_up()
            )
        raise BrokenPipeError("the client has left and does not read")


def hung_up(wire: IO[bytes]) -> Callable[[], bool]:
    """Return what says whether the client has closed its end of a wire.

    What it said before that may still be unread, and its reader busy.
    """
    watch = select.poll()
    watch.register(wire, 0)
    return lambda: bool(watch.poll(0))


def refusal_of(line: bytes) -> bytes:
    """Return the answer to a line that is no message, as JSON-RPC has it, or nothing."""
    text = line.decode("utf-8", "replace")
    if not text.strip():
        return b""
    try:
        message = jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValidationError as problem:
        if any(found["type"] == "json_invalid" for found in problem.errors()):
            return _error(None, PARSE_ERROR, "the line is not JSON")
        return _no_message(line)
    if isinstance(message, JSONRPCRequest):
        return b""
    # What asks with an id of another type, or answers as well, is never answered.
    said = _message(line)
    return _no_message(line) if "id" in said and "method" in said else b""


def _no_message(line: bytes) -> bytes:
    said = _message(line).get("id")
    asked = said if type(said) in (int, str) else None
    return _error(asked, INVALID_REQUEST, "the line is not a JSON-RPC message")


def _error(asked: int | str | None, code: int, message: str) -> bytes:
    error = {"code": code, "message": message}
    return json.dumps({"jsonrpc": "2.0", "id": asked, "error": error}).encode()


def whole_pairs(line: bytes) -> bytes:
    """Return a line of JSON without escapes that are half a surrogate pair."""
    return _ESCAPES.sub(_kept, line) if rb"\u" in line else line


def _kept(found: re.Match[bytes]) -> bytes:
    return rb"\ufffd" if len(found[0]) == _HALF_PAIR else found[0]


def _message(line: bytes) -> dict[str, Any]:
    try:
        said = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _is_request(said: dict[str, Any]) -> bool:
    """Say whether the SDK will answer; what it takes for garbage it passes over."""
    is_id = type(said.get("id")) in (int, str)
    return (
        is_id and said.get("jsonrpc") == "2.0" and isinstance(said.get("method"), str)
    )
