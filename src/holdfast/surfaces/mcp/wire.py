"""The lines between the client and the server, both ways."""

import io
import json
import re
import threading
from typing import IO, TYPE_CHECKING, Any

from holdfast.patterns import pattern

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

# An escaped backslash, a whole pair, or half of one.
_ESCAPES = pattern(
    rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)
_HALF_PAIR = len(rb"\ud800")
_LONGEST_ANSWER = 10.0  # seconds; a call that asked its user is never answered now


class Unanswered:
    """The requests that were asked and not answered yet."""

    def __init__(self) -> None:
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

    def wait(self, seconds: float = _LONGEST_ANSWER) -> bool:
        """Return whether everything was answered within this time."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._open, seconds)

    def _close(self, request: object) -> None:
        with self._changed:
            if request in self._open:
                self._open.remove(request)
                self._changed.notify_all()


class Asked(io.RawIOBase):
    """Lines from the client in which half a surrogate pair is a replacement character.

    The SDK drops a message with one and answers nothing, and the agent would wait. It
    also drops every call in flight when stdin ends, so the end waits for them: a client
    that says its last word and closes is answered, and its save is made.
    """

    def __init__(self, wire: IO[bytes], unanswered: Unanswered) -> None:
        self._wire = wire
        self._unanswered = unanswered
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
        line = whole_pairs(self._wire.readline())
        if line:
            self._unanswered.asked(line)
        else:
            self._unanswered.wait()
        return line


class Answered(io.RawIOBase):
    """Lines to the client; each is an answer only once it is written."""

    def __init__(self, wire: IO[bytes], unanswered: Unanswered) -> None:
        self._wire = wire
        self._unanswered = unanswered
        self._rest = b""

    def writable(self) -> bool:
        return True

    def write(self, data: "ReadableBuffer") -> int:
        written = bytes(data)
        self._wire.write(written)
        self._wire.flush()
        *lines, self._rest = (self._rest + written).split(b"\n")
        for line in lines:
            self._unanswered.answered(line)
        return len(written)


def whole_pairs(line: bytes) -> bytes:
    """Return a line of JSON without escapes that are half a surrogate pair."""
    return _ESCAPES.sub(_kept, line) if rb"\u" in line else line


def _kept(found: re.Match[bytes]) -> bytes:
    return rb"\ufffd" if len(found[0]) == _HALF_PAIR else found[0]


def _message(line: bytes) -> dict[str, Any]:
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _is_request(said: dict[str, Any]) -> bool:
    """Say whether the SDK will answer; what it takes for garbage it passes over."""
    is_id = type(said.get("id")) in (int, str)
    return (
        is_id and said.get("jsonrpc") == "2.0" and isinstance(said.get("method"), str)
    )
