"""Made-up sessions with a transcript on disk, and checkpoints that were made in them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from holdfast.agents.claude_code.demo import Scene
from tests.builders import a_draft, session_number
from tests.e2e.web.conftest import Served
from tests.past import BEGAN, PastDisk

Json = dict[str, Any]


def disk_of(served: Served) -> PastDisk:
    """Return where the client of the server's user keeps its transcripts."""
    return PastDisk(Path(served.environ["HOME"]) / ".claude", str(served.project))


def ran(command: str, printed: str, *, number: int = 1) -> list[Json]:
    """A command, and what it printed."""
    use = {"type": "tool_use", "id": f"toolu_r{number}", "name": "Bash"}
    result = {"type": "tool_result", "tool_use_id": use["id"], "content": printed}
    return [
        _line("assistant", [{**use, "input": {"command": command}}]),
        _line("user", [result]),
    ]


def said(text: str) -> list[Json]:
    """Something the agent said."""
    return [_line("assistant", [{"type": "text", "text": text}])]


def _line(role: str, content: list[Json]) -> Json:
    message: Json = {"role": role, "content": content}
    if role == "assistant":
        message |= {"id": "msg_2", "model": "claude-opus-4-8"}
    return {"type": role, "message": message}


def talked(served: Served, number: int, *parts: Iterable[Json]) -> None:
    """Write the transcript of a session; its lines are a second apart."""
    disk_of(served).write(number, *parts)


def kept(served: Served, number: int, title: str, seconds: int, **more: Any) -> str:
    """Keep a checkpoint of a session, made some seconds after it began."""
    with served.store() as store:
        draft = a_draft(
            title,
            session_id=session_number(number),
            project_id=served.project_id,
            created_at=BEGAN + seconds * 1000 + 500,
            started_at=BEGAN,
            **more,
        )
        return store.put(draft).checkpoint.checkpoint_id


class Working:
    """A session in the served project: what it edits changes on disk, and is saved."""

    def __init__(self, served: Served, number: int = 1) -> None:
        self._served = served
        self._scene = Scene(session_number(number), str(served.project), BEGAN)
        self._path = disk_of(served).path(number)

    def saves(self, title: str, files: dict[str, str | None]) -> None:
        """Change files, and keep a checkpoint with the code as it is then."""
        for name, text in files.items():
            place = self._served.project / name
            if text is None:
                place.unlink()
            else:
                place.write_text(text, encoding="utf-8")
        self._scene.user(f"work on {title}")
        self._scene.agent(f"{title} is done")
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_text("".join(f"{line}\n" for line in self._scene.lines))
        words = ("save", "--transcript", str(self._path), "--title", title, "--json")
        self._served.run(*words)
