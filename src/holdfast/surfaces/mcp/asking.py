"""Asking the user a yes-or-no question through the client, where it lets us."""

from typing import Any

from mcp.server.elicitation import AcceptedElicitation, render_elicitation_schema
from mcp.server.mcpserver import Context
from mcp.types import (
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)
from mcp_types.version import is_version_at_least
from pydantic import BaseModel, Field

# From here on a question is an answer of its own, and the client calls again.
_QUESTIONS_RETURNED = "2026-07-28"
_QUESTION = "agrees"


class Consent(BaseModel):
    """The form the user fills in."""

    yes: bool = Field(description="do it")


async def agrees(
    ctx: Context[Any, Any], question: str, *, unasked: bool = False
) -> bool | InputRequiredResult:
    """Return whether the user agrees, or the question for the client to put.

    `unasked` where there is nobody to ask. A call asks one question at most.
    """
    if not _can_ask(ctx):
        return unasked
    if is_version_at_least(ctx.protocol_version or "", _QUESTIONS_RETURNED):
        given = (ctx.input_responses or {}).get(_QUESTION)
        if not isinstance(given, ElicitResult):
            return _returned(question)
        return given.action == "accept" and (given.content or {}).get("yes") is True
    answer = await ctx.elicit(question, Consent)
    return isinstance(answer, AcceptedElicitation) and answer.data.yes


def _can_ask(ctx: Context[Any, Any]) -> bool:
    client = ctx.client_capabilities
    elicitation = client.elicitation if client else None
    if elicitation is None:
        return False
    return elicitation.form is not None or elicitation.url is None


def _returned(question: str) -> InputRequiredResult:
    form = ElicitRequestFormParams(
        message=question, requested_schema=render_elicitation_schema(Consent)
    )
    return InputRequiredResult(input_requests={_QUESTION: ElicitRequest(params=form)})
