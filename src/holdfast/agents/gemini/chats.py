"""From the lines of a Gemini CLI session to events.

A message is written again, whole, whenever its calls get on: what was told of it is not
told twice. `$set.messages` puts a list in place of everything before it, `$rewindTo` takes
messages back; the file keeps all of it.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from holdfast.agents.call_inputs import text_at
from holdfast.agents.gemini.tools import called, is_done, returned
from holdfast.agents.json_lines import LineFile, lines_with
from holdfast.agents.redact_events import CONTEXT, PROMPT, SUMMARY, Cleaner
from holdfast.domain.event import (
    AgentSaid,
    AgentSpent,
    Compacted,
    ContextAdded,
    Event,
    Located,
    Origin,
    Passed,
    RequestFailed,
    Summarised,
    ToolCalled,
    ToolReturned,
    Unrecognised,
    UserSaid,
)
from holdfast.kernel.clock import parse_iso
from holdfast.kernel.lazy_patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PLAIN_ID = pattern(
    r"[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|(?:[a-z]+_){1,8}\d{10,16}_\d{1,4}"
)
_SIGNS = (b'"type":"user"', b'"type":"gemini"', b'"$rewindTo"')
# What the client puts before, or in place of, what was typed.
# Up to its last end: what a hook says may speak of that mark, too.
_ADDED = pattern(r"\s*<hook_context>.*</hook_context>\s*", re.DOTALL)
_MADE = pattern(
    r"\s*<(?:session_context|state_snapshot|system_note|background_completion"
    r"|agent_notification|activated_skill|untrusted_context)\b"
    r"|\s*This is the Gemini CLI\."
)
# Each file comes in a part of its own: from here on, nothing was typed.
_REFERENCED = pattern(
    r"(?:\A\s*|\n)--- Content from referenced files ---(?:\n.*)?\Z", re.DOTALL
)
_SNAPSHOT = "<state_snapshot>"


class ChatEvents:
    """Reads the lines of one session in order (`LineReader`)."""

    def __init__(self, clean: Cleaner, place: str, before: LineFile | None) -> None:
        """`place` is the project's directory, `before` what earlier passes have read."""
        self._clean = clean
        self._place = place
        self._before = before

    def events(self, line: dict[str, Any], line_id: str) -> Sequence[Event]:
        del line_id  # messages have ids of their own
        if "$set" in line:
            return self._set(line["$set"])
        if "$rewindTo" in line:
            self._rewind(line["$rewindTo"])
            return (Passed("rewind"),)
        if text_at(line, "sessionId") and "type" not in line:
            session = self._clean.identifier(text_at(line, "sessionId"))
            where = Located(session, self._clean.places[self._place], "", "", "")
            return (where, Passed("metadata"))
        return self._message(line)

    def _message(self, message: dict[str, Any]) -> Sequence[Event]:
        kind, own = text_at(message, "type"), text_at(message, "id")
        at = text_at(message, "timestamp")
        origin = Origin(self._clean.identifier(own), None, parse_iso(at) if at else 0)
        if kind == "user":
            return self._user(message, origin)
        if kind == "gemini":
            return tuple(self._model(message, origin)) or (Passed("repeated"),)
        if kind == "error":
            text = self._clean.text(_text_of(message.get("content")), CONTEXT)
            return (RequestFailed(origin, text),)
        if kind in ("info", "warning"):
            return (Passed(kind),)
        return (Unrecognised(self._clean.names[kind] or "no-type"),)

    def _user(self, message: dict[str, Any], origin: Origin) -> Sequence[Event]:
        if origin.uuid in self._known():
            return (Passed("repeated"),)
        self._known()[origin.uuid] = set()
        words, added = typed(message.get("content"))
        if not words:
            if _is_answer(message.get("content")):
                return (Passed("answers"),)  # told with the calls
            return (ContextAdded(origin, added or "empty"),)
        prompts = self._standing()
        parent = prompts[-1] if prompts else None
        prompts.append(origin.uuid)
        said = UserSaid(
            origin._replace(parent=parent), self._clean.text(words, PROMPT), len(words)
        )
        return (ContextAdded(origin, added), said) if added else (said,)

    def _model(self, message: dict[str, Any], origin: Origin) -> Iterator[Event]:
        """Yield what a message says that it did not say when it was written before."""
        told = self._known().setdefault(origin.uuid, set())
        if "" not in told:
            told.add("")
            model = self._clean.names[text_at(message, "model")]
            yield AgentSpent(origin, origin.uuid, model, _tokens(message))
        text = _text_of(message.get("content")).strip()
        if text and "text" not in told:
            told.add("text")
            clean = self._clean.said(text)
            yield AgentSaid(origin, origin.uuid, clean, len(text))
        calls = message.get("toolCalls")
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, dict):
                yield from self._called(call, origin, told)

    def _called(
        self, call: dict[str, Any], origin: Origin, told: set[str]
    ) -> Iterator[ToolCalled | ToolReturned]:
        call_id = text_at(call, "id")
        if f"c{call_id}" not in told:
            told.add(f"c{call_id}")
            yield called(call, origin, origin.uuid, self._clean)
        if is_done(call) and f"r{call_id}" not in told:
            told.add(f"r{call_id}")
            yield returned(call, origin, self._clean)

    def _set(self, values: object) -> Sequence[Event]:
        known, told = self._known(), list[Event]()
        for message in _put(values):
            own = self._clean.identifier(text_at(message, "id"))
            text = _text_of(message.get("content"))
            if own not in known and _SNAPSHOT in text and not told:
                origin = Origin(own, None, _moment(message))
                summary = self._clean.text(text, SUMMARY)
                told += [
                    Compacted(origin, "", 0),
                    Summarised(origin, summary, len(text)),
                ]
            known.setdefault(own, {"", "text"})
        return told or (Passed("update"),)  # what the client put first, or masked

    def _rewind(self, message_id: object) -> None:
        prompts = self._standing()
        order = [*self._known()]
        own = self._clean.identifier(message_id) if isinstance(message_id, str) else ""
        if own not in order:
            prompts.clear()
            return
        gone = set(order[order.index(own) :])
        prompts[:] = [prompt for prompt in prompts if prompt not in gone]

    @cached_property
    def _earlier(self) -> tuple[list[str], dict[str, set[str]]]:
        """The prompts that were not taken back, and what was told of each message."""
        if self._before is None:
            return [], {}
        earlier = ChatEvents(self._clean, self._place, None)
        for _, line in lines_with(self._before, _SIGNS):
            earlier.events(line, "")
        return earlier._earlier  # another of this class

    def _standing(self) -> list[str]:
        return self._earlier[0]

    def _known(self) -> dict[str, set[str]]:
        return self._earlier[1]


