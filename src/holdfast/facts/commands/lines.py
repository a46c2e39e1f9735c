"""What a command line is made of: its commands, where each runs, and whether it went well.

`which pytest && pytest || echo none` ends well whether the tests ran, failed or passed.
`cd apps/api && npm test` is another command than the same in `apps/web`. A directory
below the session's own is told from there, any other by its whole path. Where a shell
stands that was moved by an earlier line is not known: `cd ..` tells nothing.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

_HEREDOC = pattern(r"<<-?\s*(['\"]?)(\w+)\1.*?(?:\n\2\b|\Z)", re.DOTALL)
_SEPARATOR = pattern(r"&&|\|\||;|\n|\|(?!\|)")
# What a separator in it does not divide, and remarks, which go on to the end of the line.
_QUOTED = pattern(r"(?<!\S)#[^\n]*|\\.|'[^']*'|\"(?:\\.|[^\"\\])*\"", re.DOTALL)
_QUOTED_TO_THE_END = pattern(
    r"(?<!\S)#[^\n]*|\\.|'[^']*(?:'|\Z)|\"(?:\\.|[^\"\\])*(?:\"|\\?\Z)", re.DOTALL
)
_CUT = 1_900  # characters: a line of this length may have lost its end
_RUNS = pattern(r"\$\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|`[^`]*`")

# Behind `||`: what went before it did go well, or the whole would have failed.
_GIVES_UP = pattern(r"\s*(?:false|(?:exit|return)(?:\s+(?!0\b)\S+)?)\s*$")
_ALWAYS_WELL = pattern(r"\s*(?:true|:|exit\s+0|(?:echo|printf)\b[^>]*)\s*$", re.DOTALL)
_FAILS_WITH_ANY = pattern(r"\s*set\s.*\bpipefail\b")
_STOPS_AT_FAILURE = pattern(r"\s*set\s+-(?:\w*e|o\s+errexit\b)")

_MOVES = pattern(
    r"(?:cd|pushd)(?:\s+--?[LP]?)?\s+(\"[^\"]*\"|'[^']*'|[^\s\"';&|<>()]+)"
    r"(?:\s*\d?>\s*/dev/null)?[\s)]*$"
)
_DRIVE = pattern(r"([A-Za-z]):[\\/]+")
_COMES_BACK = ("popd", "cd")
_UNKNOWN = ("$", "`", "*", "?", "~")


class Segment(NamedTuple):
    """One command of a line."""

    text: str
    after: str  # the operator behind it, or nothing
    place: str = ""  # the directory it runs in, where that is not the session's own


@lru_cache(maxsize=4096)  # every pass asks, and sessions repeat themselves
def segments_of(line: str, cwd: str = "") -> tuple[Segment, ...]:
    """Return the commands of a line, here-documents left out. Paths are seen from `cwd`,
    the session's own directory."""
    return tuple(_segments(line, cwd))


def _segments(line: str, cwd: str) -> Iterator[Segment]:
    bare = _HEREDOC.sub("", line.replace("\\\n", " "))
    quoted = _QUOTED if len(line) < _CUT else _QUOTED_TO_THE_END
    if "#" in bare:
        bare = quoted.sub(lambda one: "" if one[0][0] == "#" else one[0], bare)
    masked = quoted.sub(_masked, bare)
    if "$(" in masked or "`" in masked:
        masked = _RUNS.sub(_masked, masked)
    places = ShellPlace(cwd)
    start = 0
    for separator in _SEPARATOR.finditer(masked):
        text = bare[start : separator.start()]
        yield Segment(text, separator[0], places.of(text))
        start = separator.end()
    yield Segment(bare[start:], "", places.of(bare[start:]))


def _masked(found: re.Match[str]) -> str:
    return "\0" * len(found[0])


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


class ShellPlace:
    """Where a shell stands, from one command of a line to the next."""

    __slots__ = ("_cwd", "_outer", "_place")

    def __init__(self, cwd: str) -> None:
        self._cwd = plain_path(without_drive(cwd))
        self._place = ""
        self._outer: list[str] = []  # where each open `(` began

    def of(self, command: str) -> str:
        """Return where a command runs, and go where it goes."""
        bare = command.strip().lstrip("{ ")
        text = bare.lstrip("( ")
        self._outer += [self._place] * bare[: len(bare) - len(text)].count("(")
        place = self._place
        if moves := _MOVES.match(text):
            self._place = self._moved(moves[1].strip("\"'"))
        elif text.rstrip(" )") in _COMES_BACK:
            self._place = ""
        for _ in range(len(text) - len(text.rstrip(")"))):
            if self._outer:
                self._place = self._outer.pop()
        return place

    def _moved(self, named: str) -> str:
        to = without_drive(named)
        if to == "-" or any(sign in to for sign in _UNKNOWN):
            return ""
        place = plain_path(
            to if to.startswith("/") else f"{self._place}/{to}".lstrip("/")
        )
        if self._place.startswith("/") and not to.startswith("/"):
            place = plain_path(f"{self._place}/{to}")
        if not place.startswith("/"):
            return "" if place.startswith("..") else place
        if not self._cwd or place == self._cwd:
            return ""
        return place.removeprefix(f"{self._cwd}/")


@lru_cache(maxsize=4096)  # every pass asks
def without_drive(path: str) -> str:
    """Return a path of Windows as a shell there writes it: `C:\\Users` is `/c/Users`."""
    drive = _DRIVE.match(path)
    if drive is None:
        return path
    return f"/{drive[1].lower()}/{path[drive.end() :]}".replace("\\", "/")


@lru_cache(maxsize=256)
def plain_path(path: str) -> str:
    """Return a path without `.` and, where it can be told, without `..`."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/" * path.startswith("/") + "/".join(parts)
