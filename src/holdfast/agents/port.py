"""Being called by an agent at its events."""

from collections.abc import Iterator
from typing import Literal, Protocol

from holdfast.domain.query import HealthResult
from holdfast.kernel.lazy_tuples import NamedTuple

Scope = Literal["user", "project"]


class Change(NamedTuple):
    """One thing that installing or uninstalling did, or would do."""

    what: Literal["plugin", "written", "changed", "removed"]
    path: str
    detail: str


class Wiring(Protocol):
    """The wiring into one agent. Doing either twice changes nothing the second time."""

    def install(self, *, scope: Scope, mcp: bool, dry_run: bool) -> tuple[Change, ...]:
        """Make the agent call us, and return what changed.

        What others wrote stays as it is, byte for byte. With `dry_run` nothing changes.

        Raises:
            WiringFailed: a file is not ours to change; nothing of it was changed.
        """
        ...

    def uninstall(self, *, dry_run: bool) -> tuple[Change, ...]:
        """Undo every install, wherever it was, and return what changed.

        No trace stays but the data.

        Raises:
            WiringFailed: a file is not ours to change.
        """
        ...

    def check(self) -> Iterator[HealthResult]:
        """Yield whether the wiring is there and answers, end to end."""
        ...
