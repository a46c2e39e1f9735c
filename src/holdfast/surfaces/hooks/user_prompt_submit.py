"""UserPromptSubmit: the first prompt, and prompts that would clear the session."""

from holdfast.app.hooks.event import HookContext, HookEvent, Reply
from holdfast.app.hooks.guard import guard_clear
from holdfast.app.hooks.pending import read_pending
from holdfast.app.hooks.prompt import prompt
from holdfast.start.answers import answer_of
from holdfast.surfaces.hooks.detach import run_pending

# Seconds that a late save is waited for; somebody who asks for it waits longer.
_PATIENCE, _PATIENCE_IF_ASKED = 2.0, 6.0


def answer(event: HookEvent, context: HookContext) -> Reply:
    verdict = guard_clear(event, context)
    if verdict is not None and verdict.outcome == "block":
        return Reply(blocked=verdict.reason)
    if verdict is not None and verdict.outcome == "forced":
        return Reply(line=f"holdfast: {verdict.reason}")
    return prompt(event, context, is_done=_is_done(event, context))


def _is_done(event: HookEvent, context: HookContext) -> bool:
    waiting = read_pending(event.session_id, context.markers)
    if waiting is None or not waiting.late:
        return True
    context.close_store()  # the guard may have opened it
    is_asked = answer_of(event.prompt) == "resume"
    return run_pending(context, _PATIENCE_IF_ASKED if is_asked else _PATIENCE)
