"""What a session deleted for good with `rm -r`: a deed, where nothing of it was its own.

A directory that was made here, a place for temporary files and what a build makes anew
are none.
"""

from collections.abc import Iterator, Sequence

from holdfast.domain.checkpoint import Item
from holdfast.domain.session import Call
from holdfast.domain.text import one_line
from holdfast.facts.commands.lines import Segment, segments_of
from holdfast.kernel.lazy_patterns import pattern

_REMOVES = pattern(r"\s*(?:sudo\s+)?rm\s+(?:-\S+\s+)*(?:-\w*[rR]|--recursive)")
_MAKES = pattern(
    r"\s*(?:sudo\s+)?(?:mkdir|git\s+(?:clone|worktree\s+add)|cp|mv|unzip|tar|touch|ln)\s"
)
_PASSING = pattern(
    r"^(?:/private)?/(?:tmp|var/tmp|var/folders)/|/te?mp/|^te?mp/|[$`*?<>]|^-"
    r"|(?:^|/)(?:node_modules|dist|build|bin|obj|out|target|coverage|__pycache__|venv|\.(?!git/?$)[\w.-]+|\w+\.egg-info|te?mp)/?$"
)
_PROGRAMS = frozenset(["sudo", "rm"])
_MOST, _SHOWN = 4, 60


def deleted_by(calls: Sequence[Call]) -> tuple[Item, ...]:
    """Return what was deleted, in one item that names the last of it."""
    made: list[str] = []
    gone: dict[str, Call] = {}
    for call in calls:
        if call.created:
            made.append(call.target.replace("\\", "/"))
        elif call.role == "run" and call.outcome == "ok":
            gone |= dict.fromkeys(_gone_by(call, made), call)
    if not gone:
        return ()
    shown = [one_line(path, _SHOWN) for path in gone][-_MOST:]
    more = f" and {len(gone) - _MOST} more" if len(gone) > _MOST else ""
    lines = dict.fromkeys(line for call in gone.values() for line in call.evidence)
    told = f"Deleted: {', '.join(shown)}{more}"
    return (Item(told, "tool", tuple(lines)[-_MOST:]),)


def _gone_by(call: Call, made: list[str]) -> Iterator[str]:
    """Yield what a command deleted; note in `made` what it made."""
    for segment in segments_of(call.target):
        if _MAKES.match(segment.text):
            made += _named(segment)
        elif _REMOVES.match(segment.text):
            yield from (path for path in _named(segment) if not _is_own(path, made))


def _named(segment: Segment) -> Iterator[str]:
    """Yield the paths that a command names, from the session's own directory."""
    import shlex  # noqa: PLC0415  # few commands delete

    try:
        words = shlex.split(segment.text, comments=True)
    except ValueError:  # a quotation mark that nothing closes
        return
    for word in words:
        path = word.rstrip("/")
        if path and path not in _PROGRAMS and not _PASSING.search(path):
            is_whole = path.startswith(("/", "~")) or not segment.place
            yield path if is_whole else f"{segment.place}/{path}"


def _is_own(path: str, made: Sequence[str]) -> bool:
    """Say whether a path, or something below it, was made in the session."""
    return any(f"/{path}/" in f"/{one}/" or path.startswith(f"{one}/") for one in made)
