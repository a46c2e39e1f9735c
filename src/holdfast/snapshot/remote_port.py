"""Refs of ours in a repository that a team shares: what may be asked of a remote.

A ref holds one commit with a few small files. Nothing of the user's own repository is
written: neither refs nor objects, neither index nor configuration.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from holdfast.kernel.lazy_tuples import NamedTuple


class RefChange(NamedTuple):
    """What a ref of the remote is to be: these files, or gone."""

    name: str
    files: Mapping[str, bytes] | None
    before: str | None = None  # the commit it stands on; it must have been fetched
    moment: int = 0  # Unix seconds


class FetchedRef(NamedTuple):
    """What a ref of the remote held: the content of its file, or why there is none."""

    name: str
    commit: str
    content: bytes | None
    refused: str = ""


class TeamRemote(Protocol):
    """A remote, as far as the refs below `refs/holdfast/` go.

    No hook of the user's runs, nobody is asked for a password, and nothing takes for
    ever. What a repository's own configuration names as a program is not started.
    """

    @property
    def address(self) -> str:
        """Return where it is, as it may be shown: without a password."""
        ...

    def listed(self) -> Mapping[str, str]:
        """Return the commit of each ref; names are as anybody may have written them.

        Raises:
            RemoteFailed: it cannot be reached.
        """
        ...

    def fetched(self, names: Sequence[str], file: str) -> Iterator[FetchedRef]:
        """Yield a file of each ref. One that is not there, too large or not sound is
        refused by itself.

        Raises:
            RemoteFailed: it cannot be reached.
        """
        ...

    def sent(self, changes: Sequence[RefChange]) -> Mapping[str, str]:
        """Make refs what they are to be, never by force; return the commit of each that
        is so now, nothing for one that is gone.

        What a remote refuses together is sent in halves, down to one; why one was
        refused in the end, `refusals` tells.

        Raises:
            RemoteFailed: it cannot be reached.
        """
        ...

    @property
    def refusals(self) -> Mapping[str, str]:
        """Return why each ref that was sent is not what it should be."""
        ...
