"""What stays of a turn that lies very far back."""

from holdfast.domain.session import Call, Turn
from holdfast.domain.tool_roles import EDITING


def thinned(turn: Turn) -> Turn:
    """Return an old turn with its prompt, and of the rest what still matters.

    Its lines go, too: a rewind of more than a thousand turns is noticed only where it
    repeats a prompt's own parent.
    """
    calls = tuple(call for call in turn.calls if _matters_long(call))
    return Turn(
        uuid=turn.uuid,
        parent=turn.parent,
        at=turn.at,
        ended_at=turn.ended_at,
        prompt=turn.prompt,
        prompt_chars=turn.prompt_chars,
        via=turn.via,
        calls=calls,
        tools=turn.tools,
        messages=turn.messages,
        plan=turn.plan,
        interrupted=turn.interrupted,
        dropped=turn.dropped + len(turn.calls) - len(calls) + len(turn.said),
        after=turn.after,
    )


def _matters_long(call: Call) -> bool:
    return (
        call.role in EDITING
        or call.outcome in ("failed", "interrupted", "pending")
        or bool(call.todos or call.added or call.removed or call.created)
        or call.background
    )
