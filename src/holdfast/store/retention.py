"""Which checkpoints may go, because nobody will miss them?

Pure: rows in, ids out. Only what was saved by itself and is told again by a later
checkpoint of the same session is ever named, and what a headless run left.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from holdfast.domain.checkpoint import CheckpointType, Trigger
from holdfast.kernel.lazy_values import dataclass

REASON = "retention"  # of each tombstone
HEADLESS_DAYS = 7
_DAY_MS = 86_400_000
# Made at a moment that does not come back: the end of a session, or a rescue.
_KEPT_TRIGGERS = frozenset[Trigger](
    ["exit", "clear", "compact", "rescue", "restore", "backfill", "import"]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionRow:
    """What retention needs to know of a checkpoint."""

    checkpoint_id: str
    session_id: str
    sequence: int
    type: CheckpointType
    trigger: Trigger
    created_at: int
    named: bool
    tree: str | None = None  # the snapshot it names


def to_remove(
    rows: Iterable[RetentionRow], *, max_auto: int, after_days: int, now_ms: int
) -> tuple[str, ...]:
    """Return the ids that may go, by session and sequence.

    Those are headless records after 7 days, and ordinary automatic checkpoints that are
    superseded and either beyond the newest `max_auto` of their session or older than
    `after_days`. A session's last stays, and so does whatever has a name.
    """
    sessions: defaultdict[str, list[RetentionRow]] = defaultdict(list)
    for row in rows:
        sessions[row.session_id].append(row)
    return tuple(
        row.checkpoint_id
        for session in sorted(sessions)
        for row in _doomed(sessions[session], max_auto, after_days, now_ms)
    )


def trees_by_worth(rows: Iterable[RetentionRow]) -> tuple[str, ...]:
    """Return the trees that may go when code takes too much room, the first first.

    Those are of automatic checkpoints without a name, oldest first; a tree that any
    other checkpoint names is not among them, nor what a restore saved first.
    """
    told = tuple(rows)
    dear = {
        row.tree
        for row in told
        if row.type != "auto" or row.named or row.trigger == "restore"
    }
    cheap = (row.tree for row in told if row.tree and row.tree not in dear)
    return tuple(dict.fromkeys(cheap))


def _doomed(
    session: Sequence[RetentionRow], max_auto: int, after_days: int, now_ms: int
) -> list[RetentionRow]:
    headless = [row for row in session if _is_old_headless(row, now_ms)]
    staying = [row for row in session if not _is_old_headless(row, now_ms)]
    last = max((row.sequence for row in staying), default=0)
    ordinary = sorted(filter(_is_ordinary, staying), key=lambda row: row.sequence)
    beyond = len(ordinary) - max_auto
    superseded = [
        row
        for place, row in enumerate(ordinary)
        if row.sequence != last
        and (place < beyond or _is_older(row, after_days, now_ms))
    ]
    return sorted(headless + superseded, key=lambda row: row.sequence)


def _is_ordinary(row: RetentionRow) -> bool:
    return (
        row.type == "auto"
        and not row.named
        and row.trigger not in _KEPT_TRIGGERS
        and row.trigger != "headless"
    )


def _is_old_headless(row: RetentionRow, now_ms: int) -> bool:
    return row.trigger == "headless" and _is_older(row, HEADLESS_DAYS, now_ms)


def _is_older(row: RetentionRow, days: int, now_ms: int) -> bool:
    """A clock that jumped back makes a record look new, never old."""
    return now_ms - row.created_at > days * _DAY_MS
