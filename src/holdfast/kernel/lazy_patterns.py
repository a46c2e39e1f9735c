"""Regular expressions that are compiled when they are first used.

What a hook's fold imports defines about 140 and needs few: compiling them all takes some
25 ms, more than the fold. To a type checker, and to who uses one, `pattern` is `re.compile`.
"""

import re
from typing import TYPE_CHECKING, Any


class _Pattern:
    """Becomes a compiled expression, one method after the other."""

    def __init__(self, pattern: Any, flags: int = 0) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        # What was found once is found in the instance: no slower than the expression.
        found = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, found)
        return found


if TYPE_CHECKING:
    from re import compile as pattern
else:
    pattern = _Pattern

__all__ = ["pattern"]
