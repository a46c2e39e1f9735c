"""Who may read the data directory: its owner, and nobody else."""

import os
import stat
from collections.abc import Iterator

from holdfast.data_directory.own import own_folders
from holdfast.domain.query import HealthResult

_OTHERS = 0o077
_NAME = "permissions"


def check_modes(home: str) -> HealthResult:
    """Say whether others can reach anything of ours."""
    found = list(_open_to_others(home))
    if not found:
        return HealthResult(_NAME, "ok", "only you can read the data")
    many = "1 file" if len(found) == 1 else f"{len(found):,} files"
    return HealthResult(
        _NAME,
        "warn",
        f"others may reach {many}, such as `{found[0]}`",
        "close them with `holdfast doctor --repair`",
    )


def close_modes(home: str) -> Iterator[str]:
    """Take the rights of others away; say how many files that were.

    Raises:
        OSError: one of them is not ours to change.
    """
    count = 0
    for path in list(_open_to_others(home)):
        os.chmod(path, stat.S_IMODE(os.lstat(path).st_mode) & ~_OTHERS)
        count += 1
    if count:
        yield f"others could reach {count:,} files and directories: closed"


def _open_to_others(home: str) -> Iterator[str]:
    """Yield what is ours and others have rights on; never what is somebody else's."""
    for folder in own_folders(home):
        paths = [own.path for own in folder.files]
        if not folder.is_shared:
            paths.insert(0, folder.path)
        yield from (path for path in paths if _is_open(path))


def _is_open(path: str) -> bool:
    try:
        return bool(os.lstat(path).st_mode & _OTHERS)
    except OSError:
        return False
