"""The same work as each agent writes it down, and the hooks that each calls by its names."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from holdfast.kernel.clock import SystemClock, iso
from tests.e2e.hooks.conftest import Client, Heard, World
from tests.unit.agents.opencode_rows import OpenCodeData, text, tool

GOAL = "Fix the parser so that nested input works. Never touch the lexer."
SAID = "The lexer stays as it is, so one test still fails."
COMMAND, PRINTED = "make test", "FAILED tests/test_parser.py::test_nested"
_REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected."
)
_CLAUDE_ERROR = f"Exit code 1\n{PRINTED}"
_OPENCODE_REFUSED = "The user rejected permission to use this specific tool call."
_PI_STOPPED = "Operation aborted"
_CODEX_HEAD = "Wall time: 0.1 seconds\nProcess exited with code 1\nOutput:\n"
_CODEX_PATCH = "*** Begin Patch\n*** Update File: lexer.py\n@@\n-a\n+b\n*** End Patch\n"

Line = dict[str, Any]


class Player:
    """One agent: where its transcripts lie, what it writes, what it calls its events."""

    name = ""
    options: tuple[str, ...] = ()
    events: Mapping[str, str] = {}
    edits = ""  # with what it changes a part of a file

    def __init__(self, world: World) -> None:
        self.world = world
        self.client: Client = world.client(HOLDFAST_HEADLESS="full")

    def path(self, session: str) -> Path:
        raise NotImplementedError

    def lines(self, session: str) -> Iterator[Line]:
        raise NotImplementedError

    @property
    def user(self) -> Path:
        return self.world.root / "user"

    def write(self, session: str) -> None:
        path = self.path(session)
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = (
            json.dumps(line, separators=(",", ":")) for line in self.lines(session)
        )
        path.write_text("".join(f"{line}\n" for line in lines))

    def hook(self, event: str, session: str, **more: Any) -> Heard:
        given = {
            "session_id": session,
            "transcript_path": str(self.path(session)),
            "cwd": str(self.world.project),
            **more,
        }
        spelled = self.events.get(event, event)
        return self.client.raw(spelled, json.dumps(given), *self.options)

    def work(self, session: str) -> None:
        """Begin a session, do the work, and leave."""
        self.hook("SessionStart", session, source="startup")
        self.write(session)
        self.hook("Stop", session)
        self.leave(session)

    def leave(self, session: str, reason: str = "other") -> None:
        self.hook("SessionEnd", session, reason=reason)
        self.world.settle()

    def go_on(self, session: str) -> str:
        """Begin a session by a word that goes on, and return what the model is told."""
        self.hook("SessionStart", session, source="startup")
        return self.hook("UserPromptSubmit", session, prompt="continue").context


def now() -> int:
    return SystemClock().now_ms()


def _now() -> str:
    return iso(now())


class ClaudePlayer(Player):
    name, edits = "claude-code", "Edit"

    def path(self, session: str) -> Path:
        return self.world.transcript(session)

    def lines(self, session: str) -> Iterator[Line]:
        ran = {"type": "tool_use", "id": "toolu_1", "name": "Bash"}
        edit = {"type": "tool_use", "id": "toolu_2", "name": "Edit"}
        change = {"file_path": "lexer.py", "old_string": "a", "new_string": "b"}
        contents: list[tuple[str, Any]] = [
            ("user", GOAL),
            ("assistant", [{**ran, "input": {"command": COMMAND}}]),
            ("user", [_claude_answer("toolu_1", _CLAUDE_ERROR)]),
            ("assistant", [{**edit, "input": change}]),
            ("user", [_claude_answer("toolu_2", _REFUSED)]),
            ("assistant", [{"type": "text", "text": SAID}]),
        ]
        for number, (role, content) in enumerate(contents):
            own = {"role": role, "content": content, "id": f"msg_{number}"}
            yield {
                "type": role,
                "uuid": f"00000000-0000-4000-8000-{number + 1:012x}",
                "parentUuid": f"00000000-0000-4000-8000-{number:012x}"
                if number
                else None,
                "timestamp": _now(),
                "cwd": str(self.world.project),
                "sessionId": session,
                "isSidechain": False,
                "message": own,
            }


def _claude_answer(call_id: str, text: str) -> Line:
    return {
        "type": "tool_result",
        "tool_use_id": call_id,
        "content": text,
        "is_error": True,
    }


class CodexPlayer(Player):
    name, edits = "codex", "apply_patch"
    options: tuple[str, ...] = ("--agent=codex",)

    def path(self, session: str) -> Path:
        day = self.user / ".codex" / "sessions" / "2026" / "11" / "18"
        return day / f"rollout-2026-11-18T10-18-54-{session}.jsonl"

    def lines(self, session: str) -> Iterator[Line]:
        place = str(self.world.project)
        yield self._line("session_meta", id=session, cwd=place, source="cli")
        yield self._item("UserMessage", GOAL)
        asked = json.dumps({"cmd": COMMAND})
        call = {"name": "exec_command", "arguments": asked, "call_id": "call_1"}
        yield self._answer("function_call", **call)
        output = _CODEX_HEAD + PRINTED
        yield self._answer("function_call_output", call_id="call_1", output=output)
        patch = {"name": "apply_patch", "input": _CODEX_PATCH, "call_id": "call_2"}
        yield self._answer("custom_tool_call", **patch)
        refused = "patch rejected by user"
        yield self._answer("custom_tool_call_output", call_id="call_2", output=refused)
        yield self._item("AgentMessage", SAID)

    def _line(self, kind: str, **payload: Any) -> Line:
        return {"timestamp": _now(), "type": kind, "payload": payload}

    def _answer(self, kind: str, **fields: Any) -> Line:
        return self._line("response_item", type=kind, **fields)

    def _item(self, kind: str, text: str) -> Line:
        item = {"type": kind, "content": [{"type": "text", "text": text}]}
        return self._line("event_msg", type="item_completed", item=item)


class GeminiPlayer(Player):
    name, edits = "gemini", "replace"
    options: tuple[str, ...] = ("--agent=gemini",)
    events: Mapping[str, str] = {
        "Stop": "AfterAgent",
        "UserPromptSubmit": "BeforeAgent",
    }

    def path(self, session: str) -> Path:
        chats = self.user / ".gemini" / "tmp" / "project" / "chats"
        return chats / f"session-2026-11-18T11-03-{session[:8]}.jsonl"

    def write(self, session: str) -> None:
        super().write(session)
        root = self.path(session).parent.parent / ".project_root"
        root.write_text(str(self.world.project))

    def lines(self, session: str) -> Iterator[Line]:
        yield {"sessionId": session, "kind": "main", "startTime": _now()}
        yield self._message(1, "user", [{"text": GOAL}])
        output = f"Output: {PRINTED}\nExit Code: 1\nProcess Group PGID: 7"
        ran = self._call("run_shell_command", 1, "success", output)
        change = {"file_path": "lexer.py", "old_string": "a", "new_string": "b"}
        edit = self._call("replace", 2, "cancelled", "")
        calls = [{**ran, "args": {"command": COMMAND}}, {**edit, "args": change}]
        yield self._message(2, "gemini", "", toolCalls=calls)
        yield self._message(3, "gemini", SAID)

    def _message(self, number: int, kind: str, content: object, **more: Any) -> Line:
        own = {"id": f"{number:032x}", "timestamp": _now(), "type": kind}
        return {**own, "content": content, **more}

    def _call(self, name: str, number: int, status: str, output: str) -> Line:
        result = [{"functionResponse": {"response": {"output": output}}}]
        own = f"{name}__{name}_1794999815071_{number}"
        return {"id": own, "name": name, "status": status, "result": result}


class CopilotPlayer(Player):
    """Copilot CLI runs the hooks that a repository's settings of Claude Code name: it
    calls them as Claude Code does."""

    name = "copilot"

    def path(self, session: str) -> Path:
        return self.user / ".copilot" / "session-state" / session / "events.jsonl"

    def lines(self, session: str) -> Iterator[Line]:
        place = {"cwd": str(self.world.project)}
        yield self._event(1, "session.start", sessionId=session, context=place)
        yield self._event(2, "user.message", content=GOAL)
        ran = {"toolCallId": "call_1", "toolName": "bash"}
        asked = {"arguments": {"command": COMMAND}}
        yield self._event(3, "tool.execution_start", **ran, **asked)
        yield self._event(
            4,
            "tool.execution_complete",
            toolCallId="call_1",
            success=True,
            result={"content": PRINTED},
            shellExecution={"exitCode": 1},
        )
        yield self._event(5, "assistant.message", content=SAID)

    def _event(self, number: int, kind: str, **data: Any) -> Line:
        own = f"{number:08x}-0000-4000-8000-000000000000"
        return {"type": kind, "data": data, "id": own, "timestamp": _now()}


class PiPlayer(Player):
    """pi asks before nothing: its user stops what is not wanted."""

    name, edits = "pi", "edit"
    options: tuple[str, ...] = ("--agent=pi",)

    def path(self, session: str) -> Path:
        place = self.user / ".pi" / "agent" / "sessions" / "--project--"
        return place / f"2026-11-18T11-03-35-007Z_{session}.jsonl"

    def lines(self, session: str) -> Iterator[Line]:
        place = str(self.world.project)
        yield {"type": "session", "version": 3, "id": session, "cwd": place}
        yield self._entry(1, "user", [{"type": "text", "text": GOAL}])
        ran = self._call("bash", 1, command=COMMAND)
        yield self._entry(2, "assistant", [ran])
        yield self._answer(3, "bash", 1, f"{PRINTED}\n\nCommand exited with code 1")
        steps = [{"oldText": "a", "newText": "b"}]
        edit = self._call("edit", 2, path="lexer.py", edits=steps)
        yield self._entry(4, "assistant", [edit])
        yield self._answer(5, "edit", 2, _PI_STOPPED)
        yield self._entry(6, "assistant", [{"type": "text", "text": SAID}])

    def _call(self, name: str, number: int, **given: Any) -> Line:
        own = {"type": "toolCall", "id": f"call_{number}", "name": name}
        return {**own, "arguments": given}

    def _answer(self, number: int, name: str, call: int, text: str) -> Line:
        about = {"toolCallId": f"call_{call}", "toolName": name, "isError": True}
        content = [{"type": "text", "text": text}]
        return self._entry(number, "toolResult", content, **about)

    def _entry(self, number: int, role: str, content: Any, **more: Any) -> Line:
        return {
            "type": "message",
            "id": f"{number:08x}",
            "parentId": f"{number - 1:08x}" if number > 1 else None,
            "timestamp": _now(),
            "message": {"role": role, "content": content, **more},
        }


class OpenCodePlayer(Player):
    name, edits = "opencode", "edit"
    options: tuple[str, ...] = ("--agent=opencode",)

    def path(self, session: str) -> Path:
        place = self.user / ".local" / "share" / "opencode"
        return place / "opencode.db" / session

    def write(self, session: str) -> None:
        place = self.path(session).parent.parent
        data = OpenCodeData(place, str(self.world.project), session, now())
        data.add("user", text(GOAL))
        change = {"filePath": "lexer.py", "oldString": "a", "newString": "b"}
        data.add(
            "assistant",
            tool("bash", output=PRINTED, command=COMMAND, exit=1),
            tool("edit", "error", _OPENCODE_REFUSED, **change),
            text(SAID),
        )


PLAYERS = (ClaudePlayer, CodexPlayer, GeminiPlayer, OpenCodePlayer, PiPlayer)
