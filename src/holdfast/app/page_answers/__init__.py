"""What pages in the browser show, as JSON: pure, the same for a server and for a file.

A module for each page, which takes values of the domain and returns an answer. Whatever a
record says passes `shown` on its way out.
"""

from typing import Any

from holdfast.domain.text import visible

Json = dict[str, Any]


def shown(value: Json) -> Json:
    """Return an answer with nothing hidden in any of its texts."""
    return {visible(name): _shown(part) for name, part in value.items()}


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return shown(value)
    if isinstance(value, (list, tuple)):
        return [_shown(part) for part in value]
    return value
