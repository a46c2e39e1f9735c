"""Find the one checkpoint a reference names; where there is none, say what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.text import one_line, visible
from holdfast.kernel.errors import CheckpointNotFound, ReferenceAmbiguous

if TYPE_CHECKING:
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.domain.query import Scope
    from holdfast.kernel.ids import Reference
    from holdfast.store.ports.store import Store

_CANDIDATES = 3
_TITLE = 40


def find(store: Store, reference: Reference, scope: Scope) -> Checkpoint:
    """Return the checkpoint that a reference names.

    Raises:
        CheckpointNotFound: nothing answers; the message names the newest there are.
        ReferenceAmbiguous: several do; the hint names them.
    """
    try:
        return store.find(reference, scope)
    except ReferenceAmbiguous:
        raise
    except CheckpointNotFound as missing:
        newest = store.list(scope.in_project(), limit=_CANDIDATES)
        if not newest:
            raise
        there = ", ".join(_named(checkpoint) for checkpoint in newest)
        raise CheckpointNotFound(
            f"{missing.message}; the newest are {there}", hint=missing.hint
        ) from None


def _named(checkpoint: Checkpoint) -> str:
    title = one_line(visible(checkpoint.draft.content.title), _TITLE)
    return f"`{checkpoint.name or checkpoint.number}` ({title})"
