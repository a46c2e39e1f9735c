"""Looking at a repository without touching it: the port `Code`, for git.

Places, branches and remotes are read from its files; git itself is asked only for what
needs it: history, objects and whether the worktree differs.
"""

import os
from collections.abc import Mapping, Sequence

from holdfast.domain.project import CodeState, ProjectSigns
from holdfast.domain.text import storable
from holdfast.snapshot import remote
from holdfast.snapshot.layout import Repository, configuration, find
from holdfast.snapshot.own import own_git_dir
from holdfast.snapshot.refs import Head, head_of, is_object_id
from holdfast.snapshot.roots import RootMemory, known_roots
from holdfast.snapshot.run import DEFAULT_TIMEOUT, Answer, Git
from holdfast.snapshot.worktree import Worktrees


def project_directories(directory: str) -> tuple[str, ...]:
    """Return the directories a project fills: its main root and this worktree's.

    Writes nothing and runs nothing, so it can be asked before anything is trusted.
    """
    place = _real(directory)
    repository = find(place)
    if repository is None:
        return (place,)
    return tuple(sorted({repository.main_root, repository.top}))


class GitCode:
    """Code as git sees it; a directory without git is just a place."""

    def __init__(
        self,
        scratch: str,
        environ: Mapping[str, str],
        *,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> None:
        """`scratch` is a directory of ours; it is made when it is first needed."""
        self._scratch = scratch
        self._git = Git(environ=environ, timeout=timeout)

    def exists(self, directory: str) -> bool:
        """Say whether this is a directory on this machine."""
        return os.path.isdir(directory)

    def signs(self, directory: str) -> ProjectSigns:
        """Return what a directory shows of its project. Works without git, too."""
        place = _real(directory)
        repository = find(place)
        if repository is None:
            return ProjectSigns(path=_text(place), workspace=_text(place))
        head = head_of(repository, self._git)
        return ProjectSigns(
            path=_text(repository.main_root),
            workspace=_text(repository.top),
            root_commits=self._roots(repository, head),
            remote=remote.of(configuration(repository), head.branch),
            is_git=True,
        )

    def state(self, directory: str) -> CodeState:
        """Return branch, head and whether anything uncommitted was seen."""
        repository = find(_real(directory))
        if repository is None:
            return CodeState()
        head = head_of(repository, self._git)
        looks = Worktrees(self._git, self._scratch)
        return CodeState(
            branch=_text(head.branch) if head.branch else None,
            head=head.commit,
            dirty=looks.is_dirty(repository, head) is True,
        )

    def has_commit(self, directory: str, commit: str) -> bool:
        """Say whether the repository still has a commit object.

        A commit is not gone until git says so: where git cannot be asked, it is there.
        """
        repository = find(_real(directory))
        if repository is None or not is_object_id(commit):
            return False
        question = ("cat-file", "--batch-check=%(objecttype)")
        answer = self._ask_objects(repository, question, f"{commit}\n".encode())
        if answer is None or not answer.is_good:
            return True
        return answer.text.strip() == "commit"

    def _roots(self, repository: Repository, head: Head) -> tuple[str, ...]:
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
    ) -> Answer | None:
        """Ask about objects: none of the repository's configuration is in force."""
        try:
            with own_git_dir(self._scratch, configuration(repository)) as git_dir:
                return self._git.ask(git_dir, repository, question, stdin=stdin)
        except OSError:
            return None


def _real(directory: str) -> str:
    try:
        return os.path.realpath(directory)
    except (OSError, ValueError):
        return directory  # a name no file system knows; it is still a name


def _text(path: str) -> str:
    r"""Return a path that every store can keep; bytes that are not UTF-8 as `\xNN`.

    Replacing them by one sign would make two places one.
    """
    try:
        raw = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return storable(path)
    return storable(raw.decode("utf-8", "backslashreplace"))
