"""Tiny files beside the store: hooks look at them before they import anything."""

from typing import Protocol


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

    def is_first(self, notice: str) -> bool:
        """Say whether the user was not told this yet, and remember that they are now."""
        ...

    def forget_notice(self, notice: str) -> None:
        """The trouble is over: the next time it is news again."""
        ...
