"""Forget: decide what goes, write the order down, then let everything go of it.

    order on disk → spool → records, sessions → code → marks, files, logs → no byte left

Killed anywhere, the next `forget` or `doctor --repair` finishes the order.
"""

from collections.abc import Iterable, Sequence

from holdfast.app.forgetting.forget_plan import ForgetPlan
from holdfast.app.forgetting.inherited import forget_inherited, text_digest
from holdfast.app.notes.named_files import reindex
from holdfast.app.ports import Ports
from holdfast.data_directory.port import Orders, TextHolder, UnreadableHolder
from holdfast.domain.client import Switch
from holdfast.domain.forgetting import FileOf, Order
from holdfast.domain.text import visible
from holdfast.kernel.errors import HoldfastError, SaveFailed, SnapshotLost
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.project_notes.named_file import file_name
from holdfast.store.port import Checkpoints

REASON = "forgotten"


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetMeans:
    """What forgetting works with beside the usual ports."""

    orders: Orders
    shelves: Sequence[TextHolder]
    aside: UnreadableHolder
    budget: int  # of a brief, for the receipts of later records


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    checkpoint_ids: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()  # what had to stay, and why


def forget(
    plan: ForgetPlan, ports: Ports, means: ForgetMeans, match: str | None = None
) -> Forgotten:
    """Let go of what a plan names; say what is set aside that has the text `match`.

    Raises:
        SaveFailed: the order cannot be written; nothing was touched.
        StoreBusy, SnapshotLost, OSError: not everything is gone; forgetting again
            finishes.
    """
    try:
        means.orders.add(plan.order)
    except OSError as problem:
        raise SaveFailed(
            f"the order to forget cannot be written: {problem.strerror}",
            hint="nothing was touched; check the data directory's free space and"
            " permissions, then try again",
        ) from None
    done = _carried_out(plan.order, ports, means)
    saying = means.aside.saying(match) if match else ()
    return replace(done, kept=tuple(dict.fromkeys((*done.kept, *saying))))


def finish(ports: Ports, means: ForgetMeans) -> Forgotten:
    """Carry out what an earlier call did not finish."""
    done = [_carried_out(order, ports, means) for order in means.orders.waiting()]
    return Forgotten(
        checkpoint_ids=tuple(i for each in done for i in each.checkpoint_ids),
        kept=tuple(why for each in done for why in each.kept),
    )


def _carried_out(order: Order, ports: Ports, means: ForgetMeans) -> Forgotten:
    store = ports.open_store()
    kept: list[str] = []
    # First whatever could bring a record back, then the records.
    for session_id in order.sessions:
        store.switch_off(Switch("session", session_id, None))
    for shelf in means.shelves:
        kept += shelf.forget(order)
    written, order = order, _with_late_ones(order, store)
    store.remove(order.checkpoint_ids, REASON, order.at)
    kept += forget_inherited(order, ports, store, means.budget)
    store.drop_folds((*order.sessions, *order.kin))
    store.blank_sessions(order.sessions)
    if order.project_id:
        store.blank_project(order.project_id)
    kept += _files_gone(order.files, ports)
    trouble = _code_gone(order, store, ports)
    store.wipe()
    if trouble:
        raise trouble
    means.orders.done(written)
    return Forgotten(checkpoint_ids=order.checkpoint_ids, kept=tuple(kept))


def _with_late_ones(order: Order, store: Checkpoints) -> Order:
    """Return the order with what its sessions saved before they were switched off."""
    late = [row for row in store.retention_rows() if row.session_id in order.sessions]
    return replace(
        order,
        checkpoint_ids=tuple(
            dict.fromkeys((*order.checkpoint_ids, *(row.checkpoint_id for row in late)))
        ),
        trees=tuple(dict.fromkeys((*order.trees, *(r.tree for r in late if r.tree)))),
    )


def _code_gone(order: Order, store: Checkpoints, ports: Ports) -> SnapshotLost | None:
    """Let the trees go that no other record names; what waits may name one, too."""
    if not order.trees:
        return None
    needed = {row.tree for row in store.retention_rows()}
    try:
        ports.snapshots.let_go(set(order.trees) - needed, order.workspaces)
    except SnapshotLost as trouble:
        return trouble
    return None


def _files_gone(files: Iterable[FileOf], ports: Ports) -> list[str]:
    kept = []
    for file in files:
        try:
            kept += _file_gone(file, ports)
        except (HoldfastError, OSError) as trouble:
            kept.append(f"`{visible(file_name(file.name))}`: {trouble}")
    return kept


def _file_gone(file: FileOf, ports: Ports) -> list[str]:
    """Remove a named checkpoint's file and its bullet; an edited one is a person's."""
    memory = ports.memory_of(file.workspace)
    name = file_name(file.name)
    if memory is None or memory.read(name) is None:
        return []
    if not memory.remove(name, lambda text: text_digest(text) == file.digest):
        path = f"{memory.directory}/{name}"
        return [f"`{path}` was edited by hand: it is yours, remove it yourself"]
    reindex(memory)
    return []
