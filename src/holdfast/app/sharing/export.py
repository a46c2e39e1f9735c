"""Share checkpoints as a file: first what would leave this machine, then the file.

What was redacted by older rules passes today's once more. A record in which they find
something is not shared until it was cleaned where it is kept.
"""

from collections.abc import Sequence

from holdfast.app.checkpoints.drafting import redacted
from holdfast.app.checkpoints.find import find
from holdfast.app.ports import Ports
from holdfast.app.sharing.share_file import SharedPage, packed
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.foreign import machine_name
from holdfast.domain.query import Scope
from holdfast.kernel.errors import SecretsInside
from holdfast.kernel.ids import Reference, label
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.reports.view import view


@dataclass(frozen=True, slots=True)
class Sharing:
    """What would leave this machine."""

    machine: str
    checkpoints: tuple[Checkpoint, ...]
    pages: tuple[SharedPage, ...]

    @property
    def hosts(self) -> tuple[str, ...]:
        """Names of machines and directories that the records tell."""
        drafts = [checkpoint.draft for checkpoint in self.checkpoints]
        told = [name for draft in drafts for name in (draft.hostname, draft.workspace)]
        return tuple(dict.fromkeys(filter(None, (self.machine, *told))))

    def file(self) -> bytes:
        return packed(self.pages, self.machine)


def prepare(references: Sequence[Reference], scope: Scope, ports: Ports) -> Sharing:
    """Find checkpoints, oldest first, each once, and look at them once more.

    Raises:
        CheckpointNotFound, ReferenceAmbiguous: a reference names none, or several.
        SecretsInside: today's rules find something in one.
    """
    store = ports.open_store()
    found = {
        checkpoint.checkpoint_id: checkpoint
        for checkpoint in (find(store, reference, scope) for reference in references)
    }
    chosen = sorted(found.values(), key=lambda c: (c.draft.created_at, c.number))
    for checkpoint in chosen:
        if redacted(checkpoint.draft, ports.redactor) != checkpoint.draft:
            raise SecretsInside(
                f"{label(checkpoint.number)} holds what today's rules take for a secret",
                hint="take it out with `holdfast doctor --scan`, then export again",
            )
    now, machine = ports.clock.now_ms(), machine_name(store.machine)
    pages = []
    for each in chosen:
        proof = replace(store.proof(each.checkpoint_id), machine=machine)
        pages.append(SharedPage(proof, each.number, view(each, now) + "\n"))
    return Sharing(machine, tuple(chosen), tuple(pages))
