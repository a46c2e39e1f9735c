"""pi's sessions: find one, and what the entries of one say.

    sessions/--<path of the project>--/<moment>_<session>.jsonl

Entries name their parents and form a tree: what is not above the last one was left by a
rewind, which is seen by the parent of the next prompt.
"""

from __future__ import annotations

import os
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from holdfast.agents.call_inputs import text_at
from holdfast.agents.found_sessions import (
    FoundSessions,
    by_age,
    is_same_place,
    latest_line,
    newest_first,
)
from holdfast.agents.growing_files import open_file
from holdfast.agents.json_lines import JsonLinesReading, LineFile, is_same, lines_with
from holdfast.agents.pi.tools import TOOLS
from holdfast.agents.redact_events import PROMPT, SUMMARY
from holdfast.domain.event import (
    AgentSaid,
    AgentSpent,
    Compacted,
    ContextAdded,
    Event,
    Located,
    Origin,
    Passed,
    Summarised,
    Titled,
    ToolCalled,
    ToolReturned,
    Unrecognised,
    UserSaid,
)
from holdfast.domain.session import Cursor
from holdfast.kernel.clock import parse_iso
from holdfast.kernel.lazy_patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from holdfast.agents.past_files import PastHead
    from holdfast.agents.redact_events import Cleaner

    _Reader = Callable[[dict[str, Any], Origin], Sequence[Event]]

PLAIN_ID = pattern(
    r"[0-9a-f]{8}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?|(?:call|toolu|tooluse)_\w{1,40}"
)
_ID = pattern(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}")
_HEAD = 64 * 1024
_SESSION = (b'"type":"session"', b'"type": "session"')
_SILENT = frozenset(
    [
        "model_change", "thinking_level_change", "usage", "custom", "label", "context_edit",
        "session_start", "leaf",
    ]
)  # fmt: skip
_EXIT = pattern(r"\n*Command exited with code (\d{1,9})\s*\Z")
_STOPPED = pattern(r"(?:Command|Operation) aborted\s*\Z")
_SKILL = pattern(r"\A\s*<skill\b[^>]*>.*</skill>\s*", re.DOTALL)


class PiTranscripts(FoundSessions):
    """The sessions below one directory of pi (`Transcripts`)."""

    @property
    def agent(self) -> str:
        return "pi"

    def session_of(self, path: str) -> str | None:
        os.close(open_file(path))
        own = _id_of(path)
        return own if _ID.fullmatch(own) else None

    def find(self, session_id: str) -> str | None:
        if not _ID.fullmatch(session_id):
            return None
        paths = [*self._files()]
        named = [path for path in paths if _named(path) == session_id]
        # A fork of a first prompt has another id in its first line than in its name.
        said = named or [path for path in paths if _id_of(path) == session_id]
        return max(said, key=by_age, default=None)

    def beginning_with(self, prefix: str) -> tuple[str, ...]:
        found = {_id_of(path) for path in self._files()}
        return tuple(sorted(one for one in found if one.startswith(prefix)))

    def origin(self, path: str) -> str | None:
        above = text_at(header_of(path), "parentSession")
        return _id_of(above) or None if above else None

    def last_message_at(self, path: str) -> int:
        return latest_line(path, (b'"message"',))

    def read(self, path: str, since: Cursor | None = None) -> JsonLinesReading:
        mark = (since or Cursor()).main
        restarted = not is_same(path, mark)
        own = LineFile(path, "", 0 if restarted else mark.offset)
        return JsonLinesReading((own,), PiEvents(self._clean), restarted=restarted)

    def every(self, directory: str | None) -> Iterator[str]:
        """Yield the files of sessions, here or below a directory (`SessionFiles`)."""
        from holdfast.agents.past_files import below

        named = (path for path in below(directory or "") if path.endswith(".jsonl"))
        yield from named if directory else self._files()

    def head(self, path: str) -> PastHead:
        from holdfast.agents.past_files import PastHead

        start = header_of(path)
        place, began = text_at(start, "cwd"), text_at(start, "timestamp")
        return PastHead(began, place, self.origin(path))

    def _newest_first(self, cwd: str | None) -> Iterator[str]:
        paths = newest_first(self._files())
        return (path for path in paths if cwd is None or _began_in(path, cwd))

    def _files(self) -> Iterator[str]:
        for directory, _, names in os.walk(f"{self._directory}/sessions"):
            for name in names:
                if name.endswith(".jsonl"):
                    yield f"{directory}/{name}"

    @cached_property
    def _clean(self) -> Cleaner:
        from holdfast.agents.redact_events import Cleaner

        return Cleaner(self._redact, PLAIN_ID)


