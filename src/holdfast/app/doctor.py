"""Is everything well? One finding per thing, each with what to do."""

from collections.abc import Iterable, Iterator

from holdfast.app.tools import Tools
from holdfast.domain.query import Finding
from holdfast.errors import HoldfastError, StoreNotFound


def doctor(tools: Tools, surroundings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return every finding: the store's own, the spool's, then the surroundings'."""
    return (*_store(tools), _spool(tools), *surroundings)


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
