"""Reports for a bug: one ready to paste when it happens, one with all that helps.

Either has no word of the user's.
"""

import builtins
import os
import platform
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from holdfast import __version__
from holdfast.bootstrap import Container
from holdfast.bootstrap.redacting import redactor_for_words
from holdfast.config import default_places
from holdfast.domain.query import HealthResult
from holdfast.domain.text import storable
from holdfast.kernel import errors
from holdfast.kernel.clock import SystemClock, iso
from holdfast.kernel.digests import canonical, sha256
from holdfast.kernel.directories import make_own_directory, open_directory
from holdfast.kernel.errors import FileRefused, HoldfastError
from holdfast.kernel.files import create_file, read_beginning, read_file
from holdfast.reports.bundle import HarmlessNames, bundle, log_lines

_LOG_LINES = 200
_DAY = len("2026-11-18")
_SIGNS = 12
_EVENTS = frozenset(
    [
        "SessionStart", "SessionEnd", "Stop", "PreCompact", "UserPromptSubmit", "save",
        "variables",
    ]
)  # fmt: skip
_OURS = {
    "holdfast.db", "holdfast.db-wal", "holdfast.db-shm", "head", "redaction.key",
    "store.lock", "spool", "git", "restores", "log", "requests", "pending", "notices",
    "env", "claude-code", "forgetting", "backups", "quarantine", "pruned",
}  # fmt: skip


def write_bug_report(text: str, name: str, environ: Mapping[str, str]) -> str:
    """Keep a report of a bug, its text redacted, and return where; one of that name
    that is there already says the same.

    Raises:
        OSError: it cannot be written.
    """
    directory = f"{default_places(environ).home}/log"
    make_own_directory(directory)
    path = f"{directory}/bug-{name}.md"
    if not os.path.lexists(path):
        with suppress(FileExistsError):  # another one met it at the same moment
            clean = redactor_for_words(environ).text(storable(text))
            create_file(path, clean.encode())
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
        return write_bug_report(text, _name(problem), environ)
    except (OSError, HoldfastError):
        return None


def _name(problem: BaseException) -> str:
    """Return the same name all day for what went wrong in the same place.

    Whoever can bring a bug about can do so a thousand times, and one report says it all.
    Neither its words, which may quote what was asked, nor how often a line called itself
    make another one.
    """
    frames = traceback.extract_tb(problem.__traceback__)
    places = dict.fromkeys((frame.filename, frame.lineno) for frame in frames)
    place = canonical([type(problem).__name__, *places])
    digits = int(sha256(place.encode()).hexdigest()[:_SIGNS], 16)
    return f"{iso(SystemClock().now_ms())[:_DAY]}-{digits:0{_SIGNS}}"


def write_bundle(
    container: Container, path: str, findings: Iterable[HealthResult]
) -> None:
    """Write a report to a new file that only its owner can read.

    Raises:
        FileRefused: there is a file already, or it cannot be written.
    """
    values = {name: (s.value, s.origin) for name, s in container.config.values.items()}
    text = bundle(
        _versions(container),
        values,
        findings,
        list(_sizes(container.home)),
        log_lines(_log(container), _known()),
    )
    try:
        create_file(path, text.encode())
    except FileExistsError:
        raise FileRefused(
            f"`{path}` is there already", hint="name a file that is not there yet"
        ) from None
    except OSError as problem:
        raise FileRefused(
            f"`{path}` cannot be written: {problem.strerror}",
            hint="name a file in a directory that you can write to",
        ) from None


def _known() -> HarmlessNames:
    """Return the names that a log may have and a report may show."""
    import apsw

    ours = [e for e in vars(errors).values() if _is_error(e, HoldfastError)]
    package = os.path.dirname(os.path.dirname(errors.__file__))
    return HarmlessNames(
        events=_EVENTS,
        codes=frozenset(error.code for error in ours),
        files=frozenset(
            f"holdfast/{os.path.relpath(os.path.join(folder, name), package)}"
            for folder, _, names in os.walk(package)
            for name in names
        ),
        exceptions=frozenset(
            [
                *(f"{error.__module__}.{error.__name__}" for error in ours),
                *(n for n, e in vars(builtins).items() if _is_error(e, BaseException)),
                *(
                    f"apsw.{n}"
                    for n, e in vars(apsw).items()
                    if _is_error(e, apsw.Error)
                ),
            ]
        ),
    )


def _is_error(value: object, kind: type[BaseException]) -> bool:
    return isinstance(value, type) and issubclass(value, kind)


def _versions(container: Container) -> dict[str, str]:
    import apsw

    from holdfast.store.sqlite.schema.migrate import SCHEMA

    return {
        "holdfast": __version__,
        "python": sys.version.split()[0],
        "sqlite": apsw.sqlite_lib_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "schema": f"{_schema(container.home)} (this version knows {SCHEMA})",
    }


def _schema(home: str) -> str:
    from holdfast.store.sqlite.schema.migrate import HEADER_BYTES, header

    try:
        within = open_directory(home, create=False)
    except OSError:
        return "none"
    try:
        found = header(read_beginning("holdfast.db", HEADER_BYTES, within))
    except OSError:
        return "none"
    finally:
        os.close(within)
    return str(found.version) if found else "unreadable"


def _sizes(home: str) -> Iterator[tuple[str, int, int]]:
    """Yield each part of the data directory by our own name for it."""
    try:
        names = sorted(os.listdir(home))
    except OSError:
        return
    for name in names:
        path = f"{home}/{name}"
        files = [
            os.path.join(folder, each)
            for folder, _, found in os.walk(path)
            for each in found
        ]
        files = files if os.path.isdir(path) else [path]
        shown = name if name in _OURS else "something else"
        yield shown, len(files), sum(map(_size, files))


def _size(path: str) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0


def _log(container: Container) -> list[str]:
    try:
        within = open_directory(container.places.home, create=False)
    except OSError:
        return []
    try:
        data = read_file("log/hook.log", within)
    except OSError:
        return []
    finally:
        os.close(within)
    return data.decode("utf-8", "replace").splitlines()[-_LOG_LINES:]
