"""`holdfast timeline`: write the timeline to one HTML file."""

import argparse

from holdfast.bootstrap import Container
from holdfast.domain.amounts import counted
from holdfast.domain.text import plain
from holdfast.kernel.errors import FileRefused
from holdfast.kernel.files import create_file
from holdfast.surfaces.cli.output import Output

_USUAL = "holdfast-timeline.html"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default=_USUAL,
        help=f"the file to write; it must not exist yet ({_USUAL})",
    )
    parser.add_argument(
        "--all", action="store_true", help="every project, not only this one"
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    from holdfast.app.checkpoints.timeline import Timelines
    from holdfast.surfaces.web.one_file import FileWanted, timeline_file

    store = container.ports().open_store()
    wanted = FileWanted(
        store=store,
        timelines=Timelines(store),
        project=None if args.all else container.scope().project_id,
        budget=container.budget(None),
        now_ms=container.clock.now_ms(),
        tilde=container.tilde,
    )
    made = timeline_file(wanted)
    path = container.absolute(args.output)
    _write(path, made.text.encode())
    if output.json:
        output.answer({"type": "timeline", "path": path, "checkpoints": made.rows})
    else:
        output.print(f"{counted(made.rows, 'checkpoint')} in `{plain(path)}`")
        output.say(
            "hint: any browser opens it; whoever gets the file can read all of it"
        )
    return 0


def _write(path: str, data: bytes) -> None:
    try:
        create_file(path, data)
    except FileExistsError:
        raise FileRefused(
            f"`{plain(path)}` is already there",
            hint="choose another name with `-o`; holdfast overwrites no file",
        ) from None
    except OSError as problem:
        raise FileRefused(
            f"`{plain(path)}` cannot be written: {problem.strerror}",
            hint="choose another place with `-o`",
        ) from None
