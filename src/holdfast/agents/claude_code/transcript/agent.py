"""From an agent's line to events: what it said, which tools it called, what it spent."""

from collections.abc import Iterable

from holdfast.agents.claude_code.transcript.calls import called
from holdfast.agents.claude_code.transcript.lines import Block, Line
from holdfast.agents.clean import AGENT_TEXT, TARGET, Cleaner
from holdfast.domain.event import (
    AgentSaid,
    AgentSpent,
    Event,
    Origin,
    Passed,
    RequestFailed,
)

_CALLS = frozenset(["tool_use", "server_tool_use", "mcp_tool_use"])
_CLIENT = "<"  # `<synthetic>`: the client speaks for the agent, no model was asked
_MOST_TOKENS = 2**53


def acted(line: Line, origin: Origin, clean: Cleaner) -> list[Event]:
    """Return the events of one line of an agent's message, in the order of its blocks."""
    message = line.message
    if message is None:
        return [Passed("assistant", origin)]
    content = message.content
    blocks = (
        [Block(type="text", text=content)]
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
                kept = clean.text(text, AGENT_TEXT)
                events.append(AgentSaid(origin, message_id, kept, len(text)))
        elif block.type in _CALLS:
            events.append(called(block, origin, message_id, line.cwd, clean))
    model = clean.names[message.model]
    if model.startswith(_CLIENT):
        model = ""
    usage = message.usage
    tokens = (
        0
        if usage is None
        else counted(
            (
                usage.tokens_in,
                usage.tokens_cached,
                usage.tokens_from_cache,
                usage.tokens_out,
            )
        )
    )
    events.append(AgentSpent(origin, message_id, model, tokens))
    return events


def counted(parts: Iterable[object]) -> int:
    """Return the sum of the parts that can be counts."""
    total = 0
    for part in parts:
        if type(part) is int and 0 <= part < _MOST_TOKENS:
            total += part
    return total
