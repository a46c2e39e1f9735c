"""Wiring into a client that is told of hooks in one of its files, and of servers beside it.

A record says which files there were before; without it, what is ours is found by the words
that only our commands have.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from holdfast.agents.client_files import (
    read_text,
    refuse_links,
    remove_tree,
    replace_text,
    through_own_link,
)
from holdfast.agents.launchers import (
    command_launcher,
    hook_launcher,
    probe_hook,
    probe_mcp,
)
from holdfast.agents.port import InstallScope, WiringChange, WiringDeed
from holdfast.agents.wired_files import COMMAND, LAUNCHER, WiredFile
from holdfast.domain.query import HealthResult
from holdfast.kernel.errors import WiringFailed
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_RECEIPT = "install.json"
_SCOPES: tuple[InstallScope, ...] = ("user", "project")


class HookedClient(NamedTuple):
    """What one client's wiring is made of."""

    name: str  # as `install` says it
    title: str
    user_directory: str
    project_directory: str
    files: Callable[
        [str, str, bool], tuple[WiredFile, ...]
    ]  # directory, ours, with MCP?
    advice: str = ""
    # Of the files that ours are in: why the client does not run our hooks, and what to do.
    silenced: Callable[[tuple[str, ...]], tuple[str, str] | None] = lambda _: None


