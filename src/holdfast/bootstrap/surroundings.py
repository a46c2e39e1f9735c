"""What `doctor` can say of the surroundings: settings, disk, transcripts, the agent."""

import os
from collections.abc import Iterator

from holdfast.bootstrap import Container
from holdfast.domain.query import HealthResult

_LOW_SPACE_MB = 200


def check_surroundings(container: Container) -> Iterator[HealthResult]:
    """Yield what can be said of where this works."""
    for warning in container.config.warnings:
        yield HealthResult("settings", "warn", warning, "see `holdfast config list`")
    if not container.config.warnings:
        yield HealthResult("settings", "ok", "all understood")
    yield _space(container.home)
    yield _transcripts(container.places.claude_dir)
    yield from container.wiring().check()


def _space(home: str) -> HealthResult:
    place = home
    while not os.path.isdir(place):
        place = os.path.dirname(place)
    if not os.access(place, os.W_OK):
        hint = "no save is kept until it can be: look at its mount and its permissions"
        return HealthResult("disk", "warn", f"`{place}` cannot be written", hint)
    disk = os.statvfs(place)
    free_mb = disk.f_bavail * disk.f_frsize // 1_000_000
    if free_mb < _LOW_SPACE_MB:
        return HealthResult("disk", "warn", f"{free_mb:,} MB left", "make room soon")
    return HealthResult("disk", "ok", f"{free_mb:,} MB free")


def _transcripts(claude_dir: str) -> HealthResult:
    if os.path.isdir(f"{claude_dir}/projects"):
        return HealthResult("transcripts", "ok", f"found in `{claude_dir}`")
    return HealthResult(
        "transcripts",
        "warn",
        f"none of Claude Code's in `{claude_dir}`",
        "set `CLAUDE_CONFIG_DIR` if they are elsewhere",
    )
