"""Skip a line that is longer than any call needs, and refuse it by its id.

Notes of a session are some thousand characters. What is a thousand times longer would be
parsed, redacted and indexed for minutes, and nobody could read it afterwards.
"""

import json
import re
from typing import IO

from holdfast.kernel.errors import CallTooLong
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.surfaces.mcp.replies import refusal_of, refused

MOST_BYTES = 1_000_000  # of one line: the arguments, and what is around them
_AT_ONCE = 1 << 16
_END = 4096  # bytes of a long line that are kept on either side

_SAYS = rb'"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"'
_ID = rb'"id"\s*:\s*(-?\d{1,18}|"(?:[^"\\]|\\.){0,200}")'
# Only members of the message itself: before anything else opens, after all else closed.
_ID_FIRST = pattern(rb"\s*\{(?:\s*" + _SAYS + rb"\s*,)*\s*" + _ID + rb"\s*,")
_ID_LAST = pattern(_ID + rb"(?:\s*,\s*" + _SAYS + rb")*\s*\}\s*\Z")
_IS_CALL = pattern(rb'"method"\s*:\s*"tools/call"')


class LongLine(NamedTuple):
    """A line of which only both ends were kept."""

    head: bytes
    tail: bytes
    size: int

    def refusal(self) -> bytes:
        """Return the answer: of the tool that was called, else an error."""
        too_long = CallTooLong(
            f"the call is {self.size:,} bytes long; at most {MOST_BYTES:,} are taken",
            hint="nothing was done; call again with less: notes are for what the next"
            " session must know",
        )
        refusal = refusal_of(too_long, {})
        answer: dict[str, object] = {"jsonrpc": "2.0", "id": self._id()}
        if _IS_CALL.search(self.head) or _IS_CALL.search(self.tail):
            told = refused(refusal)
            answer["result"] = told.model_dump(by_alias=True, exclude_none=True)
        else:
            answer["error"] = {"code": -32600, "message": refusal.text}
        return json.dumps(answer).encode()

    def _id(self) -> int | str | None:
        found: re.Match[bytes] | None
        found = _ID_FIRST.match(self.head) or _ID_LAST.search(self.tail)
        if found is None:
            return None
        said: int | str = json.loads(found[1].decode("utf-8", "replace"))
        return said


def read_line(wire: IO[bytes], most: int = MOST_BYTES) -> bytes | LongLine:
    """Return the next line; of one that is too long, only its ends. Empty: no more."""
    line = wire.readline(most + 1)
    if len(line) <= most:
        return line
    size, tail = len(line), line[-_END:]
    while not tail.endswith(b"\n") and (more := wire.readline(_AT_ONCE)):
        size += len(more)
        tail = (tail + more)[-_END:]
    return LongLine(line[:_END], tail, size)
