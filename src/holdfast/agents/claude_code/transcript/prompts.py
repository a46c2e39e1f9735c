"""From a text that stands where a user's would to events: prompts, commands, notifications.

Whose words they are: `speakers.py`. Pure.
"""

import re
from collections.abc import Iterable, Iterator

from holdfast.agents.claude_code.transcript.results import report_in
from holdfast.agents.claude_code.transcript.speakers import (
    BY_COMMAND,
    INTERRUPTED,
    NOTIFIED,
    SHELL,
    SHELL_OUTPUT,
    SHELL_OUTPUTS,
    SUMMED_UP,
    TYPED,
    heard,
    heard_in,
    inside,
)
from holdfast.agents.redact_events import CONTEXT, PROMPT, SUMMARY, Cleaner
from holdfast.domain.event import (
    ContextAdded,
    Event,
    Interrupted,
    Origin,
    Outcome,
    Summarised,
    ToolCalled,
    ToolReturned,
    UserSaid,
    Via,
    WorkEnded,
)
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

# Commands that steer the client: a turn each, but nobody spoke to the agent.
_STEERS = frozenset(
    [
        "add-dir", "agents", "bashes", "bug", "checkpoint", "clear", "color", "compact",
        "config", "context", "continue", "copy", "cost", "desktop", "doctor", "effort",
        "exit", "export", "extra-usage", "fast", "feedback", "fork", "help", "hooks",
        "ide", "install-github-app", "keybindings", "login", "logout", "mcp", "memory",
        "mobile", "model", "new", "output-style", "permissions", "plugin", "plugins",
        "privacy-settings", "quit", "release-notes", "reload-plugins",
        "remote-control", "rename", "reset", "resume", "rewind", "sandbox", "settings",
        "skills", "stats", "status", "statusline", "tasks", "terminal-setup", "theme",
        "todos", "undo", "upgrade", "usage", "vim", "voice",
    ]
)  # fmt: skip
_CLEARS = frozenset(["clear", "new", "reset"])
_LONGEST_COMMAND = 40
_BANG, _SHELL_TOOL = "!", "shell"
_SAYS_FAILED = pattern(
    r"^\s*(?:error|fatal|E)\b\s*:|command not found|No such file or directory"
    r"|\[(?:remote )?rejected\]|Permission denied",
    re.IGNORECASE | re.MULTILINE,
)

# What the client adds to a prompt that begins a plan.
_ADDED = pattern(
    r"\n*If you need specific details from before exiting plan mode[^\n]*$"
)
_WORK_ENDED = pattern(
    r"\s*<task-notification>\s*<task-id>([\w-]{1,80})</task-id>"
    r"(?:\s*<(?!status>)[a-z-]+>[^<]*</[a-z-]+>)*"
    r"\s*<status>(completed|failed|killed|stopped|cancelled)</status>"
    r"(?:\s*<summary>[^<]*?(?:exit code (\d{1,9})\)?\s*)?</summary>)?"
)
_OUTCOMES: dict[str, Outcome] = {"completed": "ok", "failed": "failed"}

_BY_USER = frozenset([TYPED, BY_COMMAND, SHELL])


class Ended(NamedTuple):
    """The end of background work, as the client notifies the agent of it."""

    reference: str
    outcome: Outcome
    exit_status: int | None
    report: str


def command_via(command: str) -> Via:
    """Return how a slash command is meant: for the agent, or for the client."""
    word, _, _ = command[:_LONGEST_COMMAND].partition(" ")
    name = word.removeprefix("/")
    if name not in _STEERS:
        return "command"
    return "clearing" if name in _CLEARS else "steering"


def without_addition(prompt: str) -> str:
    """Return a prompt without what the client itself puts behind an accepted plan."""
    return _ADDED.sub("", prompt)


def work_ended(notification: str) -> Ended | None:
    """Return the end that a notification tells of.

    Only the client's own fields count: what follows them quotes the work's output.
    """
    told = _WORK_ENDED.match(notification)
    if told is None:
        return None
    work, status, code = told.groups()
    outcome = _OUTCOMES.get(status, "interrupted")
    known = int(code) if code else 0 if outcome == "ok" else None
    report = notification.partition("<result>")[2].partition("</result>")[0]
    own = report_in(report)
    return Ended(work, outcome, known, report if own is None else own)


def said(texts: Iterable[str], origin: Origin, clean: Cleaner) -> list[Event]:
    """Return the events of what a user's line says; typed pieces are one prompt."""
    events: list[Event] = []
    typed: list[str] = []
    for kind, piece in heard_in(texts):
        if kind == TYPED:
            typed.append(piece)
        else:
            events.extend(_spoken(kind, piece, origin, clean))
    if typed:
        whole = "\n\n".join(typed)
        kept = clean.text(without_addition(whole), PROMPT)
        events.append(UserSaid(origin, kept, len(whole)))
    return events


def added(
    texts: Iterable[str], kind: str, origin: Origin, clean: Cleaner
) -> list[Event]:
    """Return the events of text that no user typed, whatever it looks like."""
    return [
        event
        for own, piece in heard_in(texts)
        for event in _spoken(kind if own in _BY_USER else own, piece, origin, clean)
    ]


def ran(text: str, origin: Origin, clean: Cleaner) -> list[Event]:
    """Return the events of a command the client ran by itself: only its name is typed."""
    return [
        event
        for own, piece in heard(text)
        for event in _spoken(
            "command-output" if own == TYPED else own, piece, origin, clean
        )
    ]


def _spoken(kind: str, text: str, origin: Origin, clean: Cleaner) -> Iterator[Event]:
    if kind == BY_COMMAND:
        kept = clean.text(text, PROMPT)
        yield UserSaid(origin, kept, len(text), command_via(kept))
    elif kind == SHELL:
        yield from _ran_by_user(text, origin, clean)
    elif kind == INTERRUPTED:
        yield Interrupted(origin)
    elif kind == SUMMED_UP and not origin.agent:
        yield Summarised(origin, clean.text(text, SUMMARY), len(text))
    else:
        kept = clean.text(text, CONTEXT)
        yield ContextAdded(origin, kind, kept)
        if kind == SHELL_OUTPUT and origin.parent:
            yield _printed_for_user(text, origin, clean)
        if kind == NOTIFIED and not origin.agent and (ended := work_ended(kept)):
            yield WorkEnded(origin, *ended)


def _ran_by_user(text: str, origin: Origin, clean: Cleaner) -> Iterator[Event]:
    """Yield a command that the user ran in the client: work of the session, too."""
    command = clean.text(text, PROMPT)
    yield UserSaid(origin, command, len(text), "shell")
    if origin.uuid and not origin.agent:
        yield ToolCalled(origin, "", _BANG + origin.uuid, _SHELL_TOOL, "run", command)


def _printed_for_user(text: str, origin: Origin, clean: Cleaner) -> ToolReturned:
    """Return what such a command printed, on the line below it. No client tells its exit
    status: that it failed is known by what it says of itself."""
    printed, trouble = (_as_printed(inside(text, tag)) for tag in SHELL_OUTPUTS)
    output = clean.output("\n".join(filter(None, (printed, trouble))))
    outcome: Outcome = "failed" if _SAYS_FAILED.search(trouble) else "ok"
    call_id = f"{_BANG}{origin.parent}"
    return ToolReturned(origin, call_id, outcome, None, output, len(text))


def _as_printed(text: str) -> str:
    """Return a text without the client's escapes; the ampersand is its first, so our last."""
    return text.replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&")
