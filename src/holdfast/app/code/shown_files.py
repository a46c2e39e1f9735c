"""Which files of a project a page may show, and who made their lines.

A page's address names a file, and an address may be anybody's: no path of a request is
looked for on the disk. It is looked up in the tree that a snapshot of this moment has, which
knows no link's target, nothing that git ignores, nothing that the client may not read, and
no file that may hold a secret. Only what is found there is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.code.blame import blame
from holdfast.domain.code import EXECUTABLE, REGULAR, is_safe_path
from holdfast.domain.text import beginning, visible
from holdfast.kernel.errors import FileNotShown, SnapshotLost
from holdfast.kernel.lazy_values import replace

if TYPE_CHECKING:
    from holdfast.app.ports import Caller, Ports
    from holdfast.domain.code import Since
    from holdfast.domain.file_history import Blame

_NOTHING = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"  # git's name of an empty tree
_LONGEST = 4_096  # bytes of a path
_IN_A_MESSAGE = 200


def blame_shown(asked: str, caller: Caller, ports: Ports) -> Blame:
    """Return who made each line of a file that a page asks for, by its path in the
    worktree that the caller stands in.

    Raises:
        FileNotShown: it is no file of the project's as a snapshot has it.
        BlameFailed: it is not a text file, or went meanwhile.
        FileRefused: it became a link meanwhile, or cannot be read.
    """
    root = ports.code.identity(caller.directory).workspace
    path = _listed(asked, root, caller, ports)
    return blame(f"{root}/{path}", replace(caller, directory=root), ports)


def _listed(asked: str, root: str, caller: Caller, ports: Ports) -> str:
    """Return a path as the tree of now has it."""
    if not _may_be_one(asked) or not caller.scope.project_id:
        raise _unknown(asked)
    now = _now(root, caller, ports)
    if now.tree is None:
        raise FileNotShown(
            f"the project's files cannot be listed: {now.reason or 'it has none'}",
            hint="the page shows only what a snapshot of the project includes",
        )
    try:
        found = ports.snapshots.entries(now.tree, (asked,))
    except SnapshotLost:
        raise _unknown(asked) from None
    for entry in found:
        if entry.path == asked and entry.mode in (REGULAR, EXECUTABLE):
            return entry.path
    why = next((each.reason for each in now.left_out if each.path == asked), "")
    raise _unknown(asked, why)


def _may_be_one(asked: str) -> bool:
    """Say whether a tree could have such a path at all."""
    return (
        asked.isprintable()
        and 0 < len(asked.encode()) <= _LONGEST
        and is_safe_path(asked)
    )


def _now(root: str, caller: Caller, ports: Ports) -> Since:
    """Return the tree of now, made from the newest one that is known: what lies between
    them is told along, and is short."""
    last = None
    for checkpoint in ports.open_store().every(caller.scope.in_project()):
        draft = checkpoint.draft
        if draft.code.tree and not checkpoint.machine and draft.workspace == root:
            last = draft.code.tree
    found = ports.snapshots.since(last, root, ports.limits) if last else None
    if found is not None and found.tree:
        return found
    return ports.snapshots.since(_NOTHING, root, ports.limits)


def _unknown(asked: str, why: str = "") -> FileNotShown:
    name = visible(beginning(asked, _IN_A_MESSAGE))
    return FileNotShown(
        f"`{name}` is not shown: {why}"
        if why
        else f"`{name}` is not a file of this project",
        hint="the page shows only what a snapshot of the project includes: no link, nothing "
        "ignored, nothing that may hold a secret",
    )
