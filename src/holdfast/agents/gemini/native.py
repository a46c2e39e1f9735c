"""Conversations in Gemini CLI's own format: sessions that come back, and new ones.

The client finds a session below the name that it gave to the directory it is started in.
"""

from __future__ import annotations

import json
import os
from itertools import count
from typing import TYPE_CHECKING, Any

from holdfast.agents.call_inputs import text_at
from holdfast.agents.gemini.chats import PLAIN_ID, is_compaction
from holdfast.agents.gemini.sessions import (
    CHAT,
    RESULT,
    RESULTS,
    WHOLE,
    head_of,
    project_of,
    result_files,
    root_of,
    sub_agent_files,
)
from holdfast.agents.json_lines import decoded, raw_lines
from holdfast.agents.linked_lines import Links, line_of
from holdfast.agents.native_files import (
    NativeFiles,
    NativeLine,
    copied,
    created,
    no_such_name,
    refused,
)
from holdfast.agents.past_port import PastFile
from holdfast.kernel.clock import iso, parse_iso
from holdfast.kernel.digests import sha256
from holdfast.kernel.directories import make_own_directory
from holdfast.kernel.files import read_or_none
from holdfast.kernel.lazy_patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_LINKS = Links(
    holders=frozenset(
        [
            "content", "functionCall", "functionResponse", "toolCalls", "result", "$set",
            "messages", "history",
        ]
    ),
    ids=frozenset(
        ["id", "sessionId", "projectHash", "agentId", "$rewindTo", "forkedFrom"]
    ),
    plain_id=PLAIN_ID,
    seals=frozenset(["thoughtSignature"]),
)  # fmt: skip
_AGENT = pattern(r"agents/[\w.-]{1,150}\.jsonl?")
_NO_NAME = pattern(r"[^a-z0-9]+")
_MOST_REGISTRY = 16 * 1024 * 1024


