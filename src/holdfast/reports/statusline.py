"""The line under the agent's prompt: unsaved work, how full the context is, the last save.

Short, and the most important first: a client cuts off what does not fit.
"""

from holdfast.domain.amounts import counted, short_age
from holdfast.domain.text import one_line
from holdfast.kernel.lazy_values import dataclass

NOTHING = "holdfast"
_OFF = "holdfast off"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What there is to say. `files` is None where there is too much new to count."""

    is_off: bool = False  # the user wants nothing saved here: then nothing is unsaved
    is_unsaved: bool = False
    files: int | None = 0
    added: int = 0
    removed: int = 0
    percent: float | None = None  # of the point where the client compacts
    last: str | None = None  # the session's last checkpoint
    number: int = 0
    saved_at: int = 0


def status_line(standing: Standing, now_ms: int, columns: int | None = None) -> str:
    """Return the fullest form that fits into `columns`."""
    forms = (_full(standing, now_ms), _short(standing, now_ms), _shortest(standing))
    lines = [" · ".join(filter(None, form)) or NOTHING for form in forms]
    if columns is None:
        return lines[0]
    fitting = (line for line in lines if len(line) <= columns)
    return next(fitting, one_line(lines[-1], columns))


def _full(standing: Standing, now_ms: int) -> tuple[str, str, str]:
    context = f"context {standing.percent:.0f} %" if standing.percent else ""
    return _work(standing), context, _last(standing, now_ms)


def _short(standing: Standing, now_ms: int) -> tuple[str, str, str]:
    return _mark(standing), _percent(standing), _last(standing, now_ms)


def _shortest(standing: Standing) -> tuple[str, str]:
    return _mark(standing), _percent(standing)


def _work(standing: Standing) -> str:
    if not standing.is_unsaved:
        return _mark(standing)
    if standing.files is None:
        return "● unsaved work"
    if not standing.files:
        return "● unsaved"
    lines = f"+{standing.added} −{standing.removed}"
    return f"● unsaved: {counted(standing.files, 'file')}, {lines}"


def _mark(standing: Standing) -> str:
    if standing.is_off:
        return _OFF
    if standing.is_unsaved:
        return "● unsaved"
    return "" if standing.last is None else "✓ saved"


def _percent(standing: Standing) -> str:
    return f"{standing.percent:.0f} %" if standing.percent else ""


def _last(standing: Standing, now_ms: int) -> str:
    if standing.last is None:
        return ""
    return f"{standing.number:05d} {short_age(now_ms, standing.saved_at)}"
