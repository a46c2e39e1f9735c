"""`doctor --scan`: take out what older rules let through, wherever it was kept.

Records are rewritten one by one, each in its own transaction, so a scan that was killed
goes on where it stopped; a second one finds nothing to do. What waits in the spool is
put into the store, redacted. Folds are dropped: they can be made again. At the end the
store's file is written anew, so that no freed page keeps what was taken out.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from holdfast.app.drafting import redacted
from holdfast.app.named_files import reindex
from holdfast.app.save import drain
from holdfast.app.tools import Tools
from holdfast.domain.checkpoint import Checkpoint, Draft
from holdfast.domain.query import Finding
from holdfast.domain.record import canonical, draft_record
from holdfast.errors import HoldfastError, StoreBusy, StoreDamaged, StoreNotFound
from holdfast.ids import label
from holdfast.ports.client_memory import ClientMemory
from holdfast.ports.plain_files import Copies, PlainFiles
from holdfast.ports.store import Store
from holdfast.render.listing import counted
from holdfast.render.named import name_of, read_named

_REASON = "rules that are newer than the record found secrets in it"
_ROTATE = "they lay on this disk: replace these secrets where they are used"
_PLACEHOLDER = r"\[redacted:([a-z0-9\-]+):"


def scan(tools: Tools, files: PlainFiles, copies: Copies) -> Iterator[Finding]:
    """Yield what was found, and taken out, in each place that keeps text.

    Raises:
        StoreBusy, StoreDamaged, StoreNewer
    """
    try:
        store = tools.open_store()
    except StoreNotFound as missing:
        yield Finding("scan", "warn", missing.message, missing.hint)
        return
    yield _spool(tools, store)
    found, workspaces = _records(tools, store)
    yield from found
    if not any(finding.state == "fail" for finding in found):
        yield from _copies(copies)
    yield _folds(tools, store)
    yield from _wiped(store)
    yield _files("files", files.clean(tools.redactor.text))
    yield from _beyond_reach(files)
    yield _files("named files", _named_files(tools, workspaces))


def _spool(tools: Tools, store: Store) -> Finding:
    try:
        went, missing = drain(tools, store)
    except StoreBusy as busy:
        hint = "scan again when the store is well"
        return Finding("scan spool", "warn", busy.message, hint)
    told = "; ".join((f"{counted(went, 'waiting save')} put in", *missing))
    return Finding("scan spool", "warn" if missing else "ok", told)


def _records(tools: Tools, store: Store) -> tuple[list[Finding], set[str]]:
    """Rewrite each record that has secrets; return what to say, and where names are."""
    ids = [row.checkpoint_id for row in store.retention_rows()]
    findings: list[Finding] = []
    workspaces: set[str] = set()
    for checkpoint_id in ids:
        try:
            kept = store.get(checkpoint_id)
        except StoreDamaged as damage:
            findings.append(Finding("scan", "fail", damage.message, damage.hint))
            continue
        if kept.name:
            workspaces.add(kept.draft.workspace)
        findings += _record(tools, store, kept)
    if not findings:
        message = f"{counted(len(ids), 'record')}, nothing to take out"
        findings.append(Finding("scan", "ok", message))
    return findings, workspaces


def _record(tools: Tools, store: Store, kept: Checkpoint) -> Iterator[Finding]:
    clean = redacted(kept.draft, tools.redactor)
    if clean == kept.draft:
        return  # most are: then nothing waits for the lock
    if store.rewrite(kept.checkpoint_id, clean, _REASON, clean.key):
        taken = _placeholders(clean) - _placeholders(kept.draft)
        told = ", ".join(f"{kind} {times}" for kind, times in sorted(taken.items()))
        message = f"`{label(kept.number)}`: taken out: {told or 'private text'}"
        yield Finding("scan", "warn", message, _ROTATE)


def _placeholders(draft: Draft) -> Counter[str]:
    return Counter(re.findall(_PLACEHOLDER, canonical(draft_record(draft))))


def _folds(tools: Tools, store: Store) -> Finding:
    def is_clean(part: Any) -> bool:
        return bool(tools.redactor.tree(part) == part)

    dropped = store.drop_unclean_folds(is_clean)
    message = f"{counted(dropped, 'fold')} dropped; each is made again when needed"
    return Finding("scan folds", "ok", message if dropped else "nothing to take out")


def _wiped(store: Store) -> Iterator[Finding]:
    """Also where nothing was found: a scan that was killed left freed pages."""
    try:
        store.wipe()
    except StoreBusy as busy:
        hint = "scan again when nobody else uses it: freed pages may still say it"
        yield Finding("scan", "fail", busy.message, hint)


def _beyond_reach(files: PlainFiles) -> Iterator[Finding]:
    for path in files.beyond_reach():
        message = f"`{path}` is damaged and cannot be cleaned"
        hint = "it may hold secrets: remove it yourself after looking"
        yield Finding("scan quarantine", "warn", message, hint)


def _copies(copies: Copies) -> Iterator[Finding]:
    """Nobody edits an older form of the store: what it holds goes with it."""
    names = copies.names()
    if not names:
        return
    stayed = copies.drop()
    if stayed:
        hint = "remove them yourself: they hold what the store held then"
        yield Finding("scan backups", "fail", "; ".join(stayed), hint)
    else:
        message = f"{counted(len(names), 'backup')} from before an upgrade removed"
        yield Finding("scan backups", "ok", message)


def _named_files(tools: Tools, workspaces: set[str]) -> list[str]:
    changed: list[str] = []
    for workspace in sorted(workspaces):
        try:
            memory = tools.memory_of(workspace)
            changed += _cleaned(memory, tools.redactor.text) if memory else ()
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


def _files(kind: str, changed: Sequence[str]) -> Finding:
    if not changed:
        return Finding(f"scan {kind}", "ok", "nothing to take out")
    message = f"secrets taken out of {', '.join(f'`{path}`' for path in changed)}"
    return Finding(f"scan {kind}", "warn", message, _ROTATE)
