"""Replies to a call: an answer, or what went wrong and what to do next.

Structured, with the same JSON as text beside it.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from mcp.types import CallToolResult, TextContent
from pydantic import ValidationError

from holdfast.bootstrap.bug_reports import keep_bug_report
from holdfast.bootstrap.redacting import redactor_for_words
from holdfast.domain.record_content import Json
from holdfast.domain.text import one_line, unmarked, visible
from holdfast.kernel.errors import HoldfastError
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

# All that is promised of every answer; the reference page shows the rest.
OUTPUT_SCHEMA = {
    "type": "object",
    "properties": {"type": {"type": "string"}},
    "required": ["type"],
}
# Where a hint of the command line names a flag, an agent needs the parameter.
_NEXT = {
    "SESS_001": "pass `session_id`; the id of the session is in the name of its"
    " transcript",
    "CKPT_001": "check `session_id` and `project_path`; nothing was stored",
    "NAME_002": "ask the user; then call again with `force: true` to move the name, or"
    " with another `name`",
    "FIND_001": "call `checkpoint_list` or `checkpoint_search` to see what there is",
}
_OURS = frozenset({"brief"})  # texts of ours, in which the sign is the user's
# What an answer in ASCII has if `visible` would change it: a tag, or a character that is
# no letter on a line, which JSON writes as an escape.
_MAY_HIDE = pattern(r"[<\x7f]|\\[^n\"\\]")
_MOST_WORDS = 600  # an argument that is quoted back may be long
_CORRECTED = "call it again with that corrected; nothing was done"


class Refusal(NamedTuple):
    code: str
    message: str
    hint: str

    @property
    def text(self) -> str:
        return f"error {self.code}: {self.message}\nnext: {self.hint}"

    @property
    def json(self) -> dict[str, str]:
        return {"type": "error", **self._asdict()}


def reply(answer: Json) -> CallToolResult:
    told, text = answer, _written(answer)
    if not text.isascii() or _MAY_HIDE.search(text):
        told = _sendable(answer)
        text = _written(told)
    return CallToolResult(content=[_text(text)], structured_content=told)


def _written(answer: Json) -> str:
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))


def refused(refusal: Refusal) -> CallToolResult:
    return CallToolResult(
        content=[_text(unmarked(visible(refusal.text)))],
        structured_content=_sendable(refusal.json),
        is_error=True,
    )


def refusal_of(problem: BaseException, environ: Mapping[str, str]) -> Refusal:
    """Return what to tell; a bug leaves a report and shows nothing of itself."""
    if isinstance(problem, HoldfastError):
        message = one_line(_clean(problem.message, environ), _MOST_WORDS)
        return Refusal(problem.code, message, _next(problem, environ))
    if isinstance(problem, ValidationError):
        return Refusal("USE_001", _wrong_arguments(problem, environ), _CORRECTED)
    kept = keep_bug_report(problem, environ)
    return Refusal(
        "BUG_001",
        f"holdfast has a bug: {type(problem).__name__}; nothing was lost",
        f"tell the user that a report they can paste is in `{kept}`"
        if kept
        else "tell the user to run `holdfast doctor`",
    )


def unknown_arguments(
    unknown: list[str], known: list[str], environ: Mapping[str, str]
) -> Refusal:
    names = ", ".join(f"`{_clean(name, environ)[:40]}`" for name in unknown[:5])
    return Refusal(
        "USE_001",
        f"there is no parameter {names}",
        f"use only: {', '.join(known)}",
    )


def unknown(
    kind: str, name: str, known: Iterable[str], environ: Mapping[str, str]
) -> Refusal:
    """Return the refusal of a tool or prompt that there is not."""
    return Refusal(
        "USE_001",
        f"there is no {kind} `{_clean(name, environ)[:60]}`",
        f"use one of: {', '.join(known)}",
    )


def _next(problem: HoldfastError, environ: Mapping[str, str]) -> str:
    hint = one_line(_clean(problem.hint, environ), _MOST_WORDS)
    return _NEXT.get(problem.code) or hint or "run `holdfast doctor`"


def _wrong_arguments(problem: ValidationError, environ: Mapping[str, str]) -> str:
    """Name each field and what it must be, and no value: it may be secret."""
    parts = (
        f"`{'.'.join(map(str, error['loc']))}`: {_lowered(error['msg'])}"
        for error in problem.errors(include_url=False, include_input=False)
    )
    return one_line(_clean("; ".join(parts), environ), _MOST_WORDS)


def _clean(text: str, environ: Mapping[str, str]) -> str:
    """Return what may be quoted back: an answer ends in the client's transcript."""
    return redactor_for_words(environ).text(visible(text))


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def _sendable(value: Any, name: str = "") -> Any:
    """Return an answer as a model may read it: nothing hidden, no tag, and the user's
    sign only where a text of ours has it. Half a surrogate pair would end the server."""
    if isinstance(value, str):
        return visible(value) if name in _OURS else unmarked(visible(value))
    if isinstance(value, list | tuple):
        return [_sendable(part, name) for part in value]
    if isinstance(value, dict):
        return {
            visible(str(key)): _sendable(part, str(key)) for key, part in value.items()
        }
    return value
