"""Gemini CLI's sessions: find one, and read what is new in it.

    tmp/<project>/chats/session-<moment>-<beginning of its id>.jsonl

The project's directory stands in `.project_root` beside `chats`. Older sessions are one
JSON object in a `.json` file; the client writes them anew when it goes on with one.
"""

from __future__ import annotations

import json
import os
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
from holdfast.agents.growing_files import mark_at, open_file, unreadable
from holdfast.agents.json_lines import (
    JsonLinesReading,
    LineFile,
    decoded,
    is_same,
    lines_with,
)
from holdfast.domain.event import Unrecognised
from holdfast.domain.session import Cursor
from holdfast.kernel.clock import parse_iso
from holdfast.kernel.files import read_or_none
from holdfast.kernel.ids import is_session_id
from holdfast.kernel.lazy_patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.agents.past_files import PastHead
    from holdfast.agents.past_port import PastFile
    from holdfast.agents.port import TranscriptReading
    from holdfast.agents.redact_events import Cleaner
    from holdfast.domain.event import Event

_HEAD = 64 * 1024
CHAT = pattern(r"session-[0-9T-]{16}-([0-9a-f]{8})\.jsonl?")
WHOLE = ".json"
_MOST_WHOLE = 64 * 1024 * 1024
_MOST_ROOT = 4096
_MOST_SETTINGS = 1024 * 1024
_HOUR_MS = 3_600_000
_UNITS = {"h": _HOUR_MS, "d": 24 * _HOUR_MS, "w": 168 * _HOUR_MS, "m": 720 * _HOUR_MS}
_PERIOD = pattern(r"(\d{1,9})([hdwm])")
_USUAL_PERIOD = "30d"
_AGENT = pattern(r"[\w.-]{1,150}\.jsonl?")
RESULTS = "tool-outputs"
RESULT = pattern(rf"{RESULTS}/session-[\w-]{{1,150}}/[\w-]{{1,200}}\.txt")
_MOMENT = pattern(rb'"(?:lastUpdated|timestamp)":\s*"([0-9T:.Z-]{20,30})"')


class GeminiTranscripts(FoundSessions):
    """The sessions below one `.gemini` directory (`Transcripts`)."""

    @property
    def agent(self) -> str:
        return "gemini"

    def session_of(self, path: str) -> str | None:
        os.close(open_file(path))
        own = text_at(head_of(path), "sessionId")
        return own.lower() if is_session_id(own) else None

    def find(self, session_id: str) -> str | None:
        if not is_session_id(session_id):
            return None
        wanted = session_id.lower()
        own = [
            path
            for path in self._files()
            if _beginning(path) == wanted[:8] and self._is_of(path, wanted)
        ]
        return max(own, key=by_age, default=None)

    def beginning_with(self, prefix: str) -> tuple[str, ...]:
        wanted = prefix.lower()
        short = wanted[:8]
        found = {
            text_at(head_of(path), "sessionId").lower()
            for path in self._files()
            if _beginning(path).startswith(short)
        }
        return tuple(sorted(one for one in found if one and one.startswith(wanted)))

    def origin(self, path: str) -> str | None:
        return _origin_of(head_of(path))

    def last_message_at(self, path: str) -> int:
        return latest_line(path, (b'"type":',))

    def read(self, path: str, since: Cursor | None = None) -> TranscriptReading:
        from holdfast.agents.gemini.chats import ChatEvents

        mark = (since or Cursor()).main
        restarted = not is_same(path, mark)
        start = 0 if restarted else mark.offset
        before = LineFile(path, "", 0, start) if start else None
        reader = ChatEvents(self._clean, root_of_session(path), before)
        if path.endswith(WHOLE):
            return WholeSession(path, start, reader, restarted=restarted)
        own = LineFile(path, "", start)
        return JsonLinesReading((own,), reader, restarted=restarted)

    def every(self, directory: str | None) -> Iterator[str]:
        """Yield the files of sessions, here or below a directory (`SessionFiles`)."""
        from holdfast.agents.past_files import below

        named = [path for path in below(directory or "") if _beginning(path)]
        yield from filter(_is_said_in, named) if directory else self._files()

    def head(self, path: str) -> PastHead:
        from holdfast.agents.past_files import PastHead

        head, root = head_of(path), root_of_session(path)
        return PastHead(text_at(head, "startTime"), root, _origin_of(head))

    def parts(self, path: str) -> Iterator[PastFile]:
        """Yield a session, what its sub-agents wrote, and long results (`SessionFiles`)."""
        from holdfast.agents.past_port import PastFile

        own = text_at(head_of(path), "sessionId")
        yield PastFile(os.path.basename(path), path)
        for name, agent in sub_agent_files(path, own):
            yield PastFile(f"agents/{name}", agent)
        for name, result in result_files(path, own):
            yield PastFile(name, result)

    def dies_at(self, path: str, end: bytes) -> int:
        """Return when the client deletes it, by the last moment that it tells."""
        del path
        keeps = self._keeps_ms
        told = _MOMENT.findall(end)
        last = parse_iso(told[-1].decode()) if told else 0
        return last + keeps if last and keeps else 0

    def _newest_first(self, cwd: str | None) -> Iterator[str]:
        for path in newest_first(self._files()):
            if head_of(path) and (
                cwd is None or is_same_place(root_of_session(path), cwd)
            ):
                yield path

    def _is_of(self, path: str, session_id: str) -> bool:
        return text_at(head_of(path), "sessionId").lower() == session_id

    def _files(self) -> Iterator[str]:
        projects = f"{self._directory}/tmp"  # noqa: S108  # the client's own name
        for project in _names(projects):
            chats = f"{projects}/{project}/chats"
            named = (name for name in _names(chats) if CHAT.fullmatch(name))
            yield from filter(_is_said_in, (f"{chats}/{name}" for name in named))

    @cached_property
    def _keeps_ms(self) -> int:
        """For how long the user's settings let a session stay; 0: for ever."""
        return _kept_ms(f"{self._directory}/settings.json")

    @cached_property
    def _clean(self) -> Cleaner:
        from holdfast.agents.gemini.chats import PLAIN_ID
        from holdfast.agents.redact_events import Cleaner

        return Cleaner(self._redact, PLAIN_ID)


