"""A named checkpoint as people have it: a file they can read, edit and delete."""

from holdfast.domain.checkpoint import Plan
from holdfast.kernel.lazy_values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedFile:
    """What `checkpoint-{name}.md` says; `other` is what is not in its form."""

    name: str
    branch: str
    saved: str  # local time to the minute, as it stands there
    plan: Plan | None = None
    left_off: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
