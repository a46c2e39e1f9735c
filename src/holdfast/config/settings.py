"""The configuration as values, and where each came from."""

import os
import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatch
from typing import TYPE_CHECKING, Any, Literal

from holdfast.config.keys import BY_NAME, SECTIONS, key_named
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass

if TYPE_CHECKING:
    from holdfast.domain.team import TeamAddress

Origin = Literal["default", "contextd", "user", "project", "environment", "flag"]
_PASSWORD = pattern(r"(://[^/:@\s]*):[^/\s]*@")
_PARAMETER = pattern(r"((?:password|token|secret|key)=)[^&\s]*", re.IGNORECASE)


class Setting(NamedTuple):
    """A value and who set it."""

    value: Any
    origin: Origin = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    auto_checkpoint_on_clear: bool | Literal["prompt"]
    auto_resume_on_start: bool | Literal["prompt", "always"]
    checkpoint_threshold_percent: int
    verify_before_clear: bool
    headless: Literal["off", "capture", "full"]
    nudge: Literal["off", "on"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointSettings:
    auto_summary_enabled: bool
    max_auto_summaries: int
    cleanup_after_days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefSettings:
    budget_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    require_checkpoint: bool
    allow_force: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotLimits:
    max_file_mb: int
    max_total_mb: int
    keep_gb: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveSettings:
    auto_archive: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactionSettings:
    rules: tuple[str, ...]
    allow: tuple[str, ...]


class MirrorSetting(NamedTuple):
    """Another system that gets a copy."""

    kind: Literal["claude-mem", "memora"]
    url: str | None = None


class Share(NamedTuple):
    """What checkpoints are shared with: a remote of the repository."""

    kind: Literal["git"]
    remote: str = "origin"
    projects: Sequence[str] = ()  # globs; none: every project

    def is_for(self, directory: str) -> bool:
        """Say whether a project is shared."""
        return not self.projects or any(_is_in(directory, g) for g in self.projects)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything that can be set, already valid. `warnings` tell what was ignored."""

    enabled: bool
    hooks: Hooks
    checkpoint: CheckpointSettings
    brief: BriefSettings
    guard: Guard
    archive: ArchiveSettings
    exclude: tuple[str, ...]
    redaction: RedactionSettings
    snapshot: SnapshotLimits
    store: str
    team: "TeamAddress | None"
    mirrors: tuple[MirrorSetting, ...]
    share: Share | None
    values: Mapping[str, Setting]  # by key, in KEYS' order
    warnings: tuple[str, ...] = ()

    def is_off_in(self, directory: str) -> bool:
        """Say whether nothing is to be read there, or anywhere."""
        return not self.enabled or any(_is_in(directory, g) for g in self.exclude)

    def is_of_team(self, directory: str) -> bool:
        """Say whether what is kept of a project is shared with the team."""
        globs = self.team.projects if self.team else ()
        is_for = not globs or any(_is_in(directory, glob) for glob in globs)
        return self.team is not None and is_for

    @property
    def targets(self) -> tuple[str, ...]:
        """Who else gets what is kept, each once."""
        team = ("team",) if self.team is not None else ()
        return (*dict.fromkeys(mirror.kind for mirror in self.mirrors), *team)

    def value_of(self, name: str) -> Setting:
        """Return a value and where it came from; the last segment of a key is enough.

        Raises:
            ConfigInvalid: there is no such key.
        """
        return self.values[key_named(name).key]

    def listing(self) -> dict[str, dict[str, Any]]:
        """Return every value with where it came from, passwords hidden."""
        return {
            name: {"value": _shown(setting.value), "from": setting.origin}
            for name, setting in self.values.items()
        }


def config_of(values: Mapping[str, Setting], warnings: tuple[str, ...]) -> Config:
    """Return the configuration that valid settings make."""
    parts: dict[str, dict[str, Any]] = {section: {} for section in SECTIONS}
    for name, setting in values.items():
        key = BY_NAME[name]
        if key.section:
            parts[key.section][key.last_segment] = setting.value
    return Config(
        enabled=values["enabled"].value,
        hooks=Hooks(**parts["hooks"]),
        checkpoint=CheckpointSettings(**parts["checkpoint"]),
        brief=BriefSettings(**parts["brief"]),
        guard=Guard(**parts["guard"]),
        archive=ArchiveSettings(**parts["archive"]),
        exclude=tuple(values["exclude"].value),
        redaction=RedactionSettings(
            rules=tuple(parts["redaction"]["rules"]),
            allow=tuple(parts["redaction"]["allow"]),
        ),
        snapshot=SnapshotLimits(**parts["snapshot"]),
        store=values["store"].value,
        team=_team(values["team"].value),
        mirrors=tuple(MirrorSetting(**mirror) for mirror in values["mirrors"].value),
        share=Share(**share) if (share := values["share"].value) else None,
        values=values,
        warnings=warnings,
    )


def _team(value: Any) -> "TeamAddress | None":
    if value is None:
        return None
    from holdfast.domain.team import TeamAddress, team_address  # noqa: PLC0415  # most have none

    found = team_address(value)
    return found if isinstance(found, TeamAddress) else None


def _is_in(directory: str, glob: str) -> bool:
    """Say whether a directory, or one above it, is what a glob means."""
    place = os.path.expanduser(glob).removesuffix("/**").rstrip("/")
    names = (directory, os.path.realpath(directory)) if directory else ()
    return any(fnmatch(n, place) or fnmatch(n, f"{place}/*") for n in names)


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        return _PARAMETER.sub(r"\1***", _PASSWORD.sub(r"\1:***@", value))
    if isinstance(value, list):
        return [_shown(part) for part in value]
    if isinstance(value, dict):
        return {name: _shown(part) for name, part in value.items()}
    return value
