"""Long output: through the user's pager on a terminal, straight out everywhere else.

What is written comes in pages, so that the first is there at once. A pager that is left
early ends the command: nobody reads the rest.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from typing import IO, TYPE_CHECKING

from holdfast.bootstrap import Container
from holdfast.kernel.lazy_patterns import pattern
from holdfast.surfaces.cli.output import Output, columns

if TYPE_CHECKING:
    import subprocess

    from holdfast.reports.changes import Styled

_LESS = (
    "FRX"  # leave if it fits on a screen, colours as they are, leave the screen alone
)
_STARTERS = frozenset(
    ["sh", "bash", "dash", "zsh", "ksh", "fish", "csh", "tcsh", "env", "xargs", "nohup"]
)
_RUNS = pattern(r"LESS(OPEN|CLOSE|KEY)")  # programs and keys that `less` would run
_FIRST_PAGE = 100  # lines
_PAGE = 2_000
_NARROWEST = 40  # columns: below that, cutting lines helps nobody
_LANES = (36, 33, 35, 32, 34, 31)  # colours that are told apart on dark and on light
_LANE = "lane "
_STYLES = {
    "bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33, "magenta": 35, "cyan": 36,
}  # fmt: skip


def write_lines(
    lines: Iterable[Sequence[Styled]], output: Output, container: Container
) -> None:
    """Write lines, the first of them before the rest is made."""
    with _stream(output, container) as stream, suppress(BrokenPipeError):
        rest = _texts(lines, output)
        size = _FIRST_PAGE
        while page := "".join(islice(rest, size)):
            stream.write(page)
            stream.flush()
            size = _PAGE


def _texts(lines: Iterable[Sequence[Styled]], output: Output) -> Iterator[str]:
    if not output.is_terminal:
        for line in lines:
            yield "".join([text for text, _ in line]).rstrip() + "\n"
        return
    for line in lines:
        yield "".join([_painted(text, style) for text, style in line]) + "\n"


def _painted(text: str, style: str) -> str:
    if not style:
        return text
    is_lane = style.startswith(_LANE)
    lane = int(style.removeprefix(_LANE)) if is_lane else 0
    code = _LANES[lane % len(_LANES)] if is_lane else _STYLES[style]
    return f"\x1b[{code}m{text}\x1b[0m"


@contextmanager
def _stream(output: Output, container: Container) -> Iterator[IO[str]]:
    """Yield where to write: the pager's input, or stdout."""
    has_reader = output.stdout.isatty() and sys.stdin.isatty()
    pager = _started(container) if has_reader else None
    if pager is None or pager.stdin is None:
        yield output.stdout
        return
    try:
        yield pager.stdin
    finally:
        with suppress(BrokenPipeError, KeyboardInterrupt):
            pager.stdin.close()
        _wait(pager)


def _started(container: Container) -> subprocess.Popen[str] | None:
    """Start what the user reads long texts with; None if that is nothing.

    A repository can set an environment: no program of its own is started.
    """
    import subprocess
    from shutil import which

    from holdfast.bootstrap.projects import is_of_project

    environ = container.environ
    words = _words(environ)
    if not words or words == ["cat"]:
        return None
    if os.path.basename(words[0]) in _STARTERS:  # what it starts cannot be looked at
        return None
    files = [which(word) or word for word in words]
    if any(os.path.exists(file) and is_of_project(container, file) for file in files):
        return None
    kept = {name: text for name, text in environ.items() if not _RUNS.match(name)}
    try:
        return subprocess.Popen(  # noqa: S603  # the user's own choice, without a shell
            words,
            stdin=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={**kept, "LESS": environ.get("LESS", _LESS)},
        )
    except OSError:  # it is not there: straight out, then
        return None


def _words(environ: Mapping[str, str]) -> list[str]:
    if environ.get("TERM") == "dumb":
        return []
    import shlex

    try:
        return shlex.split(environ.get("PAGER", "less"))
    except ValueError:  # a quote that is never closed
        return []


def _wait(pager: subprocess.Popen[str]) -> None:
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


def columns_of(output: Output) -> int:
    """Return how wide a terminal is; 0 for anything else."""
    if not output.stdout.isatty():
        return 0
    return max(_NARROWEST, columns())
