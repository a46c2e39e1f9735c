"""The port `ProjectFiles`: a directory on disk, and its repository's exclude list."""

import os
import re
from collections.abc import Iterator, Sequence

from holdfast.kernel.directories import directory_below
from holdfast.kernel.errors import FileRefused
from holdfast.kernel.files import read_beginning
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.shared_files import PATIENCE, SharedDirectory, read_shared

_EXCLUDE = "info/exclude"
_MOST_SKILL = 20_000  # bytes of a skill that are looked at
_FRONT = pattern(r"^(name|description)\s*:\s*(.*(?:\n[ \t]+.*)*)", re.MULTILINE)


class ProjectDirectory(SharedDirectory):
    """A project's root, with what its git and its client say beside it."""

    def __init__(
        self,
        root: str,
        *,
        git_directory: str | None = None,
        skill_directories: Sequence[str] = (),
        patience: float = PATIENCE,
    ) -> None:
        """`git_directory` is the repository's common one; None: there is no git."""
        super().__init__(root, patience=patience)
        self._git = git_directory
        self._skills = skill_directories

    def exclude_from_git(self, paths: tuple[str, ...]) -> tuple[str, ...]:
        """Add paths to this repository's own list of ignored files; return the new ones."""
        if self._git is None:
            raise FileRefused(
                f"`{self._root}` is not in a git repository, so there is nothing to exclude",
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

        SharedDirectory(self._git, patience=self._patience).change(_EXCLUDE, with_paths)
        return added

    def is_excluded(self, path: str) -> bool:
        """Say whether that list has a path; True where there is no git to ask."""
        if self._git is None:
            return True
        try:
            with directory_below(self._git, ["info"]) as within:
                found = read_shared("exclude", within)
        except OSError:
            return False
        return found is not None and f"/{path}" in found.text.splitlines()

    def skills(self) -> tuple[tuple[str, str], ...]:
        """Return name and description of each installed skill, as far as readable."""
        return tuple(
            skill for place in self._skills for skill in _skills_in(place) if skill[0]
        )


def _skills_in(place: str) -> Iterator[tuple[str, str]]:
    try:
        names = sorted(os.listdir(place))
    except OSError:
        return
    for name in names:
        try:
            # A skill's directory may be a link: people share them that way.
            directory = os.path.realpath(f"{place}/{name}")
            with directory_below(directory, ()) as within:
                data = read_beginning("SKILL.md", _MOST_SKILL, within)
        except OSError:
            continue
        text = data.decode("utf-8", "surrogateescape")
        front = dict(_FRONT.findall(text.split("\n---", 1)[0]))
        yield (
            front.get("name", name).strip(" \"'"),
            " ".join(front.get("description", "").split()).strip(" \"'"),
        )
