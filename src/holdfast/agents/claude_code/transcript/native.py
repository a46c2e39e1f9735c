"""Conversations in Claude Code's own format: where it finds one, and new ones beside them.

The client looks for a session in a directory named after the one it was started in. A
session that is brought there is a copy under its own id; a branch is a new file under a
new id, written as the client's own fork is: each line with the session it came from. No
file that is there is ever opened for writing.
"""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from holdfast.agents.claude_code.transcript import locations
from holdfast.agents.claude_code.transcript.lines import PLAIN_ID
from holdfast.agents.linked_lines import cleaned
from holdfast.agents.native_files import (
    copied,
    created,
    is_read_to,
    never_compacted,
    nothing_before,
    refused,
)
from holdfast.agents.past_files import is_one_text
from holdfast.agents.past_port import BranchCut
from holdfast.domain.text import visible
from holdfast.kernel.clock import parse_iso
from holdfast.kernel.directories import make_directory, make_own_directory
from holdfast.kernel.errors import NativeRefused
from holdfast.kernel.files import open_to_read
from holdfast.kernel.lazy_patterns import pattern

_SUFFIX = ".jsonl"
_LONGEST_SLUG = 200
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_PLAIN = frozenset(_DIGITS + _DIGITS.upper())
_MESSAGES = ("user", "assistant")
MAIN = "main"  # the transcript itself; beside it, what sub-agents wrote
_RESULTS = "tool-results"  # too long for a line, which names the file instead
_RESULT = pattern(rf"{_RESULTS}/[\w-]{{1,150}}\.(?:txt|json)")
_NAME = pattern(
    rf"main|subagents/agent-[\w-]{{1,100}}\.(?:jsonl|meta\.json)|{_RESULT.pattern}"
)
_IDS = (
    "uuid", "parentUuid", "logicalParentUuid", "sessionId", "promptId", "messageId",
    "messageUuid", "leafUuid", "agentId", "sourceToolAssistantUUID", "sourceToolUseID",
    "id", "tool_use_id",
)  # fmt: skip
_SEALED = {"thinking": "signature", "redacted_thinking": "data"}
_REPLACED = (
    "content-replacement"  # of results that were too long: told apart from lines
)

Json = dict[str, Any]


def slug_of(directory: str) -> str:
    """Return the client's name for a directory: other signs are dashes, and a long name
    is cut and has a hash behind it. Both count as the client's language does."""
    raw = directory.encode("utf-16-le", "surrogatepass")
    units = [int.from_bytes(raw[n : n + 2], "little") for n in range(0, len(raw), 2)]
    slug = "".join(chr(unit) if chr(unit) in _PLAIN else "-" for unit in units)
    if len(slug) <= _LONGEST_SLUG:
        return slug
    total = 0
    for unit in units:
        total = (total * 31 + unit) & 0xFFFFFFFF
    signed = total - (1 << 32) if total >> 31 else total
    return f"{slug[:_LONGEST_SLUG]}-{_base36(abs(signed))}"


def _base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits or "0"


class ClaudeCodeConversations:
    """Does what `NativeSessions` says, below one configuration directory."""

    def __init__(self, config_dir: str) -> None:
        self._config_dir = config_dir

    def is_found(self, transcript: str, session_id: str, directory: str) -> bool:
        return self.place(session_id, directory) == transcript

    def place(self, session_id: str, directory: str) -> str:
        """Return where the client looks for a session when it is started in a directory."""
        slug = slug_of(os.path.realpath(directory))
        return os.path.join(self._config_dir, "projects", slug, session_id + _SUFFIX)

    def bring(self, transcript: str, session_id: str, directory: str) -> str:
        target = self.place(session_id, directory)
        if os.path.lexists(target):
            return target
        try:
            _make_directory(os.path.dirname(target))
            beside = target.removesuffix(_SUFFIX)
            for source, name in _sub_agents(transcript, session_id):
                _make_directory(beside)
                _make_directory(os.path.join(beside, "subagents"))
                copied(source, os.path.join(beside, "subagents", name))
            for name, source in results_of(transcript):
                _make_directory(beside)
                _make_directory(os.path.join(beside, _RESULTS))
                copied(source, os.path.join(beside, name))
            copied(transcript, target)
        except OSError as problem:
            raise refused(target, problem) from problem
        return target

    def is_lines(self, name: str) -> bool:
        return not name.startswith(f"{_RESULTS}/")  # a key has many lines

    def cleaned(self, line: bytes, redact: Callable[[Any], Any]) -> bytes:
        return cleaned(line, redact, _linked)

    def unpack(
        self, session_id: str, directory: str, files: Sequence[tuple[str, bytes]]
    ) -> str:
        target = self.place(session_id, directory)
        beside = target.removesuffix(_SUFFIX)
        if os.path.lexists(target) or not all(_NAME.fullmatch(n) for n, _ in files):
            raise NativeRefused(
                f"`{visible(target)}` already exists, or a name in the archive is not one of Claude Code's",
                hint="nothing was written; look at that file first",
            )
        try:
            _make_directory(os.path.dirname(target))
            for name, data in sorted(files, key=lambda file: file[0] == MAIN):
                path = target if name == MAIN else os.path.join(beside, name)
                make_directory(os.path.dirname(path))
                if not os.path.lexists(path):
                    created(path, data)
        except OSError as problem:
            raise refused(target, problem) from problem
        return target

    def branch(
        self, transcript: str, directory: str, new_id: str, cut: BranchCut
    ) -> str:
        lines = [*_kept(transcript, cut)]
        if not any(line.get("type") in _MESSAGES for line in lines):
            raise nothing_before()
        target = self.place(new_id, directory)
        text = "".join(f"{_as_fork(line, new_id)}\n" for line in lines)
        try:
            _make_directory(os.path.dirname(target))
            created(target, text.encode("utf-8", "surrogatepass"))
        except OSError as problem:
            raise refused(target, problem) from problem
        return target


