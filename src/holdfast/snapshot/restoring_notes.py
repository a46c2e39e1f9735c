"""The notes of restores, one file per worktree, in our own directory.

A note is on disk before the first file of its restore is written.
"""

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from holdfast.digests import sha256
from holdfast.domain.restore import Before, RestoreNote
from holdfast.domain.snapshot import Entry
from holdfast.snapshot.files import LARGE, read_text

_MOST = 20  # restores that can be undone one after the other
_FORMAT = 1


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
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    raw = {
        "format": _FORMAT,
        "root": root,
        "restores": [_raw(n) for n in notes[-_MOST:]],
    }
    half = f"{path}.half"
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    with open(os.open(half, flags, 0o600), "w", encoding="utf-8") as file:
        json.dump(raw, file)
        file.flush()
        os.fsync(file.fileno())
    os.rename(half, path)
    _sync_directory(os.path.dirname(path))


def _sync_directory(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


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
        wrote=tuple(Entry(*each) for each in raw["wrote"]),
        before=Before(permissions=raw["permissions"], directories=raw["directories"]),
        remake=tuple(raw["remake"]),
        is_done=raw["done"],
    )
