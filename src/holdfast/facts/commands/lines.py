"""What a command line is made of, and of which of its commands its status says nothing.

`which pytest && pytest || echo none` ends well whether the tests ran, failed or passed.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from holdfast.facts.commands.places import ShellPlace
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

_HEREDOC = pattern(r"<<-?\s*(['\"]?)(\w+)\1.*?(?:\n\2\b|\Z)", re.DOTALL)
_SEPARATOR = pattern(r"&&|\|\||;|\n|\|(?!\|)")
_QUOTED = pattern(r"'[^']*'|\"(?:\\.|[^\"\\])*\"", re.DOTALL)
# Behind `||`: what went before it did go well, or the whole would have failed.
_GIVES_UP = pattern(r"\s*(?:false|(?:exit|return)(?:\s+(?!0\b)\S+)?)\s*$")
_ALWAYS_WELL = pattern(r"\s*(?:true|:|exit\s+0|(?:echo|printf)\b[^>]*)\s*$", re.DOTALL)
_FAILS_WITH_ANY = pattern(r"\s*set\s.*\bpipefail\b")
_STOPS_AT_FAILURE = pattern(r"\s*set\s+-(?:\w*e|o\s+errexit\b)")


class Segment(NamedTuple):
    """One command of a line."""

    text: str
    after: str  # the operator behind it, or nothing
    place: str = ""  # the directory it runs in, where that is not the session's own


def segments_of(line: str, cwd: str = "") -> Iterator[Segment]:
    """Yield the commands of a line, here-documents left out. Paths are seen from `cwd`,
    the session's own directory."""
    bare = _HEREDOC.sub("", line.replace("\\\n", " "))
    masked = _QUOTED.sub(lambda quoted: "\0" * len(quoted[0]), bare)
    places = ShellPlace(cwd)
    start = 0
    for separator in _SEPARATOR.finditer(masked):
        text = bare[start : separator.start()]
        yield Segment(text, separator[0], places.of(text))
        start = separator.end()
    yield Segment(bare[start:], "", places.of(bare[start:]))


def hidden_in(segments: Sequence[Segment]) -> Iterator[Segment]:
    """Yield the commands that may have failed, or not run, though the line went well."""
    lists = list(_lists(segments))
    for commands in lists:
        yield from commands[: _proven_from(commands)]
    if (
        lists
        and len(lists[-1]) == 1
        and _ALWAYS_WELL.match(lists[-1][0].text)
        and not any(_STOPS_AT_FAILURE.match(one.text) for one in segments)
    ):
        for commands in lists[:-1]:
            yield from commands


def piped_in(segments: Sequence[Segment]) -> Iterator[Segment]:
    """Yield the commands whose status a pipe took: `make | tail` ends as `tail` does."""
    if not any(_FAILS_WITH_ANY.match(one.text) for one in segments):
        yield from (one for one in segments if one.after == "|")


def is_told_by_status(segments: Sequence[Segment]) -> bool:
    """Say whether a line that ends well can only have done so because all of it did."""
    *before, _ = segments
    return all(one.after == "&&" for one in before)


def _lists(segments: Sequence[Segment]) -> Iterator[list[Segment]]:
    """Yield what stands between `;` and line breaks."""
    commands: list[Segment] = []
    for segment in segments:
        if segment.text.strip():
            commands.append(segment)
        if commands and segment.after in ("", ";", "\n"):
            yield commands
            commands = []


def _proven_from(commands: Sequence[Segment]) -> int:
    """Return the place behind the last `||` and the command that it may have run."""
    places = (
        place + 2
        for place, (one, other) in enumerate(pairwise(commands))
        if one.after == "||" and not _GIVES_UP.match(other.text)
    )
    return max(places, default=0)