class WholeSession:
    """A session that is one JSON object (`TranscriptReading`): all of it, or nothing."""

    def __init__(self, path: str, start: int, reader: Any, *, restarted: bool) -> None:
        self._path = path
        self._start = start
        self._reader = reader
        self._cursor = Cursor()
        self.restarted = restarted
        self.half_written = 0

    @property
    def cursor(self) -> Cursor:
        return self._cursor

    def __iter__(self) -> Iterator[Event]:
        descriptor = open_file(self._path)
        try:
            size = os.fstat(descriptor).st_size
            if size != self._start:
                yield from self._events(os.pread(descriptor, _MOST_WHOLE, 0))
            self._cursor = Cursor(mark_at(descriptor, size))
        except OSError as problem:
            raise unreadable(self._path, problem) from problem
        finally:
            os.close(descriptor)

    def _events(self, data: bytes) -> Iterator[Event]:
        try:
            found = json.loads(data)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            yield Unrecognised("not-json")
            return
        messages = found.pop("messages", None)
        yield from self._reader.events(found, "")
        for message in messages if isinstance(messages, list) else ():
            if isinstance(message, dict):
                yield from self._reader.events(message, "")


def head_of(path: str) -> dict[str, Any]:
    """Return what a session says of itself; nothing if it does not."""
    for _, line in lines_with(LineFile(path, "", 0, _HEAD), (b'"sessionId"',)):
        if "type" not in line and text_at(line, "kind") != "subagent":
            return line
    if not path.endswith(WHOLE):
        return {}
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            found = json.loads(file.read(_MOST_WHOLE))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _origin_of(head: dict[str, Any]) -> str | None:
    """Return the session that one was forked from: only we make forks."""
    origin = text_at(head, "forkedFrom").lower()
    return origin if is_session_id(origin) else None


def root_of_session(path: str) -> str:
    """Return the directory of the project that a session belongs to."""
    return root_of(project_of(path))


def project_of(path: str) -> str:
    """Return where the client keeps the project of a session."""
    return os.path.dirname(os.path.dirname(os.path.abspath(path)))


def root_of(project: str) -> str:
    """Return the directory that a project of the client's stands for."""
    try:
        with open(
            f"{project}/.project_root", encoding="utf-8", errors="replace"
        ) as file:
            return file.read(_MOST_ROOT).strip()
    except (OSError, ValueError):
        return ""


def sub_agent_files(path: str, session_id: str) -> Iterator[tuple[str, str]]:
    """Yield what sub-agents of a session wrote, by name and path."""
    place = f"{os.path.dirname(path)}/{session_id}"
    for name in sorted(_names(place)):
        if _AGENT.fullmatch(name) and os.path.isfile(f"{place}/{name}"):
            yield name, f"{place}/{name}"


def result_files(path: str, session_id: str) -> Iterator[tuple[str, str]]:
    """Yield the files of results that were too long for a line, which names the file, by
    where they lie below the project's directory, and by path.

    The client has a directory of them for a session, and one for each of its sub-agents.
    """
    from holdfast.agents.past_files import is_one_text

    project = project_of(path)
    agents = (name.partition(".")[0] for name, _ in sub_agent_files(path, session_id))
    for owner in (session_id, *agents):
        place = f"{RESULTS}/session-{owner}"
        for name in sorted(_names(f"{project}/{place}")):
            result = f"{place}/{name}"
            if RESULT.fullmatch(result) and is_one_text(f"{project}/{result}"):
                yield result, f"{project}/{result}"


def _is_said_in(path: str) -> bool:
    """Say whether a file is a session's: whenever the client goes on with one, it begins
    a file of the same id beside it, says nothing there, and leaves it."""
    if path.endswith(WHOLE):
        return True
    lines = lines_with(LineFile(path), (b'"user"', b'"gemini"'))
    return any("type" in line for _, line in lines)


def _beginning(path: str) -> str:
    named = CHAT.fullmatch(os.path.basename(path))
    return named[1] if named else ""


def _names(directory: str) -> list[str]:
    try:
        return os.listdir(directory)
    except OSError:
        return []


def _kept_ms(settings: str) -> int:
    """Return for how long after its last change a session stays; 0: for ever.

    Settings that cannot be read here, because of comments in them, are taken for none.
    """
    said = decoded(
        read_or_none(settings, limit=_MOST_SETTINGS, follow_links=True) or b""
    )
    retention = _member(_member(said, "general"), "sessionRetention")
    if _member(retention, "enabled") is False:
        return 0
    age = _member(retention, "maxAge")
    if age is None and _member(retention, "maxCount") is not None:
        return 0  # only so many are kept: of none can be said when it goes
    period = _PERIOD.fullmatch(age if isinstance(age, str) else _USUAL_PERIOD)
    return int(period[1]) * _UNITS[period[2]] if period else 0


def _member(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None
