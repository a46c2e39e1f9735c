"""A log line for each request, without anything that was typed.

    2026-11-18T20:31:07.123Z GET /api/checkpoint/{ref} 200 12 ms 3f9a01bc

A route is named by its pattern; whoever asks by the id of the token. Tries that are turned
away because there were too many leave no line, so nobody fills a disk.
"""

from __future__ import annotations

from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

from holdfast.kernel.clock import iso

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from starlette.types import Scope

    from holdfast.kernel.clock import Clock
    from holdfast.kernel.errors import HoldfastError

_METHODS = frozenset(["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
_TROUBLE_EVERY_MS = 60_000


class RequestLog:
    """Tells whoever runs the server what was asked of it."""

    def __init__(self, tell: Callable[[str], None] | None, clock: Clock) -> None:
        self._tell = tell
        self._clock = clock
        self._told_ms: int | None = None

    @contextmanager
    def request(self, scope: Scope) -> Iterator[Callable[[int], None]]:
        """Tell about a request when it is answered; the status is told meanwhile."""
        began = perf_counter()
        status = 0  # the other end went before there was an answer

        def answered(with_status: int) -> None:
            nonlocal status
            status = with_status

        try:
            yield answered
        finally:
            if self._tell is not None and not scope["state"].get("is_left_out"):
                self._tell(self._line(scope, status, perf_counter() - began))

    def leave_out(self, scope: Scope) -> None:
        scope["state"]["is_left_out"] = True

    def trouble(self, problem: HoldfastError) -> None:
        """Tell what is wrong here, once a minute."""
        now_ms = self._clock.now_ms()
        is_old = self._told_ms is None or now_ms - self._told_ms >= _TROUBLE_EVERY_MS
        if self._tell is not None and is_old:
            self._told_ms = now_ms
            self._tell(f"{iso(now_ms)} {problem.code}: {problem.message}")

    def _line(self, scope: Scope, status: int, seconds: float) -> str:
        method = scope["method"] if scope["method"] in _METHODS else "?"
        state = scope["state"]
        grant = state.get("grant")
        who = grant.token_id if grant else "-"
        where = state.get("route", "-")
        moment = iso(self._clock.now_ms())
        return f"{moment} {method} {where} {status} {seconds * 1000:.0f} ms {who}"
