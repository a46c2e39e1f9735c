"""What `doctor` can say of the surroundings: the disk, and where transcripts are."""

import os

from holdfast.domain.query import Finding

_LOW_SPACE_MB = 200


def space(home: str) -> Finding:
    place = home
    while not os.path.isdir(place):
        place = os.path.dirname(place)
    disk = os.statvfs(place)
    free_mb = disk.f_bavail * disk.f_frsize // 1_000_000
    if free_mb < _LOW_SPACE_MB:
        return Finding("disk", "warn", f"{free_mb:,} MB left", "make room soon")
    return Finding("disk", "ok", f"{free_mb:,} MB free")


def transcripts(claude_dir: str) -> Finding:
    if os.path.isdir(f"{claude_dir}/projects"):
        return Finding("transcripts", "ok", f"found in `{claude_dir}`")
    return Finding(
        "transcripts",
        "warn",
        f"none of Claude Code's in `{claude_dir}`",
        "set `CLAUDE_CONFIG_DIR` if they are elsewhere",
    )
