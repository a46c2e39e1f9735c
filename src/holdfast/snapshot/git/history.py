"""What a repository's HEAD already holds: no secret of it is made public by keeping it.

Asked is the tree of HEAD alone: one look, whatever the history's length. A secret that
only an older commit holds counts as new, so at worst a file too many is left out.
"""

from contextlib import suppress
from functools import cached_property

from holdfast.kernel.digests import sha1, sha256
from holdfast.snapshot.git.own_git_directory import own_git_dir
from holdfast.snapshot.git.program import Git
from holdfast.snapshot.git.refs import head_of
from holdfast.snapshot.git.repository import Repository, configuration

_SHA256_LENGTH = 64


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
        if known is None:
            return False
        make = sha256 if len(known) == _SHA256_LENGTH else sha1
        digest = make(usedforsecurity=False)
        digest.update(b"blob %d\0" % len(content))
        digest.update(content)
        return digest.hexdigest() == known

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
