"""The bulk decoder: the same `Line`, typed by msgspec, for reading whole transcripts.

Importing msgspec costs 45 ms, so only the bulk path imports this module. What it cannot
decode (lone surrogates, invalid UTF-8, a field of another type) is left to the standard
decoder, so both always agree.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from holdfast.agents.claude_code.transcript.lines import (
    Attachment,
    Bytes,
    Decoder,
    JsonPart,
    Line,
    Message,
    MessageBlock,
    ReadFile,
    Result,
    Usage,
    keys_of,
    texts_of,
    value,
)

_FAILURES = (msgspec.MsgspecError, ValueError, RecursionError)
_decode_anything: Callable[[Bytes], object] = msgspec.json.Decoder().decode


def _struct(part: type[JsonPart], typed: dict[str, Any]) -> type[msgspec.Struct]:
    """Return a struct with the attributes of `part`: decoded in C, without a dict."""
    known = dict.fromkeys(texts_of(part), str | None) | typed
    keys = keys_of(part)
    return msgspec.defstruct(
        part.__name__,
        [(name, known.get(name, Any), None) for name in keys],
        rename=keys,
        gc=False,
    )


def _block_struct() -> type[msgspec.Struct]:
    """Return a block that decodes its content when asked: most is never looked at."""
    keys = {
        "raw_content" if n == "content" else n: k
        for n, k in keys_of(MessageBlock).items()
    }
    known = dict.fromkeys(texts_of(MessageBlock), str | None) | {
        "raw_content": msgspec.Raw
    }
    return msgspec.defstruct(
        MessageBlock.__name__,
        [(name, known.get(name, Any), None) for name in keys],
        rename=keys,
        namespace={"content": property(_content)},
        gc=False,
    )


def _content(block: Any) -> object:
    raw = block.raw_content
    if raw is None:
        return None
    try:
        return _decode_anything(raw)
    except _FAILURES:
        return value(raw)


_blocks: Any = list[_block_struct()]  # type: ignore[misc]  # a type that is made here
_Usage = _struct(Usage, {})
_Message = _struct(Message, {"content": str | _blocks | None, "usage": _Usage | None})
_ReadFile = _struct(ReadFile, {})
_Result = _struct(Result, {"file": _ReadFile | None})
_Line = _struct(
    Line,
    {
        "message": _Message | None,
        # What MCP tools return is a list, and says nothing that the message does not.
        "result": _Result | str | list[msgspec.Raw] | None,
        "attachment": _struct(Attachment, {}) | None,
    },
)
_decode: Callable[[Bytes], Any] = msgspec.json.Decoder(_Line).decode

BULK = Decoder(_decode, _FAILURES)
