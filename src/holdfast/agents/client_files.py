"""Someone else's small files, changed all at once, and through a symbolic link only where
the user's own settings are one that leads to a file of theirs."""

import errno
import os
import stat

from holdfast.kernel.directories import directory_below, make_directory
from holdfast.kernel.errors import WiringFailed
from holdfast.kernel.files import UnsuitableFile, read_file, replace_file

_NEW_FILE = 0o600
_NEW_SCRIPT = 0o700
_MOST_BYTES = 4 << 20
_OF_THE_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EIO)
_HINT = "put a plain file or directory of your own there, then try again"


def read_text(path: str) -> str | None:
    """Return the text of a plain file, or None if there is no file.

    Raises:
        WiringFailed: it is a link, no plain file, too large, or no text.
    """
    try:
        return read_file(path, limit=_MOST_BYTES).decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnsuitableFile:
        raise WiringFailed(f"`{path}` is not a small plain file", hint=_HINT) from None
    except OSError as problem:
        raise _refused(path, problem) from None
    except UnicodeDecodeError:
        raise WiringFailed(f"`{path}` is not UTF-8 text", hint=_HINT) from None


def refuse_links(path: str, below: str = "") -> None:
    """Make sure that neither a file nor its directory is a symbolic link, nor any other
    directory on the way to it from `below`, which somebody else filled.

    Raises:
        WiringFailed: one of them is.
    """
    places = [os.path.dirname(path), path]
    while below and os.path.dirname(places[0]).startswith(f"{below}/"):
        places.insert(0, os.path.dirname(places[0]))
    for place in places:
        if os.path.islink(place):
            raise WiringFailed(f"`{place}` is a symbolic link", hint=_HINT)


def through_own_link(path: str) -> str:
    """Return where a link of the user's own leads; another path as it is.

    People keep their settings in a repository of dotfiles and link to them.

    Raises:
        WiringFailed: it leads nowhere, to no plain file, or to a file of another user.
    """
    if not os.path.islink(path):
        return path
    target = os.path.realpath(path)
    try:
        link, found = os.lstat(path), os.lstat(target)
    except OSError:
        raise WiringFailed(
            f"`{path}` is a symbolic link that leads nowhere: `{target}`",
            hint="create that file or remove the link, then try again",
        ) from None
    if not stat.S_ISREG(found.st_mode):
        raise WiringFailed(
            f"`{path}` is a symbolic link to `{target}`, which is not a regular file",
            hint=_HINT,
        )
    if {link.st_uid, found.st_uid} != {os.geteuid()}:
        raise WiringFailed(
            f"`{path}` is a symbolic link to `{target}`, which is not yours",
            hint=_HINT,
        )
    return target


def replace_text(path: str, text: str, *, script: bool = False) -> None:
    """Put a text in place of a file: all of it, or nothing.

    A file that was there keeps its permissions; a new one is its owner's alone.

    Raises:
        WiringFailed: it cannot be written, or a link is in the way.
    """
    directory, name = os.path.split(path)
    try:
        make_directory(directory)
        with directory_below(directory, ()) as within:
            mode = _mode(name, within, script=script)
            draft = f".{name}.holdfast-{os.getpid()}"
            replace_file(name, text.encode(), within, half=draft, mode=mode)
    except OSError as problem:
        raise _refused(path, problem) from None


def remove_tree(path: str) -> bool:
    """Remove a directory of ours with all that is in it; say whether it was there.

    A link is removed, what it leads to stays.

    Raises:
        WiringFailed: something in it cannot be removed.
    """
    if not os.path.lexists(path):
        return False
    try:
        if os.path.islink(path) or not os.path.isdir(path):
            os.unlink(path)
            return True
        with os.scandir(path) as entries:
            inside = [entry.path for entry in entries]
        for entry in inside:
            remove_tree(entry)
        os.rmdir(path)
    except OSError as problem:
        raise _refused(path, problem) from None
    return True


def _mode(name: str, within: int, *, script: bool) -> int:
    try:
        found = os.stat(name, dir_fd=within, follow_symlinks=False)
    except FileNotFoundError:
        return _NEW_SCRIPT if script else _NEW_FILE
    if stat.S_ISLNK(found.st_mode):
        raise OSError(errno.ELOOP, "it is a symbolic link")
    return stat.S_IMODE(found.st_mode)


def _refused(path: str, problem: OSError) -> WiringFailed:
    reason, hint = problem.strerror or type(problem).__name__, _HINT
    if problem.errno in (errno.ELOOP, errno.ENOTDIR):
        reason = "a symbolic link is in the way"
    elif problem.errno in _OF_THE_DISK:
        hint = "check its free space and permissions, then try again"
    return WiringFailed(f"`{path}` cannot be used: {reason}", hint=hint)
