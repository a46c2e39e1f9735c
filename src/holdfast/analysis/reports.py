"""Which files a sub-agent came back from, by its own report.

Where a sub-agent's transcript is gone, its report is all that is left of its work. What
it says is a tool's output: it gives no file that the session does not know by itself.
"""

from collections.abc import Iterable, Iterator

from holdfast.patterns import pattern

_NAMES = "names "
_MOST, _MOST_CHARS = 20, 160
_WORD = pattern(r"[\w./@~-]+")
_LONGEST_ENDING = 8


def with_files(told: str, report: str) -> str:
    """Return what is told of a report with a line of the paths in it."""
    words = (word.rstrip(".") for word in _WORD.findall(report))
    named = list(dict.fromkeys(filter(_is_path, words)))[:_MOST]
    return "\n".join(filter(None, (told, _NAMES + " ".join(named) if named else "")))


def files_named(told: str, known: Iterable[str]) -> Iterator[str]:
    """Yield the known files whose paths stand in what is told of a report."""
    last = told.rpartition("\n")[2]
    if not last.startswith(_NAMES):
        return
    named = [f"/{path.lstrip('./')}" for path in last.removeprefix(_NAMES).split()]
    for path in known:
        rooted = f"/{path.lstrip('/')}"
        if any(rooted.endswith(each) or each.endswith(rooted) for each in named):
            yield path


def _is_path(word: str) -> bool:
    """Say whether a word names a file with its directory: `src/store.py`."""
    directory, _, name = word.rpartition("/")
    _, dot, ending = name.rpartition(".")
    is_named = bool(directory and dot) and 0 < len(ending) <= _LONGEST_ENDING
    return is_named and len(word) <= _MOST_CHARS
