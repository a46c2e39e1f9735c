"""Random histories of a worktree: everything that people and tools do to files."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hypothesis import strategies as st

What = Literal["write", "ignored", "remove", "rename", "chmod", "link", "mkdir"]
IGNORED = ".ignored"  # how the name of a file ends that a rule ignores
_NAMES = ("a", "b", "A", "caf\u00e9", "x y", "\udcff")
_PATHS = st.lists(st.sampled_from(_NAMES), min_size=1, max_size=3).map("/".join)
_CONTENTS = st.sampled_from([b"", b"one\n", b"two\r\n", b"\0\xff\x00", b"long" * 999])


@dataclass(frozen=True)
class Edit:
    what: What
    path: str
    content: bytes = b""
    to: str = "a"
    mode: int = 0o644

    def apply(self, root: Path) -> None:
        """Do it, if the worktree as it is allows it."""
        try:
            self._apply(root, root / self.path)
        except OSError:
            return

    def _apply(self, root: Path, place: Path) -> None:
        match self.what:
            case "write":
                _write(place, self.content)
            case "ignored":
                _write(place.with_name(place.name + IGNORED), self.content)
            case "remove":
                _remove(place)
            case "rename":
                place.rename(root / self.to)
            case "chmod":
                _change_mode(place, self.mode)
            case "link":
                place.parent.mkdir(parents=True, exist_ok=True)
                place.symlink_to(self.to)
            case "mkdir":
                place.mkdir(parents=True, exist_ok=True)


def edits() -> st.SearchStrategy[Edit]:
    what: st.SearchStrategy[What] = st.sampled_from(
        ["write", "write", "ignored", "remove", "rename", "chmod", "link", "mkdir"]
    )
    modes = st.sampled_from([0o755, 0o644, 0o600])
    return st.builds(Edit, what, _PATHS, _CONTENTS, _PATHS, modes)


def histories() -> st.SearchStrategy[list[list[Edit]]]:
    """Return edits with checkpoints in between."""
    return st.lists(st.lists(edits(), max_size=6), min_size=2, max_size=4)


def _remove(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink()


def _change_mode(place: Path, mode: int) -> None:
    if place.is_file() and not place.is_symlink():
        place.chmod(mode)


def _write(place: Path, content: bytes) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if not place.is_symlink():
        place.write_bytes(content)
