"""The user is in charge: off, on, and a clean start."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.domain.client import Switch, SwitchKind, is_switched_off
from holdfast.domain.text import beginning
from holdfast.kernel.errors import STORE_TROUBLE, SessionUnknown, UsageWrong
from holdfast.kernel.lazy_patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.app.ports import Ports
    from holdfast.domain.query import Scope
    from holdfast.store.hook_port import Switches

_DURATION = pattern(r"(\d{1,6})\s*([smhdw])")
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def duration_ms(text: str) -> int:
    """Return a duration such as `2h` or `30m` in milliseconds.

    Raises:
        UsageWrong: it is not one.
    """
    found = _DURATION.fullmatch(text.strip().lower())
    if not found or not int(found[1]):
        raise UsageWrong(
            f"`{beginning(text, 40)}` is not a duration",
            hint="write it as `30m`, `2h` or `1d`",
        )
    return int(found[1]) * _UNITS[found[2]] * 1000


def target(
    kind: SwitchKind, scope: Scope, session_id: str | None, ports: Ports
) -> tuple[SwitchKind, str]:
    """Return what a switch is about.

    Raises:
        SessionUnknown: a session was meant and none is known here.
    """
    if kind == "all":
        return kind, ""
    if kind == "session":
        if session_id is None:
            raise SessionUnknown(
                "no session is known here",
                hint="run it inside a session, or name the project with `--project DIR`",
            )
        return kind, session_id
    if scope.project_id:
        return kind, scope.project_id
    identity = ports.code.identity(scope.workspace or "")
    return kind, ports.open_store().project(identity).project_id


def is_off(
    store: Switches, session_id: str, here: Callable[[], Scope], now_ms: int
) -> bool:
    """Say whether the user turned off the session, its project or everything."""
    switches = store.switches()
    if not switches:
        return False
    return is_switched_off(switches, here().project_id or "", session_id, now_ms)


def switch_off(
    kind: SwitchKind, value: str, lasting: int | None, ports: Ports
) -> Switch:
    """Turn everything, a project or a session off, for good or for a while.

    What waits was saved while it was on, so it goes in first: what nobody asked for and
    waits later is let go, and told. So is what cannot go in now: off is off all the same.
    """
    from holdfast.app.checkpoints.save import drain  # noqa: PLC0415  # hooks only ask whether it is off

    until = None if lasting is None else ports.clock.now_ms() + lasting
    switch = Switch(kind, value, until)
    store = ports.open_store()
    if ports.spool.waiting():
        with suppress(*STORE_TROUBLE):
            drain(ports, store)
    store.switch_off(switch)
    return switch


def switch_on(kind: SwitchKind, value: str, ports: Ports) -> bool:
    """Turn it on again; say whether it was off."""
    return ports.open_store().switch_on(kind, value)


def switch_on_here(
    project_id: str | None, session_id: str | None, ports: Ports
) -> bool:
    """Lift whatever keeps it off here, wherever it was said; say whether it was off."""
    here: tuple[tuple[SwitchKind, str | None], ...] = (
        ("all", ""),
        ("project", project_id),
        ("session", session_id),
    )
    lifted = [
        switch_on(kind, value, ports) for kind, value in here if value is not None
    ]
    return any(lifted)


def ask_fresh(workspace: str, ports: Ports) -> None:
    """The next session here is told nothing."""
    ports.open_store().ask_fresh(workspace)
