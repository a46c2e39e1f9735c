"""Made-up sessions, written down as one would tell them.

    session(
        asks("add refresh tokens"),
        edits("src/refresh.py", added=12),
        runs("pytest -q", fails="AssertionError: 200 != 401"),
        says("One test is still red."),
    )

Every step takes one second and one line; ids and times are the same each time.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from holdfast.agents.claude_code.legacy import upgraded
from holdfast.agents.claude_code.transcript.prompts import command_via
from holdfast.domain.checkpoint import Checkpoint, Content, Draft
from holdfast.domain.code import CodeState
from holdfast.domain.event import Outcome, Todo, TodoStatus, Via
from holdfast.domain.session import Call, Said, SessionState, ToolUse, Turn

SESSION = "7670db3a-2057-406a-a109-afcedef1cb97"
HOME = "/home/me/shop"
BEGAN = 1_768_749_000_000  # 2026-01-18T15:10:00Z
_SECOND = 1000


@dataclass
class _Scene:
    """The session as it grows."""

    turns: list[Turn] = field(default_factory=list)
    abandoned: list[tuple[int, int]] = field(default_factory=list)
    lines: int = 0

    def line(self) -> tuple[str, int]:
        self.lines += 1
        return f"{self.lines:08x}-0000-4000-8000-000000000000", self.now()

    def now(self) -> int:
        return BEGAN + self.lines * _SECOND

    def turn(self) -> Turn:
        if not self.turns:
            self.turns.append(Turn(at=BEGAN))
        return self.turns[-1]

    def change(self, **changes: Any) -> None:
        self.turns[-1] = replace(self.turn(), ended_at=self.now(), **changes)

    def call(self, tool: str, target: str, **fields: Any) -> None:
        uuid, at = self.line()
        turn = self.turn()
        bare = Call(f"call-{self.lines}", tool, target, uuid, at, "other", **fields)
        (call,) = upgraded(Turn(calls=(bare,))).calls
        uses = {use.tool: use for use in turn.tools}
        known = uses.get(tool, ToolUse(tool, 0, at, at))
        uses[tool] = ToolUse(tool, known.count + 1, known.first_at, at, call.role)
        self.change(
            calls=(*turn.calls, call),
            tools=tuple(uses.values()),
            messages=turn.messages + 1,
        )


Step = Callable[[_Scene], None]


def session(*steps: Step, cwd: str = HOME, **fields: Any) -> SessionState:
    """Return the state of a session in which these steps happened."""
    scene = _Scene()
    for step in steps:
        step(scene)
    state = SessionState(
        session_id=SESSION,
        turns=tuple(scene.turns),
        abandoned=tuple(scene.abandoned),
        cwd=cwd,
        last_cwd=cwd,
        branch="main",
        version="2.1.197",
        started_at=BEGAN,
        ended_at=scene.now(),
    )
    return replace(state, **fields)


def asks(words: str, via: Via | None = "typed") -> Step:
    def step(scene: _Scene) -> None:
        uuid, at = scene.line()
        turn = Turn(
            uuid=uuid,
            at=at,
            ended_at=at,
            prompt=words,
            prompt_chars=len(words),
            via=command_via(words) if via == "command" else via,
            messages=1,
        )
        scene.turns.append(turn)

    return step


def says(words: str) -> Step:
    def step(scene: _Scene) -> None:
        uuid, at = scene.line()
        turn = scene.turn()
        scene.change(
            said=(*turn.said, Said(uuid, at, words)), messages=turn.messages + 1
        )

    return step


def reads(path: str) -> Step:
    return lambda scene: scene.call("Read", _absolute(path), outcome="ok")


def edits(
    path: str,
    text: str = "",
    *,
    added: int = 1,
    removed: int = 0,
    before: str = "",
    after: str = "",
) -> Step:
    return lambda scene: scene.call(
        "Edit",
        _absolute(path),
        detail=text,
        outcome="ok",
        added=added,
        removed=removed,
        before=before,
        after=after,
    )


def creates(path: str, text: str = "", *, added: int = 1) -> Step:
    return lambda scene: scene.call(
        "Write", _absolute(path), detail=text, outcome="ok", added=added, created=True
    )


def refused(tool: str, target: str) -> Step:
    return lambda scene: scene.call(tool, _absolute(target), outcome="interrupted")


def searches(pattern: str, where: str = "") -> Step:
    return lambda scene: scene.call("Grep", pattern, detail=where, outcome="ok")


def runs(
    command: str,
    output: str = "",
    *,
    fails: str | None = None,
    status: int = 1,
    **fields: Any,
) -> Step:
    outcome: Outcome = "ok" if fails is None else "failed"
    return lambda scene: scene.call(
        "Bash",
        command,
        **{
            "outcome": outcome,
            "exit_status": 0 if fails is None else status,
            "output": output if fails is None else fails,
            **fields,
        },
    )


def uses(tool: str, target: str, **fields: Any) -> Step:
    """Any other tool."""
    return lambda scene: scene.call(tool, target, **{"outcome": "ok", **fields})


def lists(*todos: tuple[str, TodoStatus]) -> Step:
    """The agent writes its list anew."""
    entries = tuple(Todo("", text, status) for text, status in todos)
    return lambda scene: scene.call(
        "TodoWrite", f"{len(entries)} todos", outcome="ok", todos=entries
    )


def task(ident: str, text: str) -> Step:
    """The agent adds one task."""
    entry = (Todo(ident, text, "pending"),)
    return lambda scene: scene.call(
        "TaskCreate", text, outcome="ok", reference=ident, todos=entry
    )


def task_is(ident: str, status: TodoStatus) -> Step:
    entry = (Todo(ident, "", status),)
    return lambda scene: scene.call("TaskUpdate", ident, outcome="ok", todos=entry)


def rewinds(turns: int) -> Step:
    """The user goes back: the last turns are left behind."""

    def step(scene: _Scene) -> None:
        end = len(scene.turns)
        scene.abandoned.append((end - turns, end))

    return step


def interrupts() -> Step:
    return lambda scene: scene.change(interrupted=True)


def follows(plan: str) -> Step:
    return lambda scene: scene.change(plan=plan)


def a_draft(content: Content, **fields: Any) -> Draft:
    """Return a draft of made-up work with this content."""
    made: dict[str, Any] = {
        "key": "key-1",
        "session_id": SESSION,
        "agent": "claude-code",
        "agent_version": "2.1.197",
        "type": "manual",
        "created_at": BEGAN + 480_000,
        "working_directory": HOME,
        "hostname": "reef",
        "project_id": "p1",
        "project_root": HOME,
        "workspace": HOME,
        "content": content,
        "code": CodeState(branch="main", head="3f2c1a9" + "0" * 33, dirty=True),
        "root_session": SESSION,
    }
    return Draft(**{**made, **fields})


def a_checkpoint(draft: Draft, number: int = 42, **fields: Any) -> Checkpoint:
    """Return the checkpoint a store would make of a draft."""
    made: dict[str, Any] = {
        "draft": draft,
        "checkpoint_id": f"ccp-{SESSION}-01-{draft.created_at}",
        "number": number,
        "sequence": 1,
        "master_summary_id": 8047,
        "previous_checkpoint": None,
        "content_hash": "0" * 64,
        "name": draft.name,
    }
    return Checkpoint(**{**made, **fields})


def _absolute(path: str) -> str:
    return path if path.startswith(("/", "~")) else f"{HOME}/{path}"
