"""Saves that were asked for at the end of a session, until they are done."""

from contextlib import AbstractContextManager
from typing import Protocol

from holdfast.domain.client import EndRequest


class Requests(Protocol):
    def add(self, request: EndRequest) -> None:
        """Keep a request durably. Adding a key again changes nothing.

        Raises:
            OSError: it cannot be written.
        """
        ...

    def waiting(self) -> tuple[EndRequest, ...]:
        """Return what was asked for and is not done; one that cannot be read is not."""
        ...

    def done(self, request: EndRequest) -> None:
        """Forget a request. Forgetting twice changes nothing."""
        ...

    def working(self, patience: float) -> AbstractContextManager[bool]:
        """Hold the right to carry requests out; False if somebody else holds it for
        longer than `patience` seconds."""
        ...
