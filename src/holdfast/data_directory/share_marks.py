"""What is known about a remote for sharing, and the directory a sync works in.

    share/NAME.json   whether the user agreed to it, and which ref was last seen how
    share/drafts/     what is on its way; a killed sync leaves some, the next removes it
    share/lock        held by whoever syncs

It saves time and a question, and nothing else: all of it is found out again. A mark tells
ids and hashes and no word of a record.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from holdfast.data_directory.port import RefMark
from holdfast.domain.forgetting import Order
from holdfast.kernel.digests import sha256
from holdfast.kernel.directories import make_own_directory
from holdfast.kernel.errors import RemoteFailed
from holdfast.kernel.files import (
    create_file,
    read_or_none,
    remove_quietly,
    replace_file,
)
from holdfast.kernel.locks import Lock

NAME = "share"
_DIGITS = 32
_PATIENCE = 10.0  # seconds


class ShareDirectory:
    """The place in a data directory; forgets what a killed sync left (`TextHolder`)."""

    def __init__(self, home: str) -> None:
        self.path = os.path.join(home, NAME)

    @contextmanager
    def held(self) -> Iterator[str]:
        """Have the place alone, emptied of what is on its way.

        Raises:
            RemoteFailed: another sync is running.
            OSError: it cannot be written.
        """
        make_own_directory(self.path)
        try:
            with Lock(f"{self.path}/lock", None, _PATIENCE).held():
                self._empty()
                yield self.path
        except TimeoutError:
            raise RemoteFailed(
                "another sync is running", hint="wait for it, then try again"
            ) from None

    @contextmanager
    def lent(self, data: bytes) -> Iterator[str]:
        """Lend a file that goes afterwards; one that a killed process left goes with the
        next sync or order to forget.

        Raises:
            OSError: it cannot be written.
        """
        drafts = f"{self.path}/drafts"
        make_own_directory(self.path)
        make_own_directory(drafts)
        path = f"{drafts}/lent-{os.getpid()}"
        remove_quietly(path)
        create_file(path, data)
        try:
            yield path
        finally:
            remove_quietly(path)

    def forget(self, order: Order) -> Sequence[str]:
        """Remove what a killed sync left: it may repeat any record."""
        del order
        if not os.path.isdir(self.path):
            return ()
        try:
            with self.held():
                return ()
        except RemoteFailed:
            return ("a sync is at work: what it has on its way goes when it ends",)

    def _empty(self) -> None:
        import shutil  # noqa: PLC0415  # few commands remove a directory

        shutil.rmtree(f"{self.path}/drafts", ignore_errors=True)


class ShareMarks:
    """Does what `port.SharedBefore` says, for one remote and one project."""

    def __init__(self, home: str, address: str, project_id: str) -> None:
        named = sha256(f"{address}\n{project_id}".encode()).hexdigest()[:_DIGITS]
        self._directory = os.path.join(home, NAME)
        self._path = os.path.join(self._directory, f"{named}.json")

    def is_agreed(self) -> bool:
        return self._read().get("agreed") is True

    def agree(self) -> None:
        self._write({**self._read(), "agreed": True})

    def refs(self) -> dict[str, RefMark]:
        found = self._read().get("refs")
        return {
            str(name): RefMark(*map(str, mark))
            for name, mark in (found.items() if isinstance(found, dict) else ())
            if isinstance(mark, list) and len(mark) == len(RefMark._fields)
        }

    def keep(self, refs: Mapping[str, RefMark]) -> None:
        self._write({**self._read(), "refs": {n: list(refs[n]) for n in sorted(refs)}})

    def _read(self) -> dict[str, object]:
        try:
            found = json.loads(read_or_none(self._path) or b"{}")
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def _write(self, told: Mapping[str, object]) -> None:
        make_own_directory(self._directory)
        replace_file(self._path, json.dumps(told).encode(), durable=False)
