"""Claude Code's sessions that lie on disk: which there are, and which came from which.

A fork copies the lines of its origin with their ids; newer clients note where they came
from, older ones do not, and then the ids tell. A clear names nothing: the session that it
cleared is the one that ended last in the same directory, if no other can be meant.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import Any
from zlib import crc32

from holdfast.agents.claude_code.config_files import read_settings
from holdfast.agents.claude_code.transcript import locations
from holdfast.agents.claude_code.transcript.native import MAIN, results_of
from holdfast.agents.json_lines import raw_lines
from holdfast.agents.past_port import (
    PastFile,
    PastParent,
    PastSession,
    PastTranscript,
)
from holdfast.domain.client import INTERACTIVE
from holdfast.kernel.clock import parse_iso
from holdfast.kernel.files import open_to_read
from holdfast.kernel.ids import is_session_id

_MOST_LINES = 60  # a session says who it is in its first ones
_LONGEST_LINE = 256 * 1024
_MARKED = 1024
_KEPT_DAYS = 30  # where the user's settings do not say
_DAY_MS = 86_400_000
_LONGEST_PAUSE = 12 * 3_600_000  # ms between what was cleared and what came after
_CLEARED = "<command-name>/clear</command-name>"
_MESSAGES = ("user", "assistant")
_FORKED = b'"forkedFrom":'


class ClaudeCodePast:
    """Does what `PastSessions` says, below one configuration directory."""

    def __init__(self, config_dir: str) -> None:
        self._config_dir = config_dir

    def every(self, directory: str | None = None) -> Iterator[PastTranscript]:
        places = (
            locations.every_transcript(self._config_dir)
            if directory is None
            else _below(directory)
        )
        keeps = _kept_ms(self._config_dir) if directory is None else 0
        for path in sorted(places):
            if found := _seen(path, keeps):
                yield found

    def files(self, transcript: PastTranscript) -> Iterator[PastFile]:
        yield PastFile(MAIN, transcript.path)
        for path in locations.sub_agent_files(transcript.path, None):
            for file in (path, f"{path.removesuffix('.jsonl')}.meta.json"):
                if os.path.isfile(file):
                    yield PastFile(f"subagents/{os.path.basename(file)}", file)
        yield from (PastFile(*found) for found in results_of(transcript.path))

    def raw_lines(self, file: PastFile) -> Iterator[bytes]:
        return raw_lines(file)

    def glance(self, transcript: PastTranscript) -> PastSession | None:
        try:
            said = list(_first_lines(transcript.path))
        except (OSError, ValueError):
            return None
        stem = locations.stem_of(transcript.path).lower()
        named = (str(line.get("sessionId", "")).lower() for line in said)
        session = next(filter(is_session_id, named), stem)
        if not is_session_id(session):
            return None
        began = next(filter(None, map(_time_of, said)), 0)
        return PastSession(
            transcript,
            session,
            began_at=began,
            last_at=locations.last_message_at(transcript.path) or began,
            directory=_first_text(said, "cwd"),
            first_line=_first_text(said, "uuid"),
            forked_from=_noted_origin(said, session),
            is_after_clear=any(map(_is_clear, said)),
            is_headless=_first_text(said, "entrypoint") not in INTERACTIVE,
        )

    def parents(self, sessions: Sequence[PastSession]) -> Mapping[str, PastParent]:
        by_age = sorted(sessions, key=lambda s: (s.began_at, s.session_id))
        found: dict[str, PastParent] = {}
        paths = {s.session_id: s.transcript.path for s in sessions}
        forks = chain(_noted(by_age), _copied(by_age))
        for links, is_fork in ((forks, True), (_cleared(by_age), False)):
            for child, parent in links:
                if child not in found and not _leads_to(parent, child, found):
                    shared = _shared(paths[child], paths.get(parent)) if is_fork else 0
                    found[child] = PastParent(parent, is_fork, shared)
        return found


def _below(directory: str) -> Iterator[str]:
    for place, below, names in os.walk(directory):
        below[:] = sorted(name for name in below if name != "subagents")
        for name in names:
            if locations.is_transcript(name):
                yield os.path.join(place, name)


def _kept_ms(config_dir: str) -> int:
    """Return how long the client keeps a transcript after its last change."""
    said = read_settings(f"{config_dir}/settings.json").get("cleanupPeriodDays")
    is_told = isinstance(said, int) and not isinstance(said, bool) and said > 0
    return (said if is_told and isinstance(said, int) else _KEPT_DAYS) * _DAY_MS


def _seen(path: str, keeps: int) -> PastTranscript | None:
    """A client touches a file when it opens it, so the time says nothing of its lines."""
    try:
        descriptor = open_to_read(path)
    except (OSError, ValueError):
        return None
    try:
        status = os.fstat(descriptor)
        size = status.st_size
        tail = os.pread(descriptor, _MARKED, max(0, size - _MARKED))
    except OSError:
        return None
    finally:
        os.close(descriptor)
    agents = locations.sub_agent_files(path, None)
    written = sum(map(_size, agents))
    stamp = f"{size}-{crc32(tail):08x}-{len(agents)}-{written}"
    dies_at = status.st_mtime_ns // 1_000_000 + keeps if keeps else 0
    return PastTranscript(path, size + written, stamp, dies_at) if size else None


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _first_lines(path: str) -> Iterator[Mapping[str, Any]]:
    """Yield the first lines, up to the first answer: what is behind that is the work."""
    with open(open_to_read(path), "rb") as file:
        for _ in range(_MOST_LINES):
            raw = file.readline(_LONGEST_LINE)
            if not raw:
                return
            try:
                line = json.loads(raw)
            except (ValueError, RecursionError):
                continue
            if isinstance(line, dict):
                yield line
                if line.get("type") == "assistant":
                    return


def _first_text(lines: Iterable[Mapping[str, Any]], key: str) -> str:
    said = (line.get(key) for line in lines)
    return next((text for text in said if isinstance(text, str) and text), "")


def _time_of(line: Mapping[str, Any]) -> int:
    is_message = line.get("type") in _MESSAGES
    return parse_iso(str(line.get("timestamp", ""))) if is_message else 0


def _noted_origin(lines: Iterable[Mapping[str, Any]], own: str) -> str | None:
    notes = (line.get("forkedFrom") for line in lines)
    ids = (
        str(note.get("sessionId")).lower() for note in notes if isinstance(note, dict)
    )
    return next((one for one in ids if is_session_id(one) and one != own), None)


def _is_clear(line: Mapping[str, Any]) -> bool:
    message = line.get("message")
    said = message.get("content") if isinstance(message, dict) else None
    return isinstance(said, str) and said.lstrip().startswith(_CLEARED)


def _noted(sessions: Iterable[PastSession]) -> Iterator[tuple[str, str]]:
    return ((s.session_id, s.forked_from) for s in sessions if s.forked_from)


def _copied(sessions: Iterable[PastSession]) -> Iterator[tuple[str, str]]:
    """Yield each fork that nobody noted: who has the same first line has the same
    beginning, and the one whose lines the others have was there first."""
    told = [s for s in sessions if s.first_line]
    told.sort(key=lambda s: s.first_line)  # stable: the older first
    for _, group in groupby(told, key=lambda s: s.first_line):
        family = list(group)
        if len(family) > 1:
            yield from _forks(family)


def _forks(family: Sequence[PastSession]) -> Iterator[tuple[str, str]]:
    lines = {
        s.session_id: frozenset(locations.line_ids(s.transcript.path)) for s in family
    }
    by_own = sorted(family, key=lambda s: (len(lines[s.session_id]), s.last_at))
    for place, child in enumerate(by_own):
        own = lines[child.session_id]
        ranked = [
            (len(own & lines[s.session_id]), -n) for n, s in enumerate(by_own[:place])
        ]
        if ranked:
            yield child.session_id, by_own[-max(ranked)[1]].session_id


def _shared(fork: str, origin: str | None) -> int:
    """Return the time of the last line that a fork has of its origin: one that says so,
    or has the id of a line there."""
    theirs = frozenset(locations.line_ids(origin)) if origin else frozenset()
    last = b""
    try:
        with open(open_to_read(fork), "rb") as file:
            for raw in file:
                if _FORKED in raw or not theirs.isdisjoint(locations.ids_in(raw)):
                    last = raw
        return parse_iso(str(json.loads(last).get("timestamp", ""))) if last else 0
    except (OSError, ValueError, AttributeError, RecursionError):
        return 0


def _cleared(sessions: Sequence[PastSession]) -> Iterator[tuple[str, str]]:
    """Yield what began with a clear, and what was cleared where that is certain."""
    by_place: dict[tuple[str, bool], list[PastSession]] = {}
    for session in sessions:
        place = (session.directory, session.is_headless)
        by_place.setdefault(place, []).append(session)
    for (directory, _), here in by_place.items():
        for session in here if directory else ():
            if session.is_after_clear and session.began_at:
                beside = [s for s in here if _is_before(s, session)]
                if found := _only_one_before(session.began_at, beside):
                    yield session.session_id, found.session_id


def _is_before(other: PastSession, session: PastSession) -> bool:
    """Say whether another session had begun, and is no copy of this one."""
    is_copy = other.first_line == session.first_line and bool(other.first_line)
    return (
        other.session_id != session.session_id
        and other.began_at <= session.began_at
        and not is_copy
    )


def _only_one_before(moment: int, beside: Sequence[PastSession]) -> PastSession | None:
    """Return the session that ended last before a moment, if it was the only one then:
    another that was open beside it can be the one that was cleared."""
    ended = [s for s in beside if s.last_at <= moment]
    if not ended or len(ended) < len(beside):
        return None
    last = max(ended, key=lambda s: (s.last_at, s.session_id))
    is_alone = all(s.last_at < last.began_at for s in ended if s is not last)
    is_near = moment - last.last_at <= _LONGEST_PAUSE
    return last if is_alone and is_near else None


def _leads_to(start: str, wanted: str, parents: Mapping[str, PastParent]) -> bool:
    """Say whether somebody's parents lead to a session."""
    while start != wanted and start in parents:
        start = parents[start].session_id
    return start == wanted
