"""Give an existing checkpoint a name, or remove its name.

The name is the store's alone: no file is written for it, and one that goes by the old name
is somebody's to keep.
"""

from holdfast.app.checkpoints.drafting import clean_name
from holdfast.app.notes.named_files import owner_of, text_in
from holdfast.app.ports import Ports
from holdfast.domain.checkpoint import Checkpoint
from holdfast.kernel.errors import NameTaken, UsageWrong
from holdfast.project_notes.named_file import file_name


def give_name(checkpoint: Checkpoint, text: str, ports: Ports) -> str | None:
    """Name a checkpoint, and return the name as it is kept; no text takes it away.

    Raises:
        NameInvalid: nothing usable is left of it, or it looks like a secret.
        NameTaken: another checkpoint, or a file, has it.
        UsageWrong: its name is not ours to change.
    """
    if checkpoint.machine is not None:
        raise UsageWrong(f"rename it on {checkpoint.machine}, where it is from")
    wanted = clean_name(text, ports.redactor) if text.strip() else None
    store, draft = ports.open_store(), checkpoint.draft
    if wanted == checkpoint.name:
        return wanted
    if checkpoint.name and _has_file(checkpoint.name, draft.workspace, ports):
        raise UsageWrong(
            f"`{file_name(checkpoint.name)}` in the client's memory already has its name",
            hint="save the session again under the other name",
        )
    if wanted and owner_of(wanted, draft.project_id, store) is None:
        _refuse_file(wanted, draft.workspace, ports)
    store.rename(checkpoint.checkpoint_id, wanted)
    return wanted


def _refuse_file(name: str, workspace: str, ports: Ports) -> None:
    if _has_file(name, workspace, ports):
        raise NameTaken(
            f"`{file_name(name)}` in the client's memory has that name",
            hint="choose another name",
        )


def _has_file(name: str, workspace: str, ports: Ports) -> bool:
    memory = ports.memory_of(workspace)
    return memory is not None and text_in(memory, name) is not None
