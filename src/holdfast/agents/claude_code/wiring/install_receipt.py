"""What wiring left behind, and the way back: our receipt, and the client's own directory.

Registering writes us into the client's lists, copies the plugin and makes places to keep
it; each session's own shell reads our variables. What was not there before goes with us.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from holdfast.agents.claude_code.wiring.permissions import (
    rule_sections_of_ours,
    rules_of_ours,
)
from holdfast.agents.claude_code.wiring.plugin import (
    MARKETPLACE,
    PLUGIN,
    names_us,
    sections_of_ours,
)
from holdfast.agents.client_files import (
    read_text,
    remove_tree,
    replace_text,
)
from holdfast.agents.json_text import member, without_member
from holdfast.agents.port import InstallScope, WiringChange, WiringDeed
from holdfast.kernel.errors import WiringFailed
from holdfast.kernel.lazy_values import dataclass, field_names, replace

_KNOWN, _INSTALLED = "plugins/known_marketplaces.json", "plugins/installed_plugins.json"
_ENTRIES = {_KNOWN: (MARKETPLACE,), _INSTALLED: ("plugins", PLUGIN)}
_COPY = f"plugins/cache/{MARKETPLACE}"
_OURS = (_COPY, f"plugins/data/holdfast-{MARKETPLACE}")
_SHELLS = "session-env"
_PLACES = (
    *_ENTRIES,
    "plugins/cache",
    "plugins/data",
    "plugins/marketplaces",
    "plugins",
    _SHELLS,
)
_EMPTY_LISTS: tuple[object, ...] = ({}, {"version": 2, "plugins": {}})


@dataclass(frozen=True, slots=True, kw_only=True)
class Install:
    """One settings file that names us."""

    scope: InstallScope
    settings: str
    directory: str  # the project it was installed from
    mcp: bool
    made: tuple[str, ...]  # sections of the file that were not there before
    created: bool  # the file itself was not there before
    absent: tuple[str, ...] = ()  # places of the client's that were not there, either
    rules: tuple[str, ...] = ()  # of permissions, that were not there, either


def read_installs(path: str) -> tuple[Install, ...]:
    """Return every install on record; a record nobody can read is an empty one."""
    try:
        found = json.loads(read_text(path) or "{}")["installs"]
        return tuple(_install(entry) for entry in found)
    except (ValueError, TypeError, KeyError):
        return ()


def remember_install(path: str, install: Install) -> None:
    """Note an install; what an earlier one of the same file made stays noted."""
    known = {one.settings: one for one in read_installs(path)}
    before = known.get(install.settings)
    if before:
        made = tuple(dict.fromkeys((*before.made, *install.made)))
        absent = tuple(dict.fromkeys((*before.absent, *install.absent)))
        rules = tuple(dict.fromkeys((*before.rules, *install.rules)))
        install = replace(
            install, made=made, created=before.created, absent=absent, rules=rules
        )
    known[install.settings] = install
    names = field_names(Install)
    entries = [{name: getattr(one, name) for name in names} for one in known.values()]
    text = json.dumps({"installs": entries}, indent=2) + "\n"
    if read_text(path) != text:
        replace_text(path, text)


def unrecorded_install(
    scope: InstallScope, settings: str, directory: str
) -> Install | None:
    """Return the install that settings show by themselves: its record may be lost.

    Whose sections were there before is not known then: one that holds nothing but a key
    of ours counts as ours.
    """
    try:
        text = read_text(settings)
    except WiringFailed:
        return None  # nobody but us says that we were ever in there
    if text is None or not names_us(text):
        return None
    return Install(
        scope=scope,
        settings=settings,
        directory=directory,
        mcp=False,
        made=sections_of_ours(text) + rule_sections_of_ours(text),
        created=False,
        rules=rules_of_ours(text),
    )


def _install(entry: Mapping[str, Any]) -> Install:
    return Install(
        scope="project" if entry["scope"] == "project" else "user",
        settings=str(entry["settings"]),
        directory=str(entry["directory"]),
        mcp=bool(entry["mcp"]),
        made=tuple(map(str, entry["made"])),
        created=bool(entry["created"]),
        absent=tuple(map(str, entry.get("absent", ()))),
        rules=tuple(map(str, entry.get("rules", ()))),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientTraces:
    """`claude_dir` is the client's directory, `variables` the one of ours it reads."""

    claude_dir: str
    variables: str

    def are_complete(self, directory: str, scope: InstallScope, workspace: str) -> bool:
        """Say whether the client has us registered for a scope already."""
        where = self._member(_KNOWN, (MARKETPLACE, "installLocation"))
        entries = self._member(_INSTALLED, _ENTRIES[_INSTALLED])
        return where == directory and any(
            isinstance(entry, dict)
            and entry.get("scope") == scope
            and (scope == "user" or entry.get("projectPath") == workspace)
            for entry in (entries if isinstance(entries, list) else ())
        )

    def missing_places(self) -> tuple[str, ...]:
        """Return what registering may make that is not there yet."""
        places = (self._path(name) for name in _PLACES)
        return tuple(path for path in places if not os.path.lexists(path))

    def seen(self) -> dict[str, str | None]:
        """Return what registering may change, as it is now."""
        copy = "" if os.path.isdir(self._path(_COPY)) else None
        return {**{name: self._text(name) for name in _ENTRIES}, _COPY: copy}

    def made_since(self, before: Mapping[str, str | None]) -> Iterator[WiringChange]:
        """Yield what the client's own command wrote since `before` was seen."""
        now = self.seen()
        for name in before:
            if now[name] != before[name]:
                yield self._written(name, is_new=before[name] is None)

    def to_be_made(self) -> Iterator[WiringChange]:
        """Yield what its command would write."""
        for name, text in self.seen().items():
            yield self._written(name, is_new=text is None)

    def named(self) -> tuple[str, ...]:
        """Return the client's lists that have an entry of ours."""
        return tuple(
            self._path(name)
            for name, key in _ENTRIES.items()
            if self._member(name, key) is not None
        )

    def forget(self, *, dry_run: bool) -> Iterator[WiringChange]:
        """Take us out of what the client's own command has not cleaned; yield it."""
        if not dry_run:
            for name, key in _ENTRIES.items():
                if self._member(name, key) is not None:
                    text = without_member(self._text(name) or "", key)
                    replace_text(self._path(name), text)
        for path in (self._path(name) for name in _OURS):
            if os.path.lexists(path):
                if not dry_run:
                    remove_tree(path)
                yield WiringChange("removed", path, "")
        yield from self._forget_variables(dry_run=dry_run)

    def _forget_variables(self, *, dry_run: bool) -> Iterator[WiringChange]:
        """Take our line out of each session's own shell; many files are one change."""
        changed, removed = list[str](), list[str]()
        for path in sorted(self._shell_files()):
            text = read_text(path) or ""
            lines = text.splitlines(keepends=True)
            rest = "".join(line for line in lines if f"{self.variables}/" not in line)
            if rest == text:
                continue
            (changed if rest else removed).append(path)
            if not dry_run and rest:
                replace_text(path, rest)
            elif not dry_run:
                remove_tree(path)
                remove_empty([os.path.dirname(path)])
        yield from self._as_one("changed", changed, "our line gone")
        yield from self._as_one("removed", removed, "")

    def _as_one(
        self, what: WiringDeed, paths: list[str], detail: str
    ) -> Iterator[WiringChange]:
        if len(paths) > 1:
            count = ": ".join(filter(None, (f"{len(paths)} files", detail)))
            yield WiringChange(what, self._path(_SHELLS), count)
        elif paths:
            yield WiringChange(what, paths[0], detail)

    def _shell_files(self) -> Iterator[str]:
        for directory, _, names in os.walk(self._path(_SHELLS)):
            for name in names:
                if name.startswith("sessionstart-hook-"):
                    yield os.path.join(directory, name)

    def _written(self, name: str, *, is_new: bool) -> WiringChange:
        path, how = self._path(name), "by Claude Code's own command"
        return WiringChange("written" if is_new else "changed", path, how)

    def _path(self, name: str) -> str:
        return f"{self.claude_dir}/{name}"

    def _text(self, name: str) -> str | None:
        return read_text(self._path(name))

    def _member(self, name: str, key: tuple[str, ...]) -> Any:
        try:
            return member(self._text(name) or "{}", key)
        except (ValueError, RecursionError, WiringFailed):
            return None


def remove_empty(places: Iterable[str]) -> None:
    """Remove directories and lists that hold nothing any more, the deepest first."""
    for path in sorted(places, key=len, reverse=True):
        if os.path.islink(path):
            continue
        if os.path.isdir(path) and not os.listdir(path):
            os.rmdir(path)
        elif os.path.isfile(path) and _is_empty_list(path):
            remove_tree(path)


def _is_empty_list(path: str) -> bool:
    try:
        return json.loads(read_text(path) or "{}") in _EMPTY_LISTS
    except (ValueError, RecursionError, WiringFailed):
        return False
