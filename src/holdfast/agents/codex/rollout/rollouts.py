"""Codex CLI's rollouts: find one, and read what is new in it.

    sessions/YYYY/MM/DD/rollout-<moment>-<thread>[_<rollout>].jsonl[.zst]

A thread that was taken back goes on in a file of its own, and so does a fork: neither
holds a copy of its past, but says in which file it lies, and how far. What is archived
moves to another directory, what is cold may be compressed.
"""

from __future__ import annotations

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
from holdfast.agents.growing_files import open_file
from holdfast.agents.json_lines import (
    COMPRESSED,
    JsonLinesReading,
    LineFile,
    is_same,
    lines_with,
)
from holdfast.domain.session import Cursor
from holdfast.kernel.ids import is_session_id
from holdfast.kernel.lazy_patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.agents.past_files import PastHead
    from holdfast.agents.past_port import PastFile
    from holdfast.agents.redact_events import Cleaner

_HEAD = 1024 * 1024
_META = b'"session_meta"'
_SAID = (b'"item_completed"', b'"user_message"', b'"agent_message"')
_MOST_BASES = 50
PAST, AGENTS = "past/", "agents/"  # how the archive names what is not the thread itself
_PLACES = ("sessions", "archived_sessions")
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_NAME = pattern(
    rf"rollout-(?P<day>\d{{4}}-\d{{2}}-\d{{2}})T[0-9-]{{8}}-(?P<thread>{_UUID})"
    rf"(?:_(?P<rollout>{_UUID}))?\.jsonl(?:\.zst)?"
)
_MOST_DEEP = 20  # sub-agents that start others


class CodexTranscripts(FoundSessions):
    """The rollouts below one `CODEX_HOME` (`Transcripts`)."""

    @property
    def agent(self) -> str:
        return "codex"

    def session_of(self, path: str) -> str | None:
        _open_or_refuse(path)
        thread = text_at(meta_of(path), "id") or text_at(meta_of(path), "session_id")
        if is_session_id(thread):
            return thread.lower()
        return thread_of(path) or None

    def find(self, session_id: str) -> str | None:
        if not is_session_id(session_id):
            return None
        own = [p for p in self._files() if thread_of(p) == session_id.lower()]
        return max(own, key=by_age, default=None)

    def beginning_with(self, prefix: str) -> tuple[str, ...]:
        found = {thread_of(path) for path in self._files()}
        return tuple(sorted(one for one in found if one.startswith(prefix.lower())))

    def origin(self, path: str) -> str | None:
        forked = text_at(meta_of(path), "forked_from_id")
        return forked.lower() if is_session_id(forked) else None

    def last_message_at(self, path: str) -> int:
        return latest_line(path, _SAID)

    def read(self, path: str, since: Cursor | None = None) -> JsonLinesReading:
        from holdfast.agents.codex.rollout.events import RolloutEvents

        path = _other_form(path)
        mark = (since or Cursor()).main
        restarted = not is_same(path, mark)
        start = 0 if restarted else mark.offset
        own = LineFile(path, _rollout_of(path), start)
        if start:
            known = LineFile(path, own.name, 0, start)
            files: tuple[LineFile, ...] = (own,)
            reader = RolloutEvents(self._clean, lambda signs: lines_with(known, signs))
        else:
            files = (*self._bases(meta_of(path)), own)
            reader = RolloutEvents(self._clean)
        return JsonLinesReading(files, reader, restarted=restarted)

    def every(self, directory: str | None) -> Iterator[str]:
        """Yield the rollouts of sessions, here or below a directory (`SessionFiles`)."""
        from holdfast.agents.past_files import below

        named = (path for path in below(directory or "") if _is_named(path))
        for path in named if directory else self._files():
            if not _is_of_agent(meta_of(path)):
                yield path

    def parts(self, path: str) -> Iterator[PastFile]:
        """Yield a thread, what it goes on from, and what its sub-agents wrote."""
        from holdfast.agents.past_port import PastFile

        yield PastFile(name_of(path), path)
        yield from (file for file in self.past_of(path) if file.path)
        for agent in self._sub_agents(thread_of(path), 0):
            yield PastFile(f"{AGENTS}{name_of(agent)}", agent)

    def past_of(self, path: str) -> tuple[PastFile, ...]:
        """Return what a rollout goes on from, the oldest first; without a path, where it
        is gone."""
        from holdfast.agents.past_port import PastFile

        return tuple(
            PastFile(f"{PAST}{place}.jsonl", base.path, base.end)
            for place, base in enumerate(self._bases(meta_of(path)))
        )

    def is_whole(self, meta: dict[str, Any]) -> bool:
        """Say whether all is there that a rollout of which this is told goes on from."""
        return all(base.path for base in self._bases(meta))

    def head(self, path: str) -> PastHead:
        from holdfast.agents.past_files import PastHead

        meta = meta_of(path)
        forked = text_at(meta, "forked_from_id").lower()
        return PastHead(
            text_at(meta, "timestamp"),
            text_at(meta, "cwd"),
            forked if is_session_id(forked) else None,
            is_headless(path),
        )

    def _newest_first(self, cwd: str | None) -> Iterator[str]:
        for path in newest_first(self._files()):
            meta = meta_of(path)
            if not meta or _is_of_agent(meta):
                continue
            began = text_at(meta, "cwd")
            if cwd is None or is_same_place(began, cwd):
                yield path

    def _bases(self, meta: dict[str, Any]) -> tuple[LineFile, ...]:
        """Return the files a rollout goes on from, the oldest first."""
        bases: list[LineFile] = []
        while len(bases) < _MOST_BASES:
            base = meta.get("history_base")
            if not isinstance(base, dict):
                break
            name, end = text_at(base, "thread_id").lower(), base.get("end_byte_offset")
            path = self._rollout(name) or ""
            bases.append(LineFile(path, name, 0, end if isinstance(end, int) else None))
            if not path or path in {known.path for known in bases[:-1]}:
                break
            meta = meta_of(path)
        return tuple(reversed(bases))

    def _rollout(self, name: str) -> str | None:
        found = (path for path in self._files() if _rollout_of(path) == name)
        return next(found, None)

    def _files(self) -> Iterator[str]:
        for place in _PLACES:
            for directory, _, names in os.walk(f"{self._directory}/{place}"):
                for name in names:
                    if _is_named(name):
                        yield f"{directory}/{name}"

    def _sub_agents(self, thread: str, depth: int) -> Iterator[str]:
        for path in self._started_by.get(thread, ()) if depth < _MOST_DEEP else ():
            yield path
            yield from self._sub_agents(thread_of(path), depth + 1)

    @cached_property
    def _started_by(self) -> dict[str, list[str]]:
        """The rollouts of sub-agents, by the thread that started them."""
        found: dict[str, list[str]] = {}
        for path in sorted(self._files()):
            starter = text_at(meta_of(path), "parent_thread_id").lower()
            if starter:
                found.setdefault(starter, []).append(path)
        return found

    @cached_property
    def _clean(self) -> Cleaner:
        from holdfast.agents.codex.rollout.kinds import PLAIN_ID
        from holdfast.agents.redact_events import Cleaner

        return Cleaner(self._redact, PLAIN_ID)


