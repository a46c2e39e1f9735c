"""Drift: what changed in the code since a checkpoint, of what its brief names."""

from typing import Literal

from holdfast.values import dataclass

DriftState = Literal["unchanged", "changed", "gone"]


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
        return f"git switch {self.then}"


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
