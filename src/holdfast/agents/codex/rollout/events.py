"""From the lines of a rollout to events: what each kind of line says about the work.

A line has no id of its own: it is known by its file and its place in it, which stays. A
prompt names the one before it as its parent, so that a rewind is seen by that alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.agents.call_inputs import text_at
from holdfast.agents.codex.rollout.kinds import KNOWN, SILENT
from holdfast.agents.codex.rollout.prompts import is_typed, kind_of_context, typed
from holdfast.agents.codex.rollout.results import returned, text_of
from holdfast.agents.codex.tools import calls, command_of
from holdfast.agents.redact_events import (
    CONTEXT,
    PROMPT,
    SUMMARY,
    Cleaner,
)
from holdfast.domain.event import (
    EDITING,
    AgentSaid,
    AgentSpent,
    Compacted,
    ContextAdded,
    Event,
    Interrupted,
    Located,
    Origin,
    Outcome,
    Passed,
    RequestFailed,
    Summarised,
    ToolCalled,
    ToolReturned,
    Unrecognised,
    UserSaid,
    WorkEnded,
)
from holdfast.kernel.clock import parse_iso
from holdfast.kernel.lazy_patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    # Gives the earlier lines that contain one of some signs, with their ids.
    Earlier = Callable[[Sequence[bytes]], Iterable[tuple[str, dict[str, Any]]]]
    _Readers = dict[str, Callable[[dict[str, Any], Origin], Sequence[Event]]]

_PROMPT_SIGNS = (b'"UserMessage"', b'"user_message"', b'"thread_rolled_back"')
_SUMMARY_HEAD = pattern(
    r"Another language model started to solve this problem.{0,600}?own analysis:\n",
)


class RolloutEvents:
    """Reads the lines of one session in order (`LineReader`)."""

    def __init__(self, clean: Cleaner, earlier: Earlier | None = None) -> None:
        """Begin where `earlier` ends; it is asked only when an answer depends on it."""
        self._clean = clean
        self._earlier = earlier
        self._prompts: list[str] | None = None if earlier else []  # of the live turns
        self._place: tuple[str, ...] = ()
        self._open: dict[str, Sequence[ToolCalled]] = {}  # calls without an answer
        self._said: tuple[str, str] = ("", "")  # the last prompt, and of which form
        self._lines: _Readers = {
            "session_meta": self._meta,
            "turn_context": self._context,
            "response_item": self._item,
            "event_msg": self._happened,
            "compacted": self._compacted,
        }
        self._items: _Readers = {
            "message": self._message,
            "function_call": self._function_called,
            "custom_tool_call": self._custom_called,
            "local_shell_call": self._shell_called,
            "tool_search_call": self._tools_searched,
            "web_search_call": self._web_searched,
            "function_call_output": self._returned,
            "custom_tool_call_output": self._returned,
        }
        self._events: _Readers = {
            "item_completed": self._item_completed,
            "user_message": self._user_message,
            "agent_message": self._agent_message,
            "token_count": self._counted,
            "thread_rolled_back": self._rolled_back,
            "turn_aborted": self._aborted,
            "error": self._failed,
            "stream_error": self._failed,
        }
        self._completed: _Readers = {
            "UserMessage": self._user_item,
            "AgentMessage": self._agent_item,
            "HookPrompt": self._hook_item,
            "CommandExecution": self._ended,
        }

    def events(self, line: dict[str, Any], line_id: str) -> Sequence[Event]:
        kind, payload = line.get("type"), line.get("payload")
        if not isinstance(kind, str) or not isinstance(payload, dict):
            return (Unrecognised("no-payload"),)
        if kind in SILENT:
            return (Passed(kind),)
        at = line.get("timestamp")
        origin = Origin(line_id, None, parse_iso(at) if isinstance(at, str) else 0)
        read = self._lines.get(kind)
        if read is None:
            return (Unrecognised(self._clean.names[kind]),)
        return read(payload, origin)

    def _item(self, payload: dict[str, Any], origin: Origin) -> Sequence[Event]:
        return self._of_kind(self._items, payload, origin, "item")

    def _happened(self, payload: dict[str, Any], origin: Origin) -> Sequence[Event]:
        return self._of_kind(self._events, payload, origin, "event")

    def _item_completed(
        self, payload: dict[str, Any], origin: Origin
    ) -> Sequence[Event]:
        item = payload.get("item")
        fields = item if isinstance(item, dict) else {}
        return self._of_kind(self._completed, fields, origin, "completed")

    def _of_kind(
        self, readers: _Readers, fields: dict[str, Any], origin: Origin, where: str
    ) -> Sequence[Event]:
        kind = text_at(fields, "type")
        if read := readers.get(kind):
            return read(fields, origin)
        if kind in KNOWN[where]:
            return (Passed(kind),)
        return (Unrecognised(self._clean.names[f"{where}/{kind}"]),)

    def _meta(self, payload: dict[str, Any], _origin: Origin) -> Sequence[Event]:
        git = payload.get("git")
        branch = git.get("branch") if isinstance(git, dict) else None
        return self._located(
            (
                text_at(payload, "id") or text_at(payload, "session_id"),
                text_at(payload, "cwd"),
                branch if isinstance(branch, str) else "",
                text_at(payload, "cli_version"),
                text_at(payload, "source"),
            ),
            "session_meta",
        )

    def _context(self, payload: dict[str, Any], origin: Origin) -> Sequence[Event]:
        place = ("", text_at(payload, "cwd"), "", "", "")
        told = () if not place[1] else self._located(place, "")
        model = self._clean.names[text_at(payload, "model")]
        return (*told, AgentSpent(origin, "", model, 0))

    def _located(self, place: tuple[str, ...], kind: str) -> Sequence[Event]:
        counted = (Passed(kind),) if kind else ()
        if place == self._place:
            return counted
        self._place = place
        clean = self._clean
        session, cwd, *names = place
        where = (clean.identifier(session), clean.places[cwd])
        branch, version, entry = (clean.names[name] for name in names)
        return (Located(*where, branch, version, entry), *counted)

    def _message(self, payload: dict[str, Any], origin: Origin) -> Sequence[Event]:
        """What the model was given or gave: who typed it is said by another line."""
        role, text = text_at(payload, "role"), text_of(payload.get("content"))
        if role == "assistant" or is_typed(payload, text):
            return (Passed(f"message/{self._clean.names[role]}"),)
        kind = self._clean.names[kind_of_context(payload) or role]
        return (ContextAdded(origin, kind, self._clean.text(text, CONTEXT)),)

    def _called(
        self, name: str, asked: object, payload: dict[str, Any], origin: Origin
    ) -> Sequence[ToolCalled]:
        call_id = text_at(payload, "call_id") or text_at(payload, "id")
        told = calls(name, asked, origin, call_id, self._clean)
        self._open[call_id] = told
        return told

    def _function_called(
        self, payload: dict[str, Any], origin: Origin
    ) -> Sequence[Event]:
        return self._called(_tool(payload), payload.get("arguments"), payload, origin)

    def _custom_called(
        self, payload: dict[str, Any], origin: Origin
    ) -> Sequence[Event]:
        return self._called(_tool(payload), payload.get("input"), payload, origin)

    def _shell_called(self, payload: dict[str, Any], origin: Origin) -> Sequence[Event]:
        return self._called("local_shell", payload.get("action"), payload, origin)

    def _tools_searched(
        self, payload: dict[str, Any], origin: Origin
    ) -> Sequence[Event]:
        asked = payload.get("arguments")
        return self._answered(self._called("tool_search", asked, payload, origin))

    def _web_searched(self, payload: dict[str, Any], origin: Origin) -> Sequence[Event]:
        asked = payload.get("action")
        return self._answered(self._called("web_search", asked, payload, origin))

    def _answered(self, called: Sequence[ToolCalled]) -> Sequence[Event]:
        """The service looks by itself: there is no answer to wait for."""
        done = (ToolReturned(call.origin, call.call_id, "ok") for call in called)
        return (*called, *done)

    def _returned(self, payload: dict[str, Any], origin: Origin) -> Sequence[Event]:
        call_id = text_at(payload, "call_id")
        own_id = self._clean.identifier(call_id)
        first = returned(payload, origin, own_id, self._clean)
        files = self._open.pop(call_id, None)
        if files is None:
            files = tuple(self._called_before(call_id))
        if first.outcome != "ok" or not files or files[0].role not in EDITING:
            return (first, *(first._replace(call_id=f.call_id) for f in files[1:]))
        return tuple(_written(first, file) for file in files)

    def _called_before(self, call_id: str) -> Iterator[ToolCalled]:
        """Yield a patch of an earlier pass, which may change several files."""
        for line_id, line in (
            self._earlier((call_id.encode(),)) if self._earlier else ()
        ):
            payload = line.get("payload")
            asked = payload if isinstance(payload, dict) else {}
            if asked.get("call_id") == call_id and text_at(asked, "input"):
                origin = Origin(line_id, None, 0)
                yield from self._called(_tool(asked), asked["input"], asked, origin)
                self._open.pop(call_id)
                return

    def _user_message(self, payload: dict[str, Any], origin: Origin) -> Sequence[Event]:
        return self._user(text_at(payload, "message"), "event", origin)

    def _user_item(self, item: dict[str, Any], origin: Origin) -> Sequence[Event]:
        return self._user(text_of(item.get("content")), "item", origin)

    def _agent_message(
        self, payload: dict[str, Any], origin: Origin
    ) -> Sequence[Event]:
        return self._agent(text_at(payload, "message"), origin)

    def _agent_item(self, item: dict[str, Any], origin: Origin) -> Sequence[Event]:
        return self._agent(text_of(item.get("content")), origin)

    def _hook_item(self, _item: dict[str, Any], origin: Origin) -> Sequence[Event]:
        return (ContextAdded(origin, "hook"),)

    def _counted(self, payload: dict[str, Any], origin: Origin) -> Sequence[Event]:
        return (AgentSpent(origin, "", "", _tokens(payload)),)

    def _aborted(self, _payload: dict[str, Any], origin: Origin) -> Sequence[Event]:
        return (Interrupted(origin),)

    def _failed(self, payload: dict[str, Any], origin: Origin) -> Sequence[Event]:
        text = self._clean.text(text_at(payload, "message"), CONTEXT)
        return (RequestFailed(origin, text),)

    def _ended(self, item: dict[str, Any], origin: Origin) -> Sequence[Event]:
        """A command is over; if its call was told that it still runs, this is its end."""
        if item.get("source") == "user_shell":
            return self._typed_command(item, origin)
        status, process = item.get("exit_code"), text_at(item, "process_id")
        counted = Passed("CommandExecution")
        if not process:
            return (counted,)
        outcome: Outcome = "interrupted"
        if isinstance(status, int) and status >= 0:
            outcome = "failed" if status else "ok"
        known = status if isinstance(status, int) and status >= 0 else None
        reference = self._clean.identifier(process)
        return (counted, WorkEnded(origin, reference, outcome, known))

    def _typed_command(self, item: dict[str, Any], origin: Origin) -> Sequence[Event]:
        """The user ran a command of their own with `!`."""
        text = self._clean.text(command_of(item.get("command")), PROMPT)
        return (
            UserSaid(origin._replace(parent=self._above()), text, len(text), "shell"),
        )

    def _user(self, text: str, form: str, origin: Origin) -> Sequence[Event]:
        words, added = typed(text)
        if not words.strip():
            return (ContextAdded(origin, added or "empty"),)
        if self._said[0] == words and self._said[1] not in ("", form):
            return (Passed("repeated-prompt"),)  # a file may tell it in both forms
        self._said = (words, form)
        parent = self._above()
        self._live_prompts().append(origin.uuid)
        said = UserSaid(
            origin._replace(parent=parent), self._clean.text(words, PROMPT), len(words)
        )
        return (ContextAdded(origin, added), said) if added else (said,)

    def _agent(self, text: str, origin: Origin) -> Sequence[Event]:
        self._said = ("", "")
        if not text.strip():
            return (Passed("agent_message"),)
        return (AgentSaid(origin, "", self._clean.said(text), len(text)),)

    def _rolled_back(self, payload: dict[str, Any], _origin: Origin) -> Sequence[Event]:
        turns = payload.get("num_turns")
        if isinstance(turns, int) and turns > 0:
            del self._live_prompts()[-turns:]
        return (Passed("thread_rolled_back"),)

    def _above(self) -> str | None:
        prompts = self._live_prompts()
        return prompts[-1] if prompts else None

    def _live_prompts(self) -> list[str]:
        """Return the prompts that were not taken back, of earlier passes too."""
        if self._prompts is None:
            before = RolloutEvents(self._clean)
            for line_id, line in self._earlier(_PROMPT_SIGNS) if self._earlier else ():
                before.events(line, line_id)
            self._prompts = before._live_prompts()  # another of this class
        return self._prompts

    def _compacted(self, payload: dict[str, Any], origin: Origin) -> Sequence[Event]:
        text = _SUMMARY_HEAD.sub("", text_at(payload, "message"), count=1)
        made = Compacted(origin, "", 0)
        if not text.strip():
            return (made,)
        return (made, Summarised(origin, self._clean.text(text, SUMMARY), len(text)))


def _written(answer: ToolReturned, call: ToolCalled) -> ToolReturned:
    """Return the answer to a patch for one of its files: the patch tells what changed."""
    return answer._replace(
        call_id=call.call_id,
        added=call.added,
        removed=call.removed,
        created=call.role == "write",
        is_counted=True,
    )


def _tool(payload: dict[str, Any]) -> str:
    name, space = text_at(payload, "name"), text_at(payload, "namespace")
    return f"{space}__{name}" if space.startswith("mcp__") else name


def _tokens(payload: dict[str, Any]) -> int:
    """Return how much of the context the last answer filled."""
    info = payload.get("info")
    used = info.get("last_token_usage") if isinstance(info, dict) else None
    total = used.get("total_tokens") if isinstance(used, dict) else None
    return total if isinstance(total, int) else 0