def _linked(said: Json, clean: Json) -> Json:
    """Return a line that was cleaned with what links it: the ids in the places where the
    client writes them, and the seals of thoughts, which a change would break."""
    whole = clean | _ids_in(said)
    message, origin = said.get("message"), said.get("forkedFrom")
    if isinstance(origin, dict):
        whole["forkedFrom"] = clean["forkedFrom"] | _ids_in(origin)
    if isinstance(message, dict):
        own = clean["message"] | _ids_in(message)
        blocks, cleaned = message.get("content"), own.get("content")
        if isinstance(blocks, list) and isinstance(cleaned, list):
            own["content"] = list(map(_block, blocks, cleaned))
        whole["message"] = own
    return whole


def _block(said: Any, clean: Any) -> Any:
    if not isinstance(said, dict):
        return clean
    seal = _SEALED.get(str(said.get("type")))
    return clean | _ids_in(said) | ({seal: said[seal]} if seal in said else {})


def _ids_in(said: Json) -> Json:
    """Return what are ids by their place and by how they look."""
    found = {name: said[name] for name in _IDS if isinstance(said.get(name), str)}
    return {name: value for name, value in found.items() if PLAIN_ID.fullmatch(value)}


def _kept(transcript: str, cut: BranchCut) -> Iterator[Json]:
    """Yield the lines of a conversation up to a cut."""
    end = _compaction(transcript, cut.at) if cut.before_compaction else 0
    end = end or (cut.read_to.offset if is_read_to(transcript, cut.read_to) else 0)
    for offset, line in _lines(transcript):
        if end and offset >= end:
            return
        is_later = not end and _time_of(line) > cut.at
        if not is_later and (line.get("uuid") or line.get("type") == _REPLACED):
            yield line


def _compaction(transcript: str, at: int) -> int:
    """Return the offset of the first compaction from a moment on, else of the last."""
    found = [
        (offset, _time_of(line))
        for offset, line in _lines(transcript)
        if line.get("subtype") == "compact_boundary"
    ]
    if not found:
        raise never_compacted()
    after = (offset for offset, when in found if when >= at)
    return next(after, found[-1][0])


def _lines(transcript: str) -> Iterator[tuple[int, Json]]:
    """Yield each line that is an object, with the offset it begins at."""
    try:
        with open(open_to_read(transcript), "rb") as file:
            offset = 0
            for raw in file:
                try:
                    line = json.loads(raw)
                except (ValueError, RecursionError):
                    line = None
                if isinstance(line, dict):
                    yield offset, line
                offset += len(raw)
    except OSError as problem:
        raise refused(transcript, problem) from problem


def _time_of(line: Json) -> int:
    return parse_iso(str(line.get("timestamp", "")))


def _as_fork(line: Json, new_id: str) -> str:
    """Return a line as the client itself writes the lines of a fork."""
    origin = {"sessionId": line.get("sessionId"), "messageUuid": line.get("uuid")}
    own: Json = {"sessionId": new_id}
    if line.get("uuid"):
        own["forkedFrom"] = line.get("forkedFrom") or origin
    return json.dumps(line | own, ensure_ascii=False, separators=(",", ":"))


def _sub_agents(transcript: str, session_id: str) -> Iterator[tuple[str, str]]:
    for path in locations.sub_agent_files(transcript, session_id):
        for source in (path, path.removesuffix(_SUFFIX) + ".meta.json"):
            if os.path.isfile(source):
                yield source, os.path.basename(source)


def results_of(transcript: str) -> Iterator[tuple[str, str]]:
    """Yield the files of long results beside a transcript, by name and path."""
    place = os.path.join(transcript.removesuffix(_SUFFIX), _RESULTS)
    for name in locations.names_in(place):
        path = os.path.join(place, name)
        if _RESULT.fullmatch(f"{_RESULTS}/{name}") and is_one_text(path):
            yield f"{_RESULTS}/{name}", path


def _make_directory(path: str) -> None:
    if not os.path.isdir(path):
        make_own_directory(path)
