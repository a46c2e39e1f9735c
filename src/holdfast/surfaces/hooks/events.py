"""What is done at each event of the agent.

Each answer imports what it needs when it is asked: a hook answers one event, and half of
what it costs is imports.
"""

from collections.abc import Callable

from holdfast.app.hooks.event import HookContext, HookEvent, Reply

_END_LIMIT = 0.9  # seconds of the client's 1.5 that we wait, its start included
_START_PATIENCE = 1.0  # seconds for what was asked for before
# Seconds that a late save is waited for; somebody who asks for it waits longer.
_PATIENCE, _PATIENCE_IF_ASKED = 2.0, 6.0


def session_start(event: HookEvent, context: HookContext) -> Reply:
    """Tell a new session what it is told, and set its own shell's variables."""
    from holdfast.app.hooks.start import start
    from holdfast.surfaces.hooks.detach import run_pending

    is_done = run_pending(context, _START_PATIENCE)
    reply = start(event, context, is_done=is_done)
    if reply.finish_later:
        context.close_store()
        run_pending(context, 0)
    return reply


def session_end(event: HookEvent, context: HookContext) -> Reply:
    """Put the request on disk at once; the save follows in a process of its own."""
    from holdfast.app.hooks.end import end_request, try_carry_out
    from holdfast.surfaces.hooks.detach import detached, run_requests, running_for

    context.markers.drop(event.session_id)  # there is no next prompt
    request = end_request(event, context)
    if request is None:
        return Reply()
    try:
        context.requests.add(request)
    except OSError:
        # A disk that takes no request may still take the save, from the spool's reserve.
        detached(lambda: try_carry_out(request, context), _END_LIMIT - running_for())
        return Reply()
    run_requests(context, _END_LIMIT - running_for())
    return Reply()


def stop(event: HookEvent, context: HookContext) -> Reply:
    """Keep the fold up to date, for a turn ended."""
    from holdfast.app.hooks.stop import stop as end_turn

    return end_turn(event, context)


def pre_compact(event: HookEvent, context: HookContext) -> Reply:
    """Save before the conversation is cut short."""
    from holdfast.app.hooks.compact import save_before

    if not (context.is_headless and context.settings.headless == "off"):
        save_before(event, context)
    return Reply()


def user_prompt_submit(event: HookEvent, context: HookContext) -> Reply:
    """Answer the first prompt, and guard against prompts that clear the session."""
    from holdfast.app.hooks.guard import guard_clear
    from holdfast.app.hooks.prompt import prompt

    verdict = guard_clear(event, context)
    if verdict is not None and verdict.outcome == "block":
        return Reply(blocked=verdict.reason)
    if verdict is not None and verdict.outcome == "forced":
        return Reply(line=f"holdfast: {verdict.reason}")
    return prompt(event, context, is_done=_is_save_done(event, context))


def _is_save_done(event: HookEvent, context: HookContext) -> bool:
    from holdfast.app.hooks.continuity import read_pending
    from holdfast.start.explicit import asked_for
    from holdfast.start.resume_answers import answer_of
    from holdfast.surfaces.hooks.detach import run_pending

    waiting = read_pending(event.session_id, context.markers)
    if waiting is None or not waiting.late:
        return True
    context.close_store()  # the guard may have opened it
    asked = asked_for(event.prompt)
    is_asked = answer_of(event.prompt) == "resume" or bool(
        asked and asked.meant == "going on"
    )
    return run_pending(context, _PATIENCE_IF_ASKED if is_asked else _PATIENCE)


ANSWERS: dict[str, Callable[[HookEvent, HookContext], Reply]] = {
    "SessionStart": session_start,
    "SessionEnd": session_end,
    "Stop": stop,
    "PreCompact": pre_compact,
    "UserPromptSubmit": user_prompt_submit,
}
