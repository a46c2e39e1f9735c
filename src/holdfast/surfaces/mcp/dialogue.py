"""Words with the client during a call: that it is still at work, and a question to the
user where the client lets us put one.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

import anyio
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

T = TypeVar("T")
SECONDS_BETWEEN = 1.0
# From here on a question is an answer of its own, and the client calls again.
_QUESTIONS_RETURNED = "2026-07-28"
_QUESTION = "agrees"


class Tells(Protocol):
    """The part of a call's context that reports progress."""

    async def report_progress(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> Any: ...


async def while_telling(
    ctx: Tells,
    doing: str,
    work: Callable[[], Awaitable[T]],
    *,
    every: float = SECONDS_BETWEEN,
) -> T:
    """Do `work`, telling at once what is being done and again each `every` seconds.

    A client that asked for no progress is told nothing.
    """
    steps = 0

    async def tell() -> None:
        nonlocal steps
        while True:
            await ctx.report_progress(steps, message=doing)
            steps += 1
            await anyio.sleep(every)

    outcome: list[T] = []
    trouble: list[Exception] = []
    async with anyio.create_task_group() as telling:
        telling.start_soon(tell)
        try:
            outcome.append(await work())
        except Exception as problem:  # noqa: BLE001  # carried out of the task group, which would wrap it
            trouble.append(problem)
        telling.cancel_scope.cancel()
    if trouble:
        raise trouble[0]
    await ctx.report_progress(steps, steps, "done")
    return outcome[0]


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
