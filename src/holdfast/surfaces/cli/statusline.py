"""`holdfast statusline`: print one line about unsaved work for the agent's status line."""

import json
import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from holdfast.app.administration.switches import is_off
from holdfast.app.hooks.threshold import percent_full
from holdfast.bootstrap import Container
from holdfast.domain.query import Scope
from holdfast.kernel.errors import HoldfastError
from holdfast.kernel.ids import is_session_id
from holdfast.kernel.lazy_values import replace
from holdfast.reports.statusline import NOTHING, Standing, status_line

if TYPE_CHECKING:  # a parser is not needed where the line is printed alone
    import argparse

    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.surfaces.cli.output import Output

_MOST_NEW = 2_000_000  # bytes since the last checkpoint that are counted in full
_MOST_FILES = 40  # of the checkpoint, looked at for a later change
_MOST_INPUT = 1_000_000
_FEWEST_COLUMNS = 8


def add_arguments(parser: "argparse.ArgumentParser") -> None:
    """It takes none: everything is on stdin."""


def run(args: "argparse.Namespace", container: Container, output: "Output") -> int:
    del args
    standing = _standing(_given(), container)
    text = status_line(standing, container.clock.now_ms(), _columns(container.environ))
    if output.json:
        percent = standing.percent
        output.answer(
            {
                "type": "statusline",
                "text": text,
                "unsaved": standing.is_unsaved,
                "context_percent": None if percent is None else round(percent),
                "last": standing.last,
            }
        )
    else:
        output.print(text)
    return 0


def print_alone(environ: Mapping[str, str]) -> None:
    """Print the line without a parser, and whatever happens: it is seen at every turn."""
    try:
        container = Container(environ=environ, tolerant=True)
        try:
            standing = _standing(_given(), container)
            text = status_line(standing, container.clock.now_ms(), _columns(environ))
        finally:
            container.close()
    except Exception:  # noqa: BLE001  # hooks and `doctor` tell what is wrong; a status line has no room
        text = NOTHING
    os.write(1, f"{text}\n".encode())


def _given() -> dict[str, Any]:
    try:
        given = json.loads(sys.stdin.read(_MOST_INPUT))
    except (ValueError, RecursionError):
        return {}
    return given if isinstance(given, dict) else {}


def _columns(environ: Mapping[str, str]) -> int | None:
    """Return the width of the terminal, where the client tells it."""
    given = environ.get("COLUMNS", "")
    if not (given.isascii() and given.isdecimal()):
        return None
    return max(_FEWEST_COLUMNS, int(given[:6]))


def _standing(given: Mapping[str, Any], container: Container) -> Standing:
    session = str(given.get("session_id") or "").lower()
    window = _number(given, "context_window", "context_window_size")
    used = _number(given, "context_window", "total_input_tokens")
    standing = Standing(percent=percent_full(used, window or None))
    if container.config.is_off_in(container.directory):
        return replace(standing, is_off=True)
    if not is_session_id(session):
        return standing
    try:
        if is_off(
            container.store(), session, container.scope, container.clock.now_ms()
        ):
            return replace(standing, is_off=True)
        _keep_window(session, window, container)
        return _with_work(
            standing, session, str(given.get("transcript_path")), container
        )
    except HoldfastError:
        return standing  # a broken store is told by the hooks, not twice a second


def _number(given: Mapping[str, Any], part: str, key: str) -> int:
    inner = given.get(part)
    value = inner.get(key) if isinstance(inner, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _keep_window(session: str, window: int, container: Container) -> None:
    """Hooks do not learn the window; the status line does, and tells them."""
    kept = container.store().pressure(session)
    if window and kept.window != window:
        container.store().keep_pressure(session, replace(kept, window=window))


def _with_work(
    standing: Standing, session: str, path: str, container: Container
) -> Standing:
    newest = container.store().list(Scope(), session=session, limit=1)
    last = newest[0] if newest else None
    if last:
        standing = replace(
            standing,
            last=last.checkpoint_id,
            number=last.number,
            saved_at=last.draft.created_at,
        )
    read = last.draft.read_to.offset if last else 0
    size = os.path.getsize(path) if os.path.isfile(path) else 0
    if last and _is_written_since(last, container):
        standing = replace(standing, is_unsaved=True)
    if size <= read:
        return standing
    if size - read > _MOST_NEW:
        return replace(standing, is_unsaved=True, files=None)
    from holdfast.app.checkpoints.status import (
        since,  # reading costs more than everything above
    )

    work = since(last, session, container.ports(bulk=False), path=path)
    return replace(
        standing,
        is_unsaved=standing.is_unsaved or work.changed,
        files=len(work.files),
        added=work.lines_added,
        removed=work.lines_removed,
    )


def _is_written_since(last: "Checkpoint", container: Container) -> bool:
    """Say whether a file of the checkpoint was written after it, without asking git.

    One that is gone is not counted: it may have been gone when it was saved.
    """
    draft = last.draft
    paths = [file.path for file in draft.content.files[:_MOST_FILES]]
    seen = container.code.changed(draft.working_directory, paths, draft.created_at)
    return any(change == "changed" for _, change in seen)
