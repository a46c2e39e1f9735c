"""What of ours stands in a client's own file, as text: put in, found again, taken out. Pure.

It is known by the word that only our commands have. Everything else stays as it is, byte
for byte.
"""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

from holdfast.agents.json_text import (
    member,
    with_elements,
    with_member,
    without_elements,
    without_member,
)
from holdfast.kernel.lazy_tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

SERVER = "holdfast"
LAUNCHER, COMMAND = "launch", "holdfast"


class HookCall(NamedTuple):
    """One event that the client is to call us at; `timeout` is in its own unit."""

    event: str
    timeout: int
    words: str = ""
    more: tuple[tuple[str, Any], ...] = ()  # what else its entry says


class WiredFile(NamedTuple):
    """A file of the client's that we write into: how, and how to take us out again.

    `wire` raises ValueError where the text is not what the client itself could read.
    """

    path: str
    wire: Callable[[str], str]
    unwire: Callable[[str], str]
    is_blank: Callable[[str], bool]
    own: bool = False  # the whole file is ours: it goes, whoever made it


def json_hooks(
    path: str, calls: Sequence[HookCall], launcher: str, agent: str
) -> WiredFile:
    """Return how hooks are written into a JSON file."""
    mark = f"--agent={agent}"
    entries = {call.event: _entry(call, launcher, mark) for call in calls}

    return WiredFile(
        path,
        lambda text: _with_hooks(text, entries, mark),
        lambda text: _without_hooks(text, mark),
        _is_empty_object,
    )


def _with_hooks(text: str, entries: Mapping[str, Any], mark: str) -> str:
    if not text.strip():
        listed = {event: [entry] for event, entry in entries.items()}
        return json.dumps({"hooks": listed}, indent=2) + "\n"
    for event, entry in entries.items():
        place = ("hooks", event)
        listed = member(text, place)
        if listed is None:
            text = with_member(text, place, [entry])
        elif (ours := _ours(listed, mark)) != [entry]:
            text = with_elements(without_elements(text, place, ours), place, [entry])
    return text


def _without_hooks(text: str, mark: str) -> str:
    hooks = member(text, ("hooks",))
    for event, listed in hooks.items() if isinstance(hooks, dict) else ():
        if ours := _ours(listed, mark):
            text = without_elements(text, ("hooks", event), ours)
            if member(text, ("hooks", event)) == []:
                text = without_member(text, ("hooks", event))
    is_emptied = hooks and member(text, ("hooks",)) == {}
    return without_member(text, ("hooks",)) if is_emptied else text


def json_server(path: str, entry: dict[str, Any], agent: str) -> WiredFile:
    """Return how an MCP server is written into a JSON file; one that somebody else
    named like ours stays."""
    place = ("mcpServers", SERVER)

    def wire(text: str) -> str:
        if not text.strip():
            return json.dumps({place[0]: {place[1]: entry}}, indent=2) + "\n"
        known = member(text, place)
        if known is not None and not is_our_server(known, agent):
            return text
        return with_member(text, place, entry)

    def unwire(text: str) -> str:
        if not is_our_server(member(text, place), agent):
            return text
        text = without_member(text, place)
        return (
            without_member(text, place[:1]) if member(text, place[:1]) == {} else text
        )

    return WiredFile(path, wire, unwire, _is_empty_object)


def server_entry(command: str, agent: str, home: str) -> dict[str, Any]:
    """Return how a client starts our server; `home` is where our data are, if that is
    not the usual place: clients do not pass their environment on."""
    entry = {"command": command, "args": ["mcp", "--agent", agent]}
    return {**entry, "env": {"HOLDFAST_HOME": home}} if home else entry


def in_one_file(first: WiredFile, second: WiredFile) -> WiredFile:
    """Return how two things are written into the same file."""
    return first._replace(
        wire=lambda text: second.wire(first.wire(text)),
        unwire=lambda text: first.unwire(second.unwire(text)),
    )


def is_our_server(known: object, agent: str) -> bool:
    """Say whether a server is the one that we named, by the script it starts."""
    command = known.get("command") if isinstance(known, dict) else None
    return isinstance(command, str) and command.endswith(f"/{agent}/{COMMAND}")


def _entry(call: HookCall, launcher: str, mark: str) -> dict[str, Any]:
    words = filter(None, (shlex.quote(launcher), call.event, mark, call.words))
    command = {"type": "command", "command": " ".join(words), "timeout": call.timeout}
    return {"hooks": [{**command, **dict(call.more)}]}


def _ours(listed: object, mark: str) -> list[Any]:
    """Return the entries of a list of hooks that call us."""
    entries = listed if isinstance(listed, list) else []
    return [
        entry
        for entry in entries
        if isinstance(entry, dict)
        and any(
            isinstance(hook, dict) and f" {mark}" in str(hook.get("command", ""))
            for hook in (entry["hooks"] if isinstance(entry.get("hooks"), list) else ())
        )
    ]


def _is_empty_object(text: str) -> bool:
    try:
        return bool(json.loads(text or "{}") == {})
    except (ValueError, RecursionError):
        return False
