"""A report for a bug, without anything personal: the words of others never get in. Pure.

Not a filter over text, which would miss something one day: each part is built from what
is known to say nothing about anyone, and free text is cut down to its form.
"""

from collections.abc import Iterable, Mapping, Sequence

from holdfast.domain.query import HealthResult
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

_COMMAND = pattern(r"`(holdfast(?: [a-z]+)?(?: --[a-z-]+)*|--[a-z-]+)`")
_MOMENT = r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"
_FOREIGN = pattern(r"`.*`|[`~/\\].*|ccp-.*|[0-9a-f]{8}-[0-9a-f-]+|\b[0-9a-f]{12,}\b")
_STARTED = pattern(_MOMENT + r" (\w+): ?(?:([A-Z]{3,5}_\d{3})\b)?.*")
_FRAME = pattern(r'\s*File ".*[/\\](holdfast/[\w/]+\.py)", line (\d{1,6}), in .*')
_RAISED = pattern(r"([A-Za-z_][\w.]*)(?::.*)?")
_PLAIN = (bool, int)


class HarmlessNames(NamedTuple):
    """The names that say nothing about anyone: ours, and the language's."""

    events: frozenset[str]
    codes: frozenset[str]
    files: frozenset[str]
    exceptions: frozenset[str]


def bundle(
    versions: Mapping[str, str],
    settings: Mapping[str, tuple[object, str]],
    findings: Iterable[HealthResult],
    sizes: Sequence[tuple[str, int, int]],
    log: Iterable[str],
) -> str:
    """Return the report as Markdown, ready to paste; `log` is what `log_lines` told."""
    return "\n".join(
        [
            "### holdfast, a report",
            "",
            *(f"- {name} {value}" for name, value in versions.items()),
            "",
            "#### doctor",
            "",
            *(f"- {f.state} {f.name}: {without_names(f.message)}" for f in findings),
            "",
            "#### settings that are not the default",
            "",
            *(_setting(*each) for each in settings.items() if each[1][1] != "default"),
            "",
            "#### sizes (name, how many, bytes)",
            "",
            *(f"- {name} {count} {octets}" for name, count, octets in sizes),
            "",
            "#### log",
            "",
            *log,
            "",
        ]
    )


def without_names(text: str) -> str:
    """Return a message of ours without what it quotes: no path, no id, no name.

    A name may hold spaces, colons and backticks, so what stands between the first sign of
    one and its last goes with it; what comes after a colon may be anybody's words.
    """
    bare, colon, _ = _COMMAND.sub(r"\1", text).partition(": ")
    return _FOREIGN.sub("…", bare) + (": …" if colon else "")


def log_lines(lines: Iterable[str], known: HarmlessNames) -> list[str]:
    """Return what a log says about us: when, which event, which error, which line."""
    told = []
    for line in lines:
        if found := _STARTED.fullmatch(line):
            event = found[2] if found[2] in known.events else "…"
            code = f" {found[3]}" if found[3] in known.codes else ""
            told.append(f"- {found[1]} {event}{code}")
        elif (found := _FRAME.fullmatch(line)) and found[1] in known.files:
            told.append(f"  - {found[1]}:{found[2]}")
        elif (found := _RAISED.fullmatch(line)) and found[1] in known.exceptions:
            told.append(f"  - {found[1]}")
    return told


def _setting(name: str, setting: tuple[object, str]) -> str:
    value, source = setting
    is_plain = isinstance(value, _PLAIN)
    return f"- {name} = {value if is_plain else '…'} (from {source})"
