"""`holdfast import`: import checkpoints from another machine or program."""

import argparse
import os

from holdfast.app.sharing.age import (
    is_encrypted,
    opened_by,
    opened_with,
    takes_passphrase,
)
from holdfast.app.sharing.share_file import MOST_BYTES, is_packed, unpacked
from holdfast.app.sharing.take_in import TakenIn, take_in
from holdfast.bootstrap import Container
from holdfast.bootstrap.sharing import take_in_means
from holdfast.domain.amounts import counted
from holdfast.domain.text import plain
from holdfast.kernel.errors import PARTS_MISSING, FileRefused, ShareLocked, UsageWrong
from holdfast.kernel.files import read_beginning, read_file
from holdfast.surfaces.cli.import_neighbours import (
    import_neighbours,
    ports_for,
    tell_new,
)
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.passphrases import known_passphrase

_OURS = "holdfast"
# As holdfast/neighbours/reading.py has them, which few commands need.
KINDS = (
    _OURS, "claude-mem", "contextd", "codesearch", "goldfish", "guardz", "entire",
    "auto-memory",
)  # fmt: skip
_HEAD = 64


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "file",
        metavar="FILE",
        help="a file made by `holdfast export`, or another program's file, directory,"
        " database or repository",
    )
    add(
        "--from",
        dest="kind",
        metavar="KIND",
        choices=KINDS,
        help=f"which program made it, if holdfast cannot tell: {', '.join(KINDS)}",
    )
    add(
        "--all",
        action="store_true",
        help="also import what another program kept about other projects",
    )
    add(
        "--dry-run",
        action="store_true",
        help="show what would be imported, and import nothing",
    )
    add("--identity", metavar="PATH", help="the private key that opens the file")
    add(
        "--passphrase-file",
        metavar="PATH",
        help="read the passphrase from the first line of this file",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    if (args.kind or _kind_of(args.file)) != _OURS:
        return import_neighbours(args, container, output)
    if args.all:
        raise UsageWrong(
            "`--all` is only for files of other programs",
            hint="leave it out: a file that holdfast exported is always imported whole",
        )
    data = _read(args.file, MOST_BYTES)
    if is_encrypted(data):
        data = _opened(data, args, output)
    shared = unpacked(data)
    with ports_for(container, is_preview=args.dry_run) as ports:
        means = None if args.dry_run else take_in_means(container)
        taken = take_in(shared, container.directory, ports, means)
    if output.json:
        ids = [each.checkpoint_id for each in (*taken.new, *taken.known)]
        output.answer(
            {
                "type": "imported",
                "kind": _OURS,
                "preview": args.dry_run,
                "checkpoints": ids,
                "new": [each.checkpoint_id for each in taken.new],
                "forgotten": list(taken.forgotten),
                "refused": list(taken.refused),
                "told": list(taken.told),
                "missing": list(taken.missing),
            }
        )
    else:
        _print(taken, output, is_preview=args.dry_run)
    return PARTS_MISSING if taken.refused or taken.missing else 0


def _kind_of(path: str) -> str:
    """Return whose file it seems to be; what cannot be opened is told by who reads it."""
    try:
        head = b"" if os.path.isdir(path) else _beginning(path)
    except (OSError, ValueError):
        return _OURS
    return _OURS if is_packed(head) or is_encrypted(head) else ""


def _beginning(path: str) -> bytes:
    return read_beginning(path, _HEAD, follow_links=True)


def _print(taken: TakenIn, output: Output, *, is_preview: bool) -> None:
    tell_new(taken.new, output)
    if taken.known:
        output.say(f"already here: {counted(len(taken.known), 'checkpoint')}")
    if taken.forgotten:
        many = counted(len(taken.forgotten), "checkpoint")
        output.say(f"forgotten here, so not imported again: {many}")
    for told in taken.told:
        output.say(told)
    for why in (*taken.refused, *taken.missing):
        output.warn(why)
    if is_preview:
        output.say(
            f"nothing was imported: {counted(len(taken.new), 'checkpoint')} would come"
        )
    elif taken.new:
        last = taken.new[-1]
        output.say(f"continue with: holdfast resume {last.number}@{last.machine}")


def _opened(data: bytes, args: argparse.Namespace, output: Output) -> bytes:
    if not (args.identity or takes_passphrase(data)):
        raise ShareLocked(
            "it is encrypted for somebody's key",
            hint="if that is yours, pass the private key with `--identity FILE`, such as"
            " `~/.ssh/id_ed25519`",
        )
    if args.identity:
        return opened_by(data, _read(args.identity, 100_000))
    return opened_with(data, known_passphrase(args.passphrase_file, output))


def _read(path: str, most: int) -> bytes:
    try:
        return read_file(path, limit=most, follow_links=True)
    except (OSError, ValueError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else "no such name"
        raise FileRefused(
            f"`{plain(path)}` cannot be read: {why}",
            hint="give the file that `holdfast export` wrote",
        ) from None
