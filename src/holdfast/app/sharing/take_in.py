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
    intake = Intake(directory, ports, keeps=keeps)
    clean = [intake.proved(proof) for proof in proofs]
    new, known = list[Checkpoint](), list[Checkpoint]()
    forgotten, refused = list[str](), list[str]()
    for checkpoint in clean:
        try:
            kept = intake.keep(checkpoint)
        except CheckpointNotFound:
            forgotten.append(checkpoint.checkpoint_id)
        except RecordRefused as why:
            refused.append(why.message)
        else:
            (new if kept.outcome == "saved" else known).append(kept.checkpoint)
    return TakenIn(tuple(new), tuple(known), tuple(forgotten), tuple(refused))


class Intake:
    """Takes in what others made, one at a time, with the project of a directory; without
    `keeps` it only says what that would come to."""

    def __init__(self, directory: str, ports: Ports, *, keeps: bool = True) -> None:
        identity = ports.code.identity(directory)
        self._store = ports.open_store()
        self._redactor = ports.redactor
        self._keeps = keeps
        look = self._store.project if keeps else self._store.known_project
        project = look(
            identity, lambda commit: ports.code.has_commit(identity.workspace, commit)
        )
        self.project = project or Project(project_id="", root=identity.path)
        self._own = machine_name(self._store.machine)

    def proved(self, proof: RecordProof) -> Checkpoint:
        """Return what a record says, by this machine's rules.

        Raises:
            RecordRefused: it is not what was kept where it was made.
        """
        named = replace(proof, machine=self.machine(proof.machine))
        return _clean(received(named, self.project), self._redactor)

    def keep(self, checkpoint: Checkpoint) -> PutResult:
        """Keep one that was proved.

        Raises:
            CheckpointNotFound: it was forgotten here, and stays so.
            RecordRefused: it stands against what is here.
        """
        if self._keeps:
            return self._store.adopt(checkpoint)
        try:  # what was forgotten is taken for new
            return PutResult("repeated", self._store.get(checkpoint.checkpoint_id))
        except CheckpointNotFound:
            return PutResult("saved", checkpoint)

    def machine(self, name: str) -> str:
        """Return what another machine is called here: never as this one is."""
        is_same = name.casefold() == self._own.casefold()
        return f"{name[:_MOST]}-other" if is_same else name


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
