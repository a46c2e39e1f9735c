"""Conversations in Codex CLI's own format: rollouts that come back, and new ones.

The client finds a thread by its id, wherever it is started. A new one holds all of its
past itself: what the client's own forks point to may be deleted, and ours shall not care.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.agents.call_inputs import text_at
from holdfast.agents.codex.rollout.kinds import PLAIN_ID
from holdfast.agents.codex.rollout.rollouts import (
    AGENTS,
    PAST,
    CodexTranscripts,
    meta_of,
    place_of,
    thread_of,
)
from holdfast.agents.json_lines import decoded, raw_lines
from holdfast.agents.linked_lines import Links, line_of
from holdfast.agents.native_files import NativeFiles, NativeLine, no_such_name
from holdfast.agents.past_port import PastFile
from holdfast.domain.text import visible
from holdfast.kernel.clock import iso, parse_iso
from holdfast.kernel.errors import NativeRefused
from holdfast.kernel.lazy_patterns import pattern
from holdfast.redaction.values import REPLACEMENT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_LINKS = Links(
    holders=frozenset(
        [
            "payload", "item", "metadata", "history_base", "context_window",
            "turn_attribution", "retained_source", "replacement_history",
            "internal_chat_message_metadata_passthrough",
        ]
    ),
    ids=frozenset(
        [
            "id", "session_id", "thread_id", "forked_from_id", "parent_thread_id", "call_id",
            "turn_id", "root_turn_id", "parent_turn_id", "window_id", "first_window_id",
            "previous_window_id", "message_id",
        ]
    ),
    plain_id=PLAIN_ID,
    seals=frozenset(["encrypted_content"]),
)  # fmt: skip
_META = "session_meta"
_BY_REFERENCE = frozenset(["history_base", "forked_from_ordinal_exclusive"])
_OWN = "own"
_TAKEN_OUT = pattern(REPLACEMENT.encode())
_SHORTER = b"[redacted]", b"***", b"*"  # the last is no longer than any secret
_SAID = frozenset(["UserMessage", "AgentMessage", "user_message", "agent_message"])


class CodexConversations(NativeFiles):
    """Does what `NativeSessions` says, below one `CODEX_HOME`."""

    def __init__(self, directory: str) -> None:
        super().__init__(directory)
        self._transcripts = CodexTranscripts(directory, str)

    @property
    def _links(self) -> Links:
        return _LINKS

    def is_found(self, transcript: str, session_id: str, directory: str) -> bool:
        del session_id, directory
        return transcript.startswith(f"{self._directory}/sessions/")

    def bring(self, transcript: str, session_id: str, directory: str) -> str:
        del directory
        raise NativeRefused(
            f"Codex CLI has archived this session: `{visible(transcript)}`",
            hint=f"`codex unarchive {session_id}` brings it back",
        )

    def cleaned(self, line: bytes, redact: Callable[[Any], Any]) -> bytes:
        """A fork names the end of its past by bytes: each line stays as long as it was."""
        clean = super().cleaned(line, redact)
        return clean if clean == line else _as_long_as(line, clean)

    def _lines(self, transcript: str) -> Iterator[NativeLine]:
        """Whose file it is, its first line says: that is written anew."""
        past = self._transcripts.past_of(transcript)
        if not all(file.path for file in past):
            raise _past_gone()
        at = 0
        for file in (*past, PastFile(_OWN, transcript)):
            offset = 0
            for raw in raw_lines(file):
                said = decoded(raw)
                if isinstance(said, dict) and said.get("type") != _META:
                    at = parse_iso(text_at(said, "timestamp")) or at
                    yield NativeLine(offset if file.name == _OWN else -1, at, raw, said)
                offset += len(raw)

    def _is_said(self, said: Mapping[str, Any]) -> bool:
        payload = said.get("payload")
        if said.get("type") != "event_msg" or not isinstance(payload, dict):
            return False
        item = payload.get("item")
        kind = text_at(item, "type") if isinstance(item, dict) else ""
        return not _SAID.isdisjoint((kind, text_at(payload, "type")))

    def _compactions(self, lines: Sequence[NativeLine]) -> Iterator[int]:
        return (
            n for n, line in enumerate(lines) if line.said.get("type") == "compacted"
        )

    def _target(self, new_id: str, at: int, directory: str) -> str:
        del directory
        moment = iso(at)[:19].replace(":", "-")
        return self._place(f"rollout-{moment}-{new_id}.jsonl")

    def _anew(
        self, lines: Sequence[NativeLine], new_id: str, transcript: str, directory: str
    ) -> Iterator[bytes]:
        meta = meta_of(transcript)
        began = iso(lines[-1].at)
        own = {
            "session_id": new_id,
            "id": new_id,
            "forked_from_id": text_at(meta, "id") or thread_of(transcript),
            "timestamp": began,
            "cwd": directory,
            "source": "cli",  # whatever it was: somebody sits in front of this one
        }
        yield _first_line(meta | own, lines[0].said)
        yield from (line.raw for line in lines)

    def _placed(
        self, session_id: str, directory: str, files: Sequence[tuple[str, bytes]]
    ) -> Iterator[tuple[str, bytes]]:
        del session_id, directory
        (name, data), *others = files
        past = b"".join(said for other, said in others if other.startswith(PAST))
        yield self._place(name), self._with_its_past(data, past)
        for other, said in others:
            if not other.startswith(PAST):
                yield self._place(other.removeprefix(AGENTS)), said

    def _with_its_past(self, data: bytes, past: bytes) -> bytes:
        """Return a rollout as it was; where what it goes on from is gone, with that."""
        first, _, rest = data.partition(b"\n")
        said = decoded(first)
        if isinstance(said, str):
            return data
        meta = said.get("payload")
        if not isinstance(meta, dict) or self._transcripts.is_whole(meta):
            return data
        if not past:
            raise _past_gone()
        lines = [line for line in past.splitlines(keepends=True) if not _is_meta(line)]
        begun = decoded(lines[0]) if lines else {}
        at = {"timestamp": said["timestamp"]} if "timestamp" in said else {}
        return _first_line(at | meta, begun) + b"".join(lines) + rest

    def _place(self, name: str) -> str:
        place = place_of(name)
        if not place:
            raise no_such_name(name)
        return f"{self._directory}/{place}"


def _as_long_as(line: bytes, clean: bytes) -> bytes:
    """Return what is left of a line in as many bytes: filled up, or with shorter words
    for what was taken out of it."""
    end = b"\n" if line.endswith(b"\n") else b""
    size = len(line) - len(end)
    clean = clean.removesuffix(b"\n")
    forms = (clean, *(_TAKEN_OUT.sub(word, clean) for word in _SHORTER))
    fitting = next((form for form in forms if len(form) <= size), forms[-1])
    # What is too long even so was no JSON, or said a number in another way.
    return fitting[:size].ljust(size) + end


def _first_line(meta: Mapping[str, Any], following: object) -> bytes:
    """Return the line that says whose a rollout is that holds all of its past itself."""
    own = {name: value for name, value in meta.items() if name not in _BY_REFERENCE}
    is_numbered = isinstance(following, dict) and "ordinal" in following
    number = {"ordinal": 0} if is_numbered else {}
    return line_of(
        {"timestamp": own["timestamp"], **number, "type": _META, "payload": own}
    )


def _is_meta(raw: bytes) -> bool:
    said = decoded(raw)
    return isinstance(said, dict) and said.get("type") == _META


def _past_gone() -> NativeRefused:
    return NativeRefused(
        "the session that this one continues is gone",
        hint="`holdfast resume REF` prints the brief of a checkpoint",
    )
