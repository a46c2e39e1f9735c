"""What the small files beside the store promise. Each sentence is a contract test.

Only annotations name these types, so that no hook imports them.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from holdfast.domain.access import AccessToken
from holdfast.domain.checkpoint import Draft
from holdfast.domain.client import EndRequest
from holdfast.domain.forgetting import Order
from holdfast.kernel.lazy_tuples import NamedTuple


class Markers(Protocol):
    def set(self, session_id: str, text: str = "") -> None:
        """Leave a mark for a session's next prompt; the newest text wins.

        A disk that cannot take it is no reason to fail.
        """
        ...

    def text(self, session_id: str) -> str | None:
        """Return the text of a session's mark; None if there is none."""
        ...

    def drop(self, session_id: str) -> None:
        """Take a mark away. Taking away none changes nothing."""
        ...

    def claim_notice(self, notice: str) -> bool:
        """Remember that the user is told this; False if they were told before."""
        ...

    def forget_notice(self, notice: str) -> None:
        """The trouble is over: the next time it is news again."""
        ...


class EndRequests(Protocol):
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


class Spool(Protocol):
    def prepare(self) -> None:
        """Set room aside while there is some, so that a full disk can still be told.

        Does nothing if that is done already or cannot be.
        """
        ...

    def add(self, draft: Draft, reason: str) -> None:
        """Keep a draft durably until the store takes it. Adding a key again changes
        nothing.

        Raises:
            OSError: the spool cannot be written either.
        """
        ...

    def try_writing(self) -> bool:
        """Write a trial and remove it: say whether a draft could wait here now."""
        ...

    def waiting(self) -> int:
        """Return how many drafts wait."""
        ...

    def set_aside(self) -> int:
        """Return how many entries could not be read: they are kept, and wait no more."""
        ...

    def give_up_unreadable(self) -> int:
        """Set aside what the disk does not give back, so that the rest can go in.

        For a repair alone: all else waits, because a disk may only fail for a moment.
        Nothing is deleted. Returns how many entries there were.

        Raises:
            OSError: the machine could not get at what waits.
        """
        ...

    def drain(self, put: Callable[[Draft], object]) -> int:
        """Put each waiting draft in the order they came, then forget it.

        Stops at the first that `put` raises store trouble or an OSError on, which stays
        with all after it. An entry that is damaged, or that is refused for what it is,
        is set aside, never deleted. Returns how many went.

        Raises:
            OSError: the machine could not get at what waits.
        """
        ...


class PlainFiles(Protocol):
    def clean(self, redact: Callable[[str], str]) -> tuple[str, ...]:
        """Put what `redact` makes of each text in its place, whole or not at all.

        Returns the paths that changed. The store, the spool's entries and the snapshots
        are not plain files; links are not followed.
        """
        ...

    def beyond_reach(self) -> tuple[str, ...]:
        """Return what may hold text but is kept as it is: the quarantine's things."""
        ...


class StoreCopies(Protocol):
    """Copies of the store from before its structure changed."""

    def names(self) -> tuple[str, ...]:
        """Return what there is, the oldest first."""
        ...

    def drop(self) -> tuple[str, ...]:
        """Remove all of them; return what had to stay, and why."""
        ...


class Orders(Protocol):
    """What was asked to be forgotten, until nothing of it is left."""

    def add(self, order: Order) -> None:
        """Keep an order durably. Adding it again changes nothing.

        Raises:
            OSError: it cannot be written.
        """
        ...

    def waiting(self) -> tuple[Order, ...]:
        """Return what is not done; one that cannot be read is not among it."""
        ...

    def done(self, order: Order) -> None:
        """Drop an order. Dropping twice changes nothing."""
        ...


class RefMark(NamedTuple):
    """How a ref of a remote was when it was last looked at."""

    commit: str
    digest: str  # of what it held; why it was refused, where it was


class SharedBefore(Protocol):
    """What is known of a remote that checkpoints are shared with. It can all be found
    out again."""

    def is_agreed(self) -> bool:
        """Say whether the user agreed to share with it."""
        ...

    def agree(self) -> None:
        """Remember that the user agreed."""
        ...

    def refs(self) -> Mapping[str, RefMark]:
        """Return each ref that was looked at; nothing where that cannot be read."""
        ...

    def keep(self, refs: Mapping[str, RefMark]) -> None:
        """Remember these refs, and no other."""
        ...


class AccessTokens(Protocol):
    """The tokens of whoever may ask the server of this data directory, without secrets."""

    def every(self) -> tuple[AccessToken, ...]:
        """Return the tokens, the oldest first; those that are over, too.

        What another process changed is seen at once.

        Raises:
            TokensUnreadable: what is kept cannot be read, or is none of ours.
        """
        ...

    def add(self, token: AccessToken) -> None:
        """Keep a token durably; two who add at once keep both.

        Raises:
            TokensUnreadable: what is kept cannot be read, and stays as it is.
            OSError: it cannot be written.
        """
        ...

    def revoke(self, token_id: str, now_ms: int) -> AccessToken:
        """Let a token be good for nothing; one that was revoked keeps its moment.

        Raises:
            TokenUnknown: there is none with this id.
            TokensUnreadable: what is kept cannot be read, and stays as it is.
            OSError: it cannot be written.
        """
        ...

    def used(self, token_id: str, day: str) -> None:
        """Remember on which day a token was used last. It is no reason to fail."""
        ...


class TextHolder(Protocol):
    """Something beside the store that may repeat what a record said."""

    def forget(self, order: Order) -> Sequence[str]:
        """Let go of what an order names; return what has to stay, and why.

        Forgetting again finds nothing more to do.
        """
        ...


class UnreadableHolder(Protocol):
    """What nobody can read, and so nobody can sift."""

    def saying(self, text: str) -> tuple[str, ...]:
        """Say where some text may still stand, whatever the case."""
        ...


class Approvals(Protocol):
    """Which checkpoints of others the user agreed to have told, by their hash."""

    def has(self, content_hash: str) -> bool: ...

    def add(self, content_hash: str) -> None:
        """Keep it. Adding it again changes nothing."""
        ...

    def remove(self, content_hash: str) -> bool:
        """Take it back; say whether it was there."""
        ...


class Processes(Protocol):
    """The machine's processes, as far as hooks ask about them."""

    def started(self, pid: int) -> str | None:
        """Return what tells a process from a later one with its id; None if gone."""
        ...
