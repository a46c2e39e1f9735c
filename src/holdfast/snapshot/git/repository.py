"""Where a project and its repository are: git directory, worktree, main root.

Found by looking, not by asking git: nothing is run, written or trusted for it, and a
repository's own configuration has no say, so it cannot claim another directory as its
worktree or another repository as its main.
"""

import os
import stat
from collections.abc import Iterator

from holdfast.domain.text import storable
from holdfast.kernel.lazy_values import dataclass
from holdfast.snapshot.git import gitconfig
from holdfast.snapshot.git.files import LARGE, read, read_text

_GITFILE = "gitdir: "


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """One checkout of a repository, by real paths."""

    git_dir: str  # this worktree's own
    common_dir: str  # shared by all worktrees: objects, branches, configuration
    worktree: str | None  # None: a bare repository
    main_root: str  # where the repository itself lives

    @property
    def is_shallow(self) -> bool:
        return bool(read(os.path.join(self.common_dir, "shallow"), LARGE))

    @property
    def objects(self) -> str:
        return os.path.join(self.common_dir, "objects")

    @property
    def top(self) -> str:
        return self.worktree or self.git_dir


def find(directory: str) -> Repository | None:
    """Return the repository a real path lies in, or None.

    A bare repository counts only where no worktree is around it: one that came inside
    somebody's files must not speak for them.
    """
    try:
        for place in _upwards(directory):
            if git_dir := _git_dir_at(place):
                return _checkout(place, git_dir)
    except _Broken:
        return None
    for place in _upwards(directory):
        if _is_git_dir(place):
            return Repository(
                git_dir=place,
                common_dir=_common_dir(place),
                worktree=None,
                main_root=place,
            )
    return None


def configuration(repository: Repository) -> gitconfig.Values:
    """Return the repository's own configuration; its includes are not followed."""
    values = _config_at(repository.common_dir, "config")
    if gitconfig.is_true(values, "extensions.worktreeconfig"):
        return {**values, **_config_at(repository.git_dir, "config.worktree")}
    return values


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


class _Broken(Exception):
    """A `.git` file that leads nowhere; git does not look further up, either."""


def _upwards(directory: str) -> Iterator[str]:
    """Yield a directory and those above it on the same file system, as git does."""
    device: int | None = None
    while directory:
        here = _device(directory)
        if device is not None and here not in (device, None):
            return
        device = device if here is None else here
        yield directory
        above = os.path.dirname(directory)
        directory = above if above != directory else ""


def _device(directory: str) -> int | None:
    """Return the file system; None: gone or closed to us, what is above may tell."""
    try:
        return os.stat(directory).st_dev
    except (OSError, ValueError):
        return None


def _git_dir_at(place: str) -> str | None:
    """Return the git directory that `place/.git` is or names.

    Raises:
        _Broken: it is a file that names none.
    """
    entry = os.path.join(place, ".git")
    try:
        mode = os.stat(entry).st_mode
    except (OSError, ValueError):
        return None
    if stat.S_ISDIR(mode):
        real = os.path.realpath(entry)
        return real if _is_git_dir(real) else None
    text = read_text(entry) or ""
    if not text.startswith(_GITFILE) or "\0" in text:
        raise _Broken
    named = os.path.join(place, text.removeprefix(_GITFILE).rstrip("\r\n"))
    real = os.path.realpath(named)
    if not _is_git_dir(real):
        raise _Broken
    return real


def _is_git_dir(path: str) -> bool:
    common = _common_dir(path)
    return (
        os.path.lexists(os.path.join(path, "HEAD"))
        and os.path.isdir(os.path.join(common, "objects"))
        and os.path.isdir(os.path.join(common, "refs"))
    )


def _common_dir(git_dir: str) -> str:
    named = read_text(os.path.join(git_dir, "commondir"))
    if named is None or "\0" in named:
        return git_dir
    return os.path.realpath(os.path.join(git_dir, named.rstrip("\r\n")))


def _checkout(worktree: str, git_dir: str) -> Repository:
    common = _common_dir(git_dir)
    linked = git_dir != common and _is_registered(worktree, git_dir, common)
    return Repository(
        git_dir=git_dir,
        common_dir=common,
        worktree=worktree,
        main_root=_main_root(common) if linked else worktree,
    )


def _is_registered(worktree: str, git_dir: str, common: str) -> bool:
    """Say whether the main repository knows this worktree; anyone can name it."""
    if os.path.dirname(git_dir) != os.path.join(common, "worktrees"):
        return False
    back = read_text(os.path.join(git_dir, "gitdir"))
    if back is None or "\0" in back:
        return False
    named = os.path.join(git_dir, back.rstrip("\r\n"))
    return os.path.realpath(os.path.dirname(named)) == worktree


def _main_root(common: str) -> str:
    """Return the main worktree that `common` belongs to, or `common` if it has none."""
    configured = gitconfig.last(_config_at(common, "config"), "core.worktree") or ""
    candidates = [os.path.dirname(common)]
    if configured and "\0" not in configured:  # how a submodule names its worktree
        candidates.append(os.path.realpath(os.path.join(common, configured)))
    for candidate in candidates:
        try:
            if _git_dir_at(candidate) == common:
                return candidate
        except _Broken:
            continue
    return common


def _config_at(directory: str, name: str) -> gitconfig.Values:
    return gitconfig.parse(read_text(os.path.join(directory, name), 1 << 20) or "")
