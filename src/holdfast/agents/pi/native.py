"""Conversations in pi's own format: sessions that come back, and new ones.

The client finds a session below a directory named after the one it is started in. The
first line names that one, too: where the project moved, a copy says where it is now.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from holdfast.agents.call_inputs import text_at
from holdfast.agents.json_lines import decoded, raw_lines
from holdfast.agents.linked_lines import Links, line_of
from holdfast.agents.native_files import (
    NativeFiles,
    NativeLine,
    created,
    no_such_name,
    refused,
)
from holdfast.agents.past_port import PastFile
from holdfast.agents.pi.sessions import PLAIN_ID, header_of
from holdfast.kernel.clock import iso, parse_iso
from holdfast.kernel.directories import make_own_directory
from holdfast.kernel.lazy_patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_LINKS = Links(
    holders=frozenset(["message", "content"]),
    ids=frozenset(
        ["id", "parentId", "toolCallId", "targetId", "fromId", "firstKeptEntryId"]
    ),
    plain_id=PLAIN_ID,
    seals=frozenset(["thinkingSignature", "textSignature", "thoughtSignature"]),
)
_NAME = pattern(r"[\w.:-]{1,200}\.jsonl")
_DASHED = pattern(r"[/\\:]")


class PiConversations(NativeFiles):
    """Does what `NativeSessions` says, below one directory of pi."""

    @property
    def _links(self) -> Links:
        return _LINKS

    def is_found(self, transcript: str, session_id: str, directory: str) -> bool:
        del session_id
        return os.path.dirname(transcript) == self._place(directory)

    def bring(self, transcript: str, session_id: str, directory: str) -> str:
        del session_id
        target = f"{self._place(directory)}/{os.path.basename(transcript)}"
        if os.path.lexists(target):
            return target
        try:
            data = b"".join(raw_lines(PastFile("", transcript)))
            make_own_directory(os.path.dirname(target))
            created(target, _begun_in(directory, data))
        except OSError as problem:
            raise refused(target, problem) from problem
        return target

    def _lines(self, transcript: str) -> Iterator[NativeLine]:
        at = offset = 0
        for raw in raw_lines(PastFile("", transcript)):
            said = decoded(raw)
            if isinstance(said, dict) and said.get("type") != "session":
                at = parse_iso(text_at(said, "timestamp")) or at
                yield NativeLine(offset, at, raw, said)
            offset += len(raw)

    def _is_said(self, said: Mapping[str, Any]) -> bool:
        message = said.get("message")
        role = message.get("role") if isinstance(message, dict) else ""
        return said.get("type") == "message" and role in ("user", "assistant")

    def _compactions(self, lines: Sequence[NativeLine]) -> Iterator[int]:
        return (
            n for n, line in enumerate(lines) if line.said.get("type") == "compaction"
        )

    def _target(self, new_id: str, at: int, directory: str) -> str:
        moment = iso(at).replace(":", "-").replace(".", "-")
        return f"{self._place(directory)}/{moment}_{new_id}.jsonl"

    def _anew(
        self, lines: Sequence[NativeLine], new_id: str, transcript: str, directory: str
    ) -> Iterator[bytes]:
        header = header_of(transcript) | {
            "id": new_id,
            "timestamp": iso(lines[-1].at),
            "cwd": os.path.realpath(directory),
            "parentSession": transcript,
        }
        yield line_of(header)
        yield from (line.raw for line in lines)

    def _placed(
        self, session_id: str, directory: str, files: Sequence[tuple[str, bytes]]
    ) -> Iterator[tuple[str, bytes]]:
        del session_id
        for name, data in files:
            if not _NAME.fullmatch(name) or name.startswith("."):
                raise no_such_name(name)
            yield f"{self._place(directory)}/{name}", _begun_in(directory, data)

    def _place(self, directory: str) -> str:
        bare = os.path.realpath(directory).removeprefix("/")
        return f"{self._directory}/sessions/--{_DASHED.sub('-', bare)}--"


def _begun_in(directory: str, data: bytes) -> bytes:
    """Return a session that began in a directory; the same bytes if it did."""
    first, newline, rest = data.partition(b"\n")
    said, place = decoded(first), os.path.realpath(directory)
    if not isinstance(said, dict) or said.get("type") != "session":
        return data
    if os.path.realpath(text_at(said, "cwd")) == place:
        return data
    return line_of(said | {"cwd": place}).rstrip(b"\n") + newline + rest
