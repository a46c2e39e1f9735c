"""From the client's own notes to events: compactions, commands it ran, failed requests."""

from collections.abc import Sequence

from holdfast.agents.claude_code.transcript.agent import counted
from holdfast.agents.claude_code.transcript.lines import Line
from holdfast.agents.claude_code.transcript.speech import ran
from holdfast.agents.clean import TARGET, Cleaner
from holdfast.domain.event import Compacted, Event, Origin, Passed, RequestFailed

_DEPTH = 4  # how often a service's error is wrapped in another


def noted(line: Line, origin: Origin, clean: Cleaner) -> Sequence[Event]:
    """Return the events of a `system` line."""
    if line.subtype == "compact_boundary":
        return (_compacted(line.compaction, origin, clean),)
    if line.subtype == "api_error":
        return (RequestFailed(origin, clean.text(_complaint(line.error), TARGET)),)
    if line.subtype == "local_command" and isinstance(line.content, str):
        events = ran(line.content, origin, clean)
        return events or (Passed("system/local_command", origin),)
    return (Passed(f"system/{clean.names[line.subtype]}", origin),)


def _compacted(about: object, origin: Origin, clean: Cleaner) -> Compacted:
    known = about if isinstance(about, dict) else {}
    trigger = known.get("trigger")
    told = clean.names[trigger if isinstance(trigger, str) else None]
    return Compacted(origin, told, counted([known.get("preTokens")]))


def _complaint(error: object) -> str:
    """Return what the service said, however deep its client wrapped it."""
    told: list[str] = []
    for _ in range(_DEPTH):
        if not isinstance(error, dict):
            break
        found = (error.get(key) for key in ("status", "code", "message"))
        told.extend(str(value) for value in found if isinstance(value, (str, int)))
        error = error.get("error") or error.get("cause")
    return ": ".join(dict.fromkeys(told)) or (error if isinstance(error, str) else "")
