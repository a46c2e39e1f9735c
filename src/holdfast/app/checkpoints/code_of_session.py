"""The code's side of a save: where it stands, its snapshot, and what that leaves out.

The code as it lies there now belongs to a session that is at work or has only just
ended. Of one that ended long ago it says nothing, and keeping it may cost much.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from holdfast.domain.code import NOT_LISTED, LeftOut
from holdfast.domain.text import storable
from holdfast.kernel.lazy_values import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.app.checkpoints.drafting import SaveRequest
    from holdfast.app.ports import Ports
    from holdfast.domain.code import CodeState
    from holdfast.domain.session import SessionState

OVER = (
    "the session ended long ago, so the current code is not from it;"
    " `holdfast save --project .` keeps that all the same"
)
_MOST_LEFT_OUT = 100  # a record lists; more are counted
_HOUR = 3_600_000  # ms
# The code as it is now is not the code these saves speak of, or nobody wants it.
_WITHOUT_CODE = frozenset(["headless", "rescue", "backfill", "import"])


def code_of(
    directory: str, request: SaveRequest, session: SessionState, ports: Ports
) -> CodeState:
    """Return where the code stands, with its snapshot unless it is not this session's."""
    state = ports.code.state(directory)
    if request.trigger in _WITHOUT_CODE:
        return state
    if is_long_over(request, session, ports.clock.now_ms()):
        return replace(state, reason=OVER)
    taken = ports.snapshots.take(directory, ports.limits, request.code_seconds)
    left_out = shown_left_out(taken.left_out)
    reason = taken.reason or state.reason
    return replace(state, tree=taken.tree, left_out=left_out, reason=reason)


def is_long_over(request: SaveRequest, session: SessionState, now_ms: int) -> bool:
    """Say whether a session is neither at work nor has written a line in the last hour.

    Who names the project says whose code is meant.
    """
    if request.is_at_work or request.directory_given or not session.ended_at:
        return False
    return now_ms - session.ended_at > _HOUR


def shown_left_out(left_out: Sequence[LeftOut]) -> tuple[LeftOut, ...]:
    """Return what a record keeps of a list that may be long.

    A reason that holds for few files is not hidden behind one that holds for thousands.
    """
    listed = list(left_out)
    if len(listed) > _MOST_LEFT_OUT:
        often = Counter(left.reason for left in left_out)
        listed.sort(key=lambda left: often[left.reason])
        listed = sorted(listed[:_MOST_LEFT_OUT], key=lambda left: left.path)
    shown = [replace(left, path=_storable_path(left.path)) for left in listed]
    if more := len(left_out) - len(shown):
        shown.append(LeftOut(NOT_LISTED, f"{more:,} more"))
    return tuple(shown)


def _storable_path(path: str) -> str:
    r"""Return a path as a record can keep it; bytes that are not UTF-8 as `\xNN`."""
    raw = path.encode("utf-8", "surrogateescape")
    return storable(raw.decode("utf-8", "backslashreplace"))
