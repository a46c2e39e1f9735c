"""The quarantine: what cannot be read is moved here as it is, and never deleted."""

import json
import os
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence

from holdfast.domain.forgetting import Order
from holdfast.kernel.digests import sha256
from holdfast.kernel.directories import open_directory
from holdfast.kernel.files import copy_file, read_file, read_or_none, replace_file
from holdfast.kernel.lazy_patterns import pattern

FOLDER = "quarantine"
_UNFINISHED = "unfinished"  # in the folder of a store whose rebuilding is under way
_ROW = ".row.json"
_ESCAPED = pattern(r"\\+u([0-9a-f]{4})")


class Quarantine:
    """A directory of the data directory; made when something has to go there."""

    def __init__(self, home: str) -> None:
        self.path = os.path.join(home, FOLDER)

    def keep_row(self, table: str, values: Mapping[str, object], why: str) -> str:
        """Keep a row as it was read; the same row again is the same file.

        Raises:
            OSError: it cannot be kept; then it must not go either.
        """
        told = {"table": table, "why": why, "values": _told(values)}
        data = json.dumps(told, sort_keys=True, indent=1).encode("ascii")
        name = f"{table}-{sha256(data).hexdigest()[:16]}{_ROW}"
        directory = open_directory(self.path, create=True)
        try:
            replace_file(name, data, directory)
        finally:
            os.close(directory)
        return name

    def keep_store(self, home: str, names: Sequence[str]) -> str:
        """Copy a store's files, durably, and return the folder.

        It counts as unfinished until `finish`: what is in it is still to be read.

        Raises:
            OSError: there is no whole copy.
        """
        folder = self.free_folder("store")
        directory = open_directory(folder, create=True)
        try:
            for name in names:
                if os.path.exists(f"{home}/{name}"):
                    copy_file(f"{home}/{name}", name, directory, durable=True)
            replace_file(_UNFINISHED, b"", directory)
        finally:
            os.close(directory)
        return folder

    def free_folder(self, what: str) -> str:
        """Return a folder that is not there yet: one before it may have been removed.

        Raises:
            OSError: there can be none.
        """
        os.close(open_directory(self.path, create=True))
        taken = [_number(name) for name in self._names() if name.startswith(f"{what}-")]
        return os.path.join(self.path, f"{what}-{max(taken, default=0) + 1:03d}")

    def unfinished(self) -> list[str]:
        """Return the folders of stores that are still to be rebuilt, newest first."""
        marked = (f for f in self._folders() if os.path.exists(f"{f}/{_UNFINISHED}"))
        return sorted(marked, key=_number, reverse=True)

    def finish(self, folders: Sequence[str], missing: int = 0) -> None:
        """Note that stores were rebuilt; with entries missing, they stay unfinished."""
        for folder in folders:
            if not missing:
                os.unlink(f"{folder}/{_UNFINISHED}")
                continue
            directory = open_directory(folder, create=False)
            try:
                replace_file(_UNFINISHED, str(missing).encode(), directory)
            finally:
                os.close(directory)

    def missing(self, folders: Sequence[str]) -> int:
        """Return how many entries of rebuilt stores are missing; 0 if nobody counted."""
        found = 0
        for folder in folders:
            told = read_file(f"{folder}/{_UNFINISHED}")
            found = max(found, int(told) if told.isdigit() else 0)
        return found

    def count(self) -> int:
        """Return how many things are in it."""
        return len(self._names())

    def forget(self, order: Order) -> tuple[str, ...]:
        """Say what may still hold something; what nobody can read, nobody can sift."""
        ids = [i.encode() for i in (*order.checkpoint_ids, *order.sessions)]
        return tuple(
            _may_hold(path)
            for path in self._files()
            if any(wanted in _read(path) for wanted in ids)
        )

    def saying(self, text: str) -> tuple[str, ...]:
        """Say where some text may still stand, whatever the case."""
        forms = {_folded(text), _folded(json.dumps(text, ensure_ascii=False)[1:-1])}
        kept = []
        for path in self._files():
            data = _folded(_read(path).decode("utf-8", "replace"))
            if any(form in data for form in forms):
                kept.append(_may_hold(path))
        return tuple(kept)

    def _folders(self) -> list[str]:
        return [f"{self.path}/{n}" for n in self._names() if n.startswith("store-")]

    def _names(self) -> list[str]:
        try:
            return [n for n in os.listdir(self.path) if not n.startswith(".")]
        except OSError:
            return []

    def _files(self) -> Iterator[str]:
        for folder, _, names in os.walk(self.path):
            yield from (os.path.join(folder, name) for name in sorted(names))


def _may_hold(path: str) -> str:
    return f"`{path}` is damaged and may hold it: remove it yourself"


def _read(path: str) -> bytes:
    """Return a file's bytes; what is no file, or cannot be read, has none."""
    return read_or_none(path) or b""


def _folded(text: str) -> str:
    """Return a text without case and escapes: a kept row is JSON that holds JSON."""
    plain = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text).replace("\\", "")
    paired = plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return paired.casefold()


def _number(folder: str) -> int:
    told = folder.rpartition("-")[2]
    return int(told) if told.isdecimal() else 0


def _told(values: Mapping[str, object]) -> dict[str, object]:
    return {
        name: {"base64": b64encode(value).decode()}
        if isinstance(value, bytes)
        else value
        for name, value in values.items()
    }
