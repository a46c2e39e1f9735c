"""Where snapshots lie, one bare git directory of ours for every project, and reading them back.

A tree's name is the hash of its content, so a repository that was moved, cloned or
checked out twice finds the same trees, and equal files are kept once. No repository's
objects are borrowed: what is acknowledged is whole without it.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

from holdfast.domain.code import CodeChange, FileChange, TreeEntry
from holdfast.kernel.directories import make_directory
from holdfast.kernel.errors import SnapshotLost
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.snapshot.git import files
from holdfast.snapshot.git.head import is_object_id
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

_HINT = "run `holdfast doctor` to see which checkpoints still have their code"
_LIST = ("--literal-pathspecs", "ls-tree", "-r", "-z", "-l", "--full-tree")
_AT_ONCE = 500  # paths per git: a command line has an end
_RAW = ("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-ext-diff")
_DIFF = (
    "diff-tree", "-r", "-z", "-M", "--raw", "--numstat", "--no-ext-diff",
    "--no-textconv",
)  # fmt: skip
_PATCH = (
    "diff-tree", "-r", "-p", "-M", "--full-index", "--no-color", "--no-ext-diff",
    "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/",
)  # fmt: skip
_WORDS: dict[str, CodeChange] = {
    "A": "created", "C": "created", "D": "deleted", "R": "renamed",
}  # fmt: skip


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


def entries(
    objects: Objects, tree: str, paths: Sequence[str] | None = None
) -> tuple[TreeEntry, ...]:
    """Return every file of a tree, by path; with `paths`, only those of them.

    Raises:
        SnapshotLost: the tree is not there, or damaged.
    """
    if paths is None:
        return tuple(_listed(_answer(objects, _LIST, tree)))
    found: list[TreeEntry] = []
    for start in range(0, len(paths), _AT_ONCE):
        some = ("--", *paths[start : start + _AT_ONCE])
        found += _listed(_answer(objects, _LIST, tree, then=some))
    return tuple(found)


def differing(
    objects: Objects, one: str, other: str
) -> tuple[tuple[TreeEntry, ...], tuple[TreeEntry, ...]]:
    """Return the files of each tree that the other does not have just so, by path.

    Raises:
        SnapshotLost: a tree is not there, or damaged.
    """
    fields = _answer(objects, _RAW, one, other).split(b"\0")
    sides: tuple[list[TreeEntry], list[TreeEntry]] = ([], [])
    for head, path in zip(fields[::2], fields[1::2], strict=False):
        mode_one, mode_other, id_one, id_other, _ = head[1:].split(b" ")
        pairs = ((mode_one, id_one), (mode_other, id_other))
        for side, (mode, object_id) in zip(sides, pairs, strict=True):
            if int(mode, 8):
                side.append(TreeEntry(_path(path), int(mode, 8), object_id.decode(), 0))
    return tuple(sides[0]), tuple(sides[1])


def objects_at(
    objects: Objects, places: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], str | None]:
    """Return the file's object at each tree and path that is there to be asked.

    Raises:
        SnapshotLost: git cannot be asked.
    """
    asked_for = [place for place in dict.fromkeys(places) if is_object_id(place[0])]
    trees = list(dict.fromkeys(tree for tree, _ in asked_for))
    # git reads one name a line: a name with a line break is asked for by itself.
    plain = [place for place in asked_for if "\n" not in place[1]]
    found = _checked(objects, [*trees, *(f"{tree}:{path}" for tree, path in plain)])
    there = {
        tree for tree, kind in zip(trees, found, strict=False) if kind[1] == "tree"
    }
    at = {
        place: named if kind == "blob" else None
        for place, (named, kind) in zip(plain, found[len(trees) :], strict=True)
        if place[0] in there
    }
    for tree, path in set(asked_for) - set(plain):
        if tree in there:
            entry = next(iter(entries(objects, tree, (path,))), None)
            at[tree, path] = entry.object_id if entry else None
    return at


def _checked(objects: Objects, names: Sequence[str]) -> list[tuple[str, str]]:
    """Return what each name stands for and of which kind it is, if there is one."""
    if not names or not objects.exists:
        return [("", "missing")] * len(names)
    question = ("cat-file", "--batch-check=%(objectname) %(objecttype)")
    lines = "".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape")
    try:
        answer = objects.ask(question, stdin=lines)
    except NotTaken as reason:
        raise SnapshotLost(f"the code cannot be read: {reason}", hint=_HINT) from None
    told = [line.rpartition(" ") for line in answer.text.split("\n")[:-1]]
    if not answer.is_good or len(told) != len(names):
        raise SnapshotLost("the code cannot be read: git does not answer", hint=_HINT)
    return [(name, kind) for name, _, kind in told]


def contents(
    objects: Objects, object_ids: Iterable[str]
) -> Iterator[tuple[str, bytes]]:
    """Yield each object with its content, verified. Git reads the next one meanwhile.

    Raises:
        SnapshotLost: one is not there, or damaged.
    """
    process = _started(objects)
    asked: list[str] = []
    try:
        for object_id in object_ids:
            _ask(process, object_id)
            asked.append(object_id)
            if len(asked) > 1:
                yield asked[0], _content(process, asked.pop(0))
        for object_id in asked:
            yield object_id, _content(process, object_id)
    finally:
        process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):  # what could not be asked finds no one now
                    stream.close()
        process.wait()


def changes(objects: Objects, older: str, newer: str) -> tuple[FileChange, ...]:
    """Return what changed between two trees, by path; a rename is one change.

    Raises:
        SnapshotLost: a tree is not there, or damaged.
    """
    if older == newer:
        return ()
    fields = iter(_answer(objects, _DIFF, older, newer).split(b"\0"))
    kinds: dict[bytes, tuple[CodeChange, bytes | None]] = {}
    found = []
    for field in fields:
        if field.startswith(b":"):
            path, kind, old = _raw(field, fields)
            kinds[path] = (kind, old)
        elif field:
            added, removed, path = _counted(field, fields)
            kind, old = kinds[path]
            found.append(
                FileChange(
                    _path(path),
                    kind,
                    added,
                    removed,
                    None if old is None else _path(old),
                )
            )
    return tuple(sorted(found, key=lambda change: change.path))


def patch(objects: Objects, older: str, newer: str) -> bytes:
    """Return what changed between two trees as a patch.

    Raises:
        SnapshotLost: a tree is not there, or damaged.
    """
    return b"" if older == newer else _answer(objects, _PATCH, older, newer)


def _given(answer: GitAnswer | None) -> GitAnswer:
    if answer is None:
        raise NotTaken("git was not found")
    if answer.is_late:
        raise TookTooLong("it took too long")
    return answer


def _listed(out: bytes) -> Iterator[TreeEntry]:
    for line in filter(None, out.split(b"\0")):
        head, _, path = line.partition(b"\t")
        mode, _, object_id, size = head.split()
        yield TreeEntry(_path(path), int(mode, 8), object_id.decode(), int(size))


def _raw(
    field: bytes, fields: Iterator[bytes]
) -> tuple[bytes, CodeChange, bytes | None]:
    """Read `:mode mode id id X` and the one or two paths after it."""
    _, _, before, after, status = field.split(b" ")
    letter = chr(status[0])
    first = next(fields)
    if letter in "RC":
        second = next(fields)
        return second, _WORDS[letter], first if letter == "R" else None
    kind: CodeChange = "mode" if before == after else "edited"
    return first, _WORDS.get(letter, kind), None


def _counted(field: bytes, fields: Iterator[bytes]) -> tuple[int, int, bytes]:
    """Read `added TAB removed TAB path`; a rename's two paths come as two fields."""
    added, removed, path = field.split(b"\t", 2)
    if not path:
        next(fields)
        path = next(fields)
    return _number(added), _number(removed), path