@dataclass(frozen=True, slots=True, kw_only=True)
class HookWiring:
    """The wiring into one such client (`Wiring`); `home` is ours."""

    client: HookedClient
    home: str
    workspace: str
    python: str
    environ: Mapping[str, str]

    @property
    def directory(self) -> str:
        return f"{self.home}/{self.client.name}"

    @property
    def advice(self) -> str:
        return self.client.advice

    def install(
        self,
        *,
        scope: InstallScope,
        mcp: bool,
        dry_run: bool,
        permissions: bool = True,
    ) -> tuple[WiringChange, ...]:
        del permissions  # what it may do unasked is its user's to say
        wanted = [self._changed(file, scope) for file in self._files(scope, mcp=mcp)]
        changes = [*self._write_scripts(dry_run=dry_run)]
        if not dry_run:
            self._remember(scope, wanted, mcp=mcp)
        for path, linked, before, after in wanted:
            if after == before:
                continue
            if not dry_run:
                replace_text(path, after)
            through = f", through the link `{linked}`" if path != linked else ""
            what: WiringDeed = "written" if before is None else "changed"
            changes.append(
                WiringChange(what, path, f"holdfast's entries added{through}")
            )
        if changes:
            how = "would be added to" if dry_run else "added to"
            said = f"{how} {self.client.title} ({scope} scope)"
            changes.insert(0, WiringChange("plugin", self.directory, said))
        return tuple(changes)

    def uninstall(self, *, dry_run: bool) -> tuple[WiringChange, ...]:
        made = self._receipts()
        changes = [
            change
            for scope in _SCOPES
            for directory in self._directories(scope, made)
            for file in self._files(scope, mcp=True, directory=directory)
            if (change := self._unwire(file, scope, made, dry_run=dry_run))
        ]
        if os.path.lexists(self.directory):
            if not dry_run:
                remove_tree(self.directory)
            changes.append(WiringChange("removed", self.directory, ""))
        return tuple(changes)

    def check(self) -> Iterator[HealthResult]:
        name, made = f"{self.client.name} hooks", self._receipts()
        again = f"run `holdfast install {self.client.name}` again"
        if not made:
            hint = f"install it with `holdfast install {self.client.name}`"
            yield HealthResult(name, "warn", "not installed", hint)
            return
        trouble = self._trouble(made) or self._silence(made)
        if trouble:
            yield HealthResult(name, "fail", trouble, again)
        elif silenced := self._silenced(made):
            yield HealthResult(name, "warn", *silenced)
        else:
            yield HealthResult(name, "ok", "hooks answer")

    def _silenced(self, made: Mapping[str, Any]) -> tuple[str, str] | None:
        """Ask the client's own settings; what nobody can read says nothing."""
        try:
            return self.client.silenced(tuple(made))
        except (ValueError, TypeError, AttributeError, RecursionError, WiringFailed):
            return None

    def _trouble(self, made: Mapping[str, Any]) -> str:
        for path, entry in made.items():
            scope, mcp = _scope(entry), bool(entry.get("mcp"))
            files = self._files(scope, mcp=mcp, directory=_place(path, entry))
            for file in files:
                if file.path != path:
                    continue
                try:
                    text = read_text(self._own_file(scope, path)) or ""
                    if file.wire(text) != text:
                        return f"`{path}` no longer names holdfast's hooks"
                except (WiringFailed, ValueError, RecursionError):
                    return f"`{path}` cannot be read"
        if any(self._differs(*script) for script in self._scripts()):
            return "its scripts were written by another installation of holdfast"
        return ""

    def _silence(self, made: Mapping[str, Any]) -> str:
        words = (f"--agent={self.client.name}",)
        hook = probe_hook(f"{self.directory}/{LAUNCHER}", self.environ, words)
        if not hook.answered or not os.access(self.python, os.X_OK):
            return f"hooks do not answer: {hook.why or 'their Python is gone'}"
        if any(entry.get("mcp") for entry in made.values()):
            server = probe_mcp(f"{self.directory}/{COMMAND}", self.environ)
            if not server.answered:
                return f"the MCP server does not answer: {server.why}"
        return ""

    def _files(
        self, scope: InstallScope, *, mcp: bool, directory: str = ""
    ) -> tuple[WiredFile, ...]:
        place = directory or self._usual(scope)
        return self.client.files(place, self.directory, mcp)

    def _usual(self, scope: InstallScope) -> str:
        if scope == "user":
            return os.path.realpath(self.client.user_directory)
        return f"{self.workspace}/{self.client.project_directory}"

    def _directories(
        self, scope: InstallScope, made: Mapping[str, Any]
    ) -> tuple[str, ...]:
        known = (
            _place(p, entry) for p, entry in made.items() if _scope(entry) == scope
        )
        return tuple(dict.fromkeys((*known, self._usual(scope))))

    def _changed(
        self, file: WiredFile, scope: InstallScope
    ) -> tuple[str, str, str | None, str]:
        path = self._own_file(scope, file.path)
        refuse_links(path)
        before = read_text(path)
        try:
            return path, file.path, before, file.wire(before or "")
        except (ValueError, RecursionError) as problem:
            raise WiringFailed(
                f"`{path}` cannot be changed: {problem}",
                hint=f"correct it so that {self.client.title} can read it, then try again",
            ) from None

    def _unwire(
        self,
        file: WiredFile,
        scope: InstallScope,
        made: Mapping[str, Any],
        *,
        dry_run: bool,
    ) -> WiringChange | None:
        known = made.get(file.path)
        try:
            path = self._own_file(scope, file.path)
            before = read_text(path)
            after = file.unwire(before) if before else before
        except (ValueError, RecursionError, WiringFailed):
            if known is None:
                return None  # nobody but us says that we were ever in there
            raise
        if before is None or after is None or after == before:
            return None
        return self._taken_out(file, path, after, known or {}, dry_run=dry_run)

    def _taken_out(
        self,
        file: WiredFile,
        path: str,
        after: str,
        known: Mapping[str, Any],
        *,
        dry_run: bool,
    ) -> WiringChange:
        """Leave of a file what is others'; where a link leads is the user's own file."""
        is_link = path != file.path
        if is_link and file.own:
            if not dry_run:
                remove_tree(file.path)
            return WiringChange("removed", file.path, f"the link only, not `{path}`")
        is_made = file.own or bool(known.get("created"))
        if is_made and file.is_blank(after) and not is_link:
            if not dry_run:
                remove_tree(path)
                self._remove_empty(os.path.dirname(path), known)
            return WiringChange("removed", path, "")
        if not dry_run:
            replace_text(path, after)
        return WiringChange("changed", path, "holdfast's entries removed")

    def _own_file(self, scope: InstallScope, path: str) -> str:
        """Return the file that is meant by a setting of the user's, which may be a link;
        none that a project has on the way to its settings is followed.

        Raises:
            WiringFailed: there is such a link.
        """
        if scope == "user":
            return through_own_link(path)
        refuse_links(path, path.rpartition(f"/{self.client.project_directory}/")[0])
        return path

    def _remove_empty(self, directory: str, known: Mapping[str, Any]) -> None:
        """Remove the directories that an install made, if nothing else is in them."""
        made = known.get("made")
        if not isinstance(made, str) or not made:
            return
        while f"{directory}/".startswith(f"{made}/"):
            if not os.path.isdir(directory) or os.listdir(directory):
                return
            os.rmdir(directory)
            directory = os.path.dirname(directory)

    def _scripts(self) -> Iterator[tuple[str, str]]:
        yield LAUNCHER, hook_launcher(self.python, self.client.name)
        yield COMMAND, command_launcher(self.python, self.client.name)

    def _write_scripts(self, *, dry_run: bool) -> Iterator[WiringChange]:
        differing = [script for script in self._scripts() if self._differs(*script)]
        if not dry_run:
            for name, text in differing:
                replace_text(f"{self.directory}/{name}", text, script=True)
        if differing:
            yield WiringChange("written", self.directory, f"{len(differing)} files")

    def _differs(self, name: str, text: str) -> bool:
        path = f"{self.directory}/{name}"
        return read_text(path) != text or not os.access(path, os.X_OK)

    def _receipts(self) -> dict[str, Any]:
        """Return what is on record of each file; a record nobody can read is empty."""
        try:
            found = json.loads(read_text(f"{self.directory}/{_RECEIPT}") or "{}")
        except (ValueError, RecursionError):
            return {}
        entries = found.items() if isinstance(found, dict) else ()
        return {path: entry for path, entry in entries if isinstance(entry, dict)}

    def _remember(
        self,
        scope: InstallScope,
        wanted: Sequence[tuple[str, str, str | None, str]],
        *,
        mcp: bool,
    ) -> None:
        made, place = self._receipts(), self._usual(scope)
        for _, linked, before, _ in wanted:
            known = made.get(linked, {})
            made[linked] = {
                "scope": scope,
                "mcp": mcp,
                "created": known.get("created", before is None),
                "made": known.get("made", _first_missing(os.path.dirname(linked))),
                "place": place,
            }
        text = json.dumps(made, indent=2) + "\n"
        if read_text(f"{self.directory}/{_RECEIPT}") != text:
            replace_text(f"{self.directory}/{_RECEIPT}", text)


def _scope(entry: Mapping[str, Any]) -> InstallScope:
    return "project" if entry.get("scope") == "project" else "user"


def _place(path: str, entry: Mapping[str, Any]) -> str:
    """Return the client's directory that a file on record belongs to."""
    place = entry.get("place")
    return place if isinstance(place, str) and place else os.path.dirname(path)


def _first_missing(directory: str) -> str:
    """Return the uppermost directory that is to be made; nothing if all are there."""
    missing = ""
    while not os.path.isdir(directory):
        missing, directory = directory, os.path.dirname(directory)
    return missing
