"""SessionEnd: the request is on disk at once, the save follows in a process of its own."""

from holdfast.app.hooks.end import end_request, try_carry_out
from holdfast.app.hooks.event import HookContext, HookEvent, Reply
from holdfast.domain.client import EndRequest
from holdfast.surfaces.hooks.detach import detached, run_requests, running_for

_LIMIT = 0.9  # seconds of the client's 1.5 that we wait, its start included


def answer(event: HookEvent, context: HookContext) -> Reply:
    context.markers.drop(event.session_id)  # there is no next prompt
    request = end_request(event, context)
    if request is None:
        return Reply()
    try:
        context.requests.add(request)
    except OSError:
        # A disk that takes no request may still take the save, from the spool's reserve.
        detached(lambda: _carry_out(request, context), _LIMIT - running_for())
        return Reply()
    run_requests(context, _LIMIT - running_for())
    return Reply()


def _carry_out(request: EndRequest, context: HookContext) -> None:
    try_carry_out(request, context)
