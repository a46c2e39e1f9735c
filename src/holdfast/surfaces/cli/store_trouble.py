"""What a command adds if the store has a problem: waiting saves, a way without it."""

from collections.abc import Iterator
from contextlib import contextmanager

from holdfast.bootstrap import Container
from holdfast.kernel.errors import STORE_TROUBLE, CheckpointNotFound
from holdfast.surfaces.cli.output import Output

_REPAIR = "`holdfast doctor --repair` stores what is waiting"
_LATER = "nothing is lost: waiting saves are stored when the store works again"
_WITHOUT_STORE = "until then `holdfast config set enabled false` turns holdfast off without the store"
_READERS = ("list", "log", "show", "resume", "search", "status", "stats")


@contextmanager
def tell_waiting_saves(
    name: str, container: Container, output: Output
) -> Iterator[None]:
    """Say it after what a reader found, or in the hint of whatever found nothing.

    Where the store itself is the trouble, what waits is the newest there is.
    """
    try:
        yield
    except (CheckpointNotFound, *STORE_TROUBLE) as trouble:
        is_missing = isinstance(trouble, CheckpointNotFound)
        told = _told(container, _REPAIR if is_missing else _LATER)
        if not told:
            raise
        hint = "; ".join(filter(None, (trouble.hint, told)))
        raise type(trouble)(trouble.message, hint=hint) from None
    if name in _READERS and not output.json and (told := _told(container)):
        output.say(told)


@contextmanager
def hint_without_store() -> Iterator[None]:
    """A switch lies in the store: where that is in trouble, name the one that does not."""
    try:
        yield
    except STORE_TROUBLE as trouble:
        hint = f"{trouble.hint}; {_WITHOUT_STORE}"
        raise type(trouble)(trouble.message, hint=hint) from None


def _told(container: Container, then: str = _REPAIR) -> str:
    waiting = container.ports().spool.waiting()
    if not waiting:
        return ""
    from holdfast.domain.amounts import waiting_saves

    return f"{waiting_saves(waiting)}: {then}"
