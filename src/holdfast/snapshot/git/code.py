"""Looking at a repository without touching it: the port `Code`, for git.

Places, branches and remotes are read from its files; git itself is asked only for what
needs it: history, objects, and through a git directory of ours whether the worktree
differs from what is committed.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.domain.code import CodeState, ProjectIdentity
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.snapshot.git import gitconfig, identity
from holdfast.snapshot.git.files import read_text
from holdfast.snapshot.git.head import GitHead, branch_commit, head_of, is_object_id
from holdfast.snapshot.git.identity import RootMemory, known_roots
from holdfast.snapshot.git.own_git_directory import (
    copy_worktree_files,
    odd_rule_in,
    own_git_dir,
    plain_rules,
)
from holdfast.snapshot.git.program import DEFAULT_TIMEOUT, Deadline, Git, GitAnswer
from holdfast.snapshot.git.repository import (
    Repository,
    configuration,
    find,
    real,
    text_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from holdfast.domain.file_history import LineCommit
    from holdfast.snapshot.port import BranchFate, Change


_LATE = "git took too long to say what is uncommitted"

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
_REFS = "for-each-ref"
_PATIENCE = 120.0  # seconds for a question about all that a branch holds
_MOST_UNCOMMITTED = 500  # paths that a record lists


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
        looks = Worktrees(self._git, self._scratch)
        is_known = head.branch or head.commit
        paths = looks.uncommitted(repository, head) if is_known else None
        is_dirty = looks.is_dirty(repository, paths)
        return CodeState(
            branch=self._branch(head),
            head=head.commit,
            dirty=is_dirty is True,
            uncommitted=self._redacted(paths, _MOST_UNCOMMITTED),
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

    def content(self, root: str, path: str, limit: int) -> bytes | None:
        """Return what a file of a worktree holds; None where nothing is there."""
        from holdfast.snapshot.git.line_commits import (  # noqa: PLC0415  # no hook asks
            content_at,
        )

        return content_at(root, path, limit)

    def line_commits(
        self, root: str, path: str, content: bytes
    ) -> tuple[LineCommit | None, ...]:
        """Return the commit that brought each line of a file with this content."""
        from holdfast.snapshot.git.line_commits import (  # noqa: PLC0415  # no hook asks
            commits_of_lines,
        )

        return commits_of_lines(self._scratch, self._git, root, path, content)

    def uncommitted(self, directory: str) -> tuple[str, ...] | None:
        """Return the uncommitted paths from the worktree's root, or None."""
        repository = find(real(directory))
        if repository is None:
            return None
        looks = Worktrees(self._git, self._scratch)
        paths = looks.uncommitted(repository, head_of(repository, self._git))
        return self._redacted(paths)

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

    def _redacted(
        self, paths: Sequence[str] | None, most: int | None = None
    ) -> tuple[str, ...] | None:
        if paths is None:
            return None
        return tuple(self._redact(text_of(path)) for path in paths[:most])

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

    def plumbing(
        self, directory: str
    ) -> Callable[[Sequence[str], bytes], bytes | None] | None:
        """Return who says what refs and objects the repository at a directory has, words
        and input in, output out; None if no repository has its root there."""
        place = real(directory)
        repository = find(place)
        if repository is None or place not in (repository.top, repository.git_dir):
            return None
        git = replace(self._git, timeout=_PATIENCE)

        def ask(question: Sequence[str], stdin: bytes) -> bytes | None:
            if (
                question[0] == _REFS
            ):  # only the repository knows; it runs nothing for it
                answer = git.ask(repository.git_dir, repository, question)
            else:
                answer = self._ask_objects(repository, question, stdin, git)
            return answer.output if answer and answer.is_good else None

        return ask

    def _ask_objects(
        self,
        repository: Repository,
        question: Sequence[str],
        stdin: bytes = b"",
        git: Git | None = None,
    ) -> GitAnswer | None:
        """Ask about objects: none of the repository's configuration is in force."""
        git = git or self._git
        try:
            with own_git_dir(self._scratch, configuration(repository)) as git_dir:
                return git.ask(git_dir, repository, question, stdin=stdin)
        except OSError:
            return None


@dataclass(frozen=True, slots=True)
class Worktrees:
    """Looks at worktrees with one git and one place for scratch directories."""

    git: Git
    scratch: str

    def is_dirty(
        self, repository: Repository, paths: Sequence[str] | None
    ) -> bool | None:
        """Say whether anything is staged, changed or untracked and not ignored: `paths`
        of it, or anything in a submodule.

        A file behind a filter counts as changed when only its filter could tell. None
        means that it could not be seen.
        """
        return self._is_dirty(repository, paths, _MOST_NESTED)

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
        self, repository: Repository, paths: Sequence[str] | None, depth: int
    ) -> bool | None:
        own = None if paths is None else bool(paths)
        if own is not False or depth == 0:
            return own
        for place in _submodules(repository):
            inner = find(place)
            if inner is None or inner.worktree != place:
                continue  # not checked out
            inside = self.uncommitted(inner, head_of(inner, self.git))
            dirty = self._is_dirty(inner, inside, depth - 1)
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
