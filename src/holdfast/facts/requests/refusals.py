"""What the user would not let the agent do: a call refused, or a plan not accepted."""

from collections.abc import Sequence

from holdfast.domain.event import LOOKING, SHELL
from holdfast.domain.session import Call, Turn
from holdfast.facts.commands.runs import deed_of
from holdfast.facts.requests.requests import is_at_work, refused_by


def was_refused(call: Call) -> bool:
    """Say whether the user would not have a call: whatever it was, where the client
    says so; stopped without a word, one that would have done something."""
    if call.outcome != "interrupted":
        return call.outcome == "failed" and call.cause == "refused"
    if call.role in LOOKING or call.role == "ask":
        return False
    if call.role not in SHELL or call.cause == "refused":
        return True
    return bool(deed_of(call.target))


def waiting_plan(turns: Sequence[Turn]) -> Call | None:
    """Return the plan that was proposed last of all and is not accepted: it is to be
    decided, not to be avoided."""
    working = [turn for turn in turns if is_at_work(turn)][-2:]
    if len(working) > 1 and _is_only_said(working[1]):
        refused = refused_by(working[1], working[0])
        working = working[:1] if refused else working
    if not working or not working[-1].calls:
        return None
    last = working[-1]
    call = last.calls[-1]
    is_last = not (last.said and last.said[-1].at > call.at)
    is_waiting = call.outcome == "pending" or was_refused(call)
    return call if call.role == "plan" and is_last and is_waiting else None


def _is_only_said(turn: Turn) -> bool:
    """Say whether nothing followed the user's words yet."""
    return not (turn.said or turn.calls)
