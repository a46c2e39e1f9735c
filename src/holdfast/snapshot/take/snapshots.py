"""Snapshots through git: the port `Snapshots`.

    worktree ──look──► what differs ──judge──► what belongs ──write──► tree ──hold──► ref

A tree is acknowledged when its pack, its index and its ref are on the disk.
"""

import os
from collections.abc import (
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set as AbstractSet,
)
from functools import cached_property
from time import monotonic

from holdfast.domain.code import (
    DeniedFiles,
    FileChange,
    LeftOut,
    Since,
    SnapshotBounds,
    Taken,
    TreeEntry,
)
from holdfast.kernel.directories import make_directory
from holdfast.kernel.errors import SnapshotLost
from holdfast.kernel.lazy_values import replace
from holdfast.redaction.files import SecretFiles
from holdfast.snapshot.git import files, trees
from holdfast.snapshot.git.code import has_worktree
from holdfast.snapshot.git.head import History
from holdfast.snapshot.git.program import Git, without_programs_in
from holdfast.snapshot.git.repository import configuration, find
from holdfast.snapshot.git.trees import NotTaken, Objects, within
from holdfast.snapshot.take import kept_trees, packs
from holdfast.snapshot.take.builder import Builder, Built
from holdfast.snapshot.take.include_rules import Judge, TreeScan
from holdfast.snapshot.take.worktree_index import Unsound, WorktreeIndex, place_key

# Where systems keep homes: Linux, macOS, WSL's Windows, images and older Unixes.
_ABOVE_HOMES = frozenset(
    ["/home", "/Users", "/var/home", "/usr/home", "/export/home", "/mnt/c/Users"]
)
_HOMES = frozenset([*_ABOVE_HOMES, "/root", "/var/root"])
_COMMAND_SECONDS = 600.0  # for whoever waits at a terminal

DeniedIn = Callable[[Sequence[str]], DeniedFiles]


