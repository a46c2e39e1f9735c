"""A made-up conversation, told as events with ids and parents as an agent writes them.

    talk = Conversation()
    talk.asks("fix the test")
    talk.calls("Bash", "pytest -q", output="1 failed", outcome="failed")
    talk.asks("try again", after=talk.lines[0])  # a rewind

Each step is one line: its parent is the line before it unless `after` says otherwise.
"""

from hashlib import md5
from typing import Any

from holdfast.agents.claude_code.tools import TOOLS
from holdfast.agents.claude_code.transcript.prompts import command_via, work_ended
from holdfast.agents.claude_code.transcript.results import (
    cause_of,
    choices_in,
    refusal_in,
    report_in,
)
from holdfast.domain.event import (
    AgentSaid,
    AgentSpent,
    Compacted,
    ContextAdded,
    Event,
    Origin,
    Passed,
    Summarised,
    Todo,
    ToolCalled,
    ToolReturned,
    UserSaid,
    Via,
    WorkEnded,
)

BEGAN = 1_768_749_000_000
_SAME = object()


def uuid_of(number: int) -> str:
    """Return the id of the nth line, always the same."""
    text = md5(str(number).encode(), usedforsecurity=False).hexdigest()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


class Conversation:
    """Events of one session, in order."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.lines: list[str] = []
        self._leaf: str | None = None
        self._asked: dict[str, str] = {}

    def line(self, after: Any = _SAME, agent: str = "") -> Origin:
        """Begin a new line after the last one, or after the one that is named."""
        number = len(self.lines)
        uuid = uuid_of(number)
        parent = self._leaf if after is _SAME else after
        self.lines.append(uuid)
        if not agent:
            self._leaf = uuid
        return Origin(uuid, parent, BEGAN + number * 1000, agent)

    def asks(self, text: str, *, after: Any = _SAME, via: Via = "typed") -> str:
        meant = command_via(text) if via == "command" else via
        return self.add(UserSaid(self.line(after), text, len(text), meant))

    def adds(self, kind: str, *, after: Any = _SAME) -> str:
        return self.add(ContextAdded(self.line(after), kind))

    def notifies(self, text: str) -> str:
        """Tell the agent something that concerns its work in the background."""
        origin = self.line()
        self.events.append(ContextAdded(origin, "notification", text))
        if ended := work_ended(text):
            self.events.append(WorkEnded(origin, *ended))
        return origin.uuid

    def says(self, text: str, *, message: str = "", agent: str = "") -> str:
        origin = self.line(agent=agent)
        name = message or f"msg_{len(self.lines)}"
        self.events.append(AgentSpent(origin, name, "a-model", 1000 + len(self.lines)))
        return self.add(AgentSaid(origin, name, text, len(text)))

    def starts(
        self,
        tool: str,
        target: str,
        *,
        call: str = "",
        message: str = "",
        agent: str = "",
        todos: tuple[Todo, ...] = (),
    ) -> str:
        """Make a call and return its id; the result may come later."""
        origin = self.line(agent=agent)
        call_id = call or f"call_{len(self.lines)}"
        name = message or f"msg_{len(self.lines)}"
        role = TOOLS.role_of(tool)
        self.add(ToolCalled(origin, name, call_id, tool, role, target, todos=todos))
        self._asked[call_id] = target
        return call_id

    def returns(self, call: str, *, agent: str = "", **result: Any) -> str:
        told = {"outcome": "ok", **self._meant(call, **result), **result}
        return self.add(ToolReturned(self.line(agent=agent), call, **told))

    def _meant(
        self, call: str, *, output: str = "", outcome: str = "ok", **_: Any
    ) -> dict[str, Any]:
        """Return what the client's own sentences mean, as the adapter tells it."""
        questions = self._asked.get(call, "").split("\n")
        return {
            "cause": cause_of(output) if outcome != "ok" else "",
            "refusal": refusal_in(output) if outcome != "ok" else "",
            "choices": choices_in(output, questions) if '"="' in output else (),
            "report": report_in(output),
        }

    def calls(self, tool: str, target: str, *, agent: str = "", **result: Any) -> str:
        """Make a call that is answered at once."""
        call = self.starts(tool, target, agent=agent)
        self.returns(call, agent=agent, **result)
        return call

    def passes(self, kind: str = "attachment", *, after: Any = _SAME) -> str:
        return self.add(Passed(kind, self.line(after)))

    def compacts(self, summary: str = "what happened so far") -> str:
        """Write a boundary, which begins a new chain, and the summary after it."""
        self.add(Compacted(self.line(None), "manual", 150_000))
        return self.add(Summarised(self.line(), summary, len(summary)))

    def add(self, event: Any) -> str:
        self.events.append(event)
        return str(event.origin.uuid)
