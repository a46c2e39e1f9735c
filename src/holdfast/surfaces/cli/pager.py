"""Long output: through the user's pager on a terminal, straight out everywhere else.

What is written comes in pages, so that the first is there at once. A pager that is left
early ends the command: nobody reads the rest.
"""

import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from typing import IO

from holdfast.surfaces.cli.output import Output

_LESS = (
    "FRX"  # leave if it fits on a screen, colours as they are, leave the screen alone
)
_FIRST_PAGE = 100  # lines
_PAGE = 2_000


def write_lines(
    lines: Iterable[str], output: Output, environ: Mapping[str, str]
) -> None:
    """Write lines that end in a newline, the first of them before the rest is made."""
    with _stream(output, environ) as stream, suppress(BrokenPipeError):
        rest = iter(lines)
        size = _FIRST_PAGE
        while page := "".join(islice(rest, size)):
            stream.write(page)
            stream.flush()
            size = _PAGE


@contextmanager
def _stream(output: Output, environ: Mapping[str, str]) -> Iterator[IO[str]]:
    """Yield where to write: the pager's input, or stdout."""
    pager = _started(environ) if output.stdout.isatty() and sys.stdin.isatty() else None
    if pager is None or pager.stdin is None:
        yield output.stdout
        return
    try:
        yield pager.stdin
    finally:
        with suppress(BrokenPipeError, KeyboardInterrupt):
            pager.stdin.close()
        _wait(pager)


def _started(environ: Mapping[str, str]) -> "subprocess.Popen[str] | None":
    """Start what the user reads long texts with; None if that is nothing."""
    words = _words(environ)
    if not words or words == ["cat"]:
        return None
    try:
        return subprocess.Popen(  # noqa: S603  # the user's own choice, without a shell
            words,
            stdin=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={**environ, "LESS": environ.get("LESS", _LESS)},
        )
    except OSError:  # it is not there: straight out, then
        return None


def _words(environ: Mapping[str, str]) -> list[str]:
    if environ.get("TERM") == "dumb":
        return []
    try:
        return shlex.split(environ.get("PAGER", "less"))
    except ValueError:  # a quote that is never closed
        return []


def _wait(pager: "subprocess.Popen[str]") -> None:
    while True:
        try:
            pager.wait()
        except KeyboardInterrupt:  # which the pager answers, as it likes
            continue
        return


def has_unicode(environ: Mapping[str, str]) -> bool:
    """Say whether the locale can show more than ASCII; one that says nothing can.

    Where the language is `C`, Python itself sets `LC_CTYPE=C.UTF-8` for its own sake.
    """
    kind = environ.get("LC_CTYPE", "")
    language = environ.get("LANG", "")
    is_set_by_python = kind == "C.UTF-8" and language in ("C", "POSIX")
    told = environ.get("LC_ALL") or ("" if is_set_by_python else kind) or language
    return not told or "utf" in told.lower()
