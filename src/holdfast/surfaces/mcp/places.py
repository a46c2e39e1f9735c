"""Limit requests at once per token, so that no token blocks others.

Who finds none of their own free waits in line, with nothing of the request read yet: what
waits takes no memory, and whoever says their requests slowly makes only themselves wait.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

OF_EACH = 8  # requests of a token that are heard or answered at a time
IN_LINE = 64  # that wait for it


class _Line:
    def __init__(self) -> None:
        self.free = anyio.Semaphore(OF_EACH)
        self.people = 0


class TokenPlaces:
    def __init__(self) -> None:
        self._lines: dict[str, _Line] = {}  # of tokens that are asking now

    @asynccontextmanager
    async def one_of(self, token: str, until: float) -> AsyncIterator[bool]:
        """Have a place meanwhile, or `False`: the line is too long, or it took so."""
        line = self._lines.setdefault(token, _Line())
        if line.people >= OF_EACH + IN_LINE:
            yield False
            return
        line.people += 1
        try:
            with anyio.CancelScope(deadline=until) as waiting:
                await line.free.acquire()
            if waiting.cancelled_caught:
                yield False
                return
            try:
                yield True
            finally:
                line.free.release()
        finally:
            line.people -= 1
            if not line.people:
                del self._lines[token]
