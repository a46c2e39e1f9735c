"""The notes of restores, one file per worktree, in our own directory.

A note is on disk before the first file of its restore is written.
"""

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from holdfast.domain.code import TreeEntry
from holdfast.domain.forgetting import Order
from holdfast.domain.restore import BeforeRestore, RestoreNote
from holdfast.kernel.digests import sha256
from holdfast.kernel.directories import make_directory
from holdfast.kernel.files import remove_quietly, replace_file
from holdfast.snapshot.git.files import LARGE, read_text

_MOST = 20  # restores that can be undone one after the other
_FORMAT = 1
_ENDINGS = (".json", ".half")


def notes_path(home: str, root: str) -> str:
    """Return where the notes of a worktree are kept."""
    digest = sha256(os.fsencode(root)).hexdigest()[:32]
    return f"{home}/{digest}.json"


def read_notes(path: str) -> tuple[RestoreNote, ...]:
    """Return the notes, the latest last; what cannot be read is as if it were not."""
    try:
        raw = json.loads(read_text(path, LARGE) or "{}")
        if raw.get("format") != _FORMAT:
            return ()
        return tuple(_note(each) for each in raw["restores"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return ()


def write_notes(path: str, root: str, notes: Sequence[RestoreNote]) -> None:
    """Keep the notes in place of those before; the file is whole at any time.

    Raises:
        OSError: they are as they were.
    """
    make_directory(os.path.dirname(path))
    raw = {
        "format": _FORMAT,
        "root": root,
        "restores": [_raw(n) for n in notes[-_MOST:]],
    }
    replace_file(path, json.dumps(raw).encode(), half=_half(path))


def clear_half(path: str) -> None:
    """Remove what somebody who died was writing; the caller holds the lock."""
    remove_quietly(_half(path))


def _half(path: str) -> str:
    return f"{path}.half"


class RestoreNotes:
    """The notes of every worktree."""

    def __init__(self, home: str) -> None:
        self._home = home

    def forget(self, order: Order) -> tuple[str, ...]:
        """Drop the notes of restores that an order is about: no undo brings them back."""
        kept = []
        try:
            names = sorted(os.listdir(self._home))
        except FileNotFoundError:
            return ()
        except OSError as problem:
            return (f"`{self._home}`: {problem.strerror}",)
        for name in names:
            path = f"{self._home}/{name}"
            try:
                if name.endswith(_ENDINGS):
                    _forget_in(path, order)
            except OSError as problem:
                kept.append(f"`{path}`: {problem.strerror}")
        return tuple(kept)


def _forget_in(path: str, order: Order) -> None:
    raw = read_text(path, LARGE) or ""
    notes, root = read_notes(path), _root(raw)
    left = [note for note in notes if not _is_about(note, order)]
    if len(left) < len(notes) and left:
        write_notes(path, root, left)
    elif notes != tuple(left) or _names_one(raw, order):
        os.unlink(path)


def _is_about(note: RestoreNote, order: Order) -> bool:
    named = {note.restored, note.saved_first}
    return bool(named & set(order.checkpoint_ids)) or note.tree in order.trees


def _names_one(raw: str, order: Order) -> bool:
    """Say whether notes that may be half-written are about what goes."""
    names = (*order.checkpoint_ids, *(order.workspaces if order.project_id else ()))
    return any(json.dumps(name) in raw for name in names)


def _root(raw: str) -> str:
    try:
        return str(json.loads(raw)["root"])
    except (ValueError, KeyError, TypeError):
        return ""


def _raw(note: RestoreNote) -> dict[str, Any]:
    return {
        "token": note.token,
        "restored": note.restored,
        "saved_first": note.saved_first,
        "tree": note.tree,
        "at": note.at,
        "paths": list(note.paths),
        "wrote": [[e.path, e.mode, e.object_id, e.size] for e in note.wrote],
        "permissions": dict(note.before.permissions),
        "directories": dict(note.before.directories),
        "remake": list(note.remake),
        "done": note.is_done,
    }


def _note(raw: Mapping[str, Any]) -> RestoreNote:
    return RestoreNote(
        token=raw["token"],
        restored=raw["restored"],
        saved_first=raw["saved_first"],
        tree=raw["tree"],
        at=raw["at"],
        paths=tuple(raw["paths"]),
        wrote=tuple(TreeEntry(*each) for each in raw["wrote"]),
        before=BeforeRestore(
            permissions=raw["permissions"], directories=raw["directories"]
        ),
        remake=tuple(raw["remake"]),
        is_done=raw["done"],
    )
