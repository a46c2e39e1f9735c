"""What a failed command tells the user, and its exit status."""

import errno
import os
import select
import sys
from collections.abc import Mapping

from holdfast.domain.text import visible
from holdfast.kernel.errors import BUG, INTERRUPTED, HoldfastError, MachineFailed
from holdfast.kernel.lazy_values import replace
from holdfast.surfaces.cli.output import Output, standard_output

_OF_THE_MACHINE = (
    *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO),
    *(errno.EACCES, errno.EPERM, errno.EMFILE, errno.ENFILE),
)


def report(problem: BaseException, output: Output, environ: Mapping[str, str]) -> int:
    """Tell what happened and what to do next; return the exit status."""
    if isinstance(problem, HoldfastError):
        _tell(output, environ, problem.code, problem.message, problem.hint)
        return problem.exit_status
    if isinstance(problem, SystemExit):
        return problem.code if isinstance(problem.code, int) else 0
    if isinstance(problem, KeyboardInterrupt):
        _tell(output, environ, "INT_001", "interrupted", "")
        return INTERRUPTED
    if isinstance(problem, OSError) and problem.errno in _OF_THE_MACHINE:
        if problem.filename is None:  # it was our own words that found no room
            broken_pipe()
            output = replace(output, json=False)
        return report(_explained(problem), output, environ)
    from holdfast.bootstrap.bug_reports import keep_bug_report

    kept = keep_bug_report(problem, environ)
    _tell(
        output,
        environ,
        "BUG_001",
        f"holdfast has a bug: {type(problem).__name__}",
        f"a report you can paste is in `{kept}`"
        if kept
        else "run it again with a terminal attached and report what you see",
    )
    return BUG


def _explained(problem: OSError) -> MachineFailed:
    named = isinstance(problem.filename, str)
    place = f"`{visible(problem.filename)}`" if named else "the output"
    return MachineFailed(
        f"{place} cannot be used: {problem.strerror}",
        hint="check free space, permissions and `ulimit -a`, then try again",
    )


def has_reader_left() -> bool:
    """Say whether it is our own output that nobody reads, and no pipe of ours to git."""
    poller = select.poll()
    try:
        poller.register(sys.stdout.fileno(), 0)
    except (OSError, ValueError):
        return False
    return any(event & select.POLLERR for _, event in poller.poll(0))


def broken_pipe() -> int:
    """The reader left (`| head`): that is its right."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def unheard(problem: OSError, environ: Mapping[str, str]) -> int:
    """Return the status of a command whose words could not be printed."""
    broken_pipe()
    if isinstance(problem, BrokenPipeError):
        return 0
    output = standard_output(as_json=False, quiet=False, environ=environ)
    try:
        return report(problem, output, environ)
    except OSError:  # nor can what went wrong
        return MachineFailed.exit_status


def _tell(
    output: Output, environ: Mapping[str, str], code: str, message: str, hint: str
) -> None:
    from holdfast.bootstrap.redacting import redactor_for_words

    # An error quotes what was typed, and ends in logs and in issues.
    redact = redactor_for_words(environ).text
    message, hint = redact(message), redact(hint)
    if output.json:
        error = {"type": "error", "code": code, "message": message, "hint": hint}
        output.answer(error)
        return
    # A message may quote what was typed, and a terminal obeys what it is shown.
    output.tell(f"error[{code}]: {message}")
    if hint:
        output.tell(f"hint: {hint}")
