"""How much of a session its state keeps, and what stays of a turn far back."""

from holdfast.domain.event import EDITING
from holdfast.domain.session import Call, Turn
from holdfast.kernel.lazy_tuples import NamedTuple


class Bounds(NamedTuple):
    """How much of a turn is kept."""

    calls: int
    said_first: int
    said_last: int
    lines: int


class StateLimits(NamedTuple):
    """How much of a session is kept, so that memory stays flat at any length."""

    main: Bounds = Bounds(calls=400, said_first=5, said_last=25, lines=20_000)
    # A sub-agent's chain is never rewound: its last line is kept to count lines.
    sub_agent: Bounds = Bounds(calls=100, said_first=1, said_last=9, lines=1)
    agents: int = 100
    detailed_turns: int = 1_000  # older ones are thinned
    look_back: int = 50  # turns before the last in which a result looks for its call


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
