"""What a command that did not succeed tells the user, and which status it exits with."""

import os
import sys
from collections.abc import Mapping

from holdfast.errors import BUG, INTERRUPTED, HoldfastError
from holdfast.surfaces.cli.output import Output


def report(problem: BaseException, output: Output, environ: Mapping[str, str]) -> int:
    """Tell what happened and what to do next; return the exit status."""
    if isinstance(problem, HoldfastError):
        _tell(output, problem.code, problem.message, problem.hint)
        return problem.exit_status
    if isinstance(problem, SystemExit):
        return problem.code if isinstance(problem.code, int) else 0
    if isinstance(problem, KeyboardInterrupt):
        _tell(output, "INT_001", "interrupted", "")
        return INTERRUPTED
    from holdfast.bootstrap.reports import keep_bug_report

    kept = keep_bug_report(problem, environ)
    _tell(
        output,
        "BUG_001",
        f"holdfast has a bug: {type(problem).__name__}",
        f"a report you can paste is in `{kept}`"
        if kept
        else "run it again with a terminal attached and report what you see",
    )
    return BUG


def broken_pipe() -> int:
    """The reader left (`| head`): that is its right."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _tell(output: Output, code: str, message: str, hint: str) -> None:
    if output.json:
        error = {"type": "error", "code": code, "message": message, "hint": hint}
        output.answer(error)
        return
    output.stderr.write(f"error: {message}\n")
    if hint:
        output.stderr.write(f"hint: {hint}\n")
