"""What HEAD is, and what it already holds.

HEAD is read from the repository's files, or asked of git where it must be. No secret that
HEAD holds is made public by keeping it. Asked is its tree alone: one look, whatever the
history's length. A secret that only an older commit holds counts as new, so at worst a
file too many is left out.
"""

import os
import re
from contextlib import suppress
from functools import cached_property

from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass
from holdfast.snapshot.git.files import LARGE, blob_id, read, read_text
from holdfast.snapshot.git.own_git_directory import own_git_dir
from holdfast.snapshot.git.program import Git
from holdfast.snapshot.git.repository import Repository, configuration

_OBJECT_ID = pattern(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_BRANCHES = "refs/heads/"
_ELSEWHERE = "refs/heads/.invalid"  # what HEAD says where refs are kept as a reftable
_MOST_HOPS = 5


@dataclass(frozen=True, slots=True)
class GitHead:
    """Where HEAD points. A branch without a commit is unborn."""

    branch: str | None = None
    commit: str | None = None


def is_object_id(text: str) -> bool:
    return _OBJECT_ID.fullmatch(text) is not None


def head_of(repository: Repository, git: Git) -> GitHead:
    """Return where HEAD points; what cannot be known is None."""
    target = _content(os.path.join(repository.git_dir, "HEAD"))
    if is_object_id(target):
        return GitHead(commit=target)
    name = _ref_named(target)
    if name is None:
        return GitHead()
    if name == _ELSEWHERE:
        return _asked(repository, git)
    return GitHead(_branch(name), _commit_of(repository, name))


def branch_commit(repository: Repository, branch: str) -> str | None:
    """Return the commit a branch is at, or None if there is no such branch."""
    name = _ref_named(f"ref: {_BRANCHES}{branch}")
    return _commit_of(repository, name) if name else None


class History:
    """The files of HEAD or of another commit, read when they are first asked for."""

    def __init__(
        self,
        repository: Repository | None,
        git: Git,
        scratch: str,
        commit: str | None = None,
    ) -> None:
        self._repository = repository
        self._commit = commit
        self._git = git
        self._scratch = scratch

    def has(self, path: str, content: bytes) -> bool:
        """Say whether HEAD holds this content at this path."""
        known = self._objects.get(path)
        return known is not None and blob_id(content, like=known) == known

    def content(self, path: str) -> bytes | None:
        """Return what HEAD holds at a path."""
        known = self._objects.get(path)
        return None if known is None else self._asked("cat-file", "blob", known)

    @cached_property
    def _objects(self) -> dict[str, str]:
        """Every file of HEAD by path; links to other repositories among them."""
        head = self._commit
        if head is None and self._repository:
            head = head_of(self._repository, self._git).commit
        question = ("ls-tree", "-r", "-z", "--full-tree")
        listed = self._asked(*question, head) if head else b""
        found = {}
        for line in filter(None, (listed or b"").split(b"\0")):
            words, _, path = line.partition(b"\t")
            object_id = words.rpartition(b" ")[2].decode()
            found[path.decode("utf-8", "surrogateescape")] = object_id
        return found

    def _asked(self, *question: str) -> bytes | None:
        repository = self._repository
        if repository is None:
            return None
        with (
            suppress(OSError),
            own_git_dir(self._scratch, configuration(repository)) as git_dir,
        ):
            answer = self._git.ask(git_dir, repository, question)
            return answer.output if answer and answer.is_good else None
        return None


def _asked(repository: Repository, git: Git) -> GitHead:
    """Ask a git that may know this format; these commands run nothing."""
    answers = [
        git.ask(repository.git_dir, repository, question)
        for question in (
            ("symbolic-ref", "--quiet", "HEAD"),
            ("rev-parse", "--quiet", "--verify", "HEAD"),
        )
    ]
    name, commit = (a.text.strip() if a and a.is_good else "" for a in answers)
    return GitHead(_branch(name), commit if is_object_id(commit) else None)


def _branch(ref: str) -> str | None:
    return ref.removeprefix(_BRANCHES) if ref.startswith(_BRANCHES) else None


def _content(path: str) -> str:
    """Return a ref file's text; a link to a ref is the old form of a symbolic ref."""
    try:
        target = os.readlink(path)
    except (OSError, ValueError):
        target = ""
    if target.startswith("refs/"):
        return f"ref: {target}"
    return (read_text(path) or "").strip()


def _ref_named(target: str) -> str | None:
    """Return the ref a symbolic ref names, unless it would lead out of `refs/`."""
    if not target.startswith("ref:"):
        return None
    name = target.removeprefix("ref:").strip()
    parts = name.split("/")
    if parts[0] != "refs" or "\0" in name or {"", ".", ".."} & set(parts):
        return None
    return name


def _commit_of(repository: Repository, name: str) -> str | None:
    for _ in range(_MOST_HOPS):
        target = _content(os.path.join(repository.common_dir, name))
        if is_object_id(target):
            return target
        following = _ref_named(target)
        if following is None:
            return _packed(repository, name)
        name = following
    return None


def _packed(repository: Repository, name: str) -> str | None:
    path = os.path.join(repository.common_dir, "packed-refs")
    wanted = re.escape(name.encode("utf-8", "surrogateescape"))
    pattern = rb"^([0-9a-f]{40}(?:[0-9a-f]{24})?) " + wanted + rb"$"
    found = re.search(pattern, read(path, LARGE) or b"", re.MULTILINE)
    return found[1].decode() if found else None
