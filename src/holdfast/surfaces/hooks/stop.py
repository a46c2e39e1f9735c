"""Stop: a turn ended."""

from holdfast.app.hooks.event import Hands, HookEvent, Reply
from holdfast.app.hooks.stop import stop


def answer(event: HookEvent, hands: Hands) -> Reply:
    return stop(event, hands)
