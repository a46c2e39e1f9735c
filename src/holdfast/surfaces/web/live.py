"""Tell an open page from which row on something changed.

The store is asked for its mark once a second, and only while somebody listens; rows are
read when the mark is another one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import anyio
from anyio.to_thread import run_sync
from sse_starlette.sse import EventSourceResponse
from starlette.exceptions import HTTPException

from holdfast.app.checkpoints.timeline import EVERY_PROJECT, unchanged_rows
from holdfast.kernel.errors import HoldfastError, TokensUnreadable
from holdfast.surfaces.web.answering import number_of, site_of
from holdfast.surfaces.web.guard import grant_of

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import AsyncIterator, Callable, Sequence

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import Receive, Scope, Send

    from holdfast.app.checkpoints.timeline import Timelines
    from holdfast.reports.lanes import LaneRow

MOST_STREAMS = 100  # of one token
_LOOK_EVERY = 1.0  # seconds
_PING = 15  # seconds, so that a browser notices a server that is gone
_LAST_WORDS = 1.0  # seconds for a stream to end as a stream ends


class Watch:
    """Looks at the rows of a project for whoever listens."""

    def __init__(self, timelines: Timelines, every: float = _LOOK_EVERY) -> None:
        self._timelines = timelines
        self._every = every

    async def changes(
        self,
        project: str,
        known: int,
        ended: anyio.Event,
        may_listen: Callable[[], bool],
    ) -> AsyncIterator[dict[str, int]]:
        """Yield from which row on a project changed, each time that it did, until the
        server ends, or who listens may no longer.

        `known` is how many rows the listener has: what it missed is told first.
        """
        rows = await run_sync(self._rows, project)
        if known != len(rows):
            yield {"after": min(known, len(rows)), "count": len(rows)}
        while True:
            with anyio.move_on_after(self._every):
                await ended.wait()
            if ended.is_set() or not may_listen():
                return
            now = await run_sync(self._rows, project)
            if now is not rows:
                same = unchanged_rows(rows, now)
                is_news = same < max(len(rows), len(now))
                rows = now
                if is_news:
                    yield {"after": same, "count": len(now)}

    def _rows(self, project: str) -> Sequence[LaneRow]:
        try:
            return self._timelines.rows(project)
        except HoldfastError:  # its last one was forgotten, or the store is busy
            return ()


async def changes(request: Request) -> Response:
    """The events of a project: `rows` with `{"after": n, "count": m}`."""
    asked = request.query_params
    project = asked.get("project") or EVERY_PROJECT
    known = number_of(asked.get("known")) or 0
    site, grant = site_of(request), grant_of(request)
    ended = anyio.Event()

    def may_listen() -> bool:
        try:
            return site.access.is_good(grant)
        except TokensUnreadable:
            return False

    if site.streams[grant.token_id] >= MOST_STREAMS:
        raise HTTPException(503, "too many pages are open with this token")

    async def events() -> AsyncIterator[dict[str, str]]:
        async for change in site.watch.changes(project, known, ended, may_listen):
            yield {"event": "rows", "data": json.dumps(change)}

    answer = _CountedStream(
        events(), ping=_PING, shutdown_event=ended, shutdown_grace_period=_LAST_WORDS
    )
    answer.count_in(site.streams, grant.token_id)
    return answer


class _CountedStream(EventSourceResponse):
    """A stream that is counted as long as it lasts."""

    def count_in(self, streams: Counter[str], name: str) -> None:
        self._streams, self._name = streams, name

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._streams[self._name] += 1
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._streams[self._name] -= 1
