"""SessionStart: what a new session is told, and its own shell's variables."""

from holdfast.app.hooks.event import HookContext, HookEvent, Reply
from holdfast.app.hooks.start import start
from holdfast.surfaces.hooks.detach import run_pending

_PATIENCE = 1.0  # seconds for what was asked for before


def answer(event: HookEvent, context: HookContext) -> Reply:
    is_done = run_pending(context, _PATIENCE)
    reply = start(event, context, is_done=is_done)
    if reply.finish_later:
        context.close_store()
        run_pending(context, 0)
    return reply
