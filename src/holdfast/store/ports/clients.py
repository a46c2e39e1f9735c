"""Which session a running client is in. Each sentence is a contract test."""

from typing import Protocol

from holdfast.domain.client import Client


class Clients(Protocol):
    def note_client(self, client: Client) -> Client | None:
        """Keep which session a client is in now; return what was kept of it before."""
        ...

    def client(self, pid: int, started: str) -> Client | None:
        """Return a client that did not end, or None: same id, same start time."""
        ...

    def clients(self, workspace: str | None = None) -> tuple[Client, ...]:
        """Return clients that did not end, the one noted last first."""
        ...

    def end_client(self, pid: int, started: str) -> None:
        """Forget a client. Forgetting one that is not known changes nothing."""
        ...


class Processes(Protocol):
    """The machine's processes, as far as hooks ask about them."""

    def started(self, pid: int) -> str | None:
        """Return what tells a process from a later one with its id; None if gone."""
        ...
