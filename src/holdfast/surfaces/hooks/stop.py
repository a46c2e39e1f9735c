"""Stop: a turn ended."""

from holdfast.app.event import Hands, HookEvent, Reply
from holdfast.app.stop import stop


def answer(event: HookEvent, hands: Hands) -> Reply:
    return stop(event, hands)
