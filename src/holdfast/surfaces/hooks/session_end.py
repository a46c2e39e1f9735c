"""SessionEnd: the request is on disk at once, the save follows in a process of its own."""

from holdfast.app.hooks.end import end_request, is_settled
from holdfast.app.hooks.event import Hands, HookEvent, Reply
from holdfast.domain.client import EndRequest
from holdfast.surfaces.hooks.age import running_for
from holdfast.surfaces.hooks.detach import caught_up, detached

_LIMIT = 0.9  # seconds of the client's 1.5 that we wait, its start included


def answer(event: HookEvent, hands: Hands) -> Reply:
    hands.markers.drop(event.session_id)  # there is no next prompt
    request = end_request(event, hands)
    if request is None:
        return Reply()
    try:
        hands.requests.add(request)
    except OSError:
        # A disk that takes no request may still take the save, from the spool's reserve.
        detached(lambda: _carry_out(request, hands), _LIMIT - running_for())
        return Reply()
    caught_up(hands, _LIMIT - running_for())
    return Reply()


def _carry_out(request: EndRequest, hands: Hands) -> None:
    is_settled(request, hands)