class GitSnapshots:
    """Trees in one object store of ours, through a git that runs nothing else."""

    def __init__(
        self,
        scratch: str,
        environ: Mapping[str, str],
        *,
        denied_in: DeniedIn = lambda _: DeniedFiles(),
        projects: Sequence[str] = (),
        secrets: SecretFiles | None = None,
    ) -> None:
        """`scratch` is a directory of ours; no program inside `projects` is run.

        `denied_in` says what the agent may not read in some directories.
        """
        trusted = without_programs_in(environ, projects)
        self._scratch = scratch
        self._denied_in = denied_in
        self._secrets = secrets or SecretFiles()
        self._git = Git(environ=trusted, may_lock=True)
        self._objects = Objects(f"{scratch}/snapshots", self._git)

    def take(
        self, directory: str, limits: SnapshotBounds, seconds: float | None = None
    ) -> Taken:
        """Keep the worktree that a directory lies in; says why where it cannot."""
        until = monotonic() + (_COMMAND_SECONDS if seconds is None else seconds)
        place = self._place(directory)
        if isinstance(place, LeftOut):
            return Taken(left_out=(place,))
        try:
            built = self._built(place, directory, limits, until, hold=True)
            kept_trees.put_together(place.objects, until)
        except NotTaken as reason:
            return Taken(reason=str(reason))
        except OSError as problem:
            return Taken(reason=f"it cannot be written: {problem.strerror}")
        return Taken(tree=built.tree, left_out=built.left_out)

    def since(
        self,
        tree: str,
        directory: str,
        limits: SnapshotBounds,
        seconds: float | None = None,
    ) -> Since:
        """Return what changed from `tree` to the directory as it is now."""
        until = monotonic() + (_COMMAND_SECONDS if seconds is None else seconds)
        place = self._place(directory)
        if isinstance(place, LeftOut):
            return Since(reason=place.reason)
        try:
            built = self._built(place, directory, limits, until, hold=False)
            changes = self.changes(tree, built.tree)
        except (NotTaken, SnapshotLost) as reason:
            return Since(reason=str(reason))
        except OSError as problem:
            return Since(reason=f"it cannot be written: {problem.strerror}")
        return Since(changes=changes, left_out=built.left_out, tree=built.tree)

    def entries(
        self, tree: str, paths: Sequence[str] | None = None
    ) -> tuple[TreeEntry, ...]:
        """Return every file of a tree, by path; with `paths`, only those of them."""
        return trees.entries(self._objects, tree, paths)

    def objects_at(
        self, places: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], str | None]:
        """Return the file's object at each tree and path, in one process."""
        return trees.objects_at(self._objects, places)

    def differing(
        self, one: str, other: str
    ) -> tuple[tuple[TreeEntry, ...], tuple[TreeEntry, ...]]:
        """Return the files of each tree that the other does not have just so."""
        return trees.differing(self._objects, one, other)

    def read(self, object_id: str) -> bytes:
        """Return one file's content, its hash verified."""
        (found,) = trees.contents(self._objects, (object_id,))
        return found[1]

    def contents(self, object_ids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield each object with its content, verified, in the order asked for."""
        return trees.contents(self._objects, object_ids)

    def changes(self, older: str, newer: str) -> tuple[FileChange, ...]:
        """Return what changed between two trees, by path."""
        return trees.changes(self._objects, older, newer)

    def patch(self, older: str, newer: str) -> bytes:
        """Return what changed between two trees as a patch that git can apply."""
        return trees.patch(self._objects, older, newer)

    def damage(self, trees: Iterable[str]) -> dict[str, str]:
        """Return each tree that is not whole, with what is wrong with it."""
        return kept_trees.damage(self._objects, trees)

    def held(self) -> tuple[str, ...]:
        """Return every tree that is held, the one taken longest ago first."""
        return kept_trees.held(self._objects)

    def released(self) -> frozenset[str]:
        """Return every tree that was let go on purpose."""
        return kept_trees.released(self._objects)

    def hold_only(self, trees: AbstractSet[str], *, spare_seconds: float) -> int:
        """Let every other tree go, unless it was taken in the last `spare_seconds`."""
        return kept_trees.hold_only(
            self._objects, trees, spare_seconds, f"{self._scratch}/places"
        )

    def let_go(self, trees: AbstractSet[str], roots: Iterable[str]) -> None:
        """Let these trees go at once, and what is remembered of these worktrees."""
        keys = {place_key(os.path.realpath(root)) for root in roots}
        kept_trees.let_go(self._objects, trees, f"{self._scratch}/places", keys)

    def without_secrets(
        self, tree: str, directories: Sequence[str], commit: str | None
    ) -> Taken:
        """Return a tree without what may hold a secret by the rules of today."""
        return self._scan.cleaned(tree, directories, commit)

    def packed(self, trees: Iterable[str]) -> bytes:
        """Return trees with all that they hold as one pack."""
        return packs.packed(self._objects, trees)

    def take_in(
        self, pack: bytes, trees: Sequence[str], directories: Sequence[str]
    ) -> dict[str, Taken]:
        """Keep trees of a pack that somebody sent, without what no snapshot holds."""
        return packs.take_in(self._scan, pack, trees, directories)

    def worktrees_with_secrets(self) -> tuple[str, ...]:
        """Return each worktree of which a secret is remembered."""
        return tuple(self._scan.worktrees())

    @cached_property
    def _scan(self) -> TreeScan:
        return TreeScan(
            objects=self._objects, secrets=self._secrets, scratch=self._scratch
        )

    def size_of(
        self, trees: AbstractSet[str], *, beside: AbstractSet[str] = frozenset()
    ) -> int:
        """Return the bytes on disk that `trees` need and those `beside` them do not."""
        return kept_trees.size_of(self._objects, trees, beside)

    def size(self) -> int:
        """Return how many bytes everything takes on disk."""
        return kept_trees.size(self._objects)

    def _place(self, directory: str) -> WorktreeIndex | LeftOut:
        """Return where to look, or why nobody looks there."""
        root = os.path.realpath(directory)
        repository = find(root)
        values = configuration(repository) if repository else {}
        if repository is not None:
            if not has_worktree(repository, values):
                return LeftOut(".", "a bare repository has no files of its own")
            root = repository.top
        home = os.path.realpath(self._git.environ.get("HOME") or "/")
        if f"{home}/".startswith(f"{root.rstrip('/')}/") or is_home(root):
            return LeftOut(".", "a home directory is not a project")
        if not os.path.isdir(root):
            return LeftOut(".", "there is no such directory")
        roots = (root, repository.main_root) if repository else (root,)
        environ = without_programs_in(self._git.environ, roots)
        git = replace(self._git, environ=environ)
        return WorktreeIndex(
            root=root,
            repository=repository,
            values=values,
            git_dir=f"{self._scratch}/places/{place_key(root)}",
            objects=replace(self._objects, git=git),
            git=git,
            secrets=self._secrets,
        )

    def _built(
        self,
        place: WorktreeIndex,
        directory: str,
        limits: SnapshotBounds,
        until: float,
        *,
        hold: bool,
    ) -> Built:
        self._objects.prepare()
        make_directory(place.git_dir)
        try:
            with (
                files.locked(
                    f"{place.git_dir}/lock", alone=True, until=until
                ) as now_ns,
                files.locked(self._objects.lock, alone=False, until=until),
            ):
                judge = self._judge(place, directory, limits, until)
                builder = Builder(place=place, judge=judge, until=until, now_ns=now_ns)
                built = _build_anew_if_unsound(builder)
                if hold:
                    kept_trees.hold(place.objects, built.tree)
                return built
        except TimeoutError:
            raise NotTaken("another save looks at the same files") from None

    def _judge(
        self, place: WorktreeIndex, directory: str, limits: SnapshotBounds, until: float
    ) -> Judge:
        roots = sorted({place.root, os.path.realpath(directory)})
        return Judge(
            root=place.root,
            limits=limits,
            denied=self._denied_in(roots),
            history=History(place.repository, within(place.git, until), self._scratch),
            secrets=self._secrets,
        )


def is_home(root: str) -> bool:
    """Say whether a directory is some user's home, or holds those of all."""
    above, _, name = root.rstrip("/").rpartition("/")
    return root.rstrip("/") in _HOMES or (above in _ABOVE_HOMES and bool(name))


def _build_anew_if_unsound(builder: Builder) -> Built:
    try:
        return builder.build()
    except Unsound:
        builder.place.forget()
    try:
        return builder.build()
    except Unsound:
        raise NotTaken("git cannot look at these files") from None
