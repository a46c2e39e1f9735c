"""From the rows of an OpenCode session to events: a message, and the parts it is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.agents.call_inputs import text_at
from holdfast.agents.opencode.tools import TOOLS
from holdfast.agents.redact_events import CONTEXT, PROMPT, SUMMARY, Cleaner
from holdfast.domain.event import (
    AgentSaid,
    AgentSpent,
    Compacted,
    ContextAdded,
    Event,
    Origin,
    Passed,
    RequestFailed,
    Summarised,
    ToolCalled,
    ToolReturned,
    Unrecognised,
    UserSaid,
)
from holdfast.kernel.lazy_patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PLAIN_ID = pattern(r"(?:ses|msg|prt|call|toolu|tooluse)_\w{1,48}")
_SILENT = frozenset(
    ["reasoning", "file", "step-start", "step-finish", "patch", "snapshot", "agent", "retry", "subtask"]
)  # fmt: skip
_REFUSED = ("The user rejected permission", "The user dismissed")


class MessageEvents:
    """Reads the rows of one session in order: each is a message with one of its parts."""

    def __init__(self, clean: Cleaner, reverted_from: str) -> None:
        """What comes from `reverted_from` on was taken back."""
        self._clean = clean
        self._reverted_from = reverted_from
        self._is_over = False
        self._message = ""  # the one at hand
        self._is_said = False  # its words were told
        self._prompt: str | None = None

    def row(
        self,
        message_id: str,
        at: object,
        message: dict[str, Any],
        part_id: str,
        part: dict[str, Any],
    ) -> Iterator[Event]:
        self._is_over = self._is_over or message_id == self._reverted_from
        if self._is_over and self._reverted_from:
            yield Passed("reverted")
            return
        own = self._clean.identifier(message_id)
        line = self._clean.identifier(part_id) or own
        origin = Origin(line, None, at if isinstance(at, int) else 0)
        is_new = message_id != self._message
        if is_new:
            self._message, self._is_said = message_id, False
        role = text_at(message, "role")
        if role == "user":
            yield from self._user(part, origin)
        elif role == "assistant":
            yield from self._assistant(message, part, origin, is_new=is_new)
        else:
            yield Unrecognised(self._clean.names[role] or "no-role")

    def _user(self, part: dict[str, Any], origin: Origin) -> Sequence[Event]:
        kind, text = text_at(part, "type"), text_at(part, "text")
        if kind == "compaction":
            trigger = "auto" if part.get("auto") is True else "manual"
            return (Compacted(origin, trigger, 0),)
        if kind != "text":
            return self._other(kind)
        is_made = part.get("synthetic") is True or part.get("ignored") is True
        if is_made or not text.strip():
            return (ContextAdded(origin, "synthetic"),)
        if self._is_said:  # the rest of the same prompt
            return (Passed("text"),)
        self._is_said = True
        parent, self._prompt = self._prompt, origin.uuid
        said = self._clean.text(text, PROMPT)
        return (UserSaid(origin._replace(parent=parent), said, len(text)),)

    def _assistant(
        self,
        message: dict[str, Any],
        part: dict[str, Any],
        origin: Origin,
        *,
        is_new: bool,
    ) -> Iterator[Event]:
        own = self._clean.identifier(self._message)
        kind, text = text_at(part, "type"), text_at(part, "text")
        if is_new:
            model = self._clean.names[text_at(message, "modelID")]
            yield AgentSpent(origin, own, model, _tokens(message))
            error = message.get("error")
            if isinstance(error, dict):
                told = self._clean.text(text_at(error, "name"), CONTEXT)
                yield RequestFailed(origin, told)
        if kind == "text" and message.get("summary") is True:
            yield Summarised(origin, self._clean.text(text, SUMMARY), len(text))
        elif kind == "text" and text.strip():
            yield AgentSaid(origin, own, self._clean.said(text), len(text))
        elif kind == "tool":
            yield from self._called(part, origin, own)
        elif part or not is_new:
            yield from self._other(kind)

    def _called(
        self, part: dict[str, Any], origin: Origin, message_id: str
    ) -> Iterator[ToolCalled | ToolReturned]:
        found = part.get("state")
        state = found if isinstance(found, dict) else {}
        given, tool = state.get("input"), text_at(part, "tool")
        role, wanted = TOOLS.asked(
            tool, given if isinstance(given, dict) else {}, self._clean
        )
        call_id = self._clean.identifier(text_at(part, "callID"))
        name = self._clean.names[tool]
        yield ToolCalled(origin, message_id, call_id, name, role, *wanted)
        status = text_at(state, "status")
        if status == "completed":
            text, exit_status = text_at(state, "output"), _exit_of(state)
            output = self._clean.output(text)
            outcome = "failed" if role == "run" and exit_status else "ok"
            yield ToolReturned(
                origin,
                call_id,
                "failed" if outcome == "failed" else "ok",
                exit_status if role == "run" else None,
                output,
                len(text),
            )
        elif status == "error":
            text = text_at(state, "error")
            is_refused = text.startswith(_REFUSED)
            yield ToolReturned(
                origin,
                call_id,
                "interrupted" if is_refused else "failed",
                output=self._clean.output(text),
                chars=len(text),
                cause="refused" if is_refused else "",
            )

    def _other(self, kind: str) -> Sequence[Event]:
        if kind in _SILENT or not kind:
            return (Passed(kind or "message"),)
        return (Unrecognised(self._clean.names[f"part/{kind}"]),)


def _exit_of(state: dict[str, Any]) -> int | None:
    about = state.get("metadata")
    status = about.get("exit") if isinstance(about, dict) else None
    return status if isinstance(status, int) else None


def _tokens(message: dict[str, Any]) -> int:
    used = message.get("tokens")
    if not isinstance(used, dict):
        return 0
    cache = used.get("cache")
    cached = cache.get("read") if isinstance(cache, dict) else 0
    parts = (used.get("input"), used.get("output"), cached)
    return sum(part for part in parts if isinstance(part, int))
