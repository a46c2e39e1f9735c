"""Where the plugin was wired in, and what was not there before: the way back."""

import json
from collections.abc import Mapping
from typing import Any

from holdfast.agents.claude_code.wiring.files import (
    read_text,
    replace_text,
)
from holdfast.agents.port import InstallScope
from holdfast.kernel.lazy_values import dataclass, field_names, replace


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
        install = replace(install, made=made, created=before.created, absent=absent)
    known[install.settings] = install
    names = field_names(Install)
    entries = [{name: getattr(one, name) for name in names} for one in known.values()]
    text = json.dumps({"installs": entries}, indent=2) + "\n"
    if read_text(path) != text:
        replace_text(path, text)


def _install(entry: Mapping[str, Any]) -> Install:
    return Install(
        scope="project" if entry["scope"] == "project" else "user",
        settings=str(entry["settings"]),
        directory=str(entry["directory"]),
        mcp=bool(entry["mcp"]),
        made=tuple(map(str, entry["made"])),
        created=bool(entry["created"]),
        absent=tuple(map(str, entry.get("absent", ()))),
    )
