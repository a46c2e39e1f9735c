"""Reading trees back: their files, their contents, and what differs between two."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.domain.code import CodeChange, FileChange, TreeEntry
from holdfast.kernel.digests import sha1
from holdfast.kernel.errors import SnapshotLost
from holdfast.snapshot.git.objects import NotTaken, Objects
from holdfast.snapshot.git.refs import is_object_id

if TYPE_CHECKING:
    from subprocess import Popen

_HINT = "run `holdfast doctor` to see which checkpoints still have their code"
_LIST = ("--literal-pathspecs", "ls-tree", "-r", "-z", "-l", "--full-tree")
_AT_ONCE = 500  # paths per git: a command line has an end
_RAW = ("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-ext-diff")
_DIFF = (
    "diff-tree", "-r", "-z", "-M", "--raw", "--numstat", "--no-ext-diff",
    "--no-textconv",
)  # fmt: skip
_WORDS: dict[str, CodeChange] = {
    "A": "created", "C": "created", "D": "deleted", "R": "renamed",
}  # fmt: skip


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


def _listed(out: bytes) -> Iterator[TreeEntry]:
    for line in filter(None, out.split(b"\0")):
        head, _, path = line.partition(b"\t")
        mode, _, object_id, size = head.split()
        yield TreeEntry(_path(path), int(mode, 8), object_id.decode(), int(size))


def contents(
    objects: Objects, object_ids: Iterable[str]
) -> Iterator[tuple[str, bytes]]:
    """Yield each object with its content, verified.

    Raises:
        SnapshotLost: one is not there, or damaged.
    """
    process = _started(objects)
    try:
        for object_id in object_ids:
            yield object_id, _content(process, object_id)
    finally:
        process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):  # what could not be asked finds no one now
                    stream.close()
        process.wait()


def blob_id(content: bytes) -> str:
    """Return the name git gives a content."""
    header = b"blob %d\0" % len(content)
    return sha1(header + content, usedforsecurity=False).hexdigest()


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


def _content(process: "Popen[bytes]", object_id: str) -> bytes:
    lost = SnapshotLost(
        f"the file content `{object_id[:64]}` is not there or damaged", hint=_HINT
    )
    if not is_object_id(object_id) or process.stdin is None or process.stdout is None:
        raise lost
    try:
        process.stdin.write(object_id.encode() + b"\n")
        process.stdin.flush()
        words = process.stdout.readline().split()
        if len(words) != 3 or words[1] != b"blob":  # noqa: PLR2004  # id, type, size
            raise lost
        content = process.stdout.read(int(words[2]))
        process.stdout.read(1)
    except OSError:
        raise lost from None
    if blob_id(content) != object_id:
        raise lost
    return content


def _path(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")
