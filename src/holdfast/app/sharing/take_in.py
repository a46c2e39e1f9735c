"""Take in checkpoints that another machine shared.

All of a file are proved by their hashes before the first is kept; each is redacted by
this machine's rules, and kept as work of the machine that made it. What was forgotten here
stays forgotten.
"""

from collections.abc import Sequence

from holdfast.app.checkpoints.drafting import redacted
from holdfast.app.ports import Ports, Redacts
from holdfast.domain.checkpoint import Checkpoint, PutResult
from holdfast.domain.code import Project
from holdfast.domain.foreign import RecordProof, machine_name
from holdfast.kernel.errors import CheckpointNotFound, RecordRefused
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.store.foreign_records import received
from holdfast.store.port import Store

_MOST = 50  # characters of a machine's name, where more is put behind it


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What came of it."""

    new: tuple[Checkpoint, ...]
    known: tuple[Checkpoint, ...]  # were here before
    forgotten: tuple[str, ...]  # ids that were removed here and stay so
    refused: tuple[str, ...]  # why some stand against what is here


def take_in(
    proofs: Sequence[RecordProof], directory: str, ports: Ports, *, keeps: bool = True
) -> TakenIn:
    """Keep what others made, with the project of a directory; without `keeps`, only say
    what that would come to.

    Raises:
        RecordRefused: one of them is not what was kept there; nothing was kept.
    """
    identity = ports.code.identity(directory)
    store = ports.open_store()
    look = store.project if keeps else store.known_project
    project = look(identity, lambda c: ports.code.has_commit(identity.workspace, c))
    project = project or Project(project_id="", root=identity.path)
    own = machine_name(store.machine)
    theirs = [received(_renamed(proof, own), project) for proof in proofs]
    clean = [_clean(checkpoint, ports.redactor) for checkpoint in theirs]
    new, known = list[Checkpoint](), list[Checkpoint]()
    forgotten, refused = list[str](), list[str]()
    for checkpoint in clean:
        try:
            kept = store.adopt(checkpoint) if keeps else _would_be(checkpoint, store)
        except CheckpointNotFound:
            forgotten.append(checkpoint.checkpoint_id)
        except RecordRefused as why:
            refused.append(why.message)
        else:
            (new if kept.outcome == "saved" else known).append(kept.checkpoint)
    return TakenIn(tuple(new), tuple(known), tuple(forgotten), tuple(refused))


def _would_be(checkpoint: Checkpoint, store: Store) -> PutResult:
    """Return what adopting would; what was forgotten is taken for new."""
    try:
        return PutResult("repeated", store.get(checkpoint.checkpoint_id))
    except CheckpointNotFound:
        return PutResult("saved", checkpoint)


def _renamed(proof: RecordProof, own: str) -> RecordProof:
    """Return a proof of a machine that is not called as this one is."""
    is_same = proof.machine.casefold() == own.casefold()
    return (
        replace(proof, machine=f"{proof.machine[:_MOST]}-other") if is_same else proof
    )


def _clean(checkpoint: Checkpoint, redactor: Redacts) -> Checkpoint:
    """Return it without what this machine's rules take for a secret, also where a record
    of ours tells only what we know ourselves."""
    draft, foreign = checkpoint.draft, checkpoint.foreign
    draft = replace(
        draft,
        hostname=redactor.text(draft.hostname),
        agent_version=redactor.text(draft.agent_version),
        code=replace(draft.code, head=_clean_head(draft.code.head, redactor)),
        facts=replace(
            draft.facts,
            tools=tuple(
                replace(tool, tool=redactor.text(tool.tool))
                for tool in draft.facts.tools
            ),
        ),
    )
    if foreign is not None:
        foreign = replace(
            foreign,
            project_id=redactor.text(foreign.project_id),
            project_root=redactor.text(foreign.project_root),
            name=redactor.text(foreign.name) if foreign.name else None,
        )
    return replace(checkpoint, draft=redacted(draft, redactor), foreign=foreign)


def _clean_head(head: str | None, redactor: Redacts) -> str | None:
    """Return a commit's name; what only looks like one is none."""
    return head if head is None or redactor.text(head) == head else None
