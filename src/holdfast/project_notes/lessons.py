"""How far a lesson is trusted: it grows when seen again, falls when it did not hold."""

from datetime import date

from holdfast.domain.memory import Trust
from holdfast.kernel.lazy_values import replace

LOWEST, HIGHEST = 0.3, 0.9
_STEP = 0.1
_RAISES = (3, 6, 9)  # observations after which trust grows
_ARCHIVED_BELOW, _ARCHIVED_AFTER_DAYS = 0.4, 90


def observed(trust: Trust, today: str) -> Trust:
    """Return trust after the lesson was seen or applied again."""
    obs = trust.obs + 1
    conf = min(HIGHEST, round(trust.conf + _STEP, 2)) if obs in _RAISES else trust.conf
    return replace(trust, conf=max(conf, trust.conf), seen=today, obs=obs)


def violated(trust: Trust, today: str) -> Trust:
    """Return trust after the lesson was not followed and the user corrected that."""
    conf = max(LOWEST, round(trust.conf - _STEP, 2))
    return replace(trust, conf=min(conf, trust.conf), seen=today)


def is_archived(trust: Trust | None, today: str) -> bool:
    """Say whether a lesson is little trusted and was not seen for long."""
    if trust is None:
        return False
    age = days_between(trust.seen, today)
    return (
        age is not None and trust.conf < _ARCHIVED_BELOW and age > _ARCHIVED_AFTER_DAYS
    )


def days_between(first: str, second: str) -> int | None:
    """Return the days from one date to another; None where one is no date."""
    try:
        return (date.fromisoformat(second) - date.fromisoformat(first)).days
    except ValueError:
        return None
