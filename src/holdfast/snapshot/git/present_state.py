"""The port `Ground`, on a file system with git."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence

from holdfast.domain.code import SYMLINK, CodeState, DriftState, TreeEntry
from holdfast.domain.text import storable
from holdfast.snapshot.git.head import head_of, is_object_id
from holdfast.snapshot.git.own_git_directory import own_git_dir
from holdfast.snapshot.git.program import Git
from holdfast.snapshot.git.repository import configuration, find
from holdfast.snapshot.git.worktree_files import directory, is_as, mode_at, split

_MOST_COMMITS = "1000"
_LOG = (
    "log", "--no-renames", "--name-only", "--no-ext-diff", "--no-textconv", "-z",
    "--format=%x01%H", f"--max-count={_MOST_COMMITS}",
)  # fmt: skip


class GitGround:
    """Compares files with what was kept of them; git is asked for commits alone."""

    def __init__(
        self, scratch: str, git: Git, redact: Callable[[str], str] = str
    ) -> None:
        """`scratch` is a directory of ours; it is made when it is first needed.

        A branch passes `redact`, as it did before a record kept it.
        """
        self._scratch = scratch
        self._git = git
        self._redact = redact

    def stands(self, root: str) -> CodeState:
        repository = find(os.path.realpath(root))
        if repository is None:
            return CodeState()
        head = head_of(repository, self._git)
        branch = self._redact(storable(head.branch)) if head.branch else None
        return CodeState(branch=branch, head=head.commit)

    def states(
        self, root: str, entries: Iterable[TreeEntry]
    ) -> Mapping[str, DriftState]:
        return {entry.path: _state(root, entry) for entry in entries}

    def there(self, root: str, paths: Iterable[str]) -> frozenset[str]:
        return frozenset(path for path in paths if mode_at(root, path) is not None)

    def commits(self, root: str, since: str, paths: Sequence[str]) -> Mapping[str, str]:
        repository = find(os.path.realpath(root))
        if repository is None or not paths or not is_object_id(since):
            return {}
        head = head_of(repository, self._git).commit
        if head is None or head == since:
            return {}
        question = (*_LOG, head, f"^{since}", "--", *_literal(paths))
        try:
            with own_git_dir(self._scratch, configuration(repository)) as git_dir:
                answer = self._git.ask(git_dir, repository, question)
        except OSError:
            return {}
        return _newest(answer.text) if answer and answer.is_good else {}


def _literal(paths: Sequence[str]) -> list[str]:
    """Return paths that git takes as they are, from the root of the worktree."""
    return [f":(top,literal){path}" for path in paths]


def _newest(text: str) -> dict[str, str]:
    """Read `\\x01commit NUL newline path NUL path …`, the newest commit first."""
    found: dict[str, str] = {}
    for block in text.split("\x01")[1:]:
        commit, _, names = block.partition("\0")
        for name in names.lstrip("\n").split("\0"):
            if name:
                found.setdefault(name, commit.strip())
    return found


def _state(root: str, entry: TreeEntry) -> DriftState:
    if mode_at(root, entry.path) is None:
        return "gone"
    above, name = split(entry.path)
    try:
        with directory(root, above) as within:
            if entry.mode != SYMLINK and not _has_size(entry, within, name):
                return "changed"
            return "unchanged" if is_as(entry, within, name) else "changed"
    except OSError:
        return "changed"  # it is there and cannot be read as it could then


def _has_size(entry: TreeEntry, within: int, name: str) -> bool:
    """A look at the size spares reading most files that changed."""
    return os.stat(name, dir_fd=within, follow_symlinks=False).st_size == entry.size
