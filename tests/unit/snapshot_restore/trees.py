"""Trees without git: a directory scanned into entries, contents kept in a dictionary.

Files whose name ends in `.ignored` are in no tree, as if a rule left them out.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from hashlib import sha1
from pathlib import Path
from typing import Any

from holdfast.domain.code import EXECUTABLE, REGULAR, SYMLINK, TreeEntry
from holdfast.domain.restore import RestoreNote, RestorePlan
from holdfast.snapshot.git.program import Git
from holdfast.snapshot.restore.restoring import FileRestoring
from holdfast.snapshot.restore_plan import PresentCode, WantedCode, plan, to_look_at
from tests.edits import IGNORED


class Trees:
    """Keeps contents, and makes entries of them."""

    def __init__(self) -> None:
        self._contents: dict[str, bytes] = {}

    def entry(self, path: str, content: bytes, mode: int = REGULAR) -> TreeEntry:
        digest = sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False)
        self._contents[digest.hexdigest()] = content
        return TreeEntry(path, mode, digest.hexdigest(), len(content))

    def contents(self, object_ids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        for object_id in object_ids:
            yield object_id, self._contents[object_id]

    def taken(self, root: Path) -> tuple[TreeEntry, ...]:
        """Return the entries of a directory as it is."""
        return tuple(
            self._entry_of(path, path.relative_to(root).as_posix())
            for path in sorted(root.rglob("*"))
            if (path.is_symlink() or path.is_file()) and path.suffix != IGNORED
        )

    def _entry_of(self, path: Path, name: str) -> TreeEntry:
        if path.is_symlink():
            return self.entry(name, os.fsencode(path.readlink()), SYMLINK)
        is_program = path.stat().st_mode & stat.S_IXUSR
        return self.entry(
            name, path.read_bytes(), EXECUTABLE if is_program else REGULAR
        )


def a_hand(home: Path) -> FileRestoring:
    return FileRestoring(str(home), Git(environ={"PATH": os.environ["PATH"]}))


def a_note(made: RestorePlan, **changes: Any) -> RestoreNote:
    values: dict[str, Any] = {
        "token": "0123456789abcdef",
        "restored": "ccp-wanted",
        "saved_first": "ccp-before",
        "tree": "0" * 40,
        "at": 1,
        "paths": made.touched,
    }
    return RestoreNote(**{**values, **changes})


def planned(
    wanted: WantedCode, present: PresentCode, root: Path, restoring: FileRestoring
) -> RestorePlan:
    return plan(wanted, present, restoring.look(str(root), to_look_at(wanted, present)))


class Desk:
    """A worktree, trees of it, and the hand under test."""

    def __init__(self, directory: Path) -> None:
        self.root = directory / "work"
        self.root.mkdir()
        self.outside = directory / "outside"
        self.outside.mkdir()
        self.trees = Trees()
        self.restoring: FileRestoring = a_hand(directory / "notes")

    def restore(self, *entries: TreeEntry, exact: bool = False) -> RestorePlan:
        """Restore entries over what is there now; return what was planned."""
        present = PresentCode.of(self.trees.taken(self.root))
        wanted = WantedCode(entries=entries, exact=exact)
        made = planned(wanted, present, self.root, self.restoring)
        self.do(made)
        return made

    def do(self, made: RestorePlan, undoes: RestoreNote | None = None) -> None:
        keep = undoes.before.there if undoes else frozenset()
        contents = self.trees.contents
        self.restoring.carry_out(str(self.root), made.steps, contents, "token", keep)
