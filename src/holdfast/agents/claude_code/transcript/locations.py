"""Where Claude Code keeps transcripts, and which one another was copied from.

One directory per place a session began in. The client copies the lines of a fork with
their ids and names no origin, so the ids tell: the origin is the transcript beside it
that has most of them, and fewest others.
"""

import json
import os
from collections.abc import Iterator

from holdfast.kernel.clock import parse_iso
from holdfast.kernel.files import open_to_read
from holdfast.kernel.ids import is_session_id
from holdfast.kernel.lazy_patterns import pattern

MISSING = "Claude Code creates it with the first prompt; check the path"
_SUFFIX = ".jsonl"
_LONGEST_SLUG = 200
_OTHER = pattern(r"[^a-zA-Z0-9]")

_LINE_ID = pattern(rb'"uuid":\s?"([0-9a-f-]{36})"')
_MESSAGES = ("user", "assistant")
_MOST_READ = 256 * 1024 * 1024  # bytes of transcripts beside it, the newest first
_PIECE = 1024 * 1024
_LAST = 64 * 1024  # of a transcript, where its last message nearly always stands whole
_OVERLAP = 64  # an id that two pieces share is whole in one of them


def transcript_of(config_dir: str, session_id: str) -> str | None:
    """Return a session's transcript; the newest, should there be several."""
    if not session_id or os.path.basename(session_id) != session_id:
        return None
    paths = (
        os.path.join(directory, session_id + _SUFFIX)
        for directory in _directories(config_dir)
    )
    return max(filter(os.path.isfile, paths), key=_age_key, default=None)


def sessions_beginning(config_dir: str, prefix: str) -> tuple[str, ...]:
    """Return the ids that begin like this, of sessions whose transcript is there."""
    stems = {
        stem_of(name).lower()
        for directory in _directories(config_dir)
        for name in names_in(directory)
        if name.endswith(_SUFFIX)
    }
    return tuple(sorted(s for s in stems if s.startswith(prefix) and is_session_id(s)))


def newest_first(config_dir: str, cwd: str | None = None) -> list[str]:
    """Return the transcripts, those of sessions begun in `cwd` if given.

    Different directories can have one name here, so a caller who needs to be sure asks
    the transcript.
    """
    found = [
        path
        for directory in _directories(config_dir)
        if cwd is None or _may_be_of(os.path.basename(directory), cwd)
        for path in _transcripts_in(directory)
    ]
    return sorted(found, key=_age_key, reverse=True)


def every_transcript(config_dir: str) -> Iterator[str]:
    """Yield the transcript of every session."""
    for directory in _directories(config_dir):
        yield from _transcripts_in(directory)


def is_transcript(name: str) -> bool:
    """Say whether a file is a session's by its name. Older clients kept sub-agents'
    transcripts in the same place."""
    return name.endswith(_SUFFIX) and not name.startswith("agent-")


def sub_agent_files(transcript: str, session_id: str | None) -> list[str]:
    """Return the transcripts of a session's sub-agents, by name."""
    stem = transcript.removesuffix(_SUFFIX)
    directory = os.path.join(stem, "subagents")
    if session_id and not os.path.isdir(directory):
        beside = os.path.join(os.path.dirname(transcript), session_id)
        directory = os.path.join(beside, "subagents")
    return sorted(
        os.path.join(directory, name)
        for name in names_in(directory)
        if name.startswith("agent-") and name.endswith(_SUFFIX)
    )


def sub_agent_of(path: str) -> str:
    """Return the id of the sub-agent whose transcript this is."""
    name = os.path.basename(path)
    return name.removeprefix("agent-").removesuffix(_SUFFIX)


def stem_of(path: str) -> str:
    return os.path.basename(path).removesuffix(_SUFFIX)


def _directories(config_dir: str) -> Iterator[str]:
    projects = os.path.join(config_dir, "projects")
    for name in names_in(projects):
        yield os.path.join(projects, name)


def _transcripts_in(directory: str) -> Iterator[str]:
    for name in names_in(directory):
        path = os.path.join(directory, name)
        if is_transcript(name) and os.path.isfile(path) and os.path.getsize(path):
            yield path


def names_in(directory: str) -> list[str]:
    try:
        return os.listdir(directory)
    except (OSError, ValueError):
        return []


def _may_be_of(directory_name: str, cwd: str) -> bool:
    """The name is the path with every other character a dash, and cut when long."""
    for place in {cwd, os.path.realpath(cwd)}:
        slug = _OTHER.sub("-", place)
        if directory_name == slug:
            return True
        if len(slug) > _LONGEST_SLUG:
            return directory_name.startswith(slug[:_LONGEST_SLUG] + "-")
    return False


def _age_key(path: str) -> tuple[int, str]:
    try:
        return os.stat(path).st_mtime_ns, path
    except OSError:
        return 0, path


def copied_from(path: str) -> str | None:
    """Return the session a transcript was copied from; None if it was not."""
    own = frozenset(line_ids(path))
    first = next(line_ids(path), None)
    if first is None:
        return None
    best: tuple[int, int] = (0, 0)
    found = None
    for other in _beside(path):
        theirs = frozenset(line_ids(other))
        rank = (len(own & theirs), -len(theirs))
        if first in theirs and rank > best:
            best, found = rank, stem_of(other).lower()
    return found


def _beside(path: str) -> Iterator[str]:
    """Yield the other transcripts of the directory, the newest first, within reason."""
    try:
        with os.scandir(os.path.dirname(path)) as entries:
            files = [
                (entry.stat().st_mtime_ns, entry.stat().st_size, entry.path)
                for entry in entries
                if entry.path != path and is_session_id(stem_of(entry.path))
            ]
    except (OSError, ValueError):
        return
    left = _MOST_READ
    for _, size, other in sorted(files, reverse=True):
        left -= size
        if left < 0:
            return
        yield other


def line_ids(path: str) -> Iterator[bytes]:
    """Yield the ids of a transcript's lines; none of what cannot be read."""
    try:
        with open(open_to_read(path), "rb") as file:
            rest = b""
            while piece := file.read(_PIECE):
                yield from _LINE_ID.findall(rest + piece)
                rest = piece[-_OVERLAP:]
    except (OSError, ValueError):
        return


def ids_in(line: bytes) -> list[bytes]:
    """Return the ids that a line has."""
    found: list[bytes] = _LINE_ID.findall(line)
    return found


def last_message_at(path: str) -> int:
    """Return the time that the last message of a transcript bears, in Unix ms, or 0."""
    for size in (_LAST, _PIECE):
        try:
            with open(open_to_read(path), "rb") as file:
                file.seek(max(0, os.fstat(file.fileno()).st_size - size))
                lines = file.read(size).splitlines()
        except (OSError, ValueError):
            return 0
        if at := next(filter(None, map(_message_time, reversed(lines))), 0):
            return at
    return 0


def _message_time(line: bytes) -> int:
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return 0  # half a line
    is_message = isinstance(said, dict) and said.get("type") in _MESSAGES
    return parse_iso(str(said.get("timestamp", ""))) if is_message else 0
