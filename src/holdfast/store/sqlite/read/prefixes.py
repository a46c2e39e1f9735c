"""Prefix look-ups as ranges, which an index can answer."""

from holdfast.domain.text import storable

_LAST = "\U0010ffff"  # sorts after every text


def prefix_range(prefix: str) -> dict[str, str]:
    """Return the bounds of all texts that start with a prefix."""
    first = storable(prefix)
    return {"first": first, "end": first + _LAST}
