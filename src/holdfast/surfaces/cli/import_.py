"""`holdfast import`: take in checkpoints that another machine shared."""

import argparse

from holdfast.app.sharing.age import is_encrypted, opened_by, opened_with
from holdfast.app.sharing.share_file import MOST_BYTES, unpacked
from holdfast.app.sharing.take_in import TakenIn, take_in
from holdfast.bootstrap import Container
from holdfast.domain.amounts import counted
from holdfast.domain.text import plain
from holdfast.kernel.errors import PARTS_MISSING, FileRefused
from holdfast.kernel.files import read_file
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.passphrases import known_passphrase

KINDS = ("holdfast",)
_TOLD = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", metavar="FILE", help="what `holdfast export` made")
    add(
        "--from",
        dest="kind",
        choices=KINDS,
        default=KINDS[0],
        help="which program made it",
    )
    add("--identity", metavar="PATH", help="the private key it was encrypted for")
    add(
        "--passphrase-file",
        metavar="PATH",
        help="take the passphrase from the first line of a file",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    data = _read(args.file, MOST_BYTES)
    if is_encrypted(data):
        data = _opened(data, args, output)
    proofs = unpacked(data)
    taken = take_in(proofs, container.directory, container.ports(create=True))
    if output.json:
        ids = [each.checkpoint_id for each in (*taken.new, *taken.known)]
        output.answer(
            {
                "type": "imported",
                "checkpoints": ids,
                "new": [each.checkpoint_id for each in taken.new],
                "forgotten": list(taken.forgotten),
                "refused": list(taken.refused),
            }
        )
    else:
        _print(taken, output)
    return PARTS_MISSING if taken.refused else 0


def _print(taken: TakenIn, output: Output) -> None:
    for each in taken.new[:_TOLD]:
        title = plain(each.draft.content.title)
        output.print(f"{each.number:05d}@{each.machine}  {title}")
    if len(taken.new) > _TOLD:
        output.print(f"and {len(taken.new) - _TOLD:,} more")
    if taken.known:
        output.say(f"{counted(len(taken.known), 'checkpoint')} had been here already")
    if taken.forgotten:
        many = counted(len(taken.forgotten), "checkpoint")
        output.say(f"forgotten here, and did not come back: {many}")
    for why in taken.refused:
        output.warn(why)
    if taken.new:
        last = taken.new[-1]
        output.say(f"continue with: holdfast resume {last.number}@{last.machine}")


def _opened(data: bytes, args: argparse.Namespace, output: Output) -> bytes:
    if args.identity:
        return opened_by(data, _read(args.identity, 100_000))
    return opened_with(data, known_passphrase(args.passphrase_file, output))


def _read(path: str, most: int) -> bytes:
    try:
        return read_file(path, limit=most, follow_links=True)
    except OSError as problem:
        raise FileRefused(
            f"`{plain(path)}` cannot be read: {problem.strerror}",
            hint="give the file that `holdfast export` wrote",
        ) from None
