"""Is it time to recommend a checkpoint? Three conditions, all at once."""

from holdfast.kernel.lazy_values import dataclass

TOKENS, TOOL_CALLS, HOURS = 5_000, 3, 24
_HOUR_MS = 3_600_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Accumulated:
    """What a session came to. `last_saved_at` is its newest checkpoint, if it has one."""

    tokens: int
    tool_calls: int
    now_ms: int
    last_saved_at: int | None


def why_save(seen: Accumulated) -> str:
    """Return why a checkpoint is recommended, or nothing where none is.

    A session that was never saved was not saved for long enough.
    """
    if seen.tokens < TOKENS or seen.tool_calls < TOOL_CALLS:
        return ""
    if seen.last_saved_at is None:
        return "none was made of this session"
    is_old = seen.now_ms - seen.last_saved_at >= HOURS * _HOUR_MS
    return "none was made for a day" if is_old else ""
