"""Where another program keeps its files: looked at, never written, and never left.

The path somebody names may lead through links; below it each directory is opened from
the one above, and no link is followed. Everything has a limit: what comes from elsewhere
may be of any size.
"""

import errno
import os
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, tzinfo

from holdfast.domain.text import beginning, visible
from holdfast.kernel.directories import open_directory
from holdfast.kernel.errors import FileRefused
from holdfast.kernel.files import UnsuitableFile, read_beginning, read_with_status
from holdfast.kernel.lazy_values import dataclass
from holdfast.neighbours.record import Unread
from holdfast.neighbours.texts import decoded

# Asks git about the repository of a place: words and input in, what it says out, or None
# if it says nothing. Read-only, and it runs no program of the repository.
AskGit = Callable[[Sequence[str], bytes], bytes | None]

Decode = Callable[[bytes], str | None]

MOST_TEXT = 2_000_000  # bytes of a file that people read
_MOST_BYTES = 300_000_000  # of all files together
_MOST_FILES = 50_000
_MOST_DEPTH = 6
_PASSED_BY = frozenset([".git", "node_modules", ".venv"])
_A_LINK = "symbolic links are not followed"
_HEAD = 4_096
_SHOWN = 120


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of another program that could be read."""

    name: str  # below the place
    path: str
    text: str
    modified_at: int  # Unix ms


class SourcePlace:
    """A file or directory that somebody named."""

    def __init__(
        self, path: str, zone: tzinfo = UTC, git: AskGit | None = None
    ) -> None:
        self.path = os.path.abspath(path)
        self.zone = zone  # in which its clocks are read
        self.git = git
        self.is_directory = os.path.isdir(self.path)
        self._inside = ""  # the directory in it that is meant

    @property
    def name(self) -> str:
        return os.path.basename(self.path)

    def has(self, name: str) -> bool:
        """Say whether something is there below it."""
        return os.path.lexists(os.path.join(self.path, name))

    def below(self, name: str) -> "SourcePlace":
        """Return a directory in this one, which must be one itself and no link."""
        inner = SourcePlace(self.path, self.zone, self.git)
        inner._inside = name
        return inner

    def beginning(self) -> bytes:
        """Return the first bytes of the file; nothing of a directory.

        Raises:
            FileRefused: it is not there, or cannot be read.
        """
        if self.is_directory:
            return b""
        try:
            return read_beginning(self.path, _HEAD, follow_links=True)
        except (OSError, ValueError) as problem:
            raise unreadable(self.path, problem) from None

    def head(self) -> str:
        """Return the first bytes as far as they are text.

        Raises:
            FileRefused: it is not there, or cannot be read.
        """
        return self.beginning().decode("utf-8", "replace").lstrip("\ufeff")

    def files(
        self,
        suffixes: tuple[str, ...],
        *,
        depth: int = 1,
        limit: int = MOST_TEXT,
        decode: Decode = decoded,
    ) -> Iterator[SourceFile | Unread]:
        """Yield the file itself, or each below the directory whose name ends so.

        `decode` makes text of its bytes, or None if it is none of that form.

        Raises:
            FileRefused: it is not there, or holds more than can be taken in.
        """
        bounds = _Bounds(suffixes, limit, decode, _Room())
        if not self.is_directory:
            yield _read(self.name, self.path, None, bounds)
            return
        try:
            within = open_directory(self.path, create=False)
        except (OSError, ValueError) as problem:
            raise unreadable(self.path, problem) from None
        try:
            if self._inside:
                yield from self._enter(within, self._inside, depth, bounds)
            else:
                yield from self._walk(within, "", depth, bounds)
        finally:
            os.close(within)

    def _walk(
        self, within: int, above: str, depth: int, bounds: "_Bounds"
    ) -> Iterator[SourceFile | Unread]:
        with os.scandir(within) as listed:
            found = sorted((entry.name, _kind(entry)) for entry in listed)
        for name, kind in found:
            where = f"{above}{name}"
            is_wanted = name.lower().endswith(bounds.suffixes)
            if kind == "directory":
                if depth > 1 and name not in _PASSED_BY:
                    deeper = min(depth, _MOST_DEPTH) - 1
                    yield from self._enter(within, where, deeper, bounds)
            elif is_wanted and kind == "link":
                yield Unread(where, _A_LINK)
            elif is_wanted:
                path = os.path.join(self.path, where)
                yield _read(where, path, within, bounds)

    def _enter(
        self, within: int, where: str, depth: int, bounds: "_Bounds"
    ) -> Iterator[SourceFile | Unread]:
        bounds.room.take()
        name = os.path.basename(where)
        try:
            inside = open_directory(name, create=False, within=within)
        except OSError as problem:
            is_link = problem.errno in (errno.ELOOP, errno.ENOTDIR)
            yield Unread(where, _A_LINK if is_link else _why(problem))
            return
        try:
            yield from self._walk(inside, f"{where}/", depth, bounds)
        finally:
            os.close(inside)


class _Room:
    """How much may still be taken in."""

    def __init__(self) -> None:
        self.octets = _MOST_BYTES
        self._files = _MOST_FILES

    def take(self, octets: int = 0) -> None:
        self.octets -= octets
        self._files -= not octets
        if self.octets < 0 or self._files < 0:
            raise FileRefused(
                f"it holds more than {_MOST_FILES:,} files or {_MOST_BYTES:,} bytes",
                hint="nothing was imported; name a smaller directory",
            )


@dataclass(frozen=True, slots=True)
class _Bounds:
    """Which files are wanted, how large one may be, and how it is read."""

    suffixes: tuple[str, ...]
    limit: int
    decode: Decode
    room: _Room


def unreadable(path: str, problem: Exception) -> FileRefused:
    why = _why(problem) if isinstance(problem, OSError) else "no file has such a name"
    return FileRefused(
        f"`{beginning(visible(path), _SHOWN)}` cannot be read: {why}",
        hint="give the file, directory or repository of the other program",
    )


def _kind(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return "link"
    return "directory" if entry.is_dir(follow_symlinks=False) else "file"


def _read(
    where: str, path: str, within: int | None, bounds: _Bounds
) -> SourceFile | Unread:
    """Read one file: below a directory by its name there, else where somebody named it."""
    bounds.room.take()
    name = path if within is None else os.path.basename(where)
    try:
        data, seen = read_with_status(
            name, within, limit=bounds.limit, follow_links=within is None
        )
    except (OSError, ValueError) as problem:
        if within is None:
            raise unreadable(path, problem) from None
        return Unread(where, _why(problem))
    bounds.room.take(len(data))
    text = bounds.decode(data)
    if text is None:
        is_text = bounds.decode is decoded
        return Unread(where, "not a text in UTF-8" if is_text else "it is damaged")
    return SourceFile(where, path, text, seen.st_mtime_ns // 1_000_000)


def _why(problem: Exception) -> str:
    if isinstance(problem, UnsuitableFile):
        return str(problem.strerror)
    said = problem.strerror if isinstance(problem, OSError) else None
    return (said or "no such file").lower()
