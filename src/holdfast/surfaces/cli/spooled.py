"""Tell readers of the saves they cannot find yet: those that wait for the store."""

from collections.abc import Iterator
from contextlib import contextmanager

from holdfast.bootstrap import Desk
from holdfast.errors import CheckpointNotFound
from holdfast.surfaces.cli.output import Output

_READERS = ("list", "show", "resume", "search", "status")


@contextmanager
def telling_what_waits(name: str, desk: Desk, output: Output) -> Iterator[None]:
    """Say it after what a reader found, or in the hint of whatever found nothing."""
    try:
        yield
    except CheckpointNotFound as missing:
        told = _told(desk)
        if not told:
            raise
        hint = "; ".join(filter(None, (missing.hint, told)))
        raise type(missing)(missing.message, hint=hint) from None
    if name in _READERS and not output.json and (told := _told(desk)):
        output.say(told)


def _told(desk: Desk) -> str:
    waiting = desk.tools().spool.waiting()
    if not waiting:
        return ""
    from holdfast.render.listing import waiting_saves

    return f"{waiting_saves(waiting)}: `holdfast doctor --repair` puts in what waits"
