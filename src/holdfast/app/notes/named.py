"""Named checkpoints as files: found, read as edited, consumed and cleaned up."""

from holdfast.agents.port import ClientMemory
from holdfast.app.checkpoints.find import find
from holdfast.app.checkpoints.resume import Resumed, latest_here, resume_checkpoint
from holdfast.app.notes.named_files import (
    Naming,
    adopt,
    files_in,
    heal,
    is_known,
    names_in,
    owner_of,
    reindex,
    remove,
    text_in,
)
from holdfast.app.ports import Ports
from holdfast.brief.brief import plan_part
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.query import Scope
from holdfast.domain.text import tokens, visible
from holdfast.facts.work.tasks import plan_steps
from holdfast.kernel.errors import CheckpointNotFound, HoldfastError, ReferenceAmbiguous
from holdfast.kernel.ids import NamePrefix, Reference, name as checked
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.project_notes.named_file import NamedFile, read_named
from holdfast.project_notes.named_index import MEMORY

_PLAN_SHARE = 4  # of the budget, at most a fourth


@dataclass(frozen=True, slots=True)
class Cleaned:
    names: tuple[str, ...]
    kept: tuple[tuple[str, str], ...] = ()  # name, and why it stays


def resume_named(
    reference: Reference | None, scope: Scope, ports: Ports, *, budget: int
) -> Resumed:
    """Return the brief of a checkpoint as people have it: its file counts, and its plan.

    For explicit commands only: a stale entry in the client's memory is removed.

    Raises:
        CheckpointNotFound, ReferenceAmbiguous
    """
    if reference is None:
        found = latest_here(ports.open_store(), scope)
    else:
        found = find_named(reference, scope, ports)
    checkpoint = as_edited(found, scope, ports)
    plan = _plan(checkpoint, scope, ports, budget // _PLAN_SHARE)
    room = budget - tokens(plan)
    resumed = resume_checkpoint(checkpoint, scope, ports, budget=room)
    text = resumed.brief + plan
    return replace(resumed, brief=text, tokens=tokens(text))


def find_named(reference: Reference, scope: Scope, ports: Ports) -> Checkpoint:
    """Return what a reference names; a name may be that of a file only.

    Raises:
        CheckpointNotFound, ReferenceAmbiguous
    """
    store = ports.open_store()
    if not isinstance(reference, NamePrefix):
        return find(store, reference, scope)
    name = reference.prefix
    try:
        found = find(store, reference, scope)
    except (CheckpointNotFound, ReferenceAmbiguous):
        adopted = _found_as_file(name, scope, ports)
        if adopted is None:
            raise
        return adopted
    if found.name == name:
        return found
    return _found_as_file(name, scope, ports) or found


def named_here(workspace: str | None, ports: Ports) -> tuple[NamedFile, ...]:
    """Return the named checkpoints that wait here as files, the newest first."""
    memory = ports.memory_of(workspace) if workspace else None
    return files_in(memory) if memory else ()


def as_edited(checkpoint: Checkpoint, scope: Scope, ports: Ports) -> Checkpoint:
    """Return what a checkpoint became in the hands of people: its file, if edited."""
    naming = _naming(checkpoint, scope, ports)
    if naming is None:
        return checkpoint
    try:
        text = text_in(naming.memory, naming.name)
        if text is None:
            heal(naming.memory, naming.name)
            return checkpoint
        if is_known(naming, text, ports) or not read_named(naming.name, text):
            return checkpoint
        return adopt(naming, text, ports, takes_name=True)
    except HoldfastError:
        return checkpoint  # a file in a bad state must not keep the record from anyone


def consume(checkpoint: Checkpoint, scope: Scope, ports: Ports) -> tuple[str, ...]:
    """Free the name of a delivered checkpoint, its file and bullet gone.

    Returns what could not be done; the store keeps the record in any case.
    """
    if not checkpoint.name:
        return ()
    if checkpoint.draft.project_id != scope.project_id:
        return (
            f"`{checkpoint.name}` belongs to another project: its name stays taken",
        )
    naming = _naming(checkpoint, scope, ports)
    try:
        ports.open_store().consume(checkpoint.checkpoint_id)
        if naming:
            remove(naming, ports)
            reindex(naming.memory)
    except HoldfastError as trouble:
        return (trouble.message,)
    return ()


def cleanup(name: str | None, workspace: str, ports: Ports) -> Cleaned:
    """Remove the file of a name, or of every name, and the bullets; the store keeps all.

    Raises:
        CheckpointNotFound: nothing here has the name.
    """
    memory = ports.memory_of(workspace)
    there = names_in(memory) if memory else []
    wanted = there if name is None else [_known(name, there)]
    if memory is None:
        return Cleaned(())
    gone, kept = list[str](), list[tuple[str, str]]()
    for each in wanted:
        try:
            _clean_one(each, workspace, memory, ports)
            gone.append(each)
        except HoldfastError as trouble:
            kept.append((each, trouble.message))
    try:
        reindex(memory)
    except HoldfastError as trouble:
        kept.append((MEMORY, trouble.message))
    return Cleaned(tuple(gone), tuple(kept))


def _plan(checkpoint: Checkpoint, scope: Scope, ports: Ports, budget: int) -> str:
    """Return what comes next in the plan of a named checkpoint."""
    plan, naming = checkpoint.draft.content.plan, _naming(checkpoint, scope, ports)
    if plan is None or naming is None:
        return ""
    text = ports.redactor.text(naming.memory.plan(plan.path) or "")
    return plan_part(plan, plan_steps(text), budget)


def _known(name: str, there: list[str]) -> str:
    """Return a name as it is there: as given, or in the form that names have."""
    clean = name if name in there else checked(name)
    if clean in there:
        return clean
    known = ", ".join(f"`{each}`" for each in there[:5]) or "none"
    raise CheckpointNotFound(
        f"no checkpoint file is named `{visible(clean)}`",
        hint=f"the named ones here: {known}",
    )


def _naming(checkpoint: Checkpoint, scope: Scope, ports: Ports) -> Naming | None:
    """Return where a checkpoint's file would be; an id may lead to another project."""
    if not checkpoint.name or not scope.workspace:
        return None
    if checkpoint.draft.project_id != scope.project_id:
        return None
    memory = ports.memory_of(scope.workspace)
    if memory is None:
        return None
    return Naming(checkpoint.name, scope.workspace, memory, checkpoint)


def _found_as_file(name: str, scope: Scope, ports: Ports) -> Checkpoint | None:
    """Return the checkpoint of a file that no record accounts for, now kept.

    Raises:
        CheckpointNotFound: only a bullet was left of the name; it was removed.
    """
    memory = ports.memory_of(scope.workspace) if scope.workspace else None
    if memory is None:
        return None
    text = text_in(memory, name)
    if text is not None and read_named(name, text):
        naming = Naming(name, scope.workspace or "", memory, None)
        return adopt(naming, text, ports, takes_name=True)
    if text is None and heal(memory, name):
        raise CheckpointNotFound(
            f"the file of checkpoint `{name}` is missing (its stale entry was removed)",
            hint="see the checkpoints with `holdfast list`",
        )
    return None


def _clean_one(name: str, workspace: str, memory: ClientMemory, ports: Ports) -> None:
    store = ports.open_store()
    project = store.known_project(
        ports.code.identity(workspace),
        lambda commit: ports.code.has_commit(workspace, commit),
    )
    owner = owner_of(name, project.project_id, store) if project else None
    if owner:
        # First: a store that cannot be written keeps the file.
        store.consume(owner.checkpoint_id)
    remove(Naming(name, workspace, memory, owner), ports)
