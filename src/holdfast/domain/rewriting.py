"""What stays of what a record said before it was rewritten. No content."""

from holdfast.kernel.lazy_values import dataclass


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A record's hash before and after; the new one stands on the old one."""

    checkpoint_id: str
    old_hash: str
    new_hash: str
    reason: str
