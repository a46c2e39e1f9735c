"""Where snapshots lie: one bare git directory of ours for every project.

A tree's name is the hash of its content, so a repository that was moved, cloned or
checked out twice finds the same trees, and equal files are kept once. No repository's
objects are borrowed: what is acknowledged is whole without it.
"""

import os
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING

from holdfast.kernel.directories import make_directory
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.snapshot.git import files
from holdfast.snapshot.git.program import Git, GitAnswer
from holdfast.snapshot.git.repository import Repository

if TYPE_CHECKING:
    from subprocess import Popen

TREES = "refs/trees"  # one ref per tree that a checkpoint may name
_CONFIG = b"""\
[core]
	repositoryFormatVersion = 0
	bare = true
	sharedRepository = 0600
	hooksPath = /dev/null
	fsync = all
	compression = 1
	logAllRefUpdates = false
[fastimport]
	unpackLimit = 0
[gc]
	auto = 0
[pack]
	compression = 1
"""
_COMMANDS_TAKE = 600.0  # seconds; only a save has less


class NotTaken(Exception):
    """There is no snapshot; the text says why."""


class TookTooLong(NotTaken):
    """The time for it was over."""


@dataclass(frozen=True, slots=True)
class Objects:
    """The object store, asked through git, written only durably."""

    path: str
    git: Git

    @property
    def lock(self) -> str:
        return f"{self.path}/lock"

    @property
    def exists(self) -> bool:
        return os.path.exists(f"{self.path}/config")

    def prepare(self) -> None:
        """Make the directory if it is not there.

        Raises:
            OSError: it cannot be written.
        """
        if self.exists:
            return
        for part in ("objects/pack", "objects/info", TREES):
            make_directory(f"{self.path}/{part}")
        for name, content in (("HEAD", b"ref: refs/heads/none\n"), ("config", _CONFIG)):
            files.replace(f"{self.path}/{name}", content, durable=True)

    def ask(
        self,
        arguments: Sequence[str],
        *,
        stdin: bytes = b"",
        until: float | None = None,
    ) -> GitAnswer:
        """Return git's answer, whatever its exit status.

        Raises:
            NotTaken: there is no git, or `until` (monotonic) came first.
        """
        answer = within(self.git, until).ask(
            self.path, self._as_repository(), arguments, stdin=stdin
        )
        return _given(answer)

    def start(self, arguments: Sequence[str]) -> "Popen[bytes]":
        """Start a git that is talked to.

        Raises:
            NotTaken: there is no git that can be started.
        """
        try:
            process = self.git.start(self.path, self._as_repository(), arguments)
        except OSError as problem:
            raise NotTaken(f"git cannot be started: {problem.strerror}") from None
        if process is None:
            raise NotTaken("git was not found")
        return process

    def _as_repository(self) -> Repository:
        return Repository(
            git_dir=self.path, common_dir=self.path, worktree=None, main_root=self.path
        )


def within(git: Git, until: float | None) -> Git:
    """Return a git that is stopped when the time is over."""
    left = _COMMANDS_TAKE if until is None else max(until - monotonic(), 0.001)
    return replace(git, timeout=left)


def asked(
    git: Git, git_dir: str, repository: Repository, arguments: Sequence[str]
) -> GitAnswer:
    """Return git's answer about somebody's worktree or objects.

    Raises:
        NotTaken: there is no git, or it was stopped.
    """
    return _given(git.ask(git_dir, repository, arguments))


def _given(answer: GitAnswer | None) -> GitAnswer:
    if answer is None:
        raise NotTaken("git was not found")
    if answer.is_late:
        raise TookTooLong("it took too long")
    return answer
