"""The address for programs: an application of its own behind the same door.

Whoever starts the server brings it, and this room knows nothing of what it says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from starlette.responses import PlainTextResponse

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from starlette.types import Receive, Scope, Send


class Programs(Protocol):
    """What answers programs, for as long as it is run."""

    def run(self) -> AbstractAsyncContextManager[None]:
        """Answer meanwhile; at the end, what is under way is finished first."""
        ...

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...


class ForPrograms:
    """The handler of that address."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answers: Programs | None = scope["app"].state.programs
        if answers is None:
            nobody = PlainTextResponse("programs are not answered here\n", 404)
            await nobody(scope, receive, send)
            return
        await answers(scope, receive, send)
