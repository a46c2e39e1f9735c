"""Telling the client that a long save is still at work."""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

import anyio

T = TypeVar("T")
SECONDS_BETWEEN = 1.0


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
