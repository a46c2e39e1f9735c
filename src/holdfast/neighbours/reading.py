"""Which program made what lies at a path, and all that it kept there: the door to the
readers. A new program is a file beside these and a line in each table here."""

from collections.abc import Callable, Mapping

from holdfast.kernel.errors import FileRefused
from holdfast.neighbours import (
    auto_memory,
    claude_mem,
    claude_mem_database,
    codesearch,
    contextd,
    entire,
    goldfish,
    guardz,
)
from holdfast.neighbours.place import SourcePlace, unreadable
from holdfast.neighbours.record import Found, Reading, reading_of

_RECOGNISES: Mapping[str, Callable[[SourcePlace], bool]] = {
    claude_mem.KIND: claude_mem_database.recognises,
    contextd.KIND: contextd.recognises,
    codesearch.KIND: codesearch.recognises,
    goldfish.KIND: goldfish.recognises,
    guardz.KIND: guardz.recognises,
    entire.KIND: entire.recognises,
    auto_memory.KIND: auto_memory.recognises,
}
_READS: Mapping[str, Callable[[SourcePlace], Found]] = {
    contextd.KIND: contextd.read,
    codesearch.KIND: codesearch.read,
    goldfish.KIND: goldfish.read,
    guardz.KIND: guardz.read,
    entire.KIND: entire.read,
    auto_memory.KIND: auto_memory.read,
}
KINDS = tuple(_RECOGNISES)  # as `--from` has them


def read(place: SourcePlace, kind: str | None) -> Reading:
    """Return all that a program kept at a place, before anything of it is taken in.

    Raises:
        FileRefused: it cannot be read; or no kind was given, and it is none of those that
            are known, or could be of several.
    """
    kind = kind or _kind_of(place)
    if kind == claude_mem.KIND:
        return claude_mem_database.read(place)
    try:
        return reading_of(kind, _READS[kind](place))
    except OSError as problem:
        raise unreadable(place.path, problem) from None


def _kind_of(place: SourcePlace) -> str:
    place.beginning()
    kinds = [kind for kind, recognises in _RECOGNISES.items() if recognises(place)]
    if len(kinds) == 1:
        return kinds[0]
    if kinds:
        raise FileRefused(
            f"it could be of several programs: {', '.join(kinds)}",
            hint=f"say which one is meant, for example `--from {kinds[0]}`",
        )
    raise FileRefused(
        "holdfast cannot tell which program made it",
        hint=f"say which one with `--from`: holdfast, {', '.join(KINDS)}",
    )
