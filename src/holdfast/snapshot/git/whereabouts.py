"""Where a project is, told by looking: nothing is run, written or trusted for it."""

import os

from holdfast.domain.text import storable
from holdfast.snapshot.git.layout import find


def workspace_of(directory: str) -> str:
    """Return the worktree's root, or the directory itself where there is no git."""
    place = real(directory)
    repository = find(place)
    return text_of(repository.top if repository else place)


def project_directories(directory: str) -> tuple[str, ...]:
    """Return the directories a project fills: its main root and this worktree's."""
    place = real(directory)
    repository = find(place)
    if repository is None:
        return (place,)
    return tuple(sorted({repository.main_root, repository.top}))


def is_own_repository(directory: str) -> bool:
    """Say whether a directory is in a repository whose files are this user's."""
    repository = find(real(directory))
    if repository is None:
        return False
    try:
        owners = {os.stat(p).st_uid for p in (repository.top, repository.git_dir)}
    except OSError:
        return False
    return owners == {os.geteuid()}


def real(directory: str) -> str:
    try:
        return os.path.realpath(directory)
    except (OSError, ValueError):
        return directory  # a name no file system knows; it is still a name


def text_of(path: str) -> str:
    r"""Return a path that every store can keep; bytes that are not UTF-8 as `\xNN`.

    Replacing them by one sign would make two places one.
    """
    try:
        raw = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return storable(path)
    return storable(raw.decode("utf-8", "backslashreplace"))