class PiEvents:
    """Reads the entries of one session in order (`LineReader`)."""

    def __init__(self, clean: Cleaner) -> None:
        self._clean = clean
        self._entries: dict[str, _Reader] = {
            "session": self._session,
            "message": self._message,
            "compaction": self._compacted,
            "branch_summary": self._summary,
            "custom_message": self._summary,
            "session_info": self._titled,
        }
        self._roles: dict[str, _Reader] = {
            "user": self._user,
            "assistant": self._assistant,
            "toolResult": self._returned,
            "bashExecution": self._typed_command,
        }

    def events(self, line: dict[str, Any], line_id: str) -> Sequence[Event]:
        del line_id  # entries have ids of their own
        kind, at = text_at(line, "type"), text_at(line, "timestamp")
        above = text_at(line, "parentId")
        origin = Origin(
            self._clean.identifier(text_at(line, "id")),
            self._clean.identifier(above) if above else None,
            parse_iso(at) if at else 0,
        )
        if read := self._entries.get(kind):
            return read(line, origin)
        if kind in _SILENT:
            return (Passed(kind, origin if origin.uuid else None),)
        return (Unrecognised(self._clean.names[kind] or "no-type"),)

    def _session(self, line: dict[str, Any], _origin: Origin) -> Sequence[Event]:
        clean = self._clean
        place = clean.places[text_at(line, "cwd")]
        own = clean.identifier(text_at(line, "id"))
        return (Located(own, place, "", "", ""), Passed("session"))

    def _message(self, line: dict[str, Any], origin: Origin) -> Sequence[Event]:
        found = line.get("message")
        message = found if isinstance(found, dict) else {}
        read = self._roles.get(text_at(message, "role"))
        return read(message, origin) if read else (Passed("message", origin),)

    def _user(self, message: dict[str, Any], origin: Origin) -> Sequence[Event]:
        text = _text_of(message.get("content"))
        words = _SKILL.sub("", text, count=1)
        if not words.strip():
            return (ContextAdded(origin, "skill" if text.strip() else "empty"),)
        return (UserSaid(origin, self._clean.text(words, PROMPT), len(words)),)

    def _typed_command(
        self, message: dict[str, Any], origin: Origin
    ) -> Sequence[Event]:
        """The user ran a command of their own with `!`."""
        text = text_at(message, "command")
        return (UserSaid(origin, self._clean.text(text, PROMPT), len(text), "shell"),)

    def _assistant(self, message: dict[str, Any], origin: Origin) -> Sequence[Event]:
        clean, told = self._clean, list[Event]()
        used = message.get("usage")
        total = used.get("totalTokens") if isinstance(used, dict) else None
        tokens = total if isinstance(total, int) else 0
        model = clean.names[text_at(message, "model")]
        told.append(AgentSpent(origin, origin.uuid, model, tokens))
        blocks = message.get("content")
        for block in blocks if isinstance(blocks, list) else ():
            if isinstance(block, dict):
                told.extend(self._block(block, origin))
        return told

    def _block(self, block: dict[str, Any], origin: Origin) -> Iterator[Event]:
        kind, text = text_at(block, "type"), text_at(block, "text")
        if kind == "text" and text.strip():
            said = self._clean.said(text)
            yield AgentSaid(origin, origin.uuid, said, len(text))
        elif kind == "toolCall":
            tool, given = text_at(block, "name"), block.get("arguments")
            fields = given if isinstance(given, dict) else {}
            role, wanted = TOOLS.asked(tool, fields, self._clean)
            name = self._clean.names[tool]
            call_id = self._clean.identifier(text_at(block, "id"))
            yield ToolCalled(origin, origin.uuid, call_id, name, role, *wanted)

    def _returned(self, message: dict[str, Any], origin: Origin) -> Sequence[Event]:
        text = _text_of(message.get("content"))
        is_error = message.get("isError") is True
        status: int | None = None
        if TOOLS.role_of(text_at(message, "toolName")) == "run":
            found = _EXIT.search(text) if is_error else None
            status = int(found[1]) if found else None if is_error else 0
            text = text[: found.start()] if found else text
        call_id = self._clean.identifier(text_at(message, "toolCallId"))
        is_stopped = is_error and _STOPPED.search(text) is not None
        return (
            ToolReturned(
                origin,
                call_id,
                "interrupted" if is_stopped else "failed" if is_error else "ok",
                status,
                self._clean.output(text),
                len(text),
                cause="stopped" if is_stopped else "",
            ),
        )

    def _compacted(self, line: dict[str, Any], origin: Origin) -> Sequence[Event]:
        text, before = text_at(line, "summary"), line.get("tokensBefore")
        made = Compacted(origin, "", before if isinstance(before, int) else 0)
        if not text.strip():
            return (made,)
        return (made, Summarised(origin, self._clean.text(text, SUMMARY), len(text)))

    def _summary(self, line: dict[str, Any], origin: Origin) -> Sequence[Event]:
        """What the client, or an extension of it, put into the conversation."""
        return (ContextAdded(origin, self._clean.names[text_at(line, "type")]),)

    def _titled(self, line: dict[str, Any], origin: Origin) -> Sequence[Event]:
        name = text_at(line, "name")
        if not name.strip():
            return (Passed("session_info", origin),)
        return (Titled(self._clean.text(name, 400)),)


def _text_of(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else ()
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "\n".join(text for text in texts if isinstance(text, str))


def header_of(path: str) -> dict[str, Any]:
    for _, line in lines_with(LineFile(path, "", 0, _HEAD), _SESSION):
        if line.get("type") == "session":
            return line
    return {}


def _began_in(path: str, cwd: str) -> bool:
    began = text_at(header_of(path), "cwd")
    return is_same_place(began, cwd)


def _id_of(path: str) -> str:
    """Return the session that a file says it is, or that its name tells."""
    return text_at(header_of(path), "id") or _named(path)


def _named(path: str) -> str:
    """Return the session that a file's name tells: what follows the moment."""
    stem = os.path.basename(path).removesuffix(".jsonl")
    return stem.partition("_")[2] or stem
