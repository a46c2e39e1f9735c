"""`holdfast backfill`: make checkpoints of the sessions that are already on disk."""

import argparse
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from holdfast.bootstrap import Container
from holdfast.bootstrap.backfill import run_backfill
from holdfast.domain.amounts import counted
from holdfast.kernel.errors import (
    DONE,
    PARTS_MISSING,
    BackfillInterrupted,
    UsageWrong,
)
from holdfast.surfaces.cli.output import Output

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from holdfast.app.past.backfill import Backfilled

_SHOWN = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "directory",
        nargs="?",
        metavar="DIR",
        help="read the transcripts in DIR instead",
    )
    parser.add_argument(
        "--agent",
        metavar="NAME",
        help="only this agent's sessions: claude-code, codex, gemini, copilot, opencode, pi",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    directory = args.directory and container.absolute(args.directory)
    if directory and not os.path.isdir(directory):
        raise UsageWrong(
            f"`{args.directory}` is not a directory",
            hint="name the directory that holds the transcripts, or leave it out",
        )
    last: list[Backfilled] = []
    with _progress(output) as show:

        def tell(done: "Backfilled") -> None:
            last[:] = [done]
            show(done)

        try:
            done = run_backfill(container, args.agent, directory, tell)
        except KeyboardInterrupt:
            raise _interrupted(last) from None
    if output.json:
        output.answer(_answer(done))
    else:
        _print(done, output)
    return PARTS_MISSING if done.unread or done.partly else DONE


def _interrupted(last: list["Backfilled"]) -> BackfillInterrupted:
    kept = counted(len(last[0].sessions) if last else 0, "session")
    return BackfillInterrupted(
        f"interrupted; {kept} were saved and stay",
        hint="`holdfast backfill` continues where it stopped",
    )


@contextmanager
def _progress(output: Output) -> Iterator[Callable[["Backfilled"], None]]:
    """Show bytes, their rate and the time that is left, where somebody looks.

    Begun by the first look, when the workers are there: a bar has a thread of its own.
    """
    if output.json or output.quiet or not output.stderr.isatty():
        yield lambda _done: None
        return
    with ExitStack() as stack:
        bars: list[tuple[Progress, TaskID]] = []

        def show(done: "Backfilled") -> None:
            if not bars:
                bar = stack.enter_context(_bar(output))
                bars.append((bar, bar.add_task("reading")))
            bar, task = bars[0]
            bar.update(
                task,
                total=done.bytes_all,
                completed=done.bytes_done,
                description=counted(len(done.sessions), "session"),
            )

        yield show


def _bar(output: Output) -> "Progress":
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=Console(file=output.stderr),
        transient=True,
    )


def _print(done: "Backfilled", output: Output) -> None:
    _warn(done.unread, "not read", output)
    _warn(done.partly, "read in part", output)
    if done.at_work:
        goes_on = counted(done.at_work, "session")
        output.say(f"{goes_on} still running: saved when it ends, or by the next run")
    if not done.checkpoints:
        looked = done.known + done.transcripts
        seen = counted(looked, "transcript")
        output.print(
            f"nothing new in {seen}" if looked else "no transcripts were found"
        )
        return
    output.print(
        f"{counted(len(done.sessions), 'session')},"
        f" {counted(len(done.projects), 'project')},"
        f" {counted(done.checkpoints, 'checkpoint')}: `holdfast search --all` finds them"
    )


def _warn(troubles: list[tuple[str, str]], what: str, output: Output) -> None:
    for path, why in troubles[:_SHOWN]:
        output.warn(f"{what}: `{path}`: {why}")
    if (more := len(troubles) - _SHOWN) > 0:
        output.warn(f"{more:,} more {'were' if more > 1 else 'was'} {what}")


def _answer(done: "Backfilled") -> dict[str, object]:
    return {
        "type": "backfilled",
        "sessions": len(done.sessions),
        "checkpoints": done.checkpoints,
        "projects": len(done.projects),
        "read": done.transcripts,
        "known": done.known,
        "at_work": done.at_work,
        "unread": _told(done.unread),
        "partly": _told(done.partly),
    }


def _told(troubles: list[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"path": path, "reason": why} for path, why in troubles]
