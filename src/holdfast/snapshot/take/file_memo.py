"""What was found out about files of a worktree, so that it need not be found out twice.

Lost or damaged, it costs time and nothing else. A file is known by its times, size and
place on the disk; one that changed just before it was looked at is looked at again.
"""

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from holdfast.kernel.lazy_values import dataclass, field, field_names
from holdfast.snapshot.git import files

if TYPE_CHECKING:
    from holdfast.redaction.files import SecretFiles

_FORMAT = 4  # goes up with the built-in rules for secrets, too
_BY_PATH = ("names", "kept", "secret")
_SECOND_NS = 10**9
_COARSE_TICK_NS = 2 * _SECOND_NS  # the coarsest clock of a file system
_FINE_TICK_NS = _SECOND_NS // 10  # of one that keeps parts of a second, and to spare


@dataclass(slots=True)
class Memo:
    """Rules, trees and files as they were last seen. Written whole."""

    rules: str = ""  # digest of every rule that decides what belongs to a snapshot
    theirs: str = ""  # sign of the repository's own index
    settings: dict[str, str] = field(default_factory=dict)
    settings_sign: str = ""
    base: str = ""  # the commit of what our index holds
    base_tree: str = ""
    index_sum: int = 0  # of an index that matched its checksum
    names: dict[str, str] = field(default_factory=dict)  # what differs from it
    tree: str = ""  # what that made
    kept: dict[str, list[str]] = field(default_factory=dict)  # path: sign, mode, id
    secret: dict[str, str] = field(default_factory=dict)  # path: sign

    def has_kept(self, path: str, object_id: str) -> bool:
        """Say whether this content was judged and kept at this path."""
        known = self.kept.get(path)
        return known is not None and known[2] == object_id


def read(path: str, secrets: "SecretFiles") -> Memo:
    """Return what is known, or an empty memo."""
    text = files.read_text(path, files.LARGE)
    with suppress(ValueError, TypeError, RecursionError):
        raw = json.loads(text or "{}")
        if raw.pop("format", None) == _format(secrets):
            return _checked(Memo(**raw))
    return Memo()


def write(path: str, memo: Memo, secrets: "SecretFiles") -> None:
    """Remember; a failure costs only time."""
    known = _without_secrets({"format": _format(secrets), **_values(memo)}, secrets)
    content = json.dumps(known).encode()
    if files.read(path, files.LARGE) == content:
        return
    with suppress(OSError):
        files.replace(path, content)


def _format(secrets: "SecretFiles") -> str:
    """Return what changes when the rules for secrets do: then every file is judged again."""
    return f"{_FORMAT}{secrets.own}"


def _without_secrets(known: dict[str, Any], secrets: "SecretFiles") -> dict[str, Any]:
    """Leave out paths that carry a secret: those are looked at anew each time."""
    paths = {path for part in _BY_PATH for path in known[part]}
    if not secrets.is_in_name("\n".join(sorted(paths))):
        return known
    clean = {
        part: {p: s for p, s in known[part].items() if not secrets.is_in_name(p)}
        for part in _BY_PATH
    }
    return known | clean


def _checked(memo: Memo) -> Memo:
    """Return a memo of the right types.

    Raises:
        TypeError: some part is of another.
    """
    fresh = Memo()
    for name in field_names(Memo):
        if type(getattr(memo, name)) is not type(getattr(fresh, name)):
            raise TypeError
    return memo


def _values(memo: Memo) -> dict[str, object]:
    return {name: getattr(memo, name) for name in field_names(Memo)}


def sign(found: os.stat_result | None) -> str:
    """Return what is different whenever a file was touched."""
    if found is None:
        return ""
    parts = (
        found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino,
        found.st_mode,
    )  # fmt: skip
    return "-".join(map(str, parts))


def sign_of(path: str) -> str:
    """Return the sign of what a path leads to; nothing there has the empty one."""
    try:
        return sign(os.stat(path))
    except (OSError, ValueError):
        return ""


def is_settled(found: os.stat_result, now_ns: int) -> bool:
    """Say whether a later change would show in the file's times."""
    # The system alone sets this time: parts of a second in it are no claim of a program.
    is_fine = found.st_ctime_ns % _SECOND_NS != 0
    tick_ns = _FINE_TICK_NS if is_fine else _COARSE_TICK_NS
    return max(found.st_mtime_ns, found.st_ctime_ns) < now_ns - tick_ns
