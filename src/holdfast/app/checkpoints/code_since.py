"""What changed in the code between a checkpoint and the one before it.

Only trees of ours are compared: no file of the user's is read.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from holdfast.kernel.errors import HoldfastError
from holdfast.kernel.ids import label
from holdfast.kernel.lazy_tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.domain.code import FileChange
    from holdfast.snapshot.port import Snapshots
    from holdfast.store.port import Finding

_NEAR = 20  # generations in which the one with code is looked for
_SECTION = b"diff --git "


class CodeSince(NamedTuple):
    """Files in the order of their patch; `reason` says why there are none to compare."""

    base: Checkpoint | None = None
    files: tuple[FileChange, ...] = ()
    reason: str = ""

    def trees(self, checkpoint: Checkpoint) -> tuple[str, str]:
        older = self.base.draft.code.tree if self.base else None
        return older or "", checkpoint.draft.code.tree or ""


def code_since(
    checkpoint: Checkpoint, before: Iterable[str], store: Finding, snapshots: Snapshots
) -> CodeSince:
    """Compare a checkpoint's code with that of the nearest one before it that has code."""
    own = checkpoint.draft.code
    if own.tree is None:
        why = f": {own.reason}" if own.reason else ""
        return CodeSince(reason=f"{label(checkpoint.number)} has no code with it{why}")
    ids = [*islice(before, _NEAR)]
    found = store.several(ids)
    with_code = (found[each] for each in ids if each in found)
    base = next((each for each in with_code if each.draft.code.tree), None)
    if base is None:
        return CodeSince(reason="no checkpoint before it has code to compare with")
    since = CodeSince(base)
    try:
        files = snapshots.changes(*since.trees(checkpoint))
    except HoldfastError as trouble:
        return since._replace(reason=trouble.message)
    return since._replace(files=tuple(sorted(files, key=_as_git_sorts)))


def patch_of_file(
    checkpoint: Checkpoint, since: CodeSince, place: int, snapshots: Snapshots
) -> bytes:
    """Return the patch of one file by its place among those that changed; empty where
    there is none.

    Raises:
        SnapshotLost
    """
    if not 0 <= place < len(since.files):
        return b""
    patch = snapshots.patch(*since.trees(checkpoint))
    # Lines of files begin with a sign: this one is always a head.
    sections = (b"\n" + patch).split(b"\n" + _SECTION)[1:]
    return sections[place] if len(sections) == len(since.files) else b""


def _as_git_sorts(change: FileChange) -> bytes:
    return change.path.encode("utf-8", "surrogateescape")
