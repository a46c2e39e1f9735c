"""The `holdfast` command: the way in, and the only place that exits."""

import atexit
import os
import sys

from holdfast import __version__
from holdfast.kernel.streams import open_streams


def main() -> None:
    """Run one command and exit with its status."""
    open_streams()
    try:
        status = _status(sys.argv[1:])
        sys.stdout.flush()
    except OSError as problem:  # not even what went wrong could be printed
        from holdfast.surfaces.cli.failure import unheard

        status = unheard(problem, os.environ)
    if status:
        sys.exit(status)


def start() -> None:
    """Be the command `holdfast`, and leave without taking the interpreter apart: that
    takes longer than two bare starts of Python."""
    if {"mcp", "serve"} & set(sys.argv[1:]):
        main()  # a server has threads, and an orderly end
        return
    try:
        main()
        status: object = 0
    except SystemExit as left:
        status = left.code
    atexit._run_exitfuncs()  # noqa: SLF001  # all of an orderly end that matters here
    os._exit(status if isinstance(status, int) else 0)


def _status(words: list[str]) -> int:
    if words == ["--version"]:
        # Before anything is imported: scripts ask this often.
        sys.stdout.write(f"holdfast {__version__}\n")
        return 0
    if words[:1] == ["hook"] and not {"-h", "--help"} & set(words):
        # Before anything is parsed: a parser exits 2, which means "block" to the agent.
        from holdfast.surfaces.hooks.main import answered

        return answered(words[1:])
    if words == ["statusline"]:
        # Before anything is parsed: the agent asks at every turn.
        from holdfast.surfaces.cli.statusline import print_alone

        print_alone(os.environ)
        return 0
    return run(words)


def run(words: list[str]) -> int:
    """Run a command line and return the exit status, whatever happens."""
    from holdfast.surfaces.cli import failure
    from holdfast.surfaces.cli.parse import output_of, parse

    output = output_of(words, os.environ)
    try:
        command = parse(words, os.environ)
        status = command.run(output)
        sys.stdout.flush()
    except BrokenPipeError as problem:
        if failure.has_reader_left():
            return failure.broken_pipe()
        return failure.report(problem, output, os.environ)
    except BaseException as problem:  # noqa: BLE001  # the one place that turns any end into a status
        return failure.report(problem, output, os.environ)
    return status
