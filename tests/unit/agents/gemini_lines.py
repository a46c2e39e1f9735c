"""Lines of a session as Gemini CLI writes them."""

import json
from itertools import count
from pathlib import Path
from typing import Any

from holdfast.agents.gemini.sessions import GeminiTranscripts
from holdfast.domain.event import Event, UserSaid
from holdfast.domain.session import SessionState
from holdfast.session.fold import begin, fold

SESSION = "b1356cc0-f67b-4554-947e-1b6db4d96642"
CWD = "/code/here"
_NUMBERS = count(1)


def head(session: str = SESSION, **more: Any) -> dict[str, Any]:
    return {"sessionId": session, "projectHash": "d9", "kind": "main", **more}


def message(kind: str, content: object, own: str = "", **more: Any) -> dict[str, Any]:
    own = own or f"{next(_NUMBERS):032x}"
    at = "2026-11-18T11:03:35.007Z"
    return {"id": own, "timestamp": at, "type": kind, "content": content, **more}


def typed(text: str, own: str = "") -> dict[str, Any]:
    return message("user", [{"text": text}], own)


def said(text: str, own: str = "", **more: Any) -> dict[str, Any]:
    return message("gemini", text, own, model="gemini-3", **more)


def call(
    name: str, status: str = "success", output: str | None = "", **args: Any
) -> dict[str, Any]:
    own = f"{name}__{name}_1794999815071_{next(_NUMBERS)}"
    response = {"functionResponse": {"response": {"output": output}}}
    result = None if output is None else [response]
    return {"id": own, "name": name, "args": args, "status": status, "result": result}


def put(*messages: dict[str, Any]) -> dict[str, Any]:
    return {"$set": {"messages": list(messages)}}


def raw(*lines: dict[str, Any]) -> bytes:
    return b"".join(
        json.dumps(one, separators=(",", ":")).encode() + b"\n" for one in lines
    )


class Chats:
    """A `.gemini` directory with one project."""

    def __init__(self, root: Path, cwd: str = CWD) -> None:
        self.root = root
        self.transcripts = GeminiTranscripts(str(root), str)
        project = root / "tmp" / "here"
        (project / "chats").mkdir(parents=True, exist_ok=True)
        (project / ".project_root").write_text(cwd)

    def path(self, session: str = SESSION, ending: str = ".jsonl") -> Path:
        name = f"session-2026-11-18T11-03-{session[:8]}{ending}"
        return self.root / "tmp" / "here" / "chats" / name

    def write(self, *lines: dict[str, Any]) -> Path:
        path = self.path()
        path.write_bytes(raw(head(), *lines))
        return path

    def events(self, *lines: dict[str, Any]) -> list[Event]:
        return list(self.transcripts.read(str(self.write(*lines))))

    def prompts(self, *lines: dict[str, Any]) -> list[str]:
        return [one.text for one in self.events(*lines) if isinstance(one, UserSaid)]

    def state(self, *lines: dict[str, Any]) -> SessionState:
        return fold(begin(SESSION, "gemini"), self.events(*lines))
