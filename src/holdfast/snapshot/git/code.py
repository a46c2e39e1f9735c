"""Looking at a repository without touching it: the port `Code`, for git.

Places, branches and remotes are read from its files; git itself is asked only for what
needs it: history, objects and whether the worktree differs.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.domain.code import CodeState, ProjectIdentity
from holdfast.snapshot.git import identity
from holdfast.snapshot.git.head import GitHead, branch_commit, head_of, is_object_id
from holdfast.snapshot.git.identity import RootMemory, known_roots
from holdfast.snapshot.git.own_git_directory import own_git_dir
from holdfast.snapshot.git.program import DEFAULT_TIMEOUT, Deadline, Git, GitAnswer
from holdfast.snapshot.git.repository import (
    Repository,
    configuration,
    find,
    real,
    text_of,
)
from holdfast.snapshot.git.worktree import Worktrees

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from holdfast.snapshot.port import BranchFate, Change

_LATE = "git took too long to say what is uncommitted"


class GitCode:
    """Code as git sees it; a directory without git is just a place."""

    def __init__(
        self,
        scratch: str,
        environ: Mapping[str, str],
        *,
        timeout: float = DEFAULT_TIMEOUT,
        deadline: Deadline | None = None,
        redact: Callable[[str], str] = str,
    ) -> None:
        """`scratch` is a directory of ours; it is made when it is first needed.

        `redact` is what every name passes that somebody chose: branches, files.
        """
        self._scratch = scratch
        self._redact = redact
        self._deadline = deadline or Deadline()
        self._git = Git(environ=environ, timeout=timeout, deadline=self._deadline)

    def exists(self, directory: str) -> bool:
        """Say whether this is a directory on this machine."""
        return os.path.isdir(directory)

    def identity(self, directory: str) -> ProjectIdentity:
        """Return what a directory shows of its project. Works without git, too."""
        place = real(directory)
        repository = find(place)
        if repository is None:
            return ProjectIdentity(path=text_of(place), workspace=text_of(place))
        head = head_of(repository, self._git)
        return ProjectIdentity(
            path=text_of(repository.main_root),
            workspace=text_of(repository.top),
            root_commits=self._roots(repository, head),
            remote=self._remote(repository, head),
            is_git=True,
        )

    def state(self, directory: str) -> CodeState:
        """Return branch, head and whether anything uncommitted was seen.

        With a reason where git took too long to tell.
        """
        repository = find(real(directory))
        if repository is None:
            return CodeState()
        head = head_of(repository, self._git)
        is_dirty = Worktrees(self._git, self._scratch).is_dirty(repository, head)
        return CodeState(
            branch=self._branch(head),
            head=head.commit,
            dirty=is_dirty is True,
            reason=_LATE if is_dirty is None and self._deadline.was_lost else "",
        )

    def head(self, directory: str) -> CodeState:
        """Return branch and head alone: quick whatever the repository's size."""
        repository = find(real(directory))
        if repository is None:
            return CodeState()
        head = head_of(repository, self._git)
        return CodeState(branch=self._branch(head), head=head.commit)

    def branch_fate(self, directory: str, branch: str) -> BranchFate:
        """Say what became of a branch: there, merged into what is checked out, gone."""
        repository = find(real(directory))
        head = head_of(repository, self._git) if repository else GitHead()
        if repository is None or head.commit is None:
            return "there"
        tip = branch_commit(repository, branch)
        if tip is None:
            return "gone"
        question = ("merge-base", "--is-ancestor", tip, head.commit)
        answer = self._ask_objects(repository, question)
        return "merged" if answer is not None and answer.is_good else "there"

    def changed(
        self, directory: str, paths: Iterable[str], since_ms: int
    ) -> tuple[tuple[str, Change], ...]:
        """Return which of these files were written since, or are gone, in order."""
        return tuple(_changed(real(directory), paths, since_ms))

    def uncommitted(self, directory: str) -> tuple[str, ...] | None:
        """Return the uncommitted paths from the worktree's root, or None."""
        repository = find(real(directory))
        if repository is None:
            return None
        looks = Worktrees(self._git, self._scratch)
        paths = looks.uncommitted(repository, head_of(repository, self._git))
        if paths is None:
            return None
        return tuple(self._redact(text_of(path)) for path in paths)

    def has_commit(self, directory: str, commit: str) -> bool:
        """Say whether the repository still has a commit object.

        A commit is not gone until git says so: where git cannot be asked, it is there.
        """
        repository = find(real(directory))
        if repository is None or not is_object_id(commit):
            return False
        question = ("cat-file", "--batch-check=%(objecttype)")
        answer = self._ask_objects(repository, question, f"{commit}\n".encode())
        if answer is None or not answer.is_good:
            return True
        return answer.text.strip() == "commit"

    def _branch(self, head: GitHead) -> str | None:
        return self._redact(text_of(head.branch)) if head.branch else None

    def _remote(self, repository: Repository, head: GitHead) -> str | None:
        """Return the remote's address; one that carries a secret is no sign at all."""
        address = identity.remote_address(configuration(repository), head.branch)
        return address if address and self._redact(address) == address else None

    def _roots(self, repository: Repository, head: GitHead) -> tuple[str, ...]:
        if head.commit is None or repository.is_shallow:
            return ()
        memory = RootMemory(self._scratch, repository)
        before = memory.read()
        found = known_roots(
            head.commit,
            before,
            lambda question: self._ask_objects(repository, question),
        )
        if found is None:
            return ()
        if found not in before:
            memory.write([*before, found])
        return found.roots or ()

    def _ask_objects(
        self, repository: Repository, question: Sequence[str], stdin: bytes = b""
    ) -> GitAnswer | None:
        """Ask about objects: none of the repository's configuration is in force."""
        try:
            with own_git_dir(self._scratch, configuration(repository)) as git_dir:
                return self._git.ask(git_dir, repository, question, stdin=stdin)
        except OSError:
            return None


def _changed(
    directory: str, paths: Iterable[str], since_ms: int
) -> Iterator[tuple[str, Change]]:
    for path in paths:
        try:
            written = os.stat(os.path.join(directory, path)).st_mtime_ns // 1_000_000
        except FileNotFoundError:
            yield path, "gone"
        except (OSError, ValueError):
            continue  # not ours to see: nothing is claimed of it
        else:
            if written > since_ms:
                yield path, "changed"