def _number(text: bytes) -> int:
    return int(text) if text.isdigit() else 0  # `-`: not text


def _answer(
    objects: Objects, question: Sequence[str], *trees: str, then: Sequence[str] = ()
) -> bytes:
    for tree in trees:
        if not is_object_id(tree):
            raise SnapshotLost(f"`{tree[:64]}` is not the name of a tree", hint=_HINT)
    try:
        answer = objects.ask((*question, *trees, *then)) if objects.exists else None
    except NotTaken as reason:
        raise SnapshotLost(f"the code cannot be read: {reason}", hint=_HINT) from None
    if answer is None or not answer.is_good:
        named = " and ".join(f"`{tree}`" for tree in trees)
        raise SnapshotLost(f"the code of {named} is not there or damaged", hint=_HINT)
    return answer.output


def _started(objects: Objects) -> "Popen[bytes]":
    try:
        return objects.start(("cat-file", "--batch"))
    except (NotTaken, OSError) as reason:
        raise SnapshotLost(f"the code cannot be read: {reason}", hint=_HINT) from None


def _ask(process: "Popen[bytes]", object_id: str) -> None:
    """Ask for an object; that one cannot be asked for shows when it is read."""
    if is_object_id(object_id) and process.stdin is not None:
        with suppress(OSError):
            process.stdin.write(object_id.encode() + b"\n")
            process.stdin.flush()


def _content(process: "Popen[bytes]", object_id: str) -> bytes:
    lost = SnapshotLost(
        f"the file content `{object_id[:64]}` is not there or damaged", hint=_HINT
    )
    if not is_object_id(object_id) or process.stdout is None:
        raise lost
    try:
        words = process.stdout.readline().split()
        if len(words) != 3 or words[1] != b"blob":  # noqa: PLR2004  # id, type, size
            raise lost
        content = process.stdout.read(int(words[2]))
        process.stdout.read(1)
    except OSError:
        raise lost from None
    if files.quick_blob_id(content) != object_id:
        raise lost
    return content


def _path(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")
