"""Looking again at trees that older rules took: what may hold a secret goes.

Nothing is rewritten: a tree without those files takes the place of the one with them.
"""

import os
from collections.abc import Iterator, Sequence
from time import monotonic

from holdfast.domain.code import LeftOut, Taken
from holdfast.kernel.errors import SnapshotLost
from holdfast.kernel.files import remove_quietly
from holdfast.kernel.lazy_values import dataclass, field
from holdfast.redaction.files import SecretFiles, has_secret_name
from holdfast.snapshot.git import files, trees
from holdfast.snapshot.git.history import History
from holdfast.snapshot.git.objects import NotTaken, Objects, within
from holdfast.snapshot.git.refs import is_object_id
from holdfast.snapshot.git.repository import Repository, find
from holdfast.snapshot.take import kept_trees
from holdfast.snapshot.take.judge import SECRET, is_secret
from holdfast.snapshot.take.tree_writer import Named, writer

_SECONDS = 600.0
_REF = f"{kept_trees.DRAFTS}/scan"


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeScan:
    """One scan over many trees, which share most of their files."""

    objects: Objects
    secrets: SecretFiles
    scratch: str
    _holds: dict[str, bool] = field(default_factory=dict)  # by object
    _clean: set[str] = field(default_factory=set)  # trees: most, and often the same

    def cleaned(
        self, tree: str, directories: Sequence[str], commit: str | None
    ) -> Taken:
        """Return the tree without its secrets, held; the same one if it has none."""
        try:
            gone = self._secrets_of(tree, directories, commit)
            if not gone:
                return Taken(tree=tree)
            clean = self._without(tree, gone)
        except SnapshotLost as lost:
            return Taken(reason=lost.message)
        except NotTaken as reason:
            return Taken(reason=str(reason))
        except (OSError, TimeoutError) as problem:
            return Taken(reason=f"it cannot be written: {problem}")
        return Taken(tree=clean, left_out=tuple(LeftOut(p, SECRET) for p in gone))

    def worktrees(self) -> Iterator[str]:
        """Yield each worktree whose index or last look holds a secret."""
        places = f"{self.scratch}/places"
        for key in os.listdir(places) if os.path.isdir(places) else ():
            root = files.read_text(f"{places}/{key}/root")
            refs = (
                f"{group}/{key}" for group in (kept_trees.PLACES, kept_trees.DRAFTS)
            )
            seen = {files.read_text(f"{self.objects.path}/{ref}") for ref in refs}
            commits = [text.strip() for text in seen if text]
            if root and any(self._is_unclean(commit, root) for commit in commits):
                yield root

    def _is_unclean(self, commit: str, root: str) -> bool:
        try:
            return bool(self._secrets_of(commit, (root,), None))
        except (SnapshotLost, NotTaken):
            return True  # it is made again from the files

    def _secrets_of(
        self, tree: str, directories: Sequence[str], commit: str | None
    ) -> list[str]:
        found = [] if tree in self._clean else list(self._suspicious(tree))
        if not found:
            self._clean.add(tree)
            return []
        histories = self._histories(directories, commit)
        if not histories:
            raise NotTaken(
                f"{len(found)} files may hold secrets that its repository holds, too,"
                " and that is not there"
            )
        return [
            path
            for path, content in found
            if all(is_secret(path, content, self.secrets, h) for h in histories)
        ]

    def _suspicious(self, tree: str) -> Iterator[tuple[str, bytes]]:
        """Yield the files that need a closer look; each content is read once."""
        entries = trees.entries(self.objects, tree)
        new = {e.object_id for e in entries if e.object_id not in self._holds}
        for object_id, content in trees.contents(self.objects, sorted(new)):
            self._holds[object_id] = bool(self.secrets.of(content))
        wanted = [
            entry
            for entry in entries
            if self._holds[entry.object_id]
            or has_secret_name(entry.path)
            or self.secrets.is_in_name(entry.path)
        ]
        ids = [entry.object_id for entry in wanted]
        read = trees.contents(self.objects, ids) if ids else iter(())
        for entry, (_, content) in zip(wanted, read, strict=True):
            yield entry.path, content

    def _histories(
        self, directories: Sequence[str], commit: str | None
    ) -> list[History]:
        """Return what the repository holds now and held then; none: it is gone."""
        found = filter(None, (find(os.path.realpath(place)) for place in directories))
        there = {repository.common_dir: repository for repository in found}
        repository = next(iter(there.values()), None)
        if repository is None:
            return [] if commit else [self._history(None, None)]
        then = commit if commit and is_object_id(commit) else None
        both = [self._history(repository, None), self._history(repository, then)]
        return both if then else both[:1]

    def _history(self, repository: Repository | None, commit: str | None) -> History:
        git = within(self.objects.git, None)
        return History(repository, git, self.scratch, commit)

    def _without(self, tree: str, paths: Sequence[str]) -> str:
        until = monotonic() + _SECONDS
        with files.locked(self.objects.lock, alone=False, until=until):
            with writer(self.objects, until) as out:
                written = out.finish(_REF, tree, map(Named, paths))
            kept_trees.hold(self.objects, written.tree)
            remove_quietly(f"{self.objects.path}/{_REF}")
        return written.tree
