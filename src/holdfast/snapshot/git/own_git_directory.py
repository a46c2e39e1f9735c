"""A git directory of ours over somebody's objects and worktree, and the rules copied into it.

Its configuration is ours, so no hook, filter, monitor or driver is defined in it; its
index is a copy, so nothing git might write lands in the user's `.git`.

git opens a `.gitignore` or `.gitattributes` wherever it finds one, and waits for ever if
it is a pipe. So what can be known before is looked at before, and what cannot is looked
for once git takes too long. Where such a list is a link, it may lead to anything the user
can read: what is no pattern is not copied.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from holdfast.kernel.directories import make_directory
from holdfast.kernel.files import create_file
from holdfast.kernel.lazy_patterns import pattern
from holdfast.snapshot.git import files, gitconfig
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


RULE_FILES = (".gitignore", ".gitattributes")

# Each setting that names such a file, and where git looks without it.
_NAMED = {"core.excludesfile": "ignore", "core.attributesfile": "attributes"}
_MOST_DIRECTORIES = 20_000
_MOST_RULES_BYTES = 1 << 26

# A pattern of git has hardly ever one of these; then it is worth looking closer.
_ODD_RULE = pattern(rb"[=:@]|\S[ \t]+\S|[A-Za-z0-9+/_\-]{16}")


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


def drafts_in(scratch: str) -> str:
    """Return the directory of short-lived things, made if need be.

    Raises:
        OSError: it cannot be made.
    """
    path = f"{scratch}/drafts"
    make_directory(path)
    return path


def odd_rule_in(root: str) -> str | None:
    """Return which rules at the top of a worktree cannot be read, if any."""
    return next((name for name in RULE_FILES if _blocks(f"{root}/{name}")), None)


def odd_rule_below(root: str) -> str | None:
    """Return which rules anywhere in a worktree cannot be read, by their path in it."""
    for seen, (place, directories, names) in enumerate(os.walk(root)):
        if seen > _MOST_DIRECTORIES:
            return None
        directories[:] = [name for name in directories if name != ".git"]
        for name in RULE_FILES:
            if name in names and _blocks(f"{place}/{name}"):
                return os.path.relpath(f"{place}/{name}", root)
    return None


def plain_rules(
    settings: Mapping[str, str], environ: Mapping[str, str], root: str
) -> dict[str, str]:
    """Return settings in which no file of rules is named that cannot be read."""
    return {**settings, **dict(_replaced(settings, environ, root))}


def rules_of(content: bytes, secrets: "SecretFiles | None" = None) -> bytes:
    """Return the lines that git would heed and that carry no secret."""
    lines = content.splitlines(keepends=True)
    rules = b"".join(x for x in lines if x.strip() and not x.startswith(b"#"))
    has_own = secrets is not None and secrets.own  # which may look like any pattern
    if not has_own and not _ODD_RULE.search(rules):
        return rules
    from holdfast.redaction.files import SecretFiles  # noqa: PLC0415  # a hook seldom needs it

    return (secrets or SecretFiles()).lines_without(rules)


def _object_format(values: gitconfig.Values) -> str:
    name = gitconfig.last(values, "extensions.objectformat")
    if name is None:
        return "\trepositoryFormatVersion = 0\n"
    named = gitconfig.quoted(name)
    return f"\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = {named}\n"


def _written(settings: Mapping[str, str]) -> str:
    lines = []
    for name, value in settings.items():
        section, _, rest = name.partition(".")
        of, _, key = rest.rpartition(".")
        header = f'{section} "{of}"' if of else section
        lines.append(f"[{header}]\n\t{key} = {gitconfig.quoted(value)}\n")
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


def _replaced(
    settings: Mapping[str, str], environ: Mapping[str, str], root: str
) -> Iterator[tuple[str, str]]:
    home = environ.get("HOME", "")
    usual = environ.get("XDG_CONFIG_HOME") or f"{home}/.config"
    for setting, name in _NAMED.items():
        path = settings.get(setting) or f"{usual}/git/{name}"
        if path.startswith("~/"):
            path = f"{home}{path[1:]}"
        if _blocks(os.path.join(root, path)):
            yield setting, os.devnull


def _blocks(path: str) -> bool:
    """Say whether reading what a path leads to could take for ever."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return False
    if stat.S_ISREG(found.st_mode):
        return found.st_size > _MOST_RULES_BYTES
    return not stat.S_ISDIR(found.st_mode)
