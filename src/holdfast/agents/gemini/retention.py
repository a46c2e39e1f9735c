"""How long Gemini CLI lets a session lie: what its user's settings say, else 30 days."""

from __future__ import annotations

from typing import Any

from holdfast.agents.json_lines import decoded
from holdfast.kernel.files import read_or_none
from holdfast.kernel.lazy_patterns import pattern

_MOST = 1024 * 1024
_HOUR_MS = 3_600_000
_UNITS = {"h": _HOUR_MS, "d": 24 * _HOUR_MS, "w": 168 * _HOUR_MS, "m": 720 * _HOUR_MS}
_PERIOD = pattern(r"(\d{1,9})([hdwm])")
_USUAL = "30d"


def kept_ms(settings: str) -> int:
    """Return for how long after its last change a session stays; 0: for ever.

    Settings that cannot be read here, because of comments in them, are taken for none.
    """
    said = decoded(read_or_none(settings, limit=_MOST, follow_links=True) or b"")
    retention = _member(_member(said, "general"), "sessionRetention")
    if _member(retention, "enabled") is False:
        return 0
    age = _member(retention, "maxAge")
    if age is None and _member(retention, "maxCount") is not None:
        return 0  # only so many are kept: of none can be said when it goes
    period = _PERIOD.fullmatch(age if isinstance(age, str) else _USUAL)
    return int(period[1]) * _UNITS[period[2]] if period else 0


def _member(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None
