"""The port `ClientMemory` for Claude Code: its auto-memory directory of one project."""

import os
from collections.abc import Callable, Mapping
from typing import Any

from holdfast.agents.claude_code.config_files import read_settings, settings_in
from holdfast.kernel.directories import directory_below
from holdfast.kernel.errors import OUT_OF_REACH, FileOutOfReach, FileRefused
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.locks import directory_held
from holdfast.kernel.shared_files import (
    PATIENCE,
    PRIVATE,
    Changed,
    SharedDirectory,
    read_shared,
)

_OTHER = pattern(r"[^a-zA-Z0-9]")
_LONGEST_SLUG = 200
_ON = ("1", "true", "yes", "on")
_CLIENTS_OWN = "~/.claude/"


class ClaudeMemory:
    """Files below `root`, a real directory that exists, at `below` it."""

    def __init__(
        self,
        root: str,
        below: str,
        *,
        is_indexed: bool,
        plan_roots: tuple[str, ...] = (),
        patience: float = PATIENCE,
    ) -> None:
        self._root, self._below = root, below
        self._files = SharedDirectory(root, patience=patience, mode=PRIVATE)
        self._is_indexed = is_indexed
        self._plan_roots = plan_roots
        self._patience = patience

    @property
    def directory(self) -> str:
        return f"{self._root}/{self._below}".rstrip("/")

    @property
    def is_indexed(self) -> bool:
        return self._is_indexed

    def names(self) -> tuple[str, ...]:
        try:
            with (
                directory_below(self._root, self._parts()) as within,
                os.scandir(within) as found,
            ):
                files = [e.name for e in found if e.is_file(follow_symlinks=False)]
        except OSError as problem:
            if problem.errno in OUT_OF_REACH:
                raise FileOutOfReach(
                    f"`{self.directory}` cannot be read: {problem.strerror}",
                    hint="try again",
                ) from problem
            return ()
        return tuple(sorted(files))

    def read(self, name: str) -> str | None:
        return self._files.read(self._path(name))

    def change(self, name: str, rewrite: Callable[[str | None], str | None]) -> Changed:
        return self._files.change(self._path(name), rewrite)

    def remove(self, name: str, may_go: Callable[[str], bool]) -> bool:
        if "/" in name:
            return False  # a name from an index that somebody edited leads nowhere
        try:
            with (
                directory_below(self._root, self._parts()) as within,
                directory_held(within, self._patience),
            ):
                return _removed(name, within, may_go)
        except FileNotFoundError:
            return False
        except OSError as problem:
            raise FileRefused(
                f"`{self.directory}/{name}` cannot be removed: {problem.strerror or problem}",
                hint="holdfast removes plain files in plain directories only",
            ) from problem

    def plan(self, path: str) -> str | None:
        for root in self._plan_roots:
            given = path
            if path.startswith(_CLIENTS_OWN):
                given = f"{root}/{path.removeprefix(_CLIENTS_OWN)}"
            if given.startswith(f"{root}/") and (text := _read_in(root, given)):
                return text
        return None

    def _path(self, name: str) -> str:
        return f"{self._below}/{name}".lstrip("/")

    def _parts(self) -> list[str]:
        return [part for part in self._below.split("/") if part]


def claude_memory(
    claude_dir: str,
    project: str,
    *,
    workspace: str,
    user_home: str,
    environ: Mapping[str, str],
) -> ClaudeMemory | None:
    """Return the client's memory of a project; None where there is no client.

    `project` is the repository's main root: its worktrees share one memory. Another
    directory is taken from the user's own settings only, as the client does.
    """
    client = os.path.realpath(claude_dir)
    if not os.path.isdir(client):
        return None
    own = read_settings(f"{client}/settings.json")
    place = _elsewhere(own.get("autoMemoryDirectory"), user_home)
    place = place or _usual_place(client, project)
    if place is None:
        return None
    return ClaudeMemory(
        *place,
        is_indexed=_is_on(own, workspace, environ),
        plan_roots=(client, os.path.realpath(workspace)),
    )


def _removed(name: str, within: int, may_go: Callable[[str], bool]) -> bool:
    seen = read_shared(name, within)
    if seen is None or not may_go(seen.text):
        return False
    if read_shared(name, within) != seen:  # an editor knows no lock
        return False
    os.unlink(name, dir_fd=within)
    os.fsync(within)
    return True


def _read_in(root: str, path: str) -> str | None:
    try:
        return SharedDirectory(root).read(path.removeprefix(f"{root}/"))
    except FileRefused:
        return None


def _usual_place(client: str, project: str) -> tuple[str, str] | None:
    """A long name of a place ends in the client's own hash, so it is looked for."""
    slug = _OTHER.sub("-", project)
    if len(slug) > _LONGEST_SLUG:
        begins = f"{slug[:_LONGEST_SLUG]}-"
        try:
            known = os.listdir(f"{client}/projects")
        except OSError:
            return None
        found = [name for name in known if name.startswith(begins)]
        if len(found) != 1:
            return None
        slug = found[0]
    return client, f"projects/{slug}/memory"


def _elsewhere(setting: object, user_home: str) -> tuple[str, str] | None:
    """Return an existing real directory and the way on from it."""
    if not isinstance(setting, str) or not setting.strip():
        return None
    wanted = f"{user_home}{setting[1:]}" if setting.startswith("~/") else setting
    if not os.path.isabs(wanted):
        return None
    there, missing = os.path.normpath(wanted), list[str]()
    while not os.path.isdir(there):
        there, part = os.path.split(there)
        missing.insert(0, part)
    return os.path.realpath(there), "/".join(missing)


def _is_on(own: Mapping[str, Any], workspace: str, environ: Mapping[str, str]) -> bool:
    """The environment decides; else any settings that say no do, a repository's too."""
    said = environ.get("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "").strip().lower()
    if said:
        return said not in _ON
    here = [f".claude/{name}" for name in ("settings.json", "settings.local.json")]
    everyone = (own, *(_read_settings(workspace, path) for path in here))
    return all(settings.get("autoMemoryEnabled") is not False for settings in everyone)


def _read_settings(workspace: str, path: str) -> Mapping[str, Any]:
    """A stranger may have put anything there, a pipe that nobody writes to included."""
    return settings_in(_read_in(workspace, f"{workspace}/{path}") or "")
