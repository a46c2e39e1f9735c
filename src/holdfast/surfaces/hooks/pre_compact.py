"""PreCompact: save before the conversation is cut short."""

from holdfast.app.hooks.compact import save_before
from holdfast.app.hooks.event import Hands, HookEvent, Reply


def answer(event: HookEvent, hands: Hands) -> Reply:
    if not (hands.is_headless and hands.wishes.headless == "off"):
        save_before(event, hands)
    return Reply()
