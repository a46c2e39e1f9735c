"""A report of a bug, ready to paste, its text redacted."""

import os
import sys
import traceback
from collections.abc import Mapping

from holdfast import __version__
from holdfast.bootstrap.redacting import redactor_for_words
from holdfast.config import default_places
from holdfast.data_directory.directories import private_directory
from holdfast.domain.text import storable
from holdfast.kernel.clock import SystemClock
from holdfast.kernel.errors import HoldfastError


def write_bug_report(text: str, environ: Mapping[str, str]) -> str:
    """Keep a report of a bug, its text redacted, and return where.

    Raises:
        OSError: it cannot be written.
    """
    directory = f"{default_places(environ).home}/log"
    private_directory(directory)
    path = f"{directory}/bug-{SystemClock().now_ms()}.md"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with open(os.open(path, flags, 0o600), "w", encoding="utf-8") as file:
        file.write(redactor_for_words(environ).text(storable(text)))
    return path


def keep_bug_report(problem: BaseException, environ: Mapping[str, str]) -> str | None:
    """Write a paste-ready report of a bug; None if even that fails."""
    trace = "".join(traceback.format_exception(problem))
    text = (
        f"### holdfast {__version__} has a bug\n\n"
        f"- Python {sys.version.split()[0]} on {sys.platform}\n\n"
        f"```\n{trace}```\n"
    )
    try:
        return write_bug_report(text, environ)
    except (OSError, HoldfastError):
        return None
