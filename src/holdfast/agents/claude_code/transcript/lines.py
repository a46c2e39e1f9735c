"""One line of a Claude Code transcript: the fields we need, whoever decoded them.

A field of another type than ours is None, as if it were not there; one of type `object`
holds whatever the file said. The standard decoder here is the reference; the fast one
must agree with it.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import TypeVar, cast

from holdfast.domain.event import Unrecognised
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

Bytes = bytes | memoryview
# The file's names where ours differ.
KEYS = {
    "parent": "parentUuid",
    "logical_parent": "logicalParentUuid",
    "at": "timestamp",
    "session_id": "sessionId",
    "branch": "gitBranch",
    "is_meta": "isMeta",
    "is_side": "isSidechain",
    "is_summary": "isCompactSummary",
    "is_request_error": "isApiErrorMessage",
    "agent_id": "agentId",
    "source_call": "sourceToolUseID",
    "prompt_source": "promptSource",
    "speaker": "origin",
    "result": "toolUseResult",
    "compaction": "compactMetadata",
    "custom_title": "customTitle",
    "own_title": "aiTitle",
    "cost": "costUSD",
    "call_id": "tool_use_id",
    "is_human": "humanTurn",
    "plan_path": "planFilePath",
    "mode": "commandMode",
    "patch": "structuredPatch",
    "files_found": "numFiles",
    "background_id": "backgroundTaskId",
    "verdict": "returnCodeInterpretation",
    "tokens_in": "input_tokens",
    "tokens_out": "output_tokens",
    "tokens_cached": "cache_creation_input_tokens",
    "tokens_from_cache": "cache_read_input_tokens",
}
# What the ids of lines, messages, calls and sub-agents look like.
PLAIN_ID = pattern(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|(?:msg|toolu|srvtoolu)_[0-9A-Za-z]{1,40}"
    r"|[0-9a-f]{1,24}"
)
_SPACE = " \t\r\n"
_NUL = "\x00"
_BLANK = pattern("[ \t\r\n\x00\ufeff]*")
_MOST_GLUED = 1_000


# Fields stand in the order clients write them: the bulk decoder, having found one, looks
# for the next one first.


class JsonPart:
    """Some of the fields of a JSON object; one that is not set has its class's default.

    Not a dataclass: seven of them would cost every hook 6 ms to define.
    """

    def __init__(self, **known: object) -> None:
        self.__dict__.update(known)


class Usage(JsonPart):
    tokens_in: object = None
    tokens_cached: object = None
    tokens_from_cache: object = None
    tokens_out: object = None


class MessageBlock(JsonPart):
    """One block of a message: text, a tool call, or what a tool returned."""

    call_id: str | None = None
    type: str | None = None
    id: str | None = None
    name: str | None = None
    input: object = None
    text: str | None = None
    content: object = None
    is_error: object = None


class Message(JsonPart):
    model: str | None = None
    id: str | None = None
    content: str | list[MessageBlock] | None = None
    usage: Usage | None = None


class ReadFile(JsonPart):
    """There was file content here; what it was is not kept."""


class Result(JsonPart):
    """The structured form of what a tool returned."""

    type: str | None = None
    file: ReadFile | None = None
    files_found: object = None
    stderr: object = None
    interrupted: object = None
    verdict: str | None = None
    background_id: str | None = None
    content: object = None
    patch: object = None
    agent_id: str | None = None
    task: object = None
    questions: object = None


class Attachment(JsonPart):
    type: str | None = None
    prompt: object = None
    mode: str | None = None
    speaker: object = None
    is_meta: object = None
    is_human: object = None
    plan_path: str | None = None
    content: object = None


class Line(JsonPart):
    parent: str | None = None
    logical_parent: str | None = None
    is_side: object = None
    source_call: str | None = None
    cwd: str | None = None
    session_id: str | None = None
    version: str | None = None
    branch: str | None = None
    agent_id: str | None = None
    type: str | None = None
    message: Message | None = None
    is_meta: object = None
    is_summary: object = None
    is_request_error: object = None
    uuid: str | None = None
    at: str | None = None
    result: Result | str | list[object] | None = None
    prompt_source: object = None
    speaker: object = None
    entrypoint: str | None = None
    subtype: str | None = None
    attachment: Attachment | None = None
    compaction: object = None
    operation: str | None = None
    content: object = None
    reason: str | None = None
    error: object = None
    custom_title: str | None = None
    own_title: str | None = None
    cost: object = None


_PARTS: tuple[type[JsonPart], ...] = (
    Line,
    Message,
    MessageBlock,
    Usage,
    Result,
    Attachment,
)
_Known = TypeVar("_Known", bound=JsonPart)
_lenient = json.JSONDecoder(strict=False)
# Python refuses integers of more than 4300 digits; none of ours is long.
_lenient_int = json.JSONDecoder(strict=False, parse_int=lambda digits: int(digits[:20]))


class Decoder(NamedTuple):
    """A quick way to decode a usual line, and how it fails on others.

    What it cannot decode, `objects` can.
    """

    decode: Callable[[Bytes], Line]
    failures: tuple[type[Exception], ...]


def _decode(raw: Bytes) -> Line:
    found = json.loads(str(raw, "utf-8"))
    if not isinstance(found, dict):
        raise TypeError
    return _line(found)


STANDARD = Decoder(_decode, (ValueError, TypeError, RecursionError))


def objects(raw: Bytes) -> list[Line | Unrecognised]:
    """Return what is on a line, whatever it is; an empty line holds nothing.

    A client that died before the newline leaves two objects glued to one line, and a
    machine that did leaves runs of NUL.
    """
    text = str(raw, "utf-8", "replace").rstrip(_SPACE)
    found: list[Line | Unrecognised] = []
    position = 0
    while position < len(text):
        blank = cast("re.Match[str]", _BLANK.match(text, position))
        position = blank.end()
        if _NUL in blank[0]:
            found.append(Unrecognised("nul-bytes"))
        if position < len(text):
            is_bomb = len(found) >= _MOST_GLUED
            item, position = _next_object(text, len(text) if is_bomb else position)
            found.append(item)
    return found


def value(raw: Bytes) -> object:
    """Return a single value, or None if it is not one."""
    try:
        return _raw_decode(str(raw, "utf-8", "replace"), 0)[0]
    except (ValueError, RecursionError):
        return None


def is_whole(raw: bytes) -> bool:
    """Say whether a line without its newline is complete all the same."""
    if not raw.rstrip().endswith(b"}"):
        return False
    found = objects(raw)
    return bool(found) and isinstance(found[-1], Line)


def _next_object(text: str, position: int) -> tuple[Line | Unrecognised, int]:
    """Return the object at `position` and where it ends; garbage ends the line."""
    try:
        found, end = _raw_decode(text, position)
    except RecursionError:
        return Unrecognised("too-deep"), len(text)
    except ValueError:
        return Unrecognised("not-json"), len(text)
    if isinstance(found, dict):
        return _line(found), end
    return Unrecognised("not-an-object"), len(text)


def _raw_decode(text: str, position: int) -> tuple[object, int]:
    try:
        return _lenient.raw_decode(text, position)
    except json.JSONDecodeError:
        raise
    except ValueError:
        return _lenient_int.raw_decode(text, position)


def keys_of(part: type[JsonPart]) -> dict[str, str]:
    """Return the file's name of each field of a part, in their order."""
    return {name: KEYS.get(name, name) for name in part.__annotations__}


