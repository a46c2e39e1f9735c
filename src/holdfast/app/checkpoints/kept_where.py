"""Decide which directory a save belongs to, and say so if that is unexpected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.text import one_line, visible

if TYPE_CHECKING:
    from holdfast.app.checkpoints.drafting import SaveRequest
    from holdfast.app.ports import Ports
    from holdfast.domain.session import SessionState

_MOST_OF_A_PLACE = 200  # characters


def directory_of(request: SaveRequest, state: SessionState, ports: Ports) -> str:
    """A checkpoint belongs to the project its session worked in.

    Unless someone named another, or that directory is not on this machine.
    """
    own = None if request.directory_given else worked_in(state, ports)
    return own or request.directory


def worked_in(state: SessionState, ports: Ports) -> str | None:
    """Return where a session began, if that is a directory on this machine."""
    return state.cwd if state.cwd and ports.code.exists(state.cwd) else None


def notice_of(request: SaveRequest, state: SessionState, ports: Ports) -> str:
    """Say that a session went to a project that it, or whoever asks, is not in."""
    own = worked_in(state, ports)
    if own is None:
        gone = bool(state.cwd) and not request.directory_given
        place = _shown_place(state.cwd, ports)
        told = f"its directory `{place}` is not on this machine: saved in this project"
        return told if gone else ""
    if request.trigger != "command" or own == request.directory:
        return ""
    there, here = map(ports.code.identity, (own, request.directory))
    if there.path == here.path:
        return ""
    place = _shown_place(there.workspace, ports)
    if request.directory_given:
        return f"its session worked in another project, `{place}`: saved where you said"
    return f"it belongs to another project than the one you are in: saved in `{place}`"


def _shown_place(path: str, ports: Ports) -> str:
    return one_line(visible(ports.redactor.text(path)), _MOST_OF_A_PLACE)
