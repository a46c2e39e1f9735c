"""`holdfast export`: write checkpoints to a file, to share them."""

import argparse
import os

from holdfast.app.sharing.age import encrypted_for, encrypted_with
from holdfast.app.sharing.export import ExportRequest, Sharing, prepare
from holdfast.bootstrap import Container
from holdfast.bootstrap.sharing import native_sessions
from holdfast.domain.text import plain
from holdfast.kernel.errors import (
    CHECK_SAYS_NO,
    DONE,
    PARTS_MISSING,
    FileRefused,
    UsageWrong,
)
from holdfast.kernel.ids import reference
from holdfast.kernel.new_files import create_whole
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.passphrases import chosen_passphrase
from holdfast.surfaces.cli.sharing import agrees, review
from holdfast.surfaces.cli.terminal import can_ask


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("refs", nargs="+", metavar="REF", help="number, id, name, `latest` …")
    add(
        "-o",
        "--output",
        metavar="FILE",
        help="the file to write; it must not exist yet",
    )
    add(
        "--to",
        action="append",
        default=[],
        metavar="KEY",
        help="encrypt for the owner of this key: `age1…` or a public SSH key; repeatable",
    )
    add(
        "--passphrase",
        action="store_true",
        help="encrypt with a passphrase, which you are asked for",
    )
    add(
        "--passphrase-file",
        metavar="PATH",
        help="encrypt with the passphrase in the first line of this file",
    )
    add("--code", action="store_true", help="include the code of each checkpoint")
    add(
        "--transcript",
        action="store_true",
        help="include the conversation up to the checkpoint, with secrets removed",
    )
    add(
        "--preview",
        action="store_true",
        help="show what would be exported, and write nothing",
    )
    add("--yes", action="store_true", help="do not ask")


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    path = "" if args.preview else _free_place(args, container)
    wanted = ExportRequest(
        references=[reference(text) for text in args.refs],
        code=args.code,
        transcript=args.transcript,
    )
    agent = container.agent()
    sharing = prepare(
        wanted,
        container.scope(),
        container.ports(),
        agent.past(),
        native_sessions(container),
    )
    for why in sharing.missing:
        output.warn(why)
    is_asked = not (args.yes or args.preview) and can_ask(output)
    if not output.json and (args.preview or is_asked):
        for line in review(sharing):
            output.print(line)
    if args.preview:
        return _tell(sharing, None, output)
    if is_asked and not agrees("write it? [y/N] ", output):
        output.say("nothing was written; `--yes` exports without asking")
        return CHECK_SAYS_NO
    data = _sealed(sharing.file(), args, output)
    _write(path, data)
    output.say(f"{len(data):,} bytes in `{plain(path)}`: `holdfast import` reads it")
    return _tell(sharing, path, output)


def _free_place(args: argparse.Namespace, container: Container) -> str:
    """Return where the file goes; what is wrong with that is said before anybody reads
    what would leave, and answers."""
    if not args.output:
        raise UsageWrong(
            "no file was named",
            hint="name one with `-o FILE`, or look with `--preview`",
        )
    path = container.absolute(args.output)
    if os.path.lexists(path):
        raise _taken(path)
    return path


def _write(path: str, data: bytes) -> None:
    try:
        create_whole(path, data)
    except FileExistsError:
        raise _taken(path) from None
    except OSError as problem:
        raise FileRefused(
            f"`{plain(path)}` cannot be written: {problem.strerror}",
            hint="choose another place with `-o`",
        ) from None


def _taken(path: str) -> FileRefused:
    return FileRefused(
        f"`{plain(path)}` is already there",
        hint="choose another name with `-o`; holdfast overwrites no file",
    )


def _sealed(data: bytes, args: argparse.Namespace, output: Output) -> bytes:
    if args.to:
        data = encrypted_for(data, args.to)
    if args.passphrase or args.passphrase_file:
        data = encrypted_with(data, chosen_passphrase(args.passphrase_file, output))
    return data


def _tell(sharing: Sharing, path: str | None, output: Output) -> int:
    if output.json:
        ids = [each.checkpoint_id for each in sharing.checkpoints]
        output.answer(
            {
                "type": "exported",
                "checkpoints": ids,
                "path": path,
                "code_files": sharing.code_files,
                "transcripts": list(sharing.transcripts),
                "missing": list(sharing.missing),
            }
        )
    return PARTS_MISSING if sharing.missing else DONE
