"""A git directory of ours over somebody's objects and worktree.

Its configuration is ours, so no hook, filter, monitor or driver is defined in it; its
index is a copy, so nothing git might write lands in the user's `.git`.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from holdfast.kernel.directories import make_directory
from holdfast.kernel.files import create_file
from holdfast.kernel.lazy_patterns import pattern
from holdfast.snapshot.git import files, gitconfig
from holdfast.snapshot.git.ignore_rules import rules_of
from holdfast.snapshot.git.repository import Repository

if TYPE_CHECKING:
    from holdfast.redaction.files import SecretFiles

_DRAFT = pattern(r"roots-\d+|\d+-\d+")
_LEFT_BEHIND_SECONDS = 86_400  # no look takes a day: its process was killed
_NO_COMMIT = b"ref: refs/heads/none\n"
_OURS = """\
[core]
	bare = false
	hooksPath = /dev/null
	fsmonitor = false
"""


@contextmanager
def own_git_dir(
    scratch: str,
    values: gitconfig.Values,
    *,
    head: str | None = None,
    settings: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Lend an empty git directory that stands at `head`; it is removed afterwards.

    Raises:
        OSError: the scratch directory cannot be written.
    """
    path = _new_directory(scratch)
    try:
        for part in ("refs", "info"):
            os.mkdir(f"{path}/{part}", 0o700)
        create_file(f"{path}/HEAD", f"{head}\n".encode() if head else _NO_COMMIT)
        text = _OURS + _object_format(values) + _written(settings or {})
        create_file(f"{path}/config", text.encode("utf-8", "surrogateescape"))
        yield path
    finally:
        _remove(path)


def copy_worktree_files(
    git_dir: str, repository: Repository, secrets: "SecretFiles | None" = None
) -> None:
    """Copy what git needs for a look at the worktree: the index and the ignore rules.

    Raises:
        OSError: what is there cannot be read, or the copy not be written.
    """
    theirs, common = repository.git_dir, repository.common_dir
    for rules in ("info/exclude", "info/attributes"):
        listed = files.read(f"{common}/{rules}", files.LARGE)
        if listed:
            create_file(f"{git_dir}/{rules}", rules_of(listed, secrets))
    files.copy(f"{theirs}/index", f"{git_dir}/index")
    for name in os.listdir(theirs):
        if name.startswith("sharedindex."):  # the other half of a split index
            files.copy(f"{theirs}/{name}", f"{git_dir}/{name}")


def _object_format(values: gitconfig.Values) -> str:
    name = gitconfig.last(values, "extensions.objectformat")
    if name is None:
        return "\trepositoryFormatVersion = 0\n"
    named = gitconfig.quoted(name)
    return f"\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = {named}\n"


def _written(settings: Mapping[str, str]) -> str:
    lines = []
    for name, value in settings.items():
        section, _, key = name.partition(".")
        lines.append(f"[{section}]\n\t{key} = {gitconfig.quoted(value)}\n")
    return "".join(lines)


def _new_directory(scratch: str) -> str:
    drafts = drafts_in(scratch)
    attempt = 0
    while True:
        path = f"{drafts}/{os.getpid()}-{attempt}"
        try:
            os.mkdir(path, 0o700)
        except FileExistsError:
            attempt += 1
            continue
        _remove_left_behind(drafts, os.stat(path).st_mtime)
        return path


def drafts_in(scratch: str) -> str:
    """Return the directory of short-lived things, made if need be.

    Raises:
        OSError: it cannot be made.
    """
    path = f"{scratch}/drafts"
    make_directory(path)
    return path


def _remove_left_behind(drafts: str, now: float) -> None:
    """Remove what killed processes left; `now` is the file system's own time."""
    for name in filter(_DRAFT.fullmatch, os.listdir(drafts)):
        path = f"{drafts}/{name}"
        with suppress(OSError):  # its own process may be removing it
            if now - os.lstat(path).st_mtime > _LEFT_BEHIND_SECONDS:
                _remove(path)


def _remove(path: str) -> None:
    with suppress(OSError):  # what stays is removed another time
        if not os.path.isdir(path) or os.path.islink(path):
            os.unlink(path)
            return
        for name in os.listdir(path):
            _remove(f"{path}/{name}")
        os.rmdir(path)