class GeminiConversations(NativeFiles):
    """Does what `NativeSessions` says, below one `.gemini` directory."""

    def __init__(self, directory: str) -> None:
        super().__init__(directory)
        self._projects = f"{directory}/tmp"  # noqa: S108  # the client's own name
        self._registry = f"{directory}/projects.json"

    @property
    def _links(self) -> Links:
        return _LINKS

    def is_lines(self, name: str) -> bool:
        # One object, whatever lines it is printed on; and a key has many lines.
        return not name.endswith(WHOLE) and not name.startswith(f"{RESULTS}/")

    def is_found(self, transcript: str, session_id: str, directory: str) -> bool:
        del session_id
        return project_of(transcript) == self._known_project(directory)

    def bring(self, transcript: str, session_id: str, directory: str) -> str:
        try:
            chats = self._chats(directory)
            target = f"{chats}/{os.path.basename(transcript)}"
            for name, source in sub_agent_files(transcript, session_id):
                make_own_directory(f"{chats}/{session_id}")
                copied(source, f"{chats}/{session_id}/{name}")
            for name, source in result_files(transcript, session_id):
                result = f"{project_of(target)}/{name}"
                make_own_directory(os.path.dirname(result))
                copied(source, result)
            copied(transcript, target)
        except OSError as problem:
            raise refused(transcript, problem) from problem
        return target

    def _lines(self, transcript: str) -> Iterator[NativeLine]:
        at = offset = 0
        file = PastFile("", transcript)
        whole = transcript.endswith(WHOLE)
        for raw in _messages(transcript) if whole else raw_lines(file):
            said = decoded(raw)
            if isinstance(said, dict) and not _is_about_itself(said):
                at = parse_iso(text_at(said, "timestamp")) or at
                yield NativeLine(0 if whole else offset, at, raw, said)
            offset += len(raw)

    def _is_said(self, said: Mapping[str, Any]) -> bool:
        return said.get("type") in ("user", "gemini")

    def _compactions(self, lines: Sequence[NativeLine]) -> Iterator[int]:
        known = set[str]()
        for place, line in enumerate(lines):
            known.add(text_at(line.said, "id"))
            if is_compaction(line.said, known):
                yield place

    def _target(self, new_id: str, at: int, directory: str) -> str:
        moment = iso(at)[:16].replace(":", "-")
        return f"{self._chats(directory)}/session-{moment}-{new_id[:8]}.jsonl"

    def _anew(
        self, lines: Sequence[NativeLine], new_id: str, transcript: str, directory: str
    ) -> Iterator[bytes]:
        """The client has no forks: where it came from is a word more in the first line,
        which it passes by."""
        old, began = head_of(transcript), iso(lines[-1].at)
        own = {
            "sessionId": new_id,
            "projectHash": sha256(os.path.realpath(directory).encode()).hexdigest(),
            "startTime": began,
            "lastUpdated": began,
            "kind": "main",
            "forkedFrom": text_at(old, "sessionId"),
        }
        yield line_of(own)
        yield from (line.raw for line in lines)

    def _placed(
        self, session_id: str, directory: str, files: Sequence[tuple[str, bytes]]
    ) -> Iterator[tuple[str, bytes]]:
        (name, data), *others = files
        if not CHAT.fullmatch(name):
            raise no_such_name(name)
        for other, _ in others:
            if not (_AGENT.fullmatch(other) or RESULT.fullmatch(other)):
                raise no_such_name(other)
        chats = self._chats(directory)
        yield f"{chats}/{name}", data
        for other, said in others:
            if RESULT.fullmatch(other):
                yield f"{os.path.dirname(chats)}/{other}", said
            else:
                yield f"{chats}/{session_id}/{os.path.basename(other)}", said

    def _known_project(self, directory: str) -> str:
        """Return where the client keeps a directory's sessions; nothing if it has none."""
        place = os.path.realpath(directory)
        said = decoded(read_or_none(self._registry, limit=_MOST_REGISTRY) or b"")
        projects = said.get("projects") if isinstance(said, dict) else None
        known = projects.get(place) if isinstance(projects, dict) else None
        if isinstance(known, str) and known and "/" not in known:
            path = f"{self._projects}/{known}"
            if root_of(path) in ("", place):
                return path
        return self._marked_as(place)

    def _marked_as(self, place: str) -> str:
        try:
            names = sorted(os.listdir(self._projects))
        except OSError:
            return ""
        paths = (f"{self._projects}/{name}" for name in names)
        return next((path for path in paths if root_of(path) == place), "")

    def _chats(self, directory: str) -> str:
        """Return where the client looks for the sessions of a directory, making it known
        by the mark that the client itself leaves, if it never was there."""
        project = self._known_project(directory)
        place = os.path.realpath(directory)
        bare = (
            _NO_NAME.sub("-", os.path.basename(place).lower()).strip("-") or "project"
        )
        numbers = count(1)
        name = bare
        while not project:
            path = f"{self._projects}/{name}"
            project = "" if os.path.lexists(path) else path
            name = f"{bare}-{next(numbers)}"
        make_own_directory(f"{project}/chats")
        if not os.path.lexists(f"{project}/.project_root"):
            created(
                f"{project}/.project_root", place.encode("utf-8", "surrogateescape")
            )
        return f"{project}/chats"


def _is_about_itself(said: Mapping[str, Any]) -> bool:
    """Say whether a line tells whose session it is: the client repeats that whenever it
    goes on with one."""
    values = said.get("$set")
    is_head = "sessionId" in said and "type" not in said
    return is_head or (isinstance(values, dict) and "sessionId" in values)


def _messages(transcript: str) -> Iterator[bytes]:
    """Yield the messages of a session that is one object as lines of their own."""
    try:
        found = json.loads(b"".join(raw_lines(PastFile("", transcript))))
    except (ValueError, RecursionError):
        return
    messages = found.get("messages") if isinstance(found, dict) else None
    yield from map(line_of, messages if isinstance(messages, list) else ())
