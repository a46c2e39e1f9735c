"""The code of branches: how much each changed since they parted, and what would conflict.

Only looked at, in the snapshots' own trees: no file of the user's is read or written.
"""

from collections.abc import Iterator

from holdfast.app.checkpoints.kinship import Parting
from holdfast.branches.code_merge import (
    BothChanged,
    CodeClash,
    Fates,
    both_changed,
    fates_of,
    line_clash,
)
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.code import FileChange
from holdfast.kernel.errors import HoldfastError
from holdfast.kernel.ids import label
from holdfast.kernel.lazy_values import dataclass
from holdfast.snapshot.port import Snapshots

_MOST_FILES = 500  # of which the lines are compared


@dataclass(frozen=True, slots=True)
class FileClash:
    """A file that would conflict if the code of a side were merged into home's."""

    path: str
    clash: CodeClash
    number: int  # of the side


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeTrial:
    """What merging the code would come to."""

    clashes: tuple[FileClash, ...] = ()
    merging: int = 0  # files of other sides that would go in without a word
    reason: str = ""  # why it could not be tried


def try_code(parting: Parting, snapshots: Snapshots) -> CodeTrial:
    """Return which files would conflict. Never raises: a reason says what is missing."""
    home, *others = parting.checkpoints
    base = parting.ancestor.checkpoint
    needed = (*parting.checkpoints, *((base,) if base else ()))
    bare = [one for one in needed if one.draft.code.tree is None]
    if not others or bare:
        reason = f"{label(bare[0].number)} was made without its code" if bare else ""
        return CodeTrial(reason=reason)
    clashes: list[FileClash] = []
    merging = 0
    try:
        for other in others:
            mine, theirs = _fates(base, home, other, snapshots)
            found = list(_clashes(mine, theirs, snapshots))
            clashes += [FileClash(path, clash, other.number) for path, clash in found]
            same = {p for p in theirs if p in mine and mine[p].after == theirs[p].after}
            merging += len(theirs) - len(found) - len(same)
    except HoldfastError as trouble:
        return CodeTrial(reason=trouble.message)
    return CodeTrial(clashes=tuple(clashes), merging=merging)


def _fates(
    base: Checkpoint | None, home: Checkpoint, other: Checkpoint, snapshots: Snapshots
) -> tuple[Fates, Fates]:
    mine, theirs = _tree(home), _tree(other)
    if base is not None:
        start = _tree(base)
        return _since(start, mine, snapshots), _since(start, theirs, snapshots)
    # Without what both came from, a file that both have is one that both made.
    one, another = snapshots.differing(mine, theirs)
    return fates_of((), one, {}), fates_of((), another, {})


def _since(start: str, tree: str, snapshots: Snapshots) -> Fates:
    before, after = snapshots.differing(start, tree)
    old = {entry.path for entry in before}
    has_new = any(entry.path not in old for entry in after)
    # Only a file that went, and another that came, can be a rename.
    is_moved = has_new and len(old) > len(old & {entry.path for entry in after})
    changes = snapshots.changes(start, tree) if is_moved else ()
    renamed = {c.old_path: c.path for c in changes if c.old_path is not None}
    return fates_of(before, after, renamed)


def _clashes(
    mine: Fates, theirs: Fates, snapshots: Snapshots
) -> Iterator[tuple[str, CodeClash]]:
    both = list(both_changed(mine, theirs))
    compared = [one for one in both if one.clash is None]
    if len(compared) > _MOST_FILES:
        yield from ((one.path, one.clash or "unknown") for one in both)
        return
    wanted = dict.fromkeys(each for one in compared for each in one.versions)
    contents = dict(snapshots.contents(wanted)) if wanted else {}
    for one in both:
        if clash := one.clash or _compared(one, contents):
            yield one.path, clash


def _compared(one: BothChanged, contents: dict[str, bytes]) -> CodeClash | None:
    before, mine, theirs = (contents[version] for version in one.versions)
    return line_clash(before, mine, theirs)


def code_size(
    base: Checkpoint | None, side: Checkpoint, snapshots: Snapshots
) -> tuple[FileChange, ...] | None:
    """Return what a branch changed since it parted; None: nobody knows."""
    if base is None or None in (base.draft.code.tree, side.draft.code.tree):
        return None
    try:
        return snapshots.changes(_tree(base), _tree(side))
    except HoldfastError:
        return None


def _tree(checkpoint: Checkpoint) -> str:
    return checkpoint.draft.code.tree or ""
