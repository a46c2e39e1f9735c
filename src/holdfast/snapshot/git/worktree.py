"""Whether a worktree differs from what is committed, seen through our own git directory."""

import os

from holdfast.kernel.lazy_values import dataclass
from holdfast.snapshot.git import gitconfig
from holdfast.snapshot.git.files import read_text
from holdfast.snapshot.git.head import GitHead, head_of
from holdfast.snapshot.git.own_git_directory import (
    copy_worktree_files,
    odd_rule_in,
    own_git_dir,
    plain_rules,
)
from holdfast.snapshot.git.program import Git
from holdfast.snapshot.git.repository import Repository, configuration, find

# Settings that decide whether a file counts as changed or ignored. None names a program.
_SETTINGS = (
    "core.attributesfile", "core.autocrlf", "core.checkstat", "core.eol",
    "core.excludesfile", "core.filemode", "core.ignorecase", "core.precomposeunicode",
    "core.sparsecheckout", "core.sparsecheckoutcone", "core.symlinks",
    "core.trustctime", "status.showuntrackedfiles",
)  # fmt: skip
_ASK_SETTINGS = ("config", "-z", "--get-regexp", f"^({'|'.join(_SETTINGS)})$")
# `dirty`: git would start itself inside a submodule, with that one's configuration.
_ASK_STATUS = (
    "status", "--porcelain", "-z", "--no-renames", "--ignore-submodules=dirty",
)  # fmt: skip
_STATUS_WIDTH = 3  # the two letters and the space before a path
_MOST_SUBMODULES = 50
_MOST_NESTED = 3


@dataclass(frozen=True, slots=True)
class Worktrees:
    """Looks at worktrees with one git and one place for scratch directories."""

    git: Git
    scratch: str

    def is_dirty(self, repository: Repository, head: GitHead) -> bool | None:
        """Say whether anything is staged, changed or untracked and not ignored.

        A file behind a filter counts as changed when only its filter could tell. None
        means that it could not be seen.
        """
        return self._is_dirty(repository, head, _MOST_NESTED)

    def uncommitted(
        self, repository: Repository, head: GitHead
    ) -> tuple[str, ...] | None:
        """Return each staged, changed or untracked path from the worktree's root.

        A directory of which nothing is tracked is one path and ends in `/`; a submodule
        counts by the commit it stands at. None means that it could not be seen.
        """
        listed = self._status(repository, head)
        if listed is None:
            return None
        entries = listed.decode("utf-8", "backslashreplace").split("\0")
        return tuple(entry[_STATUS_WIDTH:] for entry in entries if entry)

    def _is_dirty(
        self, repository: Repository, head: GitHead, depth: int
    ) -> bool | None:
        listed = self._status(repository, head)
        own = None if listed is None else bool(listed)
        if own is not False or depth == 0:
            return own
        for place in _submodules(repository):
            inner = find(place)
            if inner is None or inner.worktree != place:
                continue  # not checked out
            dirty = self._is_dirty(inner, head_of(inner, self.git), depth - 1)
            if dirty is not False:
                return dirty
        return False

    def _status(self, repository: Repository, head: GitHead) -> bytes | None:
        values = configuration(repository)
        if not has_worktree(repository, values):
            return b""
        if odd_rule_in(repository.top):
            return None
        settings = user_settings(self.git, repository) | {
            name: values[name][-1] for name in _SETTINGS if name in values
        }
        settings = plain_rules(settings, self.git.environ, repository.top)
        try:
            with own_git_dir(
                self.scratch, values, head=head.commit, settings=settings
            ) as git_dir:
                copy_worktree_files(git_dir, repository)
                answer = self.git.ask(git_dir, repository, _ASK_STATUS)
        except OSError:
            return None
        return answer.output if answer and answer.is_good else None


def user_settings(git: Git, repository: Repository) -> dict[str, str]:
    """Return the user's own ignore and line-ending rules."""
    answer = git.ask(os.devnull, repository, _ASK_SETTINGS, with_user_settings=True)
    if answer is None or not answer.is_good:
        return {}
    pairs = (entry.partition("\n") for entry in answer.text.split("\0") if entry)
    return {name: value if given else "true" for name, given, value in pairs}


def has_worktree(repository: Repository, values: gitconfig.Values) -> bool:
    """A bare repository has none, though a `.git` file beside it may name it."""
    is_main = repository.git_dir == repository.common_dir
    is_bare = is_main and gitconfig.is_true(values, "core.bare")
    return repository.worktree is not None and not is_bare


def _submodules(repository: Repository) -> list[str]:
    """Return where submodules are checked out, of those whose changes count."""
    top = repository.top
    listed = gitconfig.parse(read_text(os.path.join(top, ".gitmodules")) or "")
    places = []
    for name, paths in listed.items():
        module = name.removesuffix(".path")
        ignored = gitconfig.last(listed, f"{module}.ignore") in ("all", "dirty")
        if module == name or ignored or "\0" in paths[-1]:
            continue
        place = os.path.realpath(os.path.join(top, paths[-1]))
        if place.startswith(f"{top}/"):
            places.append(place)
    return places[:_MOST_SUBMODULES]
