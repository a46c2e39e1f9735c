"""Stop: a turn ended."""

from holdfast.app.hooks.event import HookContext, HookEvent, Reply
from holdfast.app.hooks.stop import stop


def answer(event: HookEvent, context: HookContext) -> Reply:
    return stop(event, context)
