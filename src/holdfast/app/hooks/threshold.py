"""Decide by how full the context is whether to save or to remind."""

from holdfast.kernel.lazy_values import dataclass

# What the client keeps free: it compacts by itself this many tokens before the end.
_KEPT_FREE = 33_000
_MILLION = 1_000_000
_USUAL = 200_000
_FAMILIES = ("claude-opus", "claude-sonnet", "claude-haiku", "claude-3", "claude-fable")
_LONG_SESSION = 200  # messages
_BETWEEN_NUDGES = 40
# A checkpoint is recommended where all three hold.
_ENOUGH_TOKENS, _ENOUGH_CALLS = 5_000, 3
_HOUR = 3_600
_DAY = 24 * _HOUR
_KEEP_THEM = "keep the work with /holdfast:checkpoint"


def window_of(model: str, seen: int = 0) -> int | None:
    """Return a model's context window; None if it is not known.

    `seen` is what the client's status line said. The suffix `[1m]` tells a long one.
    """
    if seen > 0:
        return seen
    name = model.strip().lower()
    if name.endswith("[1m]"):
        return _MILLION
    return _USUAL if name.startswith(_FAMILIES) else None


def percent_full(tokens: int, window: int | None) -> float | None:
    """Return how full the context is, of the point where the client compacts."""
    if window is None or window <= _KEPT_FREE or tokens <= 0:
        return None
    return 100 * tokens / (window - _KEPT_FREE)


@dataclass(frozen=True, slots=True)
class Crossing:
    """Whether to save now, and whether the threshold counts as crossed from here on."""

    save: bool
    crossed: bool


def crossing(percent: float | None, threshold: int, *, crossed: bool) -> Crossing:
    """Save once when the threshold is crossed; falling below arms it again."""
    if percent is None:
        return Crossing(save=False, crossed=crossed)
    above = percent >= threshold
    return Crossing(save=above and not crossed, crossed=above)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsaved:
    """A session's work as far as a reminder asks for it."""

    messages: int
    since_save: int  # messages
    since_nudge: int  # messages
    tokens: int
    calls: int
    seconds: int  # since the last checkpoint, or since the session began


def nudge(work: Unsaved) -> str | None:
    """Return the reminder that is due: a long session, or a day of work, unsaved."""
    if work.since_nudge < _BETWEEN_NUDGES and work.since_nudge < work.messages:
        return None
    if work.messages > _LONG_SESSION and work.since_save >= _BETWEEN_NUDGES:
        return f"{work.since_save} messages since the last checkpoint; {_KEEP_THEM}"
    is_stale = work.seconds >= _DAY
    if is_stale and work.tokens >= _ENOUGH_TOKENS and work.calls >= _ENOUGH_CALLS:
        return f"No checkpoint for {work.seconds // _HOUR} hours; {_KEEP_THEM}"
    return None
