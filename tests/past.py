"""Transcripts of sessions that are over, as Claude Code left them on a user's disk.

past = PastDisk(tmp_path / "claude", "/code/tokens")
past.write(1, asked("add refresh tokens"), edited("src/auth.py"), day=0)
"""

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from holdfast.kernel.clock import iso
from tests.builders import session_number

Json = dict[str, Any]
BEGAN = 1_768_737_600_000  # 2026-01-18T12:00:00Z
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
_CAVEAT = "<local-command-caveat>Caveat: not for you.</local-command-caveat>"


def asked(text: str) -> list[Json]:
    """A prompt that was typed, and an answer in words."""
    return [_said("user", text), _said("assistant", f"I will look at it: {text}")]


def edited(path: str, text: str = "changed") -> list[Json]:
    """A file that was written, with what the tool answered."""
    given = {"file_path": path, "content": text}
    use = {"type": "tool_use", "id": "toolu_1", "name": "Write", "input": given}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "written"}
    return [_said("assistant", [use]), _said("user", [result])]


def cleared() -> list[Json]:
    """What a transcript begins with whose session came after a clear."""
    told = "<command-name>/clear</command-name>\n<command-args></command-args>"
    return [{**_said("user", _CAVEAT), "isMeta": True}, _said("user", told)]


def compacted(summary: str) -> list[Json]:
    """A compaction: its boundary, and the client's own summary."""
    boundary = {
        "type": "system",
        "subtype": "compact_boundary",
        "content": "Conversation compacted",
        "compactMetadata": {"trigger": "manual", "preTokens": 90_000},
    }
    told = {**_said("user", summary), "isCompactSummary": True}
    return [boundary, {**told, "isVisibleInTranscriptOnly": True}]


def pause(milliseconds: int) -> list[Json]:
    """Nobody did anything for a while."""
    return [{"pause": milliseconds}]


def _said(role: str, content: object) -> Json:
    message: Json = {"role": role, "content": content}
    if role == "assistant":
        blocks = [{"type": "text", "text": content}]
        message["content"] = blocks if isinstance(content, str) else content
        message |= {"id": "msg_1", "model": "claude-opus-4-8"}
        message["usage"] = {"input_tokens": 10, "output_tokens": 2}
    return {"type": role, "message": message}


class PastDisk:
    """A client's directory, with the sessions that somebody once had."""

    def __init__(self, claude: Path, directory: str) -> None:
        self.claude = claude
        self.directory = directory

    def path(self, number: int, directory: str | None = None) -> Path:
        slug = re.sub("[^a-zA-Z0-9]", "-", directory or self.directory)
        return self.claude / "projects" / slug / f"{session_number(number)}.jsonl"

    def write(
        self,
        number: int,
        *parts: Iterable[Json],
        at: int = BEGAN,
        directory: str | None = None,
        copied: Sequence[Json] = (),
        **more: Any,
    ) -> list[Json]:
        """Write a session whose lines are a second apart, and return them."""
        lines: list[Json] = [
            {**line, "sessionId": session_number(number)} for line in copied
        ]
        for part in parts:
            for one in part:
                if "pause" in one:
                    at += one["pause"]
                    continue
                at += 1000
                lines.append(self._line(one, number, at, lines, directory) | more)
        path = self.path(number, directory)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        return lines

    def _line(
        self,
        one: Json,
        number: int,
        at: int,
        before: Sequence[Json],
        directory: str | None,
    ) -> Json:
        is_boundary = one.get("subtype") == "compact_boundary"
        parent = before[-1]["uuid"] if before else None
        return {
            "parentUuid": None if is_boundary else parent,
            **({"logicalParentUuid": parent} if is_boundary else {}),
            "isSidechain": False,
            **one,
            "uuid": f"{number:08x}-0000-4000-8000-{len(before):012x}",
            "timestamp": iso(at),
            "cwd": directory or self.directory,
            "sessionId": session_number(number),
            "version": "2.1.197",
            "gitBranch": "main",
            "entrypoint": "cli",
        }
