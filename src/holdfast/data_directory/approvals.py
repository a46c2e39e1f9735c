"""Which checkpoints of others the user approved, by the hash of their content.

    approved    a hash a line; nothing else

It is this machine's and goes nowhere. A record that says something else has another hash,
and is asked about again.
"""

import os
import string

from holdfast.kernel.files import read_or_none, replace_unlocked

NAME = "approved"
_HASH = frozenset(string.hexdigits)


class ApprovalFile:
    """Does what `port.Approvals` says."""

    def __init__(self, home: str) -> None:
        self._path = os.path.join(home, NAME)

    def has(self, content_hash: str) -> bool:
        return bool(content_hash) and content_hash in self._read()

    def add(self, content_hash: str) -> None:
        known = self._read()
        if content_hash not in known:
            self._write([*known, content_hash])

    def remove(self, content_hash: str) -> bool:
        known = self._read()
        if content_hash not in known:
            return False
        self._write([one for one in known if one != content_hash])
        return True

    def _read(self) -> list[str]:
        try:
            text = (read_or_none(self._path) or b"").decode("ascii", "replace")
        except OSError:
            return []
        return [line for line in text.split("\n") if line and _HASH.issuperset(line)]

    def _write(self, hashes: list[str]) -> None:
        replace_unlocked(self._path, "".join(f"{one}\n" for one in hashes).encode())
