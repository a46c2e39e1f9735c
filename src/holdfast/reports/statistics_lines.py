"""Statistics as people read them: a line for each number, and small charts of the days.

What is not known is said, never drawn as zero.
"""

from collections.abc import Iterator, Mapping

from holdfast.domain.amounts import counted, short, size
from holdfast.domain.terminal_width import cut, folded, width
from holdfast.domain.text import plain
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.reports.changes import Styled
from holdfast.reports.log_lines import MADE_BY
from holdfast.reports.statistics import Statistics, Work

_LABEL = 12  # cells
_NAME = 20
_BAR = 24
_SHARES = 52  # what stands behind a bar
_LEAST = 4
_NARROWEST, _USUAL = 20, 80
_DAYS = 14  # that have a line of their own
_GRAPHED = 60  # days of work in the small chart above them
_MOST_TOOLS = 6
_TOLD = {
    "brief": "brief",
    "short": "short brief",
    "card": "card",
    "lost": "reminder after a compaction",
    "drift": "note of drift",
    "nothing": "start told nothing",
}
_BY = {"command": "by hand", "threshold": "full context", "clear": "before a clear"}
_HOUR, _MINUTE = 3600, 60


class Chart(NamedTuple):
    """What charts are drawn with: a bar's whole cell and its parts, small to large."""

    full: str = "█"
    parts: str = "▏▎▍▌▋▊▉"
    heights: str = "▁▂▃▄▅▆▇█"
    ellipsis: str = "…"

    def bar(self, value: int, most: int, cells: int) -> str:
        """Return a bar as long as a value among others; anything is seen."""
        steps = len(self.parts) + 1
        length = round(value * cells * steps / most) if most else 0
        whole, rest = divmod(max(length, 1 if value else 0), steps)
        return self.full * whole + (self.parts[rest - 1] if rest else "")

    def spark(self, values: list[int]) -> str:
        """Return a row of heights, one for each value; none is lower than something."""
        most = max(values, default=0)
        if not most:
            return ""
        top = len(self.heights) - 1
        return "".join(
            self.heights[-(-value * top // most)] if value else " " for value in values
        )


UNICODE_CHART = Chart()
ASCII_CHART = Chart("#", "", ".:-=+*#", "~")


class StatisticsViewer(NamedTuple):
    """How wide the screen is, and what it can show."""

    columns: int = 0  # 0: as wide as it gets
    chart: Chart = UNICODE_CHART


def statistics_lines(
    found: Statistics, viewer: StatisticsViewer
) -> Iterator[tuple[Styled, ...]]:
    """Yield everything there is to tell."""
    for label, text in _numbers(found):
        yield from _lines(label, text, viewer.columns)
    yield ()
    yield (("per day", "bold"), ("  (bars: what the agent said and did)", "dim"))
    yield from _days(found.days, viewer)
    for heading, works in (("project", found.projects), ("agent", found.agents)):
        if len(works) > 1:
            yield ()
            yield ((f"per {heading}", "bold"),)
            yield from _works(_short_names(works), viewer)
    yield ()
    yield (("holdfast's own", "bold"),)
    for label, text in _own(found):
        yield from _lines(label, text, viewer.columns)


def _lines(label: str, text: str, columns: int) -> Iterator[tuple[Styled, ...]]:
    room = max(_NARROWEST, columns - _LABEL)
    for part in folded(text, room).split("\n") if columns else (text,):
        yield ((f"{label:<{_LABEL}}", "dim"), (part, ""))
        label = ""


def _numbers(found: Statistics) -> Iterator[tuple[str, str]]:
    work = found.totals
    days = list(found.days)
    when = f", {days[0]} to {days[-1]}" if len(days) > 1 else f", {days[0]}"
    yield "sessions", f"{len(work.sessions):,}{when}"
    yield "checkpoints", f"{work.checkpoints:,}: {_made_by(found)}"
    yield "time", f"{_span(work.seconds)} from first to last message of each session"
    yield "prompts", _prompts(work)
    yield "messages", f"{work.messages:,}"
    yield "tool calls", f"{work.tool_calls:,}{_tools(found.tools)}"
    yield "files", f"{work.files:,} changed"
    yield "errors", f"{work.errors:,} met, {found.open_errors:,} open when last saved"
    yield "dead ends", f"{work.dead_ends:,}"
    yield "context", _context(found)
    yield "tokens", _tokens(work)
    yield "cost", _cost(work)


def _made_by(found: Statistics) -> str:
    told = MADE_BY | _BY
    return " · ".join(
        f"{count:,} {told.get(trigger, trigger)}"
        for trigger, count in found.triggers.items()
    )


def _prompts(work: Work) -> str:
    if not work.telling_prompts:
        return "unknown: these records do not hold them"
    return f"{work.prompts:,}{_of(work.telling_prompts, work)}"


def _tools(tools: Mapping[str, int]) -> str:
    named = [f"{plain(tool)} {count:,}" for tool, count in tools.items() if count]
    more = len(named) - _MOST_TOOLS
    rest = [f"{more} more"] if more > 0 else []
    told = " · ".join([*named[:_MOST_TOOLS], *rest])
    return f": {told}" if told else ""


def _context(found: Statistics) -> str:
    if not found.peak_tokens:
        return "unknown: the transcripts do not say how full it was"
    percent = found.peak_percent
    full = f" ({percent:.0f} % of the window)" if percent is not None else ""
    return f"{short(found.peak_tokens)} tokens at the fullest{full}"


def _tokens(work: Work) -> str:
    if not work.telling_tokens:
        return "unknown: neither the transcripts nor these records say"
    spent = work.spent
    told = (
        f"{short(spent.fresh)} in · {short(spent.cached)} from cache, "
        f"{short(spent.written)} into it · {short(spent.out)} out"
    )
    partly = f"; {counted(len(work.incomplete), 'session')} in part"
    return told + _of(work.telling_tokens, work, partly if work.incomplete else "")


def _cost(work: Work) -> str:
    if not work.telling_cost:
        return "unknown: the transcripts do not say"
    return f"${work.spent.cost / 1e6:,.2f}{_of(work.telling_cost, work)}"


def _of(telling: set[str], work: Work, partly: str = "") -> str:
    """Return how many sessions a number is of, where it is not of all."""
    if len(telling) == len(work.sessions) and not partly:
        return ""
    return f" ({len(telling):,} of {len(work.sessions):,} sessions say it{partly})"


def _days(
    days: Mapping[str, Work], viewer: StatisticsViewer
) -> Iterator[tuple[Styled, ...]]:
    if len(days) > _DAYS:
        recent = list(days.values())[-_GRAPHED:]
        spark = viewer.chart.spark([work.messages for work in recent])
        yield ((spark, "green"), (f"  the last {len(recent)} days with work", "dim"))
    yield from _works(dict(reversed(list(days.items())[-_DAYS:])), viewer)


def _works(
    works: Mapping[str, Work], viewer: StatisticsViewer
) -> Iterator[tuple[Styled, ...]]:
    most = max((work.messages for work in works.values()), default=0)
    longest = min(_NAME, max(map(width, works), default=0))
    room = (viewer.columns or _USUAL) - longest - _SHARES
    cells = max(_LEAST, min(_BAR, room))
    for name, work in works.items():
        shown = _fitted(name, longest, viewer.chart.ellipsis)
        bar = viewer.chart.bar(work.messages, most, cells)
        yield (
            (f"{shown}{' ' * (longest - width(shown))}  ", "cyan"),
            (f"{bar:<{cells}}  ", "green"),
            ("  ".join(_shares(work)), ""),
        )


def _shares(work: Work) -> Iterator[str]:
    yield f"{counted(len(work.sessions), 'session'):>11}"
    yield f"{counted(work.checkpoints, 'checkpoint'):>15}"
    if work.telling_tokens:
        yield f"{short(work.spent.out):>7} tokens out"


def _short_names(works: Mapping[str, Work]) -> dict[str, Work]:
    """Return works by the last part of a path; two that end alike stay whole."""
    ends = {name: plain(name).rstrip("/").rpartition("/")[2] or name for name in works}
    counts = list(ends.values())
    return {
        ends[name] if counts.count(ends[name]) == 1 else plain(name): work
        for name, work in sorted(works.items(), key=lambda one: -one[1].messages)
    }


def _own(found: Statistics) -> Iterator[tuple[str, str]]:
    own = found.own
    disk = f", {size(own.on_disk)} on disk" if own.on_disk is not None else ""
    yield (
        "kept",
        f"{counted(found.totals.checkpoints, 'record')}, {size(own.octets)}{disk}",
    )
    told = [
        _many(own.told[kind], noun)
        for kind, noun in _TOLD.items()
        if own.told.get(kind)
    ]
    said = f": {' · '.join(told)}" if told else ""
    yield "told", f"{own.told_tokens:,} tokens to models{said}"
    hooks = own.hooks
    cpu = f"{hooks.milliseconds / 1000:,.1f} s of processor time"
    read = f"{size(hooks.octets)} of transcripts read"
    yield "hooks", f"{counted(hooks.events, 'event')}, {cpu}, {read}"


def _many(count: int, noun: str) -> str:
    first, space, rest = noun.partition(" ")
    if first in ("start", "reminder", "note"):
        return counted(count, first) + space + rest
    return counted(count, noun)


def _span(seconds: int) -> str:
    hours, rest = divmod(seconds, _HOUR)
    minutes = rest // _MINUTE
    return f"{hours:,} h {minutes} min" if hours else f"{minutes} min"


def _fitted(text: str, room: int, ellipsis: str) -> str:
    shown = cut(text, room)
    return shown if shown == text else shown[:-1] + ellipsis
