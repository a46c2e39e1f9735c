"""A transcript as a file: how long it is and when it was written. Missing ones are 0."""

from __future__ import annotations

import os


def size_of(path: str) -> int:
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0


def written_at(path: str) -> int:
    """Return when a file was written last, in Unix milliseconds."""
    try:
        return os.stat(path).st_mtime_ns // 1_000_000
    except (OSError, ValueError):
        return 0
