"""Somebody who asks the pages' application as a server hands requests over."""

import asyncio
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from starlette.types import Message

from holdfast.bootstrap import Container
from holdfast.surfaces.web.exposure import Exposure
from holdfast.surfaces.web.routes import ROUTES
from holdfast.surfaces.web.site import application, site_at
from tests.builders import NOON

PORT = 4653
HOST = f"127.0.0.1:{PORT}"
# What a parameter of a route may be; a new one gets a sample here.
SAMPLES = {
    "project": "all", "ref": "latest", "session": "7670", "a": "1", "b": "2",
    "path": "src/auth.py", "name": "start.js", "place": "0",
}  # fmt: skip


def path_of(pattern: str) -> str:
    return re.sub(r"\{(\w+)(?::path)?\}", lambda found: SAMPLES[found[1]], pattern)


PATHS = [(method, path_of(route.path)) for route in ROUTES for method in route.methods]


@dataclass
class VisitorsClock:
    now: int = NOON

    def now_ms(self) -> int:
        return self.now


@dataclass
class Reply:
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Visitor:
    """Asks the application as a server hands requests over."""

    def __init__(
        self,
        container: Container,
        clock: VisitorsClock,
        exposure: Exposure | None = None,
    ) -> None:
        self.clock = clock
        self.client = self.local = "127.0.0.1"
        self.lines: list[str] = []
        self.site = site_at(container, exposure or Exposure(port=PORT))
        self._app = application(self.site, self.lines.append)

    def __call__(
        self, method: str, path: str, body: bytes = b"", **headers: str
    ) -> Reply:
        return asyncio.run(self._asked(method, path, {"host": HOST, **headers}, body))

    def broken(self, method: str, path: str, **headers: str) -> Reply:
        """Return the answer to what brings a bug about, which is raised behind it."""
        reply = Reply()
        with suppress(Exception):
            asyncio.run(
                self._asked(method, path, {"host": HOST, **headers}, b"", reply)
            )
        return reply

    async def _asked(
        self,
        method: str,
        address: str,
        headers: Mapping[str, str],
        body: bytes,
        reply: Reply | None = None,
    ) -> Reply:
        reply = reply or Reply()
        path, _, query = address.partition("?")
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1",
            "method": method, "scheme": "http", "path": path, "raw_path": path.encode(),
            "root_path": "", "query_string": query.encode(), "server": (self.local, PORT),
            "client": (self.client, 1),
            "headers": [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()],
        }  # fmt: skip

        messages: list[Message] = [
            {"type": "http.request", "body": body, "more_body": False}
        ]

        async def receive() -> Message:
            return messages.pop() if messages else {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                reply.status = message["status"]
                pairs = message["headers"]
                reply.headers = {k.decode(): v.decode() for k, v in pairs}
            else:
                reply.body += message.get("body", b"")

        await self._app(scope, receive, send)
        return reply

    def entered(self) -> str:
        """Come in, and return the cookie as a browser sends it."""
        reply = self("GET", self.site.access.path)
        assert reply.status == 303
        return reply.headers["set-cookie"].partition(";")[0]
