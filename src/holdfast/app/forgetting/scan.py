"""`doctor --scan`: remove secrets that older rules missed, wherever they are stored.

Records are rewritten one by one, each in its own transaction, so a scan that was killed
goes on where it stopped; a second one finds nothing to do. What waits in the spool is
put into the store, redacted. Folds are dropped: they can be made again. At the end the
store's file is written anew, so that no freed page keeps what was taken out.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from holdfast.agents.port import ClientMemory
from holdfast.app.checkpoints.code_of_session import shown_left_out
from holdfast.app.checkpoints.drafting import redacted, with_receipt
from holdfast.app.checkpoints.save import drain
from holdfast.app.notes.named_files import reindex
from holdfast.app.past.archive import ArchiveLooked
from holdfast.app.ports import Ports
from holdfast.data_directory.port import PlainFiles, StoreCopies, TextHolder
from holdfast.domain.amounts import counted
from holdfast.domain.checkpoint import Checkpoint, Draft
from holdfast.domain.code import CodeState
from holdfast.domain.forgetting import Order
from holdfast.domain.query import HealthResult
from holdfast.domain.record import draft_record
from holdfast.domain.record_content import without_facts
from holdfast.kernel.digests import canonical
from holdfast.kernel.errors import (
    HoldfastError,
    SnapshotLost,
    StoreBusy,
    StoreDamaged,
    StoreNotFound,
)
from holdfast.kernel.ids import label
from holdfast.kernel.lazy_values import dataclass, field, replace
from holdfast.project_notes.named_file import name_of, read_named
from holdfast.store.hook_port import Folds
from holdfast.store.port import Checkpoints, Forgetting, Store

_REASON = "newer rules found secrets in this record"
_ROTATE = "the secrets were on this disk: replace them where they are used"
_LET_GO = "`holdfast forget` removes the checkpoint and its code"
_PLACEHOLDER = r"\[redacted:([a-z0-9\-]+):"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanMeans:
    """What a scan works with beside the usual ports."""

    files: PlainFiles
    copies: StoreCopies
    restores: TextHolder
    clean_archive: Callable[[], ArchiveLooked]
    budget: int  # of a brief, for the receipts of what is rewritten


@dataclass(slots=True)
class _Looked:
    """What came of looking at every record."""

    findings: list[HealthResult] = field(default_factory=list)
    named_in: set[str] = field(default_factory=set)  # worktrees with named files
    replaced: dict[str, str] = field(default_factory=dict)  # tree: its worktree


def scan(ports: Ports, means: ScanMeans) -> Iterator[HealthResult]:
    """Yield what was found, and taken out, in each place that keeps text.

    Raises:
        StoreBusy, StoreDamaged, StoreNewer
    """
    try:
        store = ports.open_store()
    except StoreNotFound as missing:
        yield HealthResult("scan", "warn", missing.message, missing.hint)
        return
    yield _spool(ports, store)
    looked = _records(ports, store, means.budget)
    yield from looked.findings
    if not any(finding.state == "fail" for finding in looked.findings):
        yield from _copies(means.copies)
    yield _code(ports, store, looked.replaced, means.restores)
    yield _folds(ports, store)
    yield from _wiped(store)
    yield _files("files", means.files.clean(ports.redactor.text))
    yield _archive(means.clean_archive())
    yield from _beyond_reach(means.files)
    yield _files("named files", _named_files(ports, looked.named_in))


def _spool(ports: Ports, store: Store) -> HealthResult:
    try:
        went, missing = drain(ports, store)
    except StoreBusy as busy:
        hint = "scan again when the store works again"
        return HealthResult("scan spool", "warn", busy.message, hint)
    told = "; ".join((f"{counted(len(went), 'waiting save')} put in", *missing))
    return HealthResult("scan spool", "warn" if missing else "ok", told)


def _records(ports: Ports, store: Store, budget: int) -> _Looked:
    """Rewrite each record that has secrets, in its words or in its code."""
    ids = [row.checkpoint_id for row in store.retention_rows()]
    looked = _Looked()
    for checkpoint_id in ids:
        try:
            kept = store.get(checkpoint_id)
        except StoreDamaged as damage:
            looked.findings.append(
                HealthResult("scan", "fail", damage.message, damage.hint)
            )
            continue
        if kept.name:
            looked.named_in.add(kept.draft.workspace)
        _record(kept, ports, store, budget, looked)
    if not looked.findings:
        message = f"{counted(len(ids), 'record')}, nothing to remove"
        looked.findings.append(HealthResult("scan", "ok", message))
    return looked


def _record(
    kept: Checkpoint, ports: Ports, store: Forgetting, budget: int, looked: _Looked
) -> None:
    code, problem = _clean_code(kept.draft, ports)
    if problem:
        message = f"the code of `{label(kept.number)}` stays as it is: {problem}"
        looked.findings.append(HealthResult("scan code", "warn", message, _LET_GO))
    clean = redacted(replace(kept.draft, code=code), ports.redactor)
    if clean == kept.draft:
        return  # most are: then nothing waits for the lock
    clean = with_receipt(clean, budget)
    if not store.rewrite(kept.checkpoint_id, clean, _REASON, clean.key):
        return
    if kept.draft.code.tree and code.tree != kept.draft.code.tree:
        looked.replaced[kept.draft.code.tree] = kept.draft.workspace
    message = f"`{label(kept.number)}`: taken out: {_taken(kept.draft, clean)}"
    looked.findings.append(HealthResult("scan", "warn", message, _ROTATE))


def _clean_code(draft: Draft, ports: Ports) -> tuple[CodeState, str]:
    """Return a record's code without secrets, or as it is, and why."""
    code = draft.code
    if code.tree is None or code.tree in ports.snapshots.released():
        return code, ""
    places = (draft.workspace, draft.project_root)
    taken = ports.snapshots.without_secrets(code.tree, places, code.head)
    if taken.tree is None:
        return code, taken.reason
    if not taken.left_out:
        return code, ""
    left_out = (*code.left_out, *shown_left_out(taken.left_out))
    return replace(code, tree=taken.tree, left_out=left_out), ""