def is_headless(path: str) -> bool:
    """Say whether nobody sits in front of the session of a rollout."""
    return text_at(meta_of(path), "source") in ("exec", "mcp", "app-server")


def _open_or_refuse(path: str) -> None:
    os.close(open_file(_other_form(path)))


def _other_form(path: str) -> str:
    """Return a rollout's path as it is now: the client compresses what is cold."""
    if os.path.lexists(path):
        return path
    plain = path.removesuffix(COMPRESSED)
    other = plain if plain != path else path + COMPRESSED
    return other if os.path.lexists(other) else path


def meta_of(path: str) -> dict[str, Any]:
    """Return what a rollout says of itself in its first lines; nothing if it does not."""
    head = LineFile(_other_form(path), "", 0, _HEAD)
    for _, line in lines_with(head, (_META,)):
        payload = line.get("payload")
        if line.get("type") == "session_meta" and isinstance(payload, dict):
            return {"timestamp": line.get("timestamp"), **payload}
    return {}


def _is_named(path: str) -> bool:
    return _NAME.fullmatch(os.path.basename(path)) is not None


def _is_of_agent(meta: dict[str, Any]) -> bool:
    """Say whether a rollout is a sub-agent's: its work belongs to another session."""
    return bool(meta.get("parent_thread_id")) or isinstance(meta.get("source"), dict)


def name_of(path: str) -> str:
    """Return a rollout's name without what says that it is compressed."""
    return os.path.basename(path).removesuffix(COMPRESSED)


def place_of(name: str) -> str:
    """Return where below its directory the client keeps a rollout; none by no such name."""
    named = _NAME.fullmatch(name)
    return f"sessions/{named['day'].replace('-', '/')}/{name}" if named else ""


def thread_of(path: str) -> str:
    named = _NAME.fullmatch(os.path.basename(path))
    return named["thread"] if named else ""


def _rollout_of(path: str) -> str:
    """Return the id that others name a file by: a thread's first has the thread's."""
    named = _NAME.fullmatch(os.path.basename(path))
    if named:
        return str(named["rollout"] or named["thread"])
    return text_at(meta_of(path), "id") or "rollout"
