"""Running somebody's command over code of another time."""

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.snapshot import Entry
from holdfast.snapshot.restoring_port import Contents


class Trials(Protocol):
    """Each trial has a directory of its own, which is gone afterwards."""

    def run(
        self, entries: Sequence[Entry], contents: Contents, command: Sequence[str]
    ) -> int:
        """Run a command in a directory with just these files; return its exit status.

        The words go to the program as they are, without a shell. Whatever ends the
        trial, an interrupt too, the directory is removed.

        Raises:
            BisectFailed: it cannot be started.
            RestoreStopped: the files cannot be written.
        """
        ...
