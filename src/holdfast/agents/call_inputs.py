"""What a call asks to be done, as far as every agent's tools tell it alike. Pure."""

from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from zlib import crc32

from holdfast.agents.redact_events import DETAIL, TARGET, Cleaner
from holdfast.domain.event import Role, Todo, TodoStatus
from holdfast.kernel.lazy_tuples import NamedTuple

Input = Mapping[str, object]
Statuses = Mapping[str, TodoStatus]
_MOST_FIELDS = 12
_FIELD = 200
_MOST_TODOS = 200
_SAME: Statuses = {
    "pending": "pending",
    "in_progress": "in_progress",
    "completed": "completed",
    "cancelled": "deleted",
}


class CallInput(NamedTuple):
    """The part of a call that depends on its tool, in the event's order."""

    target: str = ""
    detail: str = ""
    before: str = ""
    after: str = ""
    todos: tuple[Todo, ...] = ()
    added: int = 0
    removed: int = 0


class ToolTable(NamedTuple):
    """The tools of one agent, and what their names begin with if they are a server's."""

    rows: Mapping[str, tuple[Role, "Reader"]]
    servers: str = ""

    def asked(self, tool: str, fields: Input, clean: Cleaner) -> tuple[Role, CallInput]:
        """Return what a call is for, and what it asks."""
        role, read = self.rows.get(tool) or (self.role_of(tool), anything)
        return role, read(fields, clean)

    def role_of(self, tool: str) -> Role:
        """Return what a tool is for, by the name the client gives it."""
        if known := self.rows.get(tool):
            return known[0]
        is_of_server = bool(self.servers) and tool.startswith(self.servers)
        return "server" if is_of_server else "other"


Reader = Callable[[Input, Cleaner], CallInput]


def text_at(fields: Input, key: str) -> str:
    """Return a field that is text; anything else is none."""
    value = fields.get(key)
    return value if isinstance(value, str) else ""


def digest(text: str) -> str:
    """Return by what a text is known again, to notice that it comes back."""
    return format(crc32(text.encode("utf-8", "surrogatepass")), "08x") if text else ""


def lines_replaced(old: str, new: str) -> tuple[int, int]:
    """Return how many lines go and how many come: without those that both begin and end
    with."""
    if not old:  # a whole file, and nothing to compare it with
        return 0, new.count("\n") + (new[-1:] not in ("", "\n"))
    gone, come = old.splitlines(), new.splitlines()
    same = _same(gone, come)
    gone, come = gone[same:], come[same:]
    same = _same(gone[::-1], come[::-1])
    return len(gone) - same, len(come) - same


def _same(these: Sequence[str], those: Sequence[str]) -> int:
    """Return how many lines both begin with."""
    pairs = zip(these, those, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def anything(fields: Input, clean: Cleaner) -> CallInput:
    """Show the input of a tool that nobody told us about, one `name=value` per field."""
    shown = [
        f"{clean.names[key]}={clean.text(_shown(value), _FIELD)}"
        for key, value in list(fields.items())[:_MOST_FIELDS]
        if value not in (None, "", [], {})
    ]
    # Once more as a whole: `password=…` is told by its name.
    return CallInput(clean.text(" ".join(shown), TARGET))


def _shown(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, int, float)):
        return str(value)[:_FIELD]
    return f"({len(value)})" if isinstance(value, (list, dict)) else ""


def questions(fields: Input, clean: Cleaner) -> CallInput:
    """Return what the user is asked, one question a line."""
    asked = fields.get("questions")
    texts = (
        text_at(question, "question")
        for question in (asked if isinstance(asked, list) else ())
        if isinstance(question, dict)
    )
    return CallInput(clean.text("\n".join(filter(None, texts)), TARGET))


def todo_list(
    fields: Input, places: tuple[str, str], clean: Cleaner, statuses: Statuses = _SAME
) -> CallInput:
    """Return a task list that replaces the one before; `places` are the list's name and
    that of a task's words, `statuses` what the agent's own words for them mean."""
    listed, words = places
    given = fields.get(listed)
    entries = given[:_MOST_TODOS] if isinstance(given, list) else []
    todos = tuple(
        Todo(
            "",
            clean.text(text_at(entry, words), DETAIL),
            statuses.get(text_at(entry, "status"), "pending"),
        )
        for entry in entries
        if isinstance(entry, dict)
    )
    return CallInput(f"{len(todos)} todos", todos=todos)
