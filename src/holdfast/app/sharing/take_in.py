"""Take in checkpoints that another machine shared: all of a file, or nothing of it.

Each is proved by its hash, redacted by this machine's rules, and kept as work of the
machine that made it. What was forgotten here stays forgotten.
"""

from collections.abc import Sequence

from holdfast.app.checkpoints.drafting import redacted
from holdfast.app.ports import Ports, Redacts
from holdfast.domain.checkpoint import Checkpoint, RecordProof
from holdfast.kernel.errors import CheckpointNotFound
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.store.foreign_records import received


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What came of it."""

    new: tuple[Checkpoint, ...]
    known: tuple[Checkpoint, ...]  # were here before
    forgotten: tuple[str, ...]  # ids that were removed here and stay so


def take_in(proofs: Sequence[RecordProof], directory: str, ports: Ports) -> TakenIn:
    """Keep what others made, with the project of a directory.

    Raises:
        RecordRefused: one of them is not what was kept there; nothing was kept.
    """
    identity = ports.code.identity(directory)
    store = ports.open_store()
    project = store.project(
        identity, lambda commit: ports.code.has_commit(identity.workspace, commit)
    )
    theirs = [received(proof, project) for proof in proofs]  # all, before the first
    new, known, forgotten = list[Checkpoint](), list[Checkpoint](), list[str]()
    for checkpoint in theirs:
        try:
            kept = store.adopt(_clean(checkpoint, ports.redactor))
        except CheckpointNotFound:
            forgotten.append(checkpoint.checkpoint_id)
            continue
        (new if kept.outcome == "saved" else known).append(kept.checkpoint)
    return TakenIn(tuple(new), tuple(known), tuple(forgotten))


def _clean(checkpoint: Checkpoint, redactor: Redacts) -> Checkpoint:
    """Return it without what this machine's rules take for a secret, also where a record
    of ours tells only what we know ourselves."""
    draft, foreign = checkpoint.draft, checkpoint.foreign
    draft = replace(
        draft,
        hostname=redactor.text(draft.hostname),
        agent_version=redactor.text(draft.agent_version),
    )
    if foreign is not None:
        foreign = replace(
            foreign,
            project_root=redactor.text(foreign.project_root),
            name=redactor.text(foreign.name) if foreign.name else None,
        )
    return replace(checkpoint, draft=redacted(draft, redactor), foreign=foreign)