def texts_of(part: type[JsonPart]) -> frozenset[str]:
    """Return the fields of a part that hold text or nothing."""
    kinds = part.__annotations__.items()
    return frozenset(name for name, kind in kinds if kind == str | None)


_KEYS = {part: keys_of(part) for part in _PARTS}
_TEXTS = {part: texts_of(part) for part in _PARTS}


def _take(part: type[_Known], raw: Mapping[str, object]) -> _Known:
    texts = _TEXTS[part]
    return part(
        **{
            name: found
            for name, key in _KEYS[part].items()
            if (found := raw.get(key)) is not None
            and (name not in texts or isinstance(found, str))
        }
    )


def _line(raw: Mapping[str, object]) -> Line:
    line = _take(Line, raw)
    message, result = raw.get("message"), raw.get("toolUseResult")
    attachment = raw.get("attachment")
    line.message = _message(message) if isinstance(message, dict) else None
    if isinstance(result, dict):
        line.result = _take(Result, result)
        is_file = isinstance(result.get("file"), dict)
        line.result.file = ReadFile() if is_file else None
    else:
        line.result = result if isinstance(result, (str, list)) else None
    line.attachment = None
    if isinstance(attachment, dict):
        line.attachment = _take(Attachment, attachment)
    return line


def _message(raw: Mapping[str, object]) -> Message:
    message = _take(Message, raw)
    content, usage = raw.get("content"), raw.get("usage")
    if isinstance(content, list):
        message.content = [
            _take(MessageBlock, block) for block in content if isinstance(block, dict)
        ]
    else:
        message.content = content if isinstance(content, str) else None
    message.usage = None
    if isinstance(usage, dict):
        message.usage = _take(Usage, usage)
    return message
