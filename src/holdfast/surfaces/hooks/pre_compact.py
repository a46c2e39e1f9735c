"""PreCompact: save before the conversation is cut short."""

from holdfast.app.hooks.compact import save_before
from holdfast.app.hooks.event import HookContext, HookEvent, Reply


def answer(event: HookEvent, context: HookContext) -> Reply:
    if not (context.is_headless and context.settings.headless == "off"):
        save_before(event, context)
    return Reply()