def typed(content: object) -> tuple[str, str]:
    """Return the user's own words in a user's message, and of what kind the rest is."""
    words, kinds = list[str](), list[str]()
    for text in _texts_of(content):
        bare = _ADDED.sub("", text, count=1) if _ADDED.match(text) else text
        plain, files = _REFERENCED.subn("", bare, count=1)
        is_made = bool(_MADE.match(plain))
        kinds += ["hook"] * (bare != text) + ["files"] * files + ["client"] * is_made
        if plain.strip() and not is_made:
            words.append(plain)
        if files:
            break
    return "\n".join(words), kinds[0] if kinds else ""


def is_compaction(line: dict[str, Any], known: set[str]) -> bool:
    """Say whether a line puts a summary in place of what was said before; note the
    messages that it puts there: masking results later repeats them."""
    put = _put(line.get("$set"))
    new = [one for one in put if text_at(one, "id") not in known]
    known.update(text_at(one, "id") for one in put)
    return any(_SNAPSHOT in _text_of(one.get("content")) for one in new)


def _put(values: object) -> list[dict[str, Any]]:
    """Return the messages that stand in place of all before them."""
    messages = values.get("messages") if isinstance(values, dict) else None
    listed = messages if isinstance(messages, list) else ()
    return [message for message in listed if isinstance(message, dict)]


def _texts_of(content: object) -> list[str]:
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else ()
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return [text for text in texts if isinstance(text, str)]


def _text_of(content: object) -> str:
    return "\n".join(_texts_of(content))


def _is_answer(content: object) -> bool:
    parts = content if isinstance(content, list) else ()
    return any(isinstance(part, dict) and "functionResponse" in part for part in parts)


def _tokens(message: dict[str, Any]) -> int:
    used = message.get("tokens")
    total = used.get("total") if isinstance(used, dict) else None
    return total if isinstance(total, int) else 0


def _moment(message: dict[str, Any]) -> int:
    at = text_at(message, "timestamp")
    return parse_iso(at) if at else 0
