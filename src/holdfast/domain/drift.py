"""Drift: what changed in the code since a checkpoint, of what its brief names."""

from typing import Literal

from holdfast.domain.text import visible
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass

_PLAIN_BRANCH = pattern(r"[\w][\w./@+-]*")  # a shell takes it as one word
DriftState = Literal["unchanged", "changed", "gone"]


def switch_command(branch: str) -> str:
    """Return the command that switches to a branch; a name is never more than a word."""
    name = visible(branch)
    if _PLAIN_BRANCH.fullmatch(name):
        return f"git switch {name}"
    quoted = name.replace("'", "'\\''")
    return f"git switch '{quoted}'"


@dataclass(frozen=True, slots=True)
class FileDrift:
    """A file that a brief names, under the path by which it does."""

    path: str
    state: DriftState
    commit: str | None = None  # the newest that changed it; None: none did


@dataclass(frozen=True, slots=True)
class BranchMoved:
    """The checkpoint was saved on another branch than the one checked out now."""

    then: str
    now: str

    @property
    def command(self) -> str:
        return switch_command(self.then)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """The ground truth at resume. Without files, nothing could be compared."""

    files: tuple[FileDrift, ...] = ()
    branch: BranchMoved | None = None
    head_then: str | None = None
    head_now: str | None = None
    unverified: tuple[str, ...] = ()  # commands that passed then, with other code

    @property
    def drifted(self) -> tuple[FileDrift, ...]:
        return tuple(file for file in self.files if file.state != "unchanged")

    @property
    def head_moved(self) -> bool:
        return self.head_then is not None and self.head_then != self.head_now

    @property
    def is_unverified(self) -> bool:
        """Say whether what a command told then may not be so now."""
        return bool(self.drifted) or self.head_moved
