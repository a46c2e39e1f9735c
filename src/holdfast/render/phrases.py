"""How single things are said in a brief, and whose words may stand where.

Only the user's typed words carry `▸`. Output of tools is said outside the fence only as
a short line of its own, and not at all if it talks to its reader.
"""

import re
from collections import Counter
from collections.abc import Sequence

from holdfast.domain.checkpoint import CommandRef, FileRef
from holdfast.domain.text import visible
from holdfast.patterns import pattern
from holdfast.render.shorten import flat
from holdfast.values import dataclass

USER = "▸"
_OTHER_MARK = "›"
ROOT = "…"
_LEAST_SAVED = 60  # characters that make an abbreviation worth explaining
_COUNTS = pattern(
    r"\b\d{1,6}\s+(?:passed|failed|passing|failing|skipped|errors?|warnings?|issues?|problems?"
    r"|tests?|failures?|files?\s+changed)\b",
    re.IGNORECASE,
)
_TALKS = pattern(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|above|prior|all|earlier"
    r"|instructions?|rules?)\b|\b(?:system prompt|new instructions?|instructions?\s*:|assistant\s*:"
    r"|human\s*:|important\s*:|you (?:must|should|are now|need to|have to)|as an ai|do not tell)\b"
    r"|</?(?:system|user|assistant|instructions?)|\b(?:curl|wget)\b.+\|\s*(?:ba)?sh",
    re.IGNORECASE,
)


def own(words: str) -> str:
    """Return the user's own words, marked as such."""
    return f'{USER} "{flat(words)}"'


def plain(text: str) -> str:
    """Return what someone else said, on one line and without the user's mark."""
    return flat(unmarked(text))


def unmarked(text: str) -> str:
    return text.replace(USER, _OTHER_MARK)


def talks(text: str) -> bool:
    """Say whether output speaks to its reader."""
    return _TALKS.search(text) is not None


def printed(text: str) -> str:
    """Return a line that holds output of a tool, without it if it talks to its reader."""
    told = plain(text)
    if not talks(told):
        return told
    return told.split(": ", 1)[0] + ": (its output is among the quotes)"


def quoted(text: str) -> str:
    """Return output as it may stand inside the fence."""
    lines = (line.rstrip() for line in visible(unmarked(text)).split("\n"))
    return "\n".join(line for line in lines if line)


def changed(file: FileRef, shown: str) -> str:
    """Return what became of a file: `refresh.py new +19`."""
    if file.change == "deleted":
        return f"{shown} deleted"
    new = " new" if file.change == "created" else ""
    more = f" +{file.lines_added}" if file.lines_added else ""
    less = f" −{file.lines_removed}" if file.lines_removed else ""
    return f"{shown}{new}{more}{less}" + (" (earlier session)" if file.age else "")


def result(command: CommandRef) -> str:
    """Return a command and what it came to: numbers only, no words of the tool."""
    counts = ", ".join(_COUNTS.findall(command.output)[:3])
    if counts:
        came = counts
    elif command.exit is None:
        came = "?"
    else:
        came = "ok" if command.exit == 0 else f"exit {command.exit}"
    return f"{plain(command.command)} → {came}"


def says_little(line: str) -> bool:
    """Say whether a line only tells how many things went wrong, or that one did."""
    left = _COUNTS.sub("", line)
    only_counts = left != line and not any(c.isalpha() for c in left)
    return only_counts or line.endswith("task failed")


@dataclass(frozen=True, slots=True)
class Paths:
    """How paths are shown: a long common beginning is said once, or, where room is
    short, no more than it takes to tell a file from the others."""

    root: str = ""
    shared: frozenset[str] | None = None  # names of several files; None: whole paths

    @classmethod
    def of(cls, files: Sequence[FileRef]) -> "Paths":
        """Return the abbreviation that saves most, if any saves enough."""
        saved: dict[str, int] = {}
        for file in files:
            if file.path.startswith(("/", "~")):
                continue  # outside of the project: shown whole
            parts = file.path.split("/")[:-1]
            for end in range(1, len(parts) + 1):
                root = "/".join(parts[:end])
                saved[root] = saved.get(root, -len(root)) + len(root) - len(ROOT)
        best = max(saved, key=lambda root: (saved[root], root), default="")
        return cls(best if best and saved[best] >= _LEAST_SAVED else "")

    @classmethod
    def short(cls, files: Sequence[FileRef]) -> "Paths":
        """Return the way of showing only names."""
        count = Counter(_name(file.path) for file in files)
        return cls(shared=frozenset(name for name, times in count.items() if times > 1))

    @property
    def legend(self) -> str:
        return f"In paths, {ROOT} is {plain(self.root)}." if self.root else ""

    def shown(self, path: str) -> str:
        if self.shared is not None:
            is_shared = _name(path) in self.shared
            return plain("/".join(path.split("/")[-2 if is_shared else -1 :]))
        if self.root and path.startswith(f"{self.root}/"):
            return ROOT + plain(path[len(self.root) :])
        return plain(path)


def _name(path: str) -> str:
    return path.rpartition("/")[2]
