"""Is everything well? One finding per thing, each with what to do."""

from collections.abc import Iterable, Iterator

from holdfast.app.tools import Tools
from holdfast.domain.query import Finding
from holdfast.errors import HoldfastError, StoreNotFound
from holdfast.render.listing import counted

_SAVE_AGAIN = "the record itself is not touched; `holdfast save` keeps the code of now"


def doctor(tools: Tools, surroundings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return every finding: the store's own, the spool's, then the surroundings'."""
    return (*_store(tools), _spool(tools), *_code(tools), *surroundings)


def _store(tools: Tools) -> Iterator[Finding]:
    try:
        store = tools.open_store()
    except StoreNotFound as missing:
        yield Finding("store", "warn", missing.message, missing.hint)
        return
    except HoldfastError as trouble:
        yield Finding("store", "fail", trouble.message, trouble.hint)
        return
    try:
        yield from store.check()
    except HoldfastError as trouble:
        yield Finding("store", "fail", trouble.message, trouble.hint)


def _code(tools: Tools) -> Iterator[Finding]:
    """Say whether every snapshot that a checkpoint names is whole."""
    try:
        rows = tuple(tools.open_store().retention_rows())
    except HoldfastError:
        return  # the store's own finding says so
    snapshots = tools.snapshots
    held, released = frozenset(snapshots.held()), snapshots.released()
    named = {row.tree for row in rows if row.tree} - (released - held)
    lost = snapshots.damage(named)
    for tree, reason in sorted(lost.items()):
        ids = [row.checkpoint_id for row in rows if row.tree == tree]
        yield Finding("code", "fail", f"{reason} (of `{ids[0]}`)", _SAVE_AGAIN)
    if not lost:
        size = f"{snapshots.size() / 1_000_000:,.1f} MB"
        yield Finding("code", "ok", f"{counted(len(named), 'snapshot')} whole, {size}")


def _spool(tools: Tools) -> Finding:
    waiting = tools.spool.waiting()
    if not waiting:
        return Finding("spool", "ok", "nothing waits")
    saves = "save waits" if waiting == 1 else "saves wait"
    return Finding(
        "spool",
        "warn",
        f"{waiting} {saves} for the store",
        "the next `holdfast save` puts them in",
    )