def _code(
    ports: Ports, store: Checkpoints, replaced: Mapping[str, str], restores: TextHolder
) -> HealthResult:
    """Let the trees go that were replaced; no undo brings one of them back."""
    needed = {row.tree for row in store.retention_rows()}
    trees = set(replaced) - needed
    try:
        roots = {*replaced.values(), *ports.snapshots.worktrees_with_secrets()}
        if trees or roots:
            restores.forget(Order(at=ports.clock.now_ms(), trees=tuple(sorted(trees))))
            ports.snapshots.let_go(trees, roots)
    except SnapshotLost as lost:
        return HealthResult("scan code", "fail", lost.message, "scan again")
    if not trees:
        return HealthResult("scan code", "ok", "nothing to remove")
    message = f"{counted(len(trees), 'snapshot')} replaced by one without secrets"
    return HealthResult("scan code", "warn", message, _ROTATE)


def _taken(before: Draft, after: Draft) -> str:
    """Say what a record lost, and no word of it."""
    kinds = _placeholders(after) - _placeholders(before)
    told = [f"{kind} {times}" for kind, times in sorted(kinds.items())]
    if before.code.tree != after.code.tree:
        told.append("files of its code")
    return ", ".join(told) or "private text"


def _placeholders(draft: Draft) -> Counter[str]:
    said = canonical(without_facts(draft_record(draft)))
    return Counter(re.findall(_PLACEHOLDER, said))


def _folds(ports: Ports, store: Folds) -> HealthResult:
    def is_clean(part: Any) -> bool:
        return bool(ports.redactor.tree(part) == part)

    dropped = store.drop_unclean_folds(is_clean)
    message = f"{counted(dropped, 'fold')} dropped; each is made again when needed"
    return HealthResult("scan folds", "ok", message if dropped else "nothing to remove")


def _wiped(store: Forgetting) -> Iterator[HealthResult]:
    """Also where nothing was found: a scan that was killed left freed pages."""
    try:
        store.wipe()
    except StoreBusy as busy:
        hint = "scan again when no other process uses it: freed pages may still hold secrets"
        yield HealthResult("scan", "fail", busy.message, hint)


def _archive(looked: ArchiveLooked) -> HealthResult:
    """Lists and pieces are names of ours: only what they say is told."""
    if looked.unread:
        told = "; ".join(looked.unread)
        hint = "`holdfast archive` stores it again; `holdfast forget session:ID` removes it"
        return HealthResult("scan archive", "warn", told, hint)
    if not looked.changed:
        return HealthResult("scan archive", "ok", "nothing to remove")
    told = f"secrets taken out of {counted(len(looked.changed), 'archived session')}"
    return HealthResult("scan archive", "warn", told, _ROTATE)


def _beyond_reach(files: PlainFiles) -> Iterator[HealthResult]:
    for path in files.beyond_reach():
        message = f"`{path}` is damaged and cannot be cleaned"
        hint = "it may hold secrets: look at it and remove it yourself"
        yield HealthResult("scan quarantine", "warn", message, hint)


def _copies(copies: StoreCopies) -> Iterator[HealthResult]:
    """Nobody edits an older form of the store: what it holds goes with it."""
    names = copies.names()
    if not names:
        return
    stayed = copies.drop()
    if stayed:
        hint = "remove them yourself: they may still hold the secrets"
        yield HealthResult("scan backups", "fail", "; ".join(stayed), hint)
    else:
        message = f"{counted(len(names), 'backup')} from before an upgrade removed"
        yield HealthResult("scan backups", "ok", message)


def _named_files(ports: Ports, workspaces: set[str]) -> list[str]:
    changed: list[str] = []
    for workspace in sorted(workspaces):
        try:
            memory = ports.memory_of(workspace)
            changed += _cleaned(memory, ports.redactor.text) if memory else ()
        except HoldfastError:
            continue  # a worktree that is gone, or a file that is no file
    return changed


def _cleaned(memory: ClientMemory, redact: Callable[[str], str]) -> Iterator[str]:
    """Rewrite the files that are ours, and yield those that had secrets."""
    for file in memory.names():
        name = name_of(file)
        if name is None:
            continue

        def rewrite(text: str | None, name: str = name) -> str | None:
            is_ours = text and read_named(name, text)
            return redact(text) if text and is_ours else None

        if memory.change(file, rewrite).is_changed:
            reindex(memory, name)  # its bullet tells what the file said
            yield f"{memory.directory}/{file}"


def _files(kind: str, changed: Sequence[str]) -> HealthResult:
    if not changed:
        return HealthResult(f"scan {kind}", "ok", "nothing to remove")
    message = f"secrets taken out of {', '.join(f'`{path}`' for path in changed)}"
    return HealthResult(f"scan {kind}", "warn", message, _ROTATE)
