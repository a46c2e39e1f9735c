"""What `holdfast import` does with what another program kept, and how it tells of it."""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from holdfast.app.ports import Ports
from holdfast.app.sharing.take_in_neighbours import (
    BroughtIn,
    bring_in,
    left_and_unread,
)
from holdfast.bootstrap import Container
from holdfast.bootstrap.sharing import neighbours_at
from holdfast.domain.amounts import counted
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.text import one_line, plain
from holdfast.kernel.errors import PARTS_MISSING, StoreNotFound
from holdfast.neighbours.reading import read
from holdfast.surfaces.cli.output import Output

_TOLD = 10
_SHOWN = 3  # of what could not be read for one reason
_WIDTH = 100


def import_neighbours(
    args: argparse.Namespace, container: Container, output: Output
) -> int:
    reading = read(neighbours_at(container, args.file), args.kind)
    with ports_for(container, is_preview=args.dry_run) as ports:
        brought = bring_in(
            reading,
            container.directory,
            ports,
            everything=args.all,
            keeps=not args.dry_run,
        )
    if output.json:
        output.answer(_answer(brought, is_preview=args.dry_run))
    else:
        _print(brought, output, is_preview=args.dry_run)
    _, failed = left_and_unread(brought.unread)
    return PARTS_MISSING if failed or brought.refused else 0


@contextmanager
def ports_for(container: Container, *, is_preview: bool) -> Iterator[Ports]:
    """Lend what an import works with; a preview makes no store where there is none."""
    if not is_preview:
        yield container.ports(create=True)
        return
    try:
        container.store()
    except StoreNotFound:
        from tempfile import TemporaryDirectory  # who looks first

        with TemporaryDirectory() as directory:
            scratch = Container(
                environ=container.environ,
                project=container.directory,
                store=f"sqlite://{directory}/store",
                clock=container.clock,
            )
            ports = scratch.ports(create=True)
            try:
                yield ports
            finally:
                ports.open_store().close()
    else:
        yield container.ports()


def tell_new(new: Sequence[Checkpoint], output: Output) -> None:
    for each in new[:_TOLD]:
        title = one_line(plain(each.draft.content.title), _WIDTH)
        output.print(f"{each.number:05d}@{each.machine}  {title}")
    if len(new) > _TOLD:
        output.print(f"and {len(new) - _TOLD:,} more")


def _answer(brought: BroughtIn, *, is_preview: bool) -> dict[str, object]:
    new = [each.checkpoint_id for each in brought.new]
    left, failed = left_and_unread(brought.unread)
    return {
        "type": "imported",
        "kind": brought.kind,
        "preview": is_preview,
        "checkpoints": [*new, *brought.known],
        "new": new,
        "changed": list(brought.changed),
        "forgotten": list(brought.forgotten),
        "refused": list(brought.refused),
        "of_other_projects": brought.elsewhere,
        "left": left,
        "unread": [
            {
                "why": why,
                "count": len(where),
                "where": [plain(w) for w in where[:_TOLD]],
            }
            for why, where in failed.items()
        ],
        "notice": brought.notice,
    }


def _print(brought: BroughtIn, output: Output, *, is_preview: bool) -> None:
    tell_new(brought.new, output)
    for line in _remarks(brought):
        output.say(line)
    for line in _warnings(brought):
        output.warn(line)
    if is_preview:
        many = counted(len(brought.new), "checkpoint")
        output.say(f"nothing was imported: {many} would come from {brought.kind}")
    elif brought.new:
        last = brought.new[-1]
        output.say(f"read one with: holdfast show {last.number}@{last.machine}")
    elif not any((brought.known, brought.forgotten, brought.unread, brought.elsewhere)):
        output.say(f"nothing from {brought.kind} was found")


def _remarks(brought: BroughtIn) -> Iterator[str]:
    left, _ = left_and_unread(brought.unread)
    if brought.known:
        yield f"already here: {counted(len(brought.known), 'checkpoint')}"
    if brought.changed:
        many = counted(len(brought.changed), "checkpoint")
        yield f"changed there since; unchanged here: {many}"
    if brought.forgotten:
        many = counted(len(brought.forgotten), "checkpoint")
        yield f"forgotten here, so not imported again: {many}"
    for why, number in left.items():
        yield f"left: {number:,} ({why})"
    if brought.elsewhere:
        many = counted(brought.elsewhere, "record")
        yield f"of other projects: {many}; `--all` imports them here"


def _warnings(brought: BroughtIn) -> Iterator[str]:
    if brought.notice:
        yield brought.notice
    _, failed = left_and_unread(brought.unread)
    for why, where in failed.items():
        shown = ", ".join(one_line(plain(w), _WIDTH) for w in where[:_SHOWN])
        more = f" and {len(where) - _SHOWN:,} more" if len(where) > _SHOWN else ""
        yield f"{len(where):,} could not be read: {why} ({shown}{more})"
    yield from brought.refused
