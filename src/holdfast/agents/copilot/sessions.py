"""Copilot CLI's sessions: find one, and what the lines of one say.

    session-state/<session>/events.jsonl        older: session-state/<session>.jsonl

Each line is an event with an id; the types are those of its published schema.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, Any

from holdfast.agents.call_inputs import text_at
from holdfast.agents.copilot.tools import TOOLS
from holdfast.agents.found_sessions import (
    FoundSessions,
    is_same_place,
    latest_line,
    newest_first,
)
from holdfast.agents.growing_files import open_file
from holdfast.agents.json_lines import JsonLinesReading, LineFile, is_same, lines_with
from holdfast.agents.redact_events import CONTEXT, PROMPT, SUMMARY
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
from holdfast.domain.session import Cursor
from holdfast.kernel.clock import parse_iso
from holdfast.kernel.ids import is_session_id
from holdfast.kernel.lazy_patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from holdfast.agents.past_files import PastHead
    from holdfast.agents.redact_events import Cleaner

    _Reader = Callable[[dict[str, Any], Origin], Sequence[Event]]

_PLAIN_ID = pattern(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:call|toolu|tooluse)_\w{1,40}"
)
_HEAD = 1024 * 1024
_START = (b'"session.start"', b'"session.resume"')
_SAID = (b'"user.message"', b'"assistant.message"')
_MADE = pattern(r"\s*<(?:skill-context|system_reminder|system_notification)\b")
_SILENT = (
    "session.", "assistant.", "tool.", "subagent.", "hook.", "permission.", "abort",
    "system.", "model.", "user_input.", "elicitation.", "mcp.", "command.", "skill.",
    "capabilities.", "external_tool.", "pending_messages.", "exit_plan_mode.", "sampling.",
    "commands.", "auto_mode_switch.", "factory.", "mcp_app.", "session_limits_exhausted.",
)  # fmt: skip


class CopilotTranscripts(FoundSessions):
    """The sessions below one `COPILOT_HOME` (`Transcripts`)."""

    @property
    def agent(self) -> str:
        return "copilot"

    def session_of(self, path: str) -> str | None:
        os.close(open_file(path))
        own = text_at(_start_of(path), "sessionId") or _named(path)
        return own.lower() if is_session_id(own) else None

    def find(self, session_id: str) -> str | None:
        wanted = session_id.lower()
        found = (path for path in self._files() if _named(path) == wanted)
        return next(found, None)

    def beginning_with(self, prefix: str) -> tuple[str, ...]:
        found = {_named(path) for path in self._files()}
        return tuple(sorted(one for one in found if one.startswith(prefix.lower())))

    def last_message_at(self, path: str) -> int:
        return latest_line(path, _SAID)

    def read(self, path: str, since: Cursor | None = None) -> JsonLinesReading:
        mark = (since or Cursor()).main
        restarted = not is_same(path, mark)
        start = 0 if restarted else mark.offset
        before = LineFile(path, "", 0, start) if start else None
        reader = CopilotEvents(self._clean, before)
        return JsonLinesReading(
            (LineFile(path, "", start),), reader, restarted=restarted
        )

    def every(self, directory: str | None) -> Iterator[str]:
        """Yield the files of sessions, here or below a directory (`SessionFiles`)."""
        from holdfast.agents.past_files import below

        ends = (path for path in below(directory or "") if path.endswith(".jsonl"))
        named = (path for path in ends if is_session_id(_named(path)))
        yield from named if directory else self._files()

    def head(self, path: str) -> PastHead:
        from holdfast.agents.past_files import PastHead

        start = _start_of(path)
        return PastHead(text_at(start, "startTime"), _place_in(start))

    def _newest_first(self, cwd: str | None) -> Iterator[str]:
        paths = newest_first(self._files())
        return (path for path in paths if cwd is None or _began_in(path, cwd))

    def _files(self) -> Iterator[str]:
        place = f"{self._directory}/session-state"
        try:
            names = os.listdir(place)
        except OSError:
            return
        for name in names:
            path = f"{place}/{name}"
            whole = path if name.endswith(".jsonl") else f"{path}/events.jsonl"
            if is_session_id(name.removesuffix(".jsonl")) and os.path.isfile(whole):
                yield whole

    @cached_property
    def _clean(self) -> Cleaner:
        from holdfast.agents.redact_events import Cleaner

        return Cleaner(self._redact, _PLAIN_ID)


class CopilotEvents:
    """Reads the lines of one session in order (`LineReader`)."""

    def __init__(self, clean: Cleaner, before: LineFile | None) -> None:
        self._clean = clean
        self._before = before
        self._readers: dict[str, _Reader] = {
            "session.start": self._started,
            "session.resume": self._started,
            "session.model_change": self._model,
            "session.compaction_complete": self._compacted,
            "session.snapshot_rewind": self._rewound,
            "session.error": self._failed,
            "user.message": self._user,
            "assistant.message": self._assistant,
            "tool.execution_start": self._called,
            "tool.execution_complete": self._returned,
        }

    def events(self, line: dict[str, Any], line_id: str) -> Sequence[Event]:
        del line_id  # events have ids of their own
        kind, data = text_at(line, "type"), line.get("data")
        fields = data if isinstance(data, dict) else {}
        if text_at(line, "agentId"):
            return (Passed("sub-agent"),)
        if read := self._readers.get(kind):
            at = text_at(line, "timestamp")
            own = self._clean.identifier(text_at(line, "id"))
            return read(fields, Origin(own, None, parse_iso(at) if at else 0))
        if kind.startswith(_SILENT):
            return (Passed(self._clean.names[kind]),)
        return (Unrecognised(self._clean.names[kind] or "no-type"),)

    def _started(self, data: dict[str, Any], _origin: Origin) -> Sequence[Event]:
        about = data.get("context")
        place = about if isinstance(about, dict) else {}
        clean = self._clean
        return (
            Located(
                clean.identifier(text_at(data, "sessionId")),
                clean.places[text_at(place, "cwd")],
                clean.names[text_at(place, "branch")],
                clean.names[text_at(data, "copilotVersion")],
                clean.names[text_at(data, "producer")],
            ),
            Passed("session.start"),
        )

    def _model(self, data: dict[str, Any], origin: Origin) -> Sequence[Event]:
        return (
            AgentSpent(origin, "", self._clean.names[text_at(data, "newModel")], 0),
        )

    def _user(self, data: dict[str, Any], origin: Origin) -> Sequence[Event]:
        text, source = text_at(data, "content"), text_at(data, "source")
        is_made = (
            source not in ("", "user") or data.get("isAutopilotContinuation") is True
        )
        if is_made or _MADE.match(text) or not text.strip():
            return (ContextAdded(origin, self._clean.names[source] or "client"),)
        parent = self._prompts[-1] if self._prompts else None
        self._prompts.append(origin.uuid)
        said = self._clean.text(text, PROMPT)
        return (UserSaid(origin._replace(parent=parent), said, len(text)),)

    def _assistant(self, data: dict[str, Any], origin: Origin) -> Sequence[Event]:
        own = self._clean.identifier(text_at(data, "messageId")) or origin.uuid
        model = self._clean.names[text_at(data, "model")]
        spent = AgentSpent(origin, own, model, 0)
        text = text_at(data, "content")
        if not text.strip():
            return (spent,)
        said = self._clean.said(text)
        return (spent, AgentSaid(origin, own, said, len(text)))

    def _called(self, data: dict[str, Any], origin: Origin) -> Sequence[Event]:
        tool, given = text_at(data, "toolName"), data.get("arguments")
        role, wanted = TOOLS.asked(
            tool, given if isinstance(given, dict) else {}, self._clean
        )
        name = self._clean.names[tool]
        if text_at(data, "mcpServerName"):
            role = "server"
        call_id = self._clean.identifier(text_at(data, "toolCallId"))
        return (ToolCalled(origin, "", call_id, name, role, *wanted),)

    def _returned(self, data: dict[str, Any], origin: Origin) -> Sequence[Event]:
        result, ran, error = (
            found if isinstance(found := data.get(name), dict) else {}
            for name in ("result", "shellExecution", "error")
        )
        text = text_at(result, "content") or text_at(error, "message")
        status = ran.get("exitCode")
        is_refused = text_at(error, "code") in ("denied", "rejected")
        failed = data.get("success") is False or bool(status)
        return (
            ToolReturned(
                origin,
                self._clean.identifier(text_at(data, "toolCallId")),
                "interrupted" if is_refused else "failed" if failed else "ok",
                status if isinstance(status, int) else None,
                self._clean.output(text),
                len(text),
                cause="refused" if is_refused else "",
            ),
        )

    def _compacted(self, data: dict[str, Any], origin: Origin) -> Sequence[Event]:
        if data.get("success") is False:
            return (Passed("session.compaction_complete"),)
        before = data.get("preCompactionTokens")
        trigger = self._clean.names[text_at(data, "trigger")]
        made = Compacted(origin, trigger, before if isinstance(before, int) else 0)
        text = text_at(data, "summaryContent")
        if not text.strip():
            return (made,)
        return (made, Summarised(origin, self._clean.text(text, SUMMARY), len(text)))

    def _rewound(self, data: dict[str, Any], _origin: Origin) -> Sequence[Event]:
        """Everything from an event on was taken back."""
        own = self._clean.identifier(text_at(data, "upToEventId"))
        if own in self._prompts:
            del self._prompts[self._prompts.index(own) :]
        return (Passed("session.snapshot_rewind"),)

    def _failed(self, data: dict[str, Any], origin: Origin) -> Sequence[Event]:
        text = self._clean.text(text_at(data, "message"), CONTEXT)
        return (RequestFailed(origin, text),)

    @cached_property
    def _prompts(self) -> list[str]:
        """The prompts that were not taken back, of earlier passes too."""
        if self._before is None:
            return []
        earlier = CopilotEvents(self._clean, None)
        signs = (b'"user.message"', b'"session.snapshot_rewind"')
        for _, line in lines_with(self._before, signs):
            earlier.events(line, "")
        return earlier._prompts  # another of this class


def _start_of(path: str) -> dict[str, Any]:
    for _, line in lines_with(LineFile(path, "", 0, _HEAD), _START):
        data = line.get("data")
        if isinstance(data, dict):
            return data
    return {}


def _place_in(start: dict[str, Any]) -> str:
    about = start.get("context")
    return text_at(about if isinstance(about, dict) else {}, "cwd")


def _began_in(path: str, cwd: str) -> bool:
    return is_same_place(_place_in(_start_of(path)), cwd)


def _named(path: str) -> str:
    """Return the session that a file's name tells."""
    name = os.path.basename(path)
    own = os.path.dirname(path) if name == "events.jsonl" else path
    return os.path.basename(own).removesuffix(".jsonl").lower()
