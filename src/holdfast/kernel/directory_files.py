"""The port `ProjectFiles`: a directory on disk, and its repository's exclude list."""

import errno
import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence

from holdfast.kernel import shared_files
from holdfast.kernel.errors import OUT_OF_REACH, FileOutOfReach, FileRefused
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.shared_files import Changed, Seen

PATIENCE = 20.0  # seconds; a change takes milliseconds
_EXCLUDE = "info/exclude"
_MOST_SKILL = 20_000  # bytes of a skill that are looked at
_FRONT = pattern(r"^(name|description)\s*:\s*(.*(?:\n[ \t]+.*)*)", re.MULTILINE)
_WHY = {
    errno.ELOOP: "it is a symbolic link",
    errno.ENOTDIR: "a part of the way is a symbolic link, or no directory",
}


class DirectoryFiles:
    """Files below one real directory."""

    def __init__(
        self,
        root: str,
        *,
        git_directory: str | None = None,
        skill_directories: Sequence[str] = (),
        patience: float = PATIENCE,
        mode: int = shared_files.SHARED,
    ) -> None:
        """`git_directory` is the repository's common one; None: there is no git.

        `mode` is that of new files; those that are there keep theirs.
        """
        self._mode = mode
        self._root = root
        self._git = git_directory
        self._skills = skill_directories
        self._patience = patience

    def read(self, path: str) -> str | None:
        """Return a file's text, or None where there is none."""
        *parts, name = path.split("/")
        try:
            with shared_files.directory(self._root, parts) as within:
                found = shared_files.read(name, within)
        except FileNotFoundError:
            return None
        except OSError as problem:
            raise _refused(path, "read", problem) from problem
        return _text(found.data) if found else None

    def change(self, path: str, rewrite: Callable[[str | None], str | None]) -> Changed:
        """Put what `rewrite` makes of the text in its place, whole or not at all."""
        return self._change(self._root, path, rewrite)

    def exists(self, path: str) -> bool:
        """Say whether a path of the project is a file or directory."""
        *parts, name = path.strip("/").split("/")
        try:
            with shared_files.directory(self._root, parts) as within:
                seen = os.stat(name, dir_fd=within, follow_symlinks=False)
        except OSError as problem:
            _raise_if_out_of_reach(path, problem)
            return False
        except ValueError:
            return False
        return not stat.S_ISLNK(seen.st_mode)

    def files_in(self, directory: str) -> tuple[Seen, ...]:
        """Return the regular files of a directory by name; none where there is none."""
        try:
            with shared_files.directory(self._root, directory.split("/")) as within:
                return tuple(_seen(within))
        except OSError as problem:
            _raise_if_out_of_reach(directory, problem)
            return ()

    def exclude_from_git(self, paths: tuple[str, ...]) -> tuple[str, ...]:
        """Add paths to this repository's own list of ignored files; return the new ones."""
        if self._git is None:
            raise FileRefused(
                f"`{self._root}` is in no git repository: there is nothing to exclude",
                hint="leave `--exclude` out",
            )
        added: tuple[str, ...] = ()

        def with_paths(text: str | None) -> str | None:
            nonlocal added
            known = set((text or "").splitlines())
            added = tuple(path for path in paths if f"/{path}" not in known)
            joint = "\n" if text and not text.endswith("\n") else ""
            lines = "".join(f"/{path}\n" for path in added)
            return (text or "") + joint + lines if added else None

        self._change(self._git, _EXCLUDE, with_paths)
        return added

    def is_excluded(self, path: str) -> bool:
        """Say whether that list has a path; True where there is no git to ask."""
        if self._git is None:
            return True
        try:
            with shared_files.directory(self._git, ["info"]) as within:
                found = shared_files.read("exclude", within)
        except OSError:
            return False
        return found is not None and f"/{path}" in _text(found.data).splitlines()

    def skills(self) -> tuple[tuple[str, str], ...]:
        """Return name and description of each installed skill, as far as readable."""
        return tuple(
            skill for place in self._skills for skill in _skills_in(place) if skill[0]
        )

    def _change(
        self, root: str, path: str, rewrite: Callable[[str | None], str | None]
    ) -> Changed:
        *parts, name = path.split("/")
        try:
            if self._would_make_nothing(root, parts, rewrite):
                return Changed(path, None, "")
            with (
                shared_files.directory(
                    root, parts, create=True, mode=self._mode
                ) as within,
                shared_files.locked(within, self._patience),
            ):
                before, after = shared_files.change(
                    name, within, _in_bytes(rewrite), self._mode
                )
                again = shared_files.read(name, within)
        except OSError as problem:
            raise _refused(path, "written", problem) from problem
        if (again.data if again else b"") != after:
            raise FileRefused(
                f"`{path}` does not hold what was written to it",
                hint="check the disk, then try again",
            )
        return Changed(path, None if before is None else _text(before), _text(after))

    def _would_make_nothing(
        self, root: str, parts: list[str], rewrite: Callable[[str | None], str | None]
    ) -> bool:
        """No directory is made for a file that will not be."""
        try:
            with shared_files.directory(root, parts):
                return False
        except FileNotFoundError:
            return rewrite(None) is None


def _in_bytes(rewrite: Callable[[str | None], str | None]) -> shared_files.Rewrite:
    def rewritten(data: bytes | None) -> bytes | None:
        text = rewrite(None if data is None else _text(data))
        return None if text is None else text.encode("utf-8", "surrogateescape")

    return rewritten


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _seen(within: int) -> Iterator[Seen]:
    with os.scandir(within) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.is_file(follow_symlinks=False):
                seen = entry.stat(follow_symlinks=False)
                yield Seen(entry.name, seen.st_mtime_ns // 1_000_000, seen.st_size)


def _skills_in(place: str) -> Iterator[tuple[str, str]]:
    try:
        names = sorted(os.listdir(place))
    except OSError:
        return
    for name in names:
        try:
            # A skill's directory may be a link: people share them that way.
            with shared_files.directory(
                os.path.realpath(f"{place}/{name}"), ()
            ) as within:
                found = shared_files.read("SKILL.md", within)
        except OSError:
            continue
        if found is None:
            continue
        text = _text(found.data[:_MOST_SKILL])
        front = dict(_FRONT.findall(text.split("\n---", 1)[0]))
        yield (
            front.get("name", name).strip(" \"'"),
            " ".join(front.get("description", "").split()).strip(" \"'"),
        )


def _raise_if_out_of_reach(path: str, problem: OSError) -> None:
    """What the machine cannot get at now may be there: it must not pass for absent."""
    if problem.errno in OUT_OF_REACH:
        raise _refused(path, "read", problem) from problem


def _refused(path: str, done: str, problem: OSError) -> FileRefused:
    why = _WHY.get(problem.errno or 0) or problem.strerror or str(problem)
    kind = FileOutOfReach if problem.errno in OUT_OF_REACH else FileRefused
    return kind(
        f"`{path}` cannot be {done}: {why}",
        hint="holdfast changes plain files in plain directories only; put one there",
    )
