"""Amounts as people say them: ages, spans of time, counts, sizes."""

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
# Up to which age (in seconds) a unit is told, in short and in words.
_UNITS = (
    (_MINUTE, 1, "s", "second"),
    (_HOUR, _MINUTE, "min", "minute"),
    (2 * _DAY, _HOUR, "h", "hour"),
    (14 * _DAY, _DAY, "d", "day"),
    (60 * _DAY, 7 * _DAY, "weeks", "week"),
    (730 * _DAY, 30 * _DAY, "months", "month"),
)
_YEAR = 365 * _DAY


def age(now_ms: int, then_ms: int) -> str:
    """Return how long ago something was, in words: `2 hours ago`."""
    count, _, unit = _age(now_ms, then_ms)
    if count == 0:
        return "just now"
    return f"{count} {unit}{'' if count == 1 else 's'} ago"


def short_age(now_ms: int, then_ms: int) -> str:
    """Return how long ago something was, in short: `2 h ago`."""
    count, unit, _ = _age(now_ms, then_ms)
    return f"{count} {unit} ago" if count else "just now"


def duration(seconds: int) -> str:
    """Return a span of time in its largest unit: `8 minutes`."""
    for size, unit in ((_HOUR, "hour"), (_MINUTE, "minute")):
        if seconds >= size:
            return counted(seconds // size, unit)
    return counted(seconds, "second")


def waiting_saves(count: int) -> str:
    return f"{counted(count, 'save')} wait{'s' if count == 1 else ''} for the store"


def counted(count: int, noun: str) -> str:
    """Return a number with its noun: `1 file`, `3 files`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _age(now_ms: int, then_ms: int) -> tuple[int, str, str]:
    seconds = max(0, now_ms - then_ms) // 1000
    for limit, size, short, long in _UNITS:
        if seconds < limit:
            return seconds // size, short, long
    return seconds // _YEAR, "years", "year"


def short(number: int) -> str:
    """Return a large number in short: `12.4 k`, `1.2 M`."""
    for unit, name in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        if number >= unit:
            return f"{number / unit:.1f} {name}"
    return str(number)


def size(octets: int) -> str:
    """Return how much room something takes."""
    shown = short(octets)
    return f"{shown}B" if " " in shown else counted(octets, "byte")
