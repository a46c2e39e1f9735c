"""From a message of the agent, or a note of the client's own, to events.

What the agent said, called and spent; compactions, commands that the client ran, and
requests that failed.
"""

from collections.abc import Iterable, Sequence

from holdfast.agents.claude_code.tools import called
from holdfast.agents.claude_code.transcript.lines import Line, MessageBlock, Usage
from holdfast.agents.claude_code.transcript.prompts import ran, said
from holdfast.agents.redact_events import AGENT_TEXT, TARGET, Cleaner
from holdfast.domain.event import (
    AgentSaid,
    AgentSpent,
    Compacted,
    Event,
    Origin,
    Passed,
    Recapped,
    RequestFailed,
    Tokens,
)

_CALLS = frozenset(["tool_use", "server_tool_use", "mcp_tool_use"])
_RECAP_HINT = "(disable recaps in /config)"
_CLIENT = "<"  # `<synthetic>`: the client speaks for the agent, no model was asked
_MOST_TOKENS = 2**53
_MOST_DOLLARS = 1_000_000
_COUNTED = 4  # of what a message cost: its tokens, which fill the context

_DEPTH = 4  # how often a service's error is wrapped in another


def acted(line: Line, origin: Origin, clean: Cleaner) -> list[Event]:
    """Return the events of one line of an agent's message, in the order of its blocks."""
    message = line.message
    if message is None:
        return [Passed("assistant", origin)]
    content = message.content
    blocks = (
        [MessageBlock(type="text", text=content)]
        if isinstance(content, str)
        else content or []
    )
    if line.is_request_error is True:
        text = "\n".join(block.text for block in blocks if block.text)
        return [RequestFailed(origin, clean.text(text, TARGET))]
    message_id = clean.identifier(message.id)
    events: list[Event] = []
    for block in blocks:
        if block.type == "text":
            text = block.text or ""
            if text and not text.isspace():
                kept = clean.said(text)
                events.append(AgentSaid(origin, message_id, kept, len(text)))
        elif block.type in _CALLS:
            events.append(called(block, origin, message_id, clean))
    model = clean.names[message.model]
    if model.startswith(_CLIENT):
        model = ""
    spent = _spent(message.usage, line.cost)
    tokens = sum(spent[:_COUNTED]) if spent else 0
    events.append(AgentSpent(origin, message_id, model, tokens, spent))
    return events


def _spent(usage: Usage | None, cost: object) -> Tokens | None:
    """Return what a line says its message cost; None where it says nothing."""
    if usage is None:
        return None
    return Tokens(
        counted((usage.tokens_in,)),
        counted((usage.tokens_cached,)),
        counted((usage.tokens_from_cache,)),
        counted((usage.tokens_out,)),
        _millionths(cost),
    )


def _millionths(cost: object) -> int:
    is_sum = type(cost) in (int, float) and 0 <= cost < _MOST_DOLLARS  # type: ignore[operator]  # a number, by its type
    return round(cost * 1_000_000) if is_sum else 0  # type: ignore[operator]  # the same


def counted(parts: Iterable[object]) -> int:
    """Return the sum of the parts that can be counts."""
    total = 0
    for part in parts:
        if type(part) is int and 0 <= part < _MOST_TOKENS:
            total += part
    return total


# What somebody typed behind the name of a skill that there is not.
_TYPED_BESIDE = "Args from unknown skill: "


def noted(line: Line, origin: Origin, clean: Cleaner) -> Sequence[Event]:
    """Return the events of a `system` line."""
    if line.subtype == "compact_boundary":
        return (_compacted(line.compaction, origin, clean),)
    if line.subtype == "api_error":
        return (RequestFailed(origin, clean.text(_complaint(line.error), TARGET)),)
    if isinstance(line.content, str) and (told := _told(line, origin, clean)):
        return told
    return (Passed(f"system/{clean.names[line.subtype]}", origin),)


def _told(line: Line, origin: Origin, clean: Cleaner) -> Sequence[Event]:
    """Return the events of what a `system` line says in words."""
    words = str(line.content)
    if line.subtype == "away_summary":
        recap = words.strip().removesuffix(_RECAP_HINT).rstrip()
        return (Recapped(origin, clean.text(recap, AGENT_TEXT)),)
    if line.subtype == "local_command":
        return ran(words, origin, clean)
    if words.startswith(_TYPED_BESIDE):
        return said([words.removeprefix(_TYPED_BESIDE)], origin, clean)
    return ()


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
