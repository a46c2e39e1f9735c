"""In which directory each command of a line runs, as far as the line tells.

`cd apps/api && npm test` is another command than the same in `apps/web`. A directory
below the session's own is told from there, any other by its whole path. Where a shell
stands that was moved by an earlier line is not known: `cd ..` tells nothing.
"""

from holdfast.kernel.lazy_patterns import pattern

_MOVES = pattern(
    r"(?:cd|pushd)(?:\s+--?[LP]?)?\s+(\"[^\"]*\"|'[^']*'|[^\s\"';&|<>()]+)"
    r"(?:\s*\d?>\s*/dev/null)?[\s)]*$"
)
_COMES_BACK = ("popd", "cd")
_UNKNOWN = ("$", "`", "*", "?", "~")


class ShellPlace:
    """Where a shell stands, from one command of a line to the next."""

    __slots__ = ("_cwd", "_outer", "_place")

    def __init__(self, cwd: str) -> None:
        self._cwd = _plain(cwd)
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

    def _moved(self, to: str) -> str:
        if to == "-" or any(sign in to for sign in _UNKNOWN):
            return ""
        place = _plain(to if to.startswith("/") else f"{self._place}/{to}".lstrip("/"))
        if self._place.startswith("/") and not to.startswith("/"):
            place = _plain(f"{self._place}/{to}")
        if not place.startswith("/"):
            return "" if place.startswith("..") else place
        if not self._cwd or place == self._cwd:
            return ""
        return place.removeprefix(f"{self._cwd}/")


def _plain(path: str) -> str:
    """Return a path without `.` and, where it can be told, without `..`."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/" * path.startswith("/") + "/".join(parts)
