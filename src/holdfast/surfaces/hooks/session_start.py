"""SessionStart: what a new session is told, and its own shell's variables."""

from holdfast.app.hooks.event import Hands, HookEvent, Reply
from holdfast.app.hooks.start import start
from holdfast.surfaces.hooks.detach import caught_up

_PATIENCE = 1.0  # seconds for what was asked for before


def answer(event: HookEvent, hands: Hands) -> Reply:
    is_done = caught_up(hands, _PATIENCE)
    reply = start(event, hands, is_done=is_done)
    if reply.finish_later:
        hands.close_store()
        caught_up(hands, 0)
    return reply
