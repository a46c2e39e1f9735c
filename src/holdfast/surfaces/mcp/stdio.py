"""The server on stdin and stdout, robust against what a client may send."""

import io
import os
import re
import sys
from collections.abc import Mapping
from typing import IO, TYPE_CHECKING

from holdfast.patterns import pattern
from holdfast.surfaces.mcp.calls import calls_from
from holdfast.surfaces.mcp.server import Offer, server

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# An escaped backslash, a whole pair, or half of one.
_ESCAPES = pattern(
    rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)
_HALF_PAIR = len(rb"\ud800")


def serve(
    environ: Mapping[str, str], *, offer: Offer, project: str | None, store: str | None
) -> None:
    """Answer the client that started this process, until it closes stdin."""
    ours = server(calls_from(environ, project=project, store=store), offer)
    wire = os.fdopen(os.dup(0), "rb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # no child may read from the wire
    sys.stdin = io.TextIOWrapper(
        io.BufferedReader(CleanLines(wire)), encoding="utf-8", errors="replace"
    )
    try:
        ours.run("stdio")
    except* (BrokenPipeError, ConnectionResetError):
        pass  # the client is gone


class CleanLines(io.RawIOBase):
    """Lines from the client in which half a surrogate pair is a replacement character.

    The SDK drops a message with one and answers nothing, and the agent would wait.
    """

    def __init__(self, wire: IO[bytes]) -> None:
        self._wire = wire
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        if not self._rest:
            self._rest = whole_pairs(self._wire.readline())
        count = min(len(view), len(self._rest))
        view[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count


def whole_pairs(line: bytes) -> bytes:
    """Return a line of JSON without escapes that are half a surrogate pair."""
    return _ESCAPES.sub(_kept, line) if rb"\u" in line else line


def _kept(found: re.Match[bytes]) -> bytes:
    return rb"\ufffd" if len(found[0]) == _HALF_PAIR else found[0]
