"""Places for requests over HTTP: nobody takes those of others."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from starlette.types import Message

from holdfast.bootstrap import Container
from holdfast.surfaces.mcp.http import MOST_AT_ONCE, McpOverHttp
from holdfast.surfaces.mcp.places import IN_LINE, OF_EACH, TokenPlaces
from tests.over_http import a_grant

_LONG = 600.0  # seconds; ended by an answer, however busy the machine is


@asynccontextmanager
async def _served(root: Path) -> AsyncIterator[McpOverHttp]:
    (root / "project").mkdir()
    environ = {"HOLDFAST_HOME": str(root / "home"), "HOME": str(root)}
    container = Container(environ=environ, project=str(root / "project"))
    container.store(create=True)
    app = McpOverHttp(container, patience=_LONG)
    async with app.run():
        yield app
    container.close()


class Request:
    """A request that is said as far as it goes, and what it is answered."""

    def __init__(self, who: str, said: bytes, *, is_whole: bool = True) -> None:
        self.scope: dict[str, Any] = {
            "type": "http", "method": "POST", "path": "/mcp", "query_string": b"",
            "headers": [
                (b"content-type", b"application/json"),
                (b"accept", b"application/json, text/event-stream"),
            ],
            "state": {"grant": a_grant(who, "read")},
        }  # fmt: skip
        self._parts = [
            {"type": "http.request", "body": said, "more_body": not is_whole}
        ]
        self.status = 0

    async def _receive(self) -> Message:
        if self._parts:
            return self._parts.pop()
        await anyio.sleep_forever()
        raise AssertionError

    async def _send(self, message: Message) -> None:
        self.status = self.status or message.get("status", 0)

    async def ask(self, app: McpOverHttp) -> None:
        await app(self.scope, self._receive, self._send)


def test_slow_requests_of_one_token_stop_nobody_else(tmp_path: Path) -> None:
    """As many as there are places for everybody, and more than wait in line: another
    token is answered at once, and what is too much is refused as their own doing."""

    async def talk() -> tuple[int, list[int]]:
        slow = [
            Request("mallory", b"{", is_whole=False)
            for _ in range(OF_EACH + max(IN_LINE, MOST_AT_ONCE) + 1)
        ]
        asked = Request("alice", b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
        async with _served(tmp_path) as app, anyio.create_task_group() as tasks:
            for each in slow:
                tasks.start_soon(each.ask, app)
            await anyio.wait_all_tasks_blocked()
            await asked.ask(app)
            tasks.cancel_scope.cancel()
        return asked.status, [each.status for each in slow if each.status]

    answered, refused = anyio.run(talk)

    assert answered == 200
    assert refused == [429]


def test_who_waits_in_line_gets_the_place_that_is_free() -> None:
    """More than a token's places at a time is no refusal: it takes its turn."""

    async def talk() -> list[bool]:
        places, told = TokenPlaces(), []
        async with anyio.create_task_group() as tasks, AsyncExitStack() as holding:
            for _ in range(OF_EACH):
                taken = places.one_of("a", anyio.current_time() + _LONG)
                told.append(await holding.enter_async_context(taken))

            async def next_one() -> None:
                async with places.one_of("a", anyio.current_time() + _LONG) as is_in:
                    told.append(is_in)

            tasks.start_soon(next_one)
            await anyio.wait_all_tasks_blocked()
            assert len(told) == OF_EACH
            await holding.aclose()
        return told

    assert anyio.run(talk) == [True] * (OF_EACH + 1)


@pytest.mark.parametrize("is_late", [True, False])
def test_who_waited_too_long_has_none_and_leaves_nothing(*, is_late: bool) -> None:
    """Afterwards every place is free again, and nothing is kept of the token."""

    async def talk() -> tuple[bool, list[bool], dict[str, Any]]:
        places, after = TokenPlaces(), []
        async with AsyncExitStack() as holding:
            for _ in range(OF_EACH * is_late):
                taken = places.one_of("a", anyio.current_time() + _LONG)
                await holding.enter_async_context(taken)
            async with places.one_of("a", anyio.current_time() - 1) as is_in:
                missed = not is_in
        async with AsyncExitStack() as holding:
            for _ in range(OF_EACH):
                taken = places.one_of("a", anyio.current_time() + _LONG)
                after.append(await holding.enter_async_context(taken))
        return missed, after, dict(vars(places)["_lines"])

    missed, after, lines = anyio.run(talk)

    assert missed
    assert after == [True] * OF_EACH
    assert lines == {}
