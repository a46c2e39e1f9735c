"""`context-log.md`: one episode a line, `[DATE] [TYPE] [ttl:90d] [ref:0] text`, and how
long one is worth knowing.

A comment at the end holds the sessions that were counted, so that one session counts
once. Lines of another form are a person's and come back as they were.
"""

from holdfast.domain.text import plain, unmarked
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import replace
from holdfast.project_notes.lines import (
    MOST_MEANT,
    as_item,
    ended,
    newline_of,
    split_lines,
)
from holdfast.project_notes.memory.entries import (
    MOST_TEXT,
    PROMOTED_AT,
    Episode,
    Outcome,
    alike,
)
from holdfast.project_notes.memory.lessons import days_between

HEADER = (
    "# Context log",
    "",
    "<!-- Format: [DATE] [TYPE] [ttl:permanent|90d|30d] [ref:N] text -->",
    "",
)
_LINE = pattern(
    r"^(?P<mark>(?:[-*][ \t]+)?)\[(?P<date>\d{4}-\d\d-\d\d)\] \[(?P<type>[^\]\n]{1,40})\]"
    r" \[ttl:(?P<ttl>permanent|\d{1,5}d)\] \[ref:(?P<ref>\d{1,6})\] (?P<text>.*?)"
    r"(?: <!-- hf(?P<owners>(?: [0-9a-f]{8})*)(?P<promoted> promoted)? -->)?[ \t]*$"
)
_PERMANENT = "permanent"
_TTL = {
    "DECISION": _PERMANENT,
    "ARCHITECTURE": _PERMANENT,
    "DECLINED": _PERMANENT,
    "STATE": "30d",
}
_USUAL_TTL = "90d"  # completions, plans, events, workflows


def episodes_in(text: str | None) -> tuple[Episode, ...]:
    """Return the episodes of a log in order."""
    found = []
    for place, line in enumerate(split_lines(text or "")):
        match = _LINE.match(line.rstrip("\r\n")) if len(line) <= MOST_MEANT else None
        if match:
            found.append(
                Episode(
                    match["date"],
                    match["type"],
                    match["ttl"],
                    int(match["ref"]),
                    match["text"],
                    tuple((match["owners"] or "").split()),
                    match["promoted"] is not None,
                    place,
                )
            )
    return tuple(found)


def episode_line(episode: Episode) -> str:
    return (
        f"  [{episode.date}] [{episode.type}] [ttl:{episode.ttl}] [ref:{episode.ref}]"
        f" {plain(episode.text)}"
    )


def with_episode(text: str | None, episode: Episode) -> tuple[str | None, Outcome]:
    """Return the log with an episode, or with one more reference to a known one.

    A session that was counted already changes nothing; without one, each call counts.
    """
    told = replace(episode, text=as_item(unmarked(episode.text), MOST_TEXT))
    lines = split_lines(text or "")
    newline = newline_of(text)
    for known in episodes_in(text):
        if known.type != told.type or not alike(known.text, told.text):
            continue
        if told.owners and set(told.owners) <= set(known.owners):
            return None, Outcome("known", told.text, known.text)
        owners = tuple(dict.fromkeys((*known.owners, *told.owners)))
        again = replace(known, ref=known.ref + 1, owners=owners)
        lines[known.line] = _again(lines[known.line], again)
        return "".join(lines), Outcome("observed", known.text)
    if not lines:
        lines = [line + newline for line in HEADER]
    ended(lines, newline)
    lines.append(_line(told) + newline)
    return "".join(lines), Outcome("added", told.text)


def with_promoted(text: str, episodes: list[Episode]) -> str:
    """Return the log with episodes marked as facts now."""
    lines = split_lines(text)
    for episode in episodes:
        promoted = replace(episode, is_promoted=True)
        lines[episode.line] = _again(lines[episode.line], promoted)
    return "".join(lines)


def without(text: str, episodes: list[Episode]) -> str:
    """Return the log without some episodes."""
    gone = {episode.line for episode in episodes}
    kept = (line for n, line in enumerate(split_lines(text)) if n not in gone)
    return "".join(kept)


def ttl_of(type_name: str) -> str:
    return _TTL.get(type_name, _USUAL_TTL)


def is_expired(episode: Episode, today: str) -> bool:
    """Say whether an episode outlived its time. A date that is none never does."""
    if episode.ttl == _PERMANENT:
        return False
    age = days_between(episode.date, today)
    return age is not None and age > int(episode.ttl.removesuffix("d"))


def is_promoted_now(episode: Episode) -> bool:
    """Say whether an episode came up often enough to be a fact, and is none yet."""
    return episode.ref >= PROMOTED_AT and not episode.is_promoted


def _again(line: str, episode: Episode) -> str:
    bare = line.rstrip("\r\n")
    match = _LINE.match(bare)
    return (match["mark"] if match else "") + _line(episode) + line[len(bare) :]


def _line(episode: Episode) -> str:
    owners = "".join(f" {owner}" for owner in episode.owners)
    promoted = " promoted" if episode.is_promoted else ""
    note = f" <!-- hf{owners}{promoted} -->" if owners or promoted else ""
    return (
        f"[{episode.date}] [{episode.type}] [ttl:{episode.ttl}] [ref:{episode.ref}]"
        f" {episode.text}{note}"
    )
